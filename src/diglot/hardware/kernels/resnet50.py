"""The convolutions of ResNet-50 for images of 224 x 224, in version 1.5, whose 3 x 3 filters halve them.

Sources: K. He et al., "Deep Residual Learning for Image Recognition", arXiv:1512.03385, table 1; NVIDIA,
"ResNet v1.5 for PyTorch" (where the stride is).
"""

from diglot.hardware.kernels.layers import ConvolutionShape

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""Channels inside a block, and blocks."""
WIDENING_COUNT = 4
"""Channels of a block's output for each inside."""


def shape_convolution(
    batch: int,
    side: int,
    channels: int,
    filters: int,
    *,
    filter_side: int = 1,
    stride: int = 1,
    groups: int = 1,
) -> ConvolutionShape:
    """A convolution that keeps the image's size, but for the stride."""
    return ConvolutionShape(
        batch_count=batch,
        height_elements=side,
        width_elements=side,
        channels_count=channels,
        filters_count=filters,
        filter_height_elements=filter_side,
        filter_width_elements=filter_side,
        stride_elements=stride,
        padding_elements=filter_side // 2,
        groups_count=groups,
    )


def list_resnet50_convolutions(batch: int) -> list[ConvolutionShape]:
    """The 53 convolutions of ResNet-50 in their order, for a batch of images."""
    shapes = [shape_convolution(batch, 224, 3, 64, filter_side=7, stride=2)]
    side, channels = 56, 64  # behind the pooling
    for stage, (inside, blocks) in enumerate(STAGES):
        outside = WIDENING_COUNT * inside
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            shapes.append(shape_convolution(batch, side, channels, inside))
            shapes.append(shape_convolution(batch, side, inside, inside, filter_side=3, stride=stride))
            if block == 0:
                shapes.append(shape_convolution(batch, side, channels, outside, stride=stride))
            side, channels = side // stride, outside
            shapes.append(shape_convolution(batch, side, inside, outside))
    return shapes
