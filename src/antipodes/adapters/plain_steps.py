"""Steps of many games whose rules have no kernels here: they draw each position again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from antipodes.adapters.kernels import steps
from antipodes.adapters.observation import Numbers, legal_mask, observe
from antipodes.games.kernels import edition, header
from antipodes.games.position import Game


def plain_step(game: Game) -> Callable[..., int]:
    """Return a step with the parameters and the result of :func:`kernels.steps.step`."""
    rules = game.rules
    restart = edition(steps, "restart")

    def step(*arrays: Numbers) -> int:
        tables, _, prizes, states, mask, planes, work, _, actions, rewards, ended = arrays
        for number, action in enumerate(actions.tolist()):
            if rules.judge(tables, states[number], work, action) != header.LEGAL:
                return number
        for number, action in enumerate(actions.tolist()):
            rules.play(tables, states[number], work, action)
            if states[number, header.WINNER] != 0:
                ended[number] = 1
                restart(prizes, states, mask, planes, number, rewards[number])
            else:
                position = game.wrap(states[number].copy())
                mask[number] = legal_mask(position)
                planes[number] = observe(position).astype(np.uint8)
        return -1

    return step
