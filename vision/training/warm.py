"""Begins teaching with a network that was taught before. Needs the `training` extra (torch, onnx)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

GREY_SHARES: Final = (0.114, 0.587, 0.299)
"""The shares of blue, green and red in a grey level (ITU-R BT.601)."""
_LEARNT: Final = frozenset({"Conv", "Gemm"})
"""Nodes of an exported network that have weights; normalising layers are folded into the convolution before them."""


class Mended(nn.Module):
    """Features and what so many convolutions add to them, rectified.

    At first they add nothing, so that a taught network that gets them answers as before.
    """

    def __init__(self, features: int, convolutions: int = 1) -> None:
        super().__init__()
        last = nn.BatchNorm2d(features)
        nn.init.zeros_(last.weight)
        before = [(self._taps(features), nn.BatchNorm2d(features), nn.ReLU()) for _ in range(convolutions - 1)]
        self.added = nn.Sequential(*(part for parts in before for part in parts), self._taps(features), last)

    @staticmethod
    def _taps(features: int) -> nn.Conv2d:
        return nn.Conv2d(features, features, 3, padding=1, bias=False)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """As many features of the same size."""
        return nn.functional.relu(features + self.added(features))


def warmed(network: nn.Module, file: Path, batch: NDArray[np.float32]) -> None:
    """Give the network the weights of an exported one of the same shape, so that it begins with the same answers.

    A `Mended` of `network` may be missing there: it adds nothing to begin with. The exported network has no normalising
    layers left. Those of `network` are set by what `batch`, a few hundred samples, makes of them: each first takes away
    and gives back the same mean and spread. Raises `ValueError` where the file is of a network of another shape.
    """
    taught = _weights(file)
    mended = {id(part) for one in network.modules() if isinstance(one, Mended) for part in one.modules()}
    layers = [one for one in network.modules() if isinstance(one, nn.Conv2d | nn.BatchNorm2d | nn.Linear)]
    if len(taught) < sum(not isinstance(one, nn.BatchNorm2d) for one in layers):
        layers = [one for one in layers if id(one) not in mended]
    weighted = [one for one in layers if not isinstance(one, nn.BatchNorm2d)]
    if [one.weight.shape for one in weighted] != [torch.Size(weights.shape) for weights, _ in taught]:
        raise ValueError(f"{file} is no network of this shape. Begin without it, or name another file.")
    network.eval()
    waiting = iter(taught)
    bias = torch.zeros(0)
    with torch.no_grad():
        for layer in layers:
            if isinstance(layer, nn.BatchNorm2d):
                _set_by(network, layer, torch.from_numpy(batch), bias)
                continue
            weights, bias = (torch.from_numpy(one.copy()) for one in next(waiting))
            layer.weight.copy_(weights)
            if layer.bias is not None:
                layer.bias.copy_(bias)


def begun_with_trunk(network: nn.Module, file: Path, batch: NDArray[np.float32]) -> None:
    """Give a network in colour the convolutions of an exported one in grey, whose further planes are taken as empty.

    Its normalising layers are set by what `batch` makes of them, as in `warmed`; its last layers stay as they are.
    """
    taught = _weights(file)
    convolutions = [one for one in network.modules() if isinstance(one, nn.Conv2d)]
    normalising = [one for one in network.modules() if isinstance(one, nn.BatchNorm2d)]
    network.eval()
    with torch.no_grad():
        for number, (layer, after) in enumerate(zip(convolutions, normalising, strict=True)):
            weights, bias = (torch.from_numpy(one.copy()) for one in taught[number])
            layer.weight.copy_(weights if number else weights[:, :1] * torch.tensor(GREY_SHARES)[None, :, None, None])
            _set_by(network, after, torch.from_numpy(batch), bias)


def _weights(file: Path) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Weights and bias of each layer that has any, in their order."""
    graph = onnx.load(str(file)).graph
    stored = {one.name: numpy_helper.to_array(one).astype(np.float32) for one in graph.initializer}
    for node in graph.node:
        if node.op_type == "Cast":  # as `teach.halve` stores large ones
            stored[node.output[0]] = stored[node.input[0]]
    return [(stored[node.input[1]], stored[node.input[2]]) for node in graph.node if node.op_type in _LEARNT]


def _set_by(network: nn.Module, layer: nn.BatchNorm2d, batch: torch.Tensor, bias: torch.Tensor) -> None:
    """Let a normalising layer do nothing but add the bias, by the mean and spread of what comes to it now."""
    came: list[torch.Tensor] = []
    watch = layer.register_forward_pre_hook(lambda _, entering: came.append(entering[0]))
    network(batch)
    watch.remove()
    mean, spread = came[0].mean(dim=(0, 2, 3)), came[0].var(dim=(0, 2, 3))
    layer.running_mean.copy_(mean)
    layer.running_var.copy_(spread)
    layer.weight.copy_(torch.sqrt(spread + layer.eps))
    layer.bias.copy_(mean + bias)
