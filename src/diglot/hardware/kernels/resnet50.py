"""The convolutions of ResNet-50 for images of 224 x 224, in version 1.5, whose 3 x 3 filters halve them.

Sources: K. He et al., "Deep Residual Learning for Image Recognition", arXiv:1512.03385, table 1; NVIDIA,
"ResNet v1.5 for PyTorch" (where the stride is).
"""

from diglot.hardware.kernels.layers import ConvolutionShape
from diglot.hardware.sizes import check_size

STAGES = ((64, 3), (128, 4), (256, 6), (512, 3))
"""Channels inside a block, and blocks."""
WIDENING_COUNT = 4
"""Channels of a block's output for each inside."""


def shape_convolution(
    batch_count: int,
    side_elements: int,
    channels_count: int,
    filters_count: int,
    *,
    filter_side_elements: int = 1,
    stride_elements: int = 1,
    groups_count: int = 1,
) -> ConvolutionShape:
    """A convolution that keeps the image's size, but for the stride.

    Raises ValueError for impossible sizes.
    """
    check_size("side_elements", side_elements)
    check_size("filter_side_elements", filter_side_elements)
    return ConvolutionShape(
        batch_count=batch_count,
        height_elements=side_elements,
        width_elements=side_elements,
        channels_count=channels_count,
        filters_count=filters_count,
        filter_height_elements=filter_side_elements,
        filter_width_elements=filter_side_elements,
        stride_elements=stride_elements,
        padding_elements=filter_side_elements // 2,
        groups_count=groups_count,
    )


def list_resnet50_convolutions(batch_count: int) -> list[ConvolutionShape]:
    """The 53 convolutions of ResNet-50 in their order, for a batch of images."""
    shapes = [shape_convolution(batch_count, 224, 3, 64, filter_side_elements=7, stride_elements=2)]
    side, channels = 56, 64  # behind the pooling
    for stage, (inside, blocks) in enumerate(STAGES):
        outside = WIDENING_COUNT * inside
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            shapes.append(shape_convolution(batch_count, side, channels, inside))
            shapes.append(
                shape_convolution(
                    batch_count, side, inside, inside, filter_side_elements=3, stride_elements=stride
                )
            )
            if block == 0:
                shapes.append(shape_convolution(batch_count, side, channels, outside, stride_elements=stride))
            side, channels = side // stride, outside
            shapes.append(shape_convolution(batch_count, side, inside, outside))
    return shapes
