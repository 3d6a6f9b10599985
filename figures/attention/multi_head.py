"""Multi-head attention (Vaswani et al. 2017, §3.2.2).

With grouped KV heads (Ainslie et al. 2023, arXiv:2305.13245).
"""

from __future__ import annotations

from torch import Generator, Tensor, nn

from figures.attention.cache import KVCache
from figures.attention.dot_product import (
    Attention,
    scaled_dot_product_attention,
)


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = Concat(head_1, …, head_h) W_O.

    Vaswani et al. 2017, §3.2.2. Each head projects the whole of x;
    `d_head` is d_model / h unless given. `num_kv_heads` keys and values
    serve groups of query heads (1: multi-query attention). Dropout acts
    on the weights, in training mode only.
    """

    def __init__(
        self,
        d_model: int,
        num_heads: int,
        *,
        d_head: int | None = None,
        num_kv_heads: int | None = None,
        bias: bool = True,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        if d_head is None and d_model % num_heads:
            raise ValueError(
                f"d_model {d_model} is not a multiple of {num_heads} "
                "heads; give d_head"
            )
        self.h, self.h_kv = num_heads, num_kv_heads or num_heads
        if self.h % self.h_kv:
            raise ValueError(
                f"{self.h} query heads, {self.h_kv} KV heads: "
                "the second must divide the first"
            )
        self.d_head = d_head or d_model // num_heads
        self.dropout = dropout
        self.w_q = nn.Linear(d_model, self.h * self.d_head, bias)
        self.w_k = nn.Linear(d_model, self.h_kv * self.d_head, bias)
        self.w_v = nn.Linear(d_model, self.h_kv * self.d_head, bias)
        self.w_o = nn.Linear(self.h * self.d_head, d_model, bias)

    def forward(
        self,
        x: Tensor,
        context: Tensor | None = None,
        mask: Tensor | None = None,
        cache: KVCache | None = None,
        *,
        generator: Generator | None = None,
    ) -> tuple[Tensor, Attention]:
        """Output `[B, T_q, d_model]`, and all heads' steps `[B, h, …]`.

        Keys and values come from `context` `[B, T_k, d_model]`, or from
        x itself (self-attention). `mask` broadcasts to
        `[B, h, T_q, T_k]`. A `cache` puts earlier keys, values first.
        """
        context = x if context is None else context
        q = split_heads(self.w_q(x), self.h)  # [B, h, T_q, d_head]
        k = split_heads(self.w_k(context), self.h_kv)
        v = split_heads(self.w_v(context), self.h_kv)
        if cache is not None:
            k, v = cache.append(k, v)  # [B, h_kv, T_k, d_head]
        group = self.h // self.h_kv  # query heads to a KV head
        k, v = (t.repeat_interleave(group, dim=1) for t in (k, v))
        p = self.dropout if self.training else 0.0
        heads = scaled_dot_product_attention(
            q, k, v, mask, dropout_p=p, generator=generator
        )
        return self.w_o(merge_heads(heads.output)), heads


def split_heads(x: Tensor, h: int) -> Tensor:
    """`[B, T, h · d]` → `[B, h, T, d]`: cut the features, then swap."""
    B, T, width = x.shape
    return x.view(B, T, h, width // h).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """`[B, h, T, d]` → `[B, T, h · d]`: swap back, lay side by side."""
    B, h, T, d = x.shape
    return x.transpose(1, 2).contiguous().view(B, T, h * d)
