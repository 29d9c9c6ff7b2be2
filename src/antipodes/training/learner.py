"""The learner: changes the network so that it predicts policies and results of self-play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy.typing as npt
import torch
from torch import Tensor
from torch.nn import functional

from antipodes.search.network.evaluator import FILES, FOLDER
from antipodes.training import gpu
from antipodes.training.boards import Board, Floats
from antipodes.training.model import Network, read_weights, weights_of
from antipodes.training.plan import Plan
from antipodes.training.quantization import quantize
from antipodes.training.samples import Batch

AVERAGE = 0.999  # share of the average that stays at each step
DECAY = 1e-4  # of the weights
LARGEST_GRADIENT = 1.0
NEVER = -1e9  # logit of an occupied cell


NAMES = ("policy", "value", "right")


class Losses:
    """Sums over the steps since the last report.

    ``policy`` is the divergence of the network's policies from the improved ones, in nats;
    ``value`` the cross-entropy of the results, in nats; ``right`` the share of the results that
    were predicted.

    Attributes:
        steps: of the learner.
    """

    def __init__(self, device: torch.device) -> None:
        self.steps = 0
        self._sums = torch.zeros(len(NAMES), device=device)

    def add(self, policy: Tensor, value: Tensor, right: Tensor) -> None:
        """Add the losses of a step. They stay on the device, so that it need not be waited for."""
        self.steps += 1
        self._sums += torch.stack([policy, value, right])

    def means(self) -> dict[str, float]:
        """Return the means of a step by name."""
        means = (self._sums / max(self.steps, 1)).tolist()
        return {name: round(mean, 4) for name, mean in zip(NAMES, means, strict=True)}


class Learner:
    """A network, the average of its latest versions, and the optimiser.

    Attributes:
        steps: made so far.
        losses: since the last report.
    """

    def __init__(self, plan: Plan) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(plan.seed)
        self._device = gpu.device()
        self.steps = 0
        self.losses = Losses(self._device)
        self._network = Network(plan.channels, plan.blocks)
        if plan.weights:
            read_weights(self._network, FOLDER / FILES["rhombus"])
        self._network.to(self._device)
        self._average = Network(plan.channels, plan.blocks).to(self._device)
        self._average.load_state_dict(self._network.state_dict())
        self._optimizer = torch.optim.AdamW(self._network.parameters(), weight_decay=DECAY)

    def learn(self, batch: Batch, rate: float) -> None:
        """Make a step."""
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        policies, results = self._tensor(batch.policies), self._tensor(batch.results)
        with torch.autocast(self._device.type, torch.bfloat16):
            logits, values = self._network(*gpu.arguments(batch.board, batch.inputs, self._device))
        logits = logits.float().masked_fill(self._tensor(batch.occupied), NEVER)
        cross_entropy = -(policies * functional.log_softmax(logits, 1)).sum(1).mean()
        value = functional.binary_cross_entropy_with_logits(values.float(), results)
        (cross_entropy + value).backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), LARGEST_GRADIENT)
        self._optimizer.step()
        self._optimizer.zero_grad()
        self.steps += 1
        self._update_average()
        # Less the entropy of the targets, so that the loss of a perfect network is 0.
        own_entropy = -(policies * policies.clamp_min(1e-9).log()).sum(1).mean()
        right = ((values > 0) == (results > 0)).float().mean()
        self.losses.add(cross_entropy.detach() - own_entropy, value.detach(), right)

    def forget_losses(self) -> None:
        """Begin new sums of the losses, after a report."""
        self.losses = Losses(self._device)

    def _tensor(self, array: npt.NDArray[Any]) -> Tensor:
        return torch.from_numpy(array).to(self._device)

    def _update_average(self) -> None:
        # At first all steps have equal shares, so that the random weights of the start are soon
        # forgotten.
        share = 1.0 - min(AVERAGE, 1.0 - 1.0 / (self.steps + 1))
        pairs = zip(self._average.parameters(), self._network.parameters(), strict=True)
        with torch.no_grad():
            for average, latest in pairs:
                average.lerp_(latest, share)

    def export(self, path: Path, board: Board, inputs: Floats) -> None:
        """Write the average, quantized; the file appears when it is whole.

        Args:
            path: of the file.
            board: of the examples.
            inputs: of typical positions, by which the network is quantized.
        """
        weights = weights_of(self._average)
        turned = board.is_rhombus
        quantize(weights, inputs, board.neighbours, is_for_rhombus=turned).write(path)

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
        found = torch.load(path, map_location=self._device, weights_only=True)
        self._network.load_state_dict(found["network"])
        self._average.load_state_dict(found["average"])
        self._optimizer.load_state_dict(found["optimizer"])
        self.steps = found["steps"]
