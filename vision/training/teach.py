"""Teaches the networks on rendered crops and writes them as ONNX. Needs the `training` extra (torch, onnx)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from onnx.reference import ReferenceEvaluator
from torch import nn

from vision.pose.crops import CUBE_PIXELS, DIE_PIXELS, FACE_PIXELS, THING_PIXELS, normalised
from vision.pose.networks import CUBE_FACES, KIND_CUBE, KIND_D20, KINDS, MODELS, NAMES, SIDE_SHOWS, Networks
from vision.pose.refinement import POSE_PIXELS, batch_of
from vision.pose.tilts import tilt_batch
from vision.read.sides import SIDE_PIXELS
from vision.training.cube_samples import without_faint
from vision.training.flat_samples import varied_batch
from vision.training.glyphs import Fonts
from vision.training.lettered import Bank, Lettered
from vision.training.number_patches import CutAnew, NumberSheet, exposed_anew
from vision.training.number_samples import NO_NUMBER, Patches
from vision.training.recogniser import halved
from vision.training.samples import Samples
from vision.training.side_samples import varied_side
from vision.training.thing_samples import varied_things
from vision.training.warm import Mended, begun_with_trunk, warmed

DIE_OUTPUTS: Final = KINDS + 9
"""The kinds, move right and down, log scale, cos and sin of 3 and of 4 spins, lean right and down."""
POSE_OUTPUTS: Final = 7
"""About right or not; move right and down, log scale, rotation vector."""
RATE: Final = 4e-3
"""The largest step when training a new network."""
WARM_RATE: Final = 1e-3
"""The largest step when continuing with a trained network."""
_BATCH: Final = 256
"""Samples a step."""
_FIRST: Final = 512
"""Samples for setting the normalising layers of an already trained network."""
_KEEP: Final = 0.998
"""The share of the running mean of the weights that is kept in each step."""
_SMOOTH: Final = nn.CrossEntropyLoss(label_smoothing=0.004)
"""The loss of classes, a little smoothed: a few samples are cut from a place that shows another class."""
_SURER: Final = nn.CrossEntropyLoss(label_smoothing=0.002)
"""The same where every sample is known to show its class."""
_OF_SHEETS: Final = 0.6
"""The share of number patches that are cut from path-traced sheets, where there are any."""
_NUMBERS_RATE: Final = 4e-4
"""The largest step when continuing with `numbers`: larger ones unlearn what it knows of letters."""
_MISTAKEN: Final = 0.003
"""How far the targets of dice and other things are softened: a few sure ones may be confused."""
_DICE_WEIGH: Final = 4.0
"""The weight of a missed die against a false one."""
_UNSURE: Final = 0.01
"""How far the targets of flat things and cubes are softened: a few sure ones may be confused."""

Batch = tuple[NDArray[np.float32], torch.Tensor]
"""The inputs of one step and what should come out."""


def stage(
    entering: int, leaving: int, stride: int = 1, side: int = 3, apart: int = 1, *, rim: bool = True
) -> list[nn.Module]:
    """A convolution of `side`, its taps `apart`, with a rim of zeros unless there is one, normalised and rectified."""
    padding = side // 2 * apart if rim else 0
    return [
        nn.Conv2d(entering, leaving, side, stride=stride, padding=padding, dilation=apart, bias=False),
        nn.BatchNorm2d(leaving),
        nn.ReLU(inplace=True),
    ]


def number_network() -> nn.Module:
    """A d20's patch to 61 scores: 20 numbers, each with its top at one of 3 corners, and none."""
    return nn.Sequential(
        *stage(1, 24, 2, 5),
        *stage(24, 40),
        *stage(40, 64, 2),
        nn.ZeroPad2d(1),  # by itself: OpenCV's quick way with a convolution begins at 12 pixels a side, and here are 10
        *stage(64, 96, rim=False),
        *stage(96, 128, 2),
        Mended(128),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(128 * (FACE_PIXELS // 8) ** 2, NO_NUMBER + 1),
    )


def cube_network() -> nn.Module:
    """A cube's upper face and what shows beside it to one score for each of `CUBE_FACES`."""
    return nn.Sequential(
        *stage(1, 24, 2, 5),
        *stage(24, 40),
        *stage(40, 80, 2),
        *stage(80, 96),
        *stage(96, 96),
        *stage(96, 128, 2),
        Mended(128, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(128 * (CUBE_PIXELS // 8) ** 2, len(CUBE_FACES)),
    )


def side_network() -> nn.Module:
    """A cube's side to one score for each of `SIDE_SHOWS`."""
    return nn.Sequential(
        *stage(1, 16, 2, 5),
        *stage(16, 32),
        *stage(32, 48, 2),
        *stage(48, 64),
        *stage(64, 80, 2),
        nn.Flatten(),
        nn.Dropout(0.25),
        nn.Linear(80 * (SIDE_PIXELS // 8) ** 2, len(SIDE_SHOWS)),
    )


def solid_network() -> nn.Module:
    """A square round a supposed cube, and how the faces of one there would lie, to one score: it is flat."""
    return nn.Sequential(
        *stage(3, 16, 2, 5),
        *stage(16, 24),
        *stage(24, 40, 2),
        *stage(40, 48),
        *stage(48, 64, 2),
        *stage(64, 64),
        *stage(64, 64, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64 * (POSE_PIXELS // 16) ** 2, 64),
        nn.ReLU(inplace=True),
        nn.Linear(64, 1),
    )


def thing_network() -> nn.Module:
    """A wide square in colour round a supposed die to one score: no die lies there.

    Its convolutions are those of `die_network`, so that it can begin with what they were taught.
    """
    return nn.Sequential(
        *_die_trunk(),
        nn.Dropout(0.2),
        nn.Linear(64 * (THING_PIXELS // 16) ** 2, 64),
        nn.ReLU(inplace=True),
        nn.Linear(64, 1),
    )


def _die_trunk() -> list[nn.Module]:
    """The convolutions that turn a square in three planes into features of dice."""
    return [
        *stage(3, 16, 2),
        *stage(16, 24),
        *stage(24, 32, 2),
        *stage(32, 48),
        *stage(48, 64, 2),
        *stage(64, 64),
        *stage(64, 64, 2),
        nn.Flatten(),
    ]


def die_network() -> nn.Module:
    """A die's square and the expected lean as two planes to `DIE_OUTPUTS` numbers: what it is and how it lies."""
    return nn.Sequential(
        *_die_trunk(),
        nn.Linear(64 * (DIE_PIXELS // 16) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Linear(96, DIE_OUTPUTS),
    )


def pose_network() -> nn.Module:
    """A square of a die and the edges of its supposed pose to `POSE_OUTPUTS` numbers."""
    return nn.Sequential(
        *stage(2, 24, 2, 5),
        *stage(24, 32, 2),
        *stage(32, 48),
        *stage(48, 64, 2),
        *stage(64, 64),
        *stage(64, 96, 2),
        nn.Flatten(),
        nn.Linear(96 * (POSE_PIXELS // 16) ** 2, 128),
        nn.ReLU(inplace=True),
        nn.Linear(128, POSE_OUTPUTS),
    )


def pose_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """How wrong the pose network is; the correction counts only where the supposed pose is about right."""
    told = (target[:, 0] >= 0).float()
    right = (target[:, :1] == 1).float()
    verdict = nn.functional.binary_cross_entropy_with_logits(out[:, 0], target[:, 0].clamp(0, 1), reduction="none")
    move = nn.functional.smooth_l1_loss(out[:, 1:4], target[:, 1:4], reduction="none", beta=0.01) * right
    turn = nn.functional.smooth_l1_loss(out[:, 4:7], target[:, 4:7], reduction="none", beta=0.03) * right
    result: torch.Tensor = (verdict * told).mean() + 20 * move.mean() + 10 * turn.mean()
    return result


def tilt_network() -> nn.Module:
    """A square of a die and the slopes of its supposed faces to the tilt between them: a rotation vector's x and y."""
    return nn.Sequential(
        *stage(3, 24, 2, 5),
        *stage(24, 24),
        *stage(24, 40, 2),
        *stage(40, 64),
        *stage(64, 64, 2),
        *stage(64, 96),
        *stage(96, 96, 2),
        nn.Flatten(),
        nn.Linear(96 * (POSE_PIXELS // 16) ** 2, 96),
        nn.ReLU(inplace=True),
        nn.Linear(96, 2),
    )


def tilt_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """How wrong the tilt network is."""
    result: torch.Tensor = 100 * nn.functional.mse_loss(out, target)
    return result


def thing_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """How wrong the network of things is: a die that is taken for none weighs more than the other way."""
    weights = torch.where(target > 0.5, 1.0, _DICE_WEIGH)
    return nn.functional.binary_cross_entropy_with_logits(out, target, weight=weights)


def die_inputs(crops: NDArray[np.uint8], leans: NDArray[np.float32]) -> NDArray[np.float32]:
    """The die network's batch: the crop, and the expected lean spread over two planes (times 2)."""
    planes = np.broadcast_to(leans[:, :, None, None] * 2, (len(crops), 2, DIE_PIXELS, DIE_PIXELS))
    return np.concatenate([normalised(crops), planes], axis=1).astype(np.float32)


def die_loss(out: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """How wrong the die network is; the pose counts only where there is a die, the spin by its kind."""
    kind = target[:, 0].long()
    total = nn.functional.cross_entropy(out[:, :KINDS], kind)
    out = out[:, KINDS:]
    there = (kind > 0).float()[:, None]
    known = ((kind == KIND_D20) | (kind == KIND_CUBE)).float()[:, None]
    steady = 1 - target[:, 8:9]  # the spin of a cocked die means nothing
    size = (nn.functional.smooth_l1_loss(out[:, 0:3], target[:, 1:4], reduction="none", beta=0.02) * there).mean()
    d20 = (kind == KIND_D20).float()[:, None] * steady
    cube = (kind == KIND_CUBE).float()[:, None] * steady
    spin3 = nn.functional.mse_loss(out[:, 3:5], target[:, 4:6], reduction="none") * d20
    spin4 = nn.functional.mse_loss(out[:, 5:7], target[:, 4:6], reduction="none") * cube
    lean = nn.functional.smooth_l1_loss(out[:, 7:9], target[:, 6:8], reduction="none", beta=0.05) * known
    result: torch.Tensor = total + 12 * size + 2 * (spin3.mean() + spin4.mean()) + 6 * lean.mean()
    return result


def teach(
    network: nn.Module,
    inputs: Callable[[NDArray[np.intp]], NDArray[np.float32]],
    targets: torch.Tensor,
    *,
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    epochs: float,
    say: Callable[[str], None],
    averaged: bool = False,
    rate: float = RATE,
) -> None:
    """Teach with AdamW on a one-cycle schedule; `inputs` makes the batch for a list of sample numbers.

    `averaged` leaves the network with the running mean of its weights (over some 500 steps), not with the last ones.
    `rate` is the largest step: smaller for an already trained network.
    """
    rng = np.random.default_rng(7)

    def batches() -> Iterator[Batch]:
        order = rng.permutation(len(targets))
        for step in count():
            start = step * _BATCH % max(1, len(order) - _BATCH)
            if start < _BATCH:
                order = rng.permutation(len(targets))
            chosen = order[start : start + _BATCH]
            yield inputs(chosen), targets[chosen]

    steps = int(epochs * len(targets) / _BATCH)
    teach_with(network, batches(), steps, loss=loss, say=say, averaged=averaged, rate=rate)


def teach_with(
    network: nn.Module,
    batches: Iterator[Batch],
    steps: int,
    *,
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    say: Callable[[str], None],
    averaged: bool = False,
    rate: float = RATE,
) -> None:
    """Teach with so many of the batches, as `teach` does."""
    torch.manual_seed(7)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate / 2, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, max_lr=rate, total_steps=steps + 1)
    network.train().to(memory_format=torch.channels_last)
    sixteen_bits = torch.cpu._is_amx_tile_supported() or torch.cpu._is_avx512_bf16_supported()  # noqa: SLF001 - torch tells it nowhere else
    recent: list[float] = []
    mean = {name: weights.clone() for name, weights in network.state_dict().items()} if averaged else {}
    for step, (entering, wanted) in enumerate(islice(batches, steps)):
        batch = torch.from_numpy(entering).to(memory_format=torch.channels_last)
        # Two or three times as fast on a processor that multiplies such numbers, and half slower on another.
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=sixteen_bits):
            out = network(batch)
        cost = loss(out.float(), wanted)
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        schedule.step()
        keep = min(_KEEP, (step + 1) / (step + 10))
        present = network.state_dict() if averaged else {}
        for name, now in present.items():
            mean[name].copy_(keep * mean[name] + (1 - keep) * now if now.is_floating_point() else now)
        recent.append(float(cost.detach()))
        if (step + 1) % 100 == 0:
            say(f"  step {step + 1} of {steps}, loss {np.mean(recent[-100:]):.4f}")
    if averaged:
        network.load_state_dict(mean)
    network.eval()


def export(network: nn.Module, file: Path, channels: int, side: int) -> None:
    """Write the network as ONNX, opset 13, weights inside: the form that OpenCV 4 and 5 both load."""
    options: dict[str, Any] = {
        "dynamo": False,
        "opset_version": 13,
        "dynamic_axes": {"crops": {0: "n"}, "out": {0: "n"}},
    }
    example = torch.zeros(1, channels, side, side)
    torch.onnx.export(network, (example,), str(file), input_names=["crops"], output_names=["out"], **options)
    halve(file)


def halve(file: Path) -> None:
    """Store the large weights in 16 bits, widened again on loading: half the size, the same answers within 0.003."""
    onnx.save(halved(plainly_padded(onnx.load(str(file)))), str(file))


def plainly_padded(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with the rims of its paddings as numbers: torch writes the arithmetic that they follow from."""
    graph = model.graph
    made = {name: node for node in graph.node for name in node.output}
    for pad in [node for node in graph.node if node.op_type == "Pad" and node.input[1] in made]:
        behind, waiting = [], [pad.input[1]]
        while waiting:
            node = made.get(waiting.pop())
            if node is not None and node not in behind:
                behind.append(node)
                waiting += node.input
        steps = [node for node in graph.node if node in behind]
        told = onnx.helper.make_tensor_value_info(pad.input[1], onnx.TensorProto.INT64, None)
        alone = onnx.helper.make_graph(steps, "rim", [], [told])
        rim = ReferenceEvaluator(onnx.helper.make_model(alone, opset_imports=model.opset_import)).run(None, {})[0]
        for node in steps:
            graph.node.remove(node)
        graph.initializer.append(numpy_helper.from_array(np.asarray(rim, np.int64), pad.input[1]))
    return model


def teach_all(
    samples: Samples,
    folder: Path,
    epochs: float,
    say: Callable[[str], None],
    names: Collection[str] = NAMES,
    *,
    begin: Path | None = None,
) -> None:
    """Teach the networks of these names, each begun with that of the folder `begin`, and write them into `folder`."""
    dice, poses, tilts = (np.array(one) for one in (samples.dice, samples.poses, samples.tilts))
    leans = np.array(samples.leans, np.float32)
    torch.manual_seed(7)
    jobs: list[tuple[str, nn.Module, Any, torch.Tensor, Any, int, int]] = [
        (
            "dice",
            die_network(),
            lambda chosen: die_inputs(dice[chosen], leans[chosen]),
            torch.tensor(samples.targets),
            die_loss,
            3,
            DIE_PIXELS,
        ),
        (
            "poses",
            pose_network(),
            lambda chosen: batch_of(poses[chosen]),
            torch.tensor(samples.pose_targets),
            pose_loss,
            2,
            POSE_PIXELS,
        ),
        (
            "tilts",
            tilt_network(),
            lambda chosen: tilt_batch(tilts[chosen]),
            torch.tensor(samples.tilt_targets),
            tilt_loss,
            3,
            POSE_PIXELS,
        ),
    ]
    for name, network, inputs, targets, loss, channels, side in jobs:
        if name not in names:
            continue
        file, takes = folder / f"{name}.onnx", (channels, side)
        _teach_into(file, network, inputs, targets, loss=loss, takes=takes, epochs=epochs, say=say, begin=begin)


def _teach_into(
    file: Path,
    network: nn.Module,
    inputs: Callable[[NDArray[np.intp]], NDArray[np.float32]],
    targets: torch.Tensor,
    *,
    loss: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    takes: tuple[int, int],
    epochs: float,
    say: Callable[[str], None],
    averaged: bool = False,
    begin: Path | None = None,
) -> None:
    """Teach one network for that number of planes and pixels, and write it as ONNX.

    With `begin` it goes on with the one of its name in that folder.
    """
    count = sum(weights.numel() for weights in network.parameters())
    say(f"{file.stem}: {len(targets)} samples, {count} parameters")
    if begin is not None:
        warmed(network, begin / file.name, inputs(np.arange(min(_FIRST, len(targets)))))
    rate = RATE if begin is None else WARM_RATE
    teach(network, inputs, targets, loss=loss, epochs=epochs, say=say, averaged=averaged, rate=rate)
    export(network, file, *takes)


def teach_numbers(
    painted: Patches,
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    sheets: Sequence[NumberSheet] = (),
    begin: Path | None = None,
) -> None:
    """Teach the number network with painted patches, and with those cut anew from path-traced sheets; write it as ONNX.

    `epochs` counts patches of either sort against the painted ones. With `begin` it goes on with that folder's network.
    """
    rng = np.random.default_rng(5)
    patches, labels = painted
    cut = CutAnew(sheets, 5) if sheets else None
    of_sheets = 0 if cut is None else round(_OF_SHEETS * _BATCH)

    def batches() -> Iterator[Batch]:
        while True:
            chosen = rng.integers(0, len(labels), _BATCH - of_sheets)
            some, shown = patches[chosen], labels[chosen]
            if cut is not None:
                more, besides = cut.batch(of_sheets)
                some, shown = np.concatenate([some, more]), np.concatenate([shown, besides])
            yield normalised(exposed_anew(some, rng)), torch.from_numpy(shown)

    torch.manual_seed(7)
    network = number_network()
    weights = sum(one.numel() for one in network.parameters())
    say(f"numbers: {len(labels)} painted patches, {len(sheets)} sheets, {weights} parameters")
    if begin is not None:
        warmed(network, begin / file.name, next(batches())[0])
    rate, steps = RATE if begin is None else _NUMBERS_RATE, max(1, int(epochs * len(labels) / _BATCH))
    teach_with(network, batches(), steps, loss=_SURER, say=say, averaged=True, rate=rate)
    export(network, file, 1, FACE_PIXELS)


def teach_cubes(
    patches: NDArray[np.uint8],
    labels: NDArray[np.intp],
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    fonts: Fonts | None = None,
    begin: Path | None = None,
) -> None:
    """Teach the cube network with patches lettered anew in each step, in any of their four turns; write it as ONNX.

    `labels` has two columns, as `cube_samples.make_cubes` returns them. With `begin` it goes on with the one of that
    folder, without signs too faint for it.
    """
    rng = np.random.default_rng(5)
    if begin is not None:
        patches, labels = without_faint(patches, labels, Networks(begin, ("cubes",)))
    lettered = Lettered(Bank(patches, labels[:, 0], labels[:, 1]), fonts or Fonts(), 5)

    def batches() -> Iterator[Batch]:
        while True:
            some, shown = lettered.batch(_BATCH)
            some = np.ascontiguousarray(np.rot90(some, int(rng.integers(4)), axes=(1, 2)))
            yield normalised(some), torch.from_numpy(shown.astype(np.int64))

    torch.manual_seed(7)
    network = cube_network()
    weights = sum(one.numel() for one in network.parameters())
    say(f"cubes: {len(patches)} patches to letter anew, {weights} parameters")
    if begin is not None:
        warmed(network, begin / file.name, next(batches())[0])
    rate, steps = RATE if begin is None else WARM_RATE, int(epochs * len(patches) / _BATCH)
    teach_with(network, batches(), steps, loss=_SMOOTH, say=say, averaged=True, rate=rate)
    export(network, file, 1, CUBE_PIXELS)


def teach_sides(
    patches: NDArray[np.uint8],
    labels: NDArray[np.intp],
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    begin: Path | None = None,
) -> None:
    """Teach the network of cubes' sides with varied patches, and write it as ONNX."""
    rng = np.random.default_rng(5)

    def moved(chosen: NDArray[np.intp]) -> NDArray[np.float32]:
        return normalised(np.array([varied_side(patch, rng) for patch in patches[chosen]]))

    torch.manual_seed(7)
    network, targets, takes = side_network(), torch.tensor(labels), (1, SIDE_PIXELS)
    _teach_into(
        file, network, moved, targets, loss=_SMOOTH, takes=takes, epochs=epochs, say=say, averaged=True, begin=begin
    )


def teach_solids(
    squares: NDArray[np.uint8],
    flat: NDArray[np.float32],
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    begin: Path | None = None,
) -> None:
    """Teach the network that tells cubes from flat things (1 in `flat`) with varied squares, and write it as ONNX."""
    rng = np.random.default_rng(5)

    def varied_squares(chosen: NDArray[np.intp]) -> NDArray[np.float32]:
        return varied_batch(squares[chosen], rng)

    torch.manual_seed(7)
    network, takes = solid_network(), (3, POSE_PIXELS)
    targets = torch.tensor(flat)[:, None] * (1 - 2 * _UNSURE) + _UNSURE
    loss = nn.functional.binary_cross_entropy_with_logits
    _teach_into(
        file,
        network,
        varied_squares,
        targets,
        loss=loss,
        takes=takes,
        epochs=epochs,
        say=say,
        averaged=True,
        begin=begin,
    )


def teach_things(
    squares: NDArray[np.uint8],
    nothing: NDArray[np.float32],
    file: Path,
    epochs: float,
    say: Callable[[str], None],
    *,
    begin: Path | None = None,
) -> None:
    """Teach the network that tells dice from other things (1 in `nothing`), and write it as ONNX.

    Without `begin` it begins with what `dice` of the same folder, or ours, was taught about squares.
    """
    rng = np.random.default_rng(5)
    torch.manual_seed(7)
    network, takes = thing_network(), (3, THING_PIXELS)
    if begin is None:
        dice = file.parent / "dice.onnx"
        begun_with_trunk(network, dice if dice.is_file() else MODELS / dice.name, varied_things(squares[:_FIRST], rng))
    targets = torch.tensor(nothing)[:, None] * (1 - 2 * _MISTAKEN) + _MISTAKEN
    _teach_into(
        file,
        network,
        lambda chosen: varied_things(squares[chosen], rng),
        targets,
        loss=thing_loss,
        takes=takes,
        epochs=epochs,
        say=say,
        averaged=True,
        begin=begin,
    )
