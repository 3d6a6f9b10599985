"""The mechanisms of attention: tensors in, every step out.

Every mechanism is the short function that its paper describes and
returns an `Attention` record of scores (scaled, before the mask),
weights and output. Masks are boolean and say what to keep. A query row
without any key to keep gets weights 0 and output 0, forward and
backward, as in `torch.nn.functional.scaled_dot_product_attention`.
"""

from __future__ import annotations

from figures.attention.additive import additive_attention
from figures.attention.cache import KVCache
from figures.attention.dot_product import (
    Attention,
    drop_weights,
    scaled_dot_product_attention,
)
from figures.attention.efficient import (
    chunked_attention,
    linear_attention,
)
from figures.attention.hard import hard_attention, log_probability
from figures.attention.local import local_attention, predicted_position
from figures.attention.luong import (
    concat_score,
    dot_score,
    general_score,
    luong_attention,
    luong_score,
)
from figures.attention.masks import (
    causal_mask,
    masked_softmax,
    padding_mask,
    sliding_window_mask,
)
from figures.attention.multi_head import (
    MultiHeadAttention,
    merge_heads,
    split_heads,
)
from figures.attention.positions import (
    alibi_bias,
    rotary,
    sinusoidal_encoding,
)

__all__ = [
    "Attention",
    "scaled_dot_product_attention",
    "drop_weights",
    "additive_attention",
    "luong_attention",
    "luong_score",
    "dot_score",
    "general_score",
    "concat_score",
    "local_attention",
    "predicted_position",
    "hard_attention",
    "log_probability",
    "MultiHeadAttention",
    "split_heads",
    "merge_heads",
    "masked_softmax",
    "padding_mask",
    "causal_mask",
    "sliding_window_mask",
    "sinusoidal_encoding",
    "rotary",
    "alibi_bias",
    "KVCache",
    "chunked_attention",
    "linear_attention",
]
