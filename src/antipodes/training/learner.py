"""The learner: changes the network so that it predicts policies and results of self-play."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor
from torch.nn import functional

from antipodes.search.network.evaluator import FILES, FOLDER
from antipodes.training.boards import board_of
from antipodes.training.model import Network, export, read_weights
from antipodes.training.plan import Plan
from antipodes.training.samples import Batch

AVERAGE = 0.999  # share of the average that stays at each step
DECAY = 1e-4  # of the weights
LARGEST_GRADIENT = 1.0
NEVER = -1e9  # logit of an occupied cell


@dataclass(slots=True)
class Losses:
    """Sums over the steps since the last report.

    Attributes:
        steps: of the learner.
        policy: divergence of the network's policies from the improved ones, in nats.
        value: cross-entropy of the results, in nats.
        right: share of the results that were predicted.
    """

    steps: int = 0
    policy: float = 0.0
    value: float = 0.0
    right: float = 0.0

    def means(self) -> dict[str, float]:
        """Return the means of a step."""
        steps = max(self.steps, 1)
        return {
            "policy": round(self.policy / steps, 4),
            "value": round(self.value / steps, 4),
            "right": round(self.right / steps, 4),
        }


class Learner:
    """A network, the average of its latest versions, and the optimiser.

    Attributes:
        steps: made so far.
        losses: since the last report.
    """

    def __init__(self, plan: Plan) -> None:
        """Begin with random weights, or with those that the plan names."""
        torch.set_num_threads(1)
        torch.manual_seed(plan.seed)
        self.steps = 0
        self.losses = Losses()
        self._network = Network(plan.channels, plan.blocks)
        if plan.weights:
            read_weights(self._network, FOLDER / FILES["rhombus"])
        self._is_rhombus = board_of(plan.game, next(iter(plan.stages[0].sizes))).is_rhombus
        self._average = Network(plan.channels, plan.blocks)
        self._average.load_state_dict(self._network.state_dict())
        self._optimizer = torch.optim.AdamW(self._network.parameters(), weight_decay=DECAY)

    def learn(self, batch: Batch, rate: float) -> None:
        """Make a step."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        policies, results = torch.from_numpy(batch.policies), torch.from_numpy(batch.results)
        with torch.autocast("cpu", torch.bfloat16):
            logits, values = self._network(*self._tensors(batch))
        logits = logits.float().masked_fill(torch.from_numpy(batch.occupied), NEVER)
        cross_entropy = -(policies * functional.log_softmax(logits, 1)).sum(1).mean()
        value = functional.binary_cross_entropy_with_logits(values.float(), results)
        (cross_entropy + value).backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self.steps += 1
        self._update_average()
        self._count(cross_entropy, value, policies, values, results)

    def _tensors(self, batch: Batch) -> tuple[Tensor, ...]:
        """Return the arguments of the network."""
        inputs = torch.from_numpy(batch.inputs)
        if self._is_rhombus:
            size = math.isqrt(batch.board.cells)
            planes = inputs.unflatten(2, (size, size))
            return (planes.contiguous(memory_format=torch.channels_last),)
        return inputs, torch.from_numpy(batch.board.neighbours).flatten()

    def _update_average(self) -> None:
        share = 1.0 - min(AVERAGE, 1.0 - 1.0 / (self.steps + 1))
        pairs = zip(self._average.parameters(), self._network.parameters(), strict=True)
        with torch.no_grad():
            for average, latest in pairs:
                average.lerp_(latest, share)

    def _count(
        self, entropy: Tensor, value: Tensor, policies: Tensor, values: Tensor, results: Tensor
    ) -> None:
        own_entropy = -(policies * policies.clamp_min(1e-9).log()).sum(1).mean()
        self.losses.steps += 1
        self.losses.policy += entropy.item() - own_entropy.item()
        self.losses.value += value.item()
        self.losses.right += ((values > 0) == (results > 0)).float().mean().item()

    def export(self, path: Path) -> None:
        """Write the average as ONNX; the file appears when it is whole."""
        part = path.with_suffix(".part")
        export(self._average, part, is_rhombus=self._is_rhombus)
        part.replace(path)

    def save(self, path: Path) -> None:
        """Write everything, so that the training can go on from there."""
        part = path.with_suffix(".part")
        torch.save(
            {
                "network": self._network.state_dict(),
                "average": self._average.state_dict(),
                "optimizer": self._optimizer.state_dict(),
                "steps": self.steps,
            },
            part,
        )
        part.replace(path)

    def load(self, path: Path) -> None:
        """Go on from a file of :meth:`save`."""
        found = torch.load(path, weights_only=True)
        self._network.load_state_dict(found["network"])
        self._average.load_state_dict(found["average"])
        self._optimizer.load_state_dict(found["optimizer"])
        self.steps = found["steps"]
