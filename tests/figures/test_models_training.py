"""The parts of training against torch's own."""

from __future__ import annotations

import torch
from torch import nn
from torch.testing import assert_close

from figures.models.training import Adam, fit, initialise, parameter_count


def test_adam_is_torchs_adam():
    ours, theirs = nn.Linear(5, 3), nn.Linear(5, 3)
    theirs.load_state_dict(ours.state_dict())
    own, reference = Adam(ours.parameters(), 1e-2), torch.optim.Adam(theirs.parameters(), 1e-2)
    x = torch.randn(7, 5, generator=torch.Generator().manual_seed(0))
    for _ in range(50):
        ours(x).square().mean().backward()
        own.step()
        reference.zero_grad()
        theirs(x).square().mean().backward()
        reference.step()
    assert_close(ours.weight, theirs.weight, atol=1e-6, rtol=1e-5)


def test_a_generator_alone_decides_the_initial_weights():
    def made(seed):
        model = nn.ModuleDict({"e": nn.Embedding(5, 8), "g": nn.GRU(8, 6), "l": nn.Linear(6, 4), "n": nn.LayerNorm(4)})
        initialise(model, torch.Generator().manual_seed(seed))
        return model.state_dict()

    first, again, other = made(0), made(0), made(1)
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["l.weight"], other["l.weight"])
    assert first["g.weight_ih_l0"].abs().max() <= 6**-0.5
    assert first["l.bias"].abs().max() <= 6**-0.5
    assert first["n.weight"].eq(1).all()
    assert first["n.bias"].eq(0).all()


def test_fitting_lowers_the_loss_and_draws_nothing_from_the_global_generator():
    before = torch.random.get_rng_state()
    model = nn.Linear(4, 1, bias=False)
    torch.random.set_rng_state(before)
    generator = torch.Generator().manual_seed(0)
    initialise(model, generator)
    x = torch.randn(64, 4, generator=generator)
    losses = fit(model, lambda _: (model(x) - x.sum(-1, keepdim=True)).square().mean(), 200, learning_rate=0.05)
    assert losses[-1] < 1e-2 < losses[0]
    assert torch.equal(torch.random.get_rng_state(), before)
    assert parameter_count(model) == 4
