"""FLOPs and traffic of convolutions, normalisations, embeddings and expert layers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from diglot.hardware import (
    ConvolutionShape,
    ExpertLayer,
    count_convolution,
    count_elementwise,
    count_embedding,
    count_expert_feed_forward,
    count_gemm,
    count_layer_normalisation,
    count_rms_normalisation,
)

small = st.integers(1, 12)


def convolution_of(batch=1, side=8, channels=4, filters=4, filter_side=3, stride=1, padding=1, groups=1):
    return ConvolutionShape(
        batch_count=batch,
        height_elements=side,
        width_elements=side,
        channels_count=channels,
        filters_count=filters,
        filter_height_elements=filter_side,
        filter_width_elements=filter_side,
        stride_elements=stride,
        padding_elements=padding,
        groups_count=groups,
    )


class TestConvolution:
    def test_the_first_layer_of_resnet_50(self):
        """64 filters of 7 x 7 on 224 x 224 x 3, stride 2: 112 x 112 outputs. He et al., table 1."""
        shape = convolution_of(side=224, channels=3, filters=64, filter_side=7, stride=2, padding=3)
        assert (shape.output_height_elements, shape.output_width_elements) == (112, 112)
        assert count_convolution(shape).flops == 2 * 112 * 112 * 64 * 7 * 7 * 3

    @given(small, st.integers(1, 3), small, small, st.integers(1, 3), st.integers(1, 3), st.integers(0, 2))
    def test_it_counts_what_a_loop_over_every_output_counts(
        self, side, batch, channels, filters, filter_side, stride, padding
    ):
        if filter_side > side + 2 * padding:
            return
        shape = convolution_of(batch, side, channels, filters, filter_side, stride, padding)
        starts = range(0, side + 2 * padding - filter_side + 1, stride)
        outputs = sum(1 for _ in starts) ** 2 * batch * filters
        kernel = count_convolution(shape, dtype="int8")
        assert kernel.flops == 2 * outputs * channels * filter_side**2
        assert kernel.written_bytes == outputs
        assert kernel.read_bytes == batch * channels * side**2 + filters * channels * filter_side**2

    def test_a_filter_of_one_element_is_a_matrix_product(self):
        kernel = count_convolution(convolution_of(2, 8, 16, 32, filter_side=1, padding=0))
        product = count_gemm(2 * 8 * 8, 16, 32)
        assert (kernel.flops, kernel.memory_bytes) == (product.flops, product.memory_bytes)

    def test_groups_divide_the_work(self):
        whole, depthwise = (count_convolution(convolution_of(groups=groups)) for groups in (1, 4))
        assert whole.flops == 4 * depthwise.flops
        assert whole.intensity_flops_per_byte > depthwise.intensity_flops_per_byte

    def test_impossible_shapes_are_refused(self):
        with pytest.raises(ValueError, match="3 groups do not divide channels_count 4"):
            convolution_of(groups=3)
        with pytest.raises(ValueError, match="larger than the padded image"):
            convolution_of(side=2, filter_side=5, padding=1)
        with pytest.raises(ValueError, match="padding_elements must be at least 0"):
            convolution_of(padding=-1)
        with pytest.raises(ValueError, match="stride_elements must be"):
            convolution_of(stride=0)


class TestNormalisation:
    def test_counts_of_a_small_case_by_hand(self):
        layer, rms = count_layer_normalisation(2, 8), count_rms_normalisation(2, 8)
        assert (layer.flops, layer.read_bytes, layer.written_bytes) == (7 * 16, (16 + 16) * 2, 32)
        assert (rms.flops, rms.read_bytes, rms.written_bytes) == (4 * 16, (16 + 8) * 2, 32)

    def test_many_rows_move_what_an_element_wise_kernel_moves(self):
        kernel = count_layer_normalisation(10**6, 1024)
        assert kernel.memory_bytes == pytest.approx(count_elementwise(1024 * 10**6).memory_bytes, rel=1e-5)

    def test_its_intensity_is_below_nvidias_ten(self):
        """Table 1 of NVIDIA, "GPU Performance Background User's Guide"."""
        assert count_layer_normalisation(4096, 4096, dtype="fp16").intensity_flops_per_byte < 10


class TestEmbedding:
    def test_rows_are_copied_and_ids_read(self):
        kernel = count_embedding(10, 64)
        assert (kernel.flops, kernel.read_bytes, kernel.written_bytes) == (0, 10 * (128 + 4), 10 * 128)

    def test_arrays_of_tokens_are_answered_at_once(self):
        assert count_embedding([1, 2], 64).flops.tolist() == [0, 0]


class TestExperts:
    MIXTRAL = ExpertLayer(width_elements=4096, inner_elements=14336, experts_count=8, active_count=2)

    def test_mixtral_has_176_million_weights_in_an_expert(self):
        assert self.MIXTRAL.expert_elements == 3 * 4096 * 14336

    def test_one_token_visits_its_active_experts(self):
        assert self.MIXTRAL.visited_experts_count(1) == pytest.approx(2)
        assert self.MIXTRAL.expert_tokens(1) == pytest.approx(1)

    def test_many_tokens_visit_all(self):
        assert self.MIXTRAL.visited_experts_count(1000) == pytest.approx(8)
        assert self.MIXTRAL.expert_tokens(1000) == pytest.approx(250)

    def test_visits_are_what_random_routing_gives(self):
        layer = ExpertLayer(width_elements=1, inner_elements=1, experts_count=16, active_count=2)
        chance = np.random.default_rng(1)
        drawn = [
            len({expert for _ in range(10) for expert in chance.choice(16, 2, replace=False)})
            for _ in range(2000)
        ]
        assert layer.visited_experts_count(10) == pytest.approx(np.mean(drawn), rel=0.01)

    def test_one_expert_is_a_plain_feed_forward_layer(self):
        layer = ExpertLayer(width_elements=8, inner_elements=32, gated=False)
        kernel = count_expert_feed_forward(layer, 4)
        up, down = count_gemm(4, 8, 32), count_gemm(4, 32, 8)
        assert kernel.flops == up.flops + down.flops
        assert kernel.memory_bytes == up.memory_bytes + down.memory_bytes

    def test_work_grows_with_the_active_experts_and_not_with_all(self):
        few, many = (
            count_expert_feed_forward(
                ExpertLayer(width_elements=1024, inner_elements=4096, experts_count=count, active_count=2), 64
            )
            for count in (8, 64)
        )
        router_flops = 2 * 64 * 1024 * (64 - 8)
        assert many.flops - few.flops == router_flops
        assert many.memory_bytes > 4 * few.memory_bytes

    @given(st.integers(1, 10**6), st.integers(1, 64), st.integers(1, 64))
    def test_visited_experts_lie_between_those_of_one_token_and_all(self, tokens, active, more):
        layer = ExpertLayer(
            width_elements=8, inner_elements=8, experts_count=active + more, active_count=active
        )
        visited = layer.visited_experts_count(tokens)
        assert active * (1 - 1e-12) <= visited <= active + more
        assert layer.expert_tokens(tokens) <= tokens * (1 + 1e-12)

    def test_more_active_experts_than_there_are_is_refused(self):
        with pytest.raises(ValueError, match="9 active experts of 8"):
            ExpertLayer(width_elements=1, inner_elements=1, experts_count=8, active_count=9)


@pytest.mark.parametrize("wrong", [0, -1, 2.5, float("nan")])
def test_impossible_sizes_are_refused(wrong):
    for count in (count_layer_normalisation, count_rms_normalisation, count_embedding):
        with pytest.raises(ValueError, match="must be"):
            count(wrong, 8)
        with pytest.raises(ValueError, match="must be"):
            count(8, wrong)
    with pytest.raises(ValueError, match="tokens must be"):
        count_expert_feed_forward(TestExperts.MIXTRAL, wrong)
