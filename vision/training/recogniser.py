"""`python -m vision.training.recogniser MODEL LETTERS`: make vision/models/recogniser.onnx of PP-OCRv6 tiny.

MODEL is the recogniser of print that the PaddleOCR project gives as ONNX (PP-OCRv6 tiny, Apache-2.0), LETTERS the list
of its letters, one a line. Lines of any width enter it, and 6,906 chances leave. Made of it: one patch of a fixed size
enters, since OpenCV 4 does not load it otherwise; what leaves are the logits of nothing and of `networks.LETTERS`; the
large weights are kept in 16 bits. With `--record FILE` what onnxruntime says of drawn numbers is written besides, for
the tests. Needs onnx, and onnxruntime to record.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, checker, helper, numpy_helper

from vision.pose.networks import LETTERS, MODELS, PRINT_SIZE, RECOGNISER, as_print

_CHANCES: Final = "Softmax"
"""The last node of the original: chances are made of the logits. It is left out, as most letters are."""
_STEPS: Final = 12
"""Places of a patch, from left to right: one for each eight pixels."""
_WORTH_HALVING: Final = 1000
"""Arrays of more numbers than this are kept in half precision."""
_DRAWN: Final = (("1", 0.0), ("6.", 8.0), ("9", 0.0), ("14", 5.0), ("17", 12.0), ("20", 20.0))
"""The texts that are drawn for the recording, with their noise in grey levels."""


def cut(model: Any, letters: list[str]) -> Any:  # noqa: ANN401 - onnx has no types
    """The model for one patch of `PRINT_SIZE`, with the logits of nothing and of `LETTERS`; it is changed in place.

    `letters` are those of the original, in its order. Raises `ValueError` where the model is no such recogniser.
    """
    graph = model.graph
    kept = [0, *(1 + letters.index(one) for one in LETTERS)]
    last = graph.node[-1]
    if last.op_type != _CHANCES:
        raise ValueError(f"The model ends with {last.op_type}, not with {_CHANCES}. Give it PP-OCRv6's recogniser.")
    cut_off = [
        place
        for place, tensor in enumerate(graph.initializer)
        if tensor.dims and tensor.dims[-1] == len(letters) + 2  # nothing comes first, a space last
    ]
    if len(cut_off) != len(("weights", "bias")):
        raise ValueError(f"No last layer tells {len(letters)} letters. Give the list that belongs to the model.")
    for place in cut_off:
        tensor = graph.initializer[place]
        tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor)[..., kept].copy(), tensor.name))
    graph.node.remove(last)
    same: dict[str, str] = {}
    nodes = []
    for node in graph.node:  # pass-through nodes are left out
        entering = [same.get(one, one) for one in node.input]
        del node.input[:]
        node.input.extend(entering)
        if node.op_type == "Identity":
            same[node.output[0]] = node.input[0]
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    wide, high = PRINT_SIZE
    graph.input[0].CopyFrom(helper.make_tensor_value_info(graph.input[0].name, TensorProto.FLOAT, [1, 3, high, wide]))
    leaving = same.get(last.input[0], last.input[0])
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(leaving, TensorProto.FLOAT, [1, _STEPS, len(kept)]))
    del graph.value_info[:]
    return model


def halved(model: Any) -> Any:  # noqa: ANN401 - onnx has no types
    """The model with its large weights in 16 bits, widened again on loading; changed in place."""
    kept, casts = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype == np.float32 and values.size > _WORTH_HALVING:
            kept.append(numpy_helper.from_array(values.astype(np.float16), f"{tensor.name}_half"))
            casts.append(helper.make_node("Cast", [f"{tensor.name}_half"], [tensor.name], to=TensorProto.FLOAT))
        else:
            kept.append(tensor)
    nodes = [*casts, *model.graph.node]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    return model


def sample_patches() -> NDArray[np.uint8]:
    """Drawn numbers, patches of `PRINT_SIZE` in colour: for comparing the outputs of different programs."""
    rng = np.random.default_rng(7)
    wide, high = PRINT_SIZE
    patches = []
    for text, noise in _DRAWN:
        patch = np.full((high, wide, 3), rng.integers(20, 90, 3), np.uint8)
        cv2.putText(patch, text, (30 - 8 * len(text) + 8, 38), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (235, 240, 230), 3)
        patches.append(np.clip(patch + rng.normal(0, noise, patch.shape), 0, 255).astype(np.uint8))
    return np.array(patches)


def record(model: Path, file: Path) -> None:
    """Write `sample_patches` and what onnxruntime says of them, as `patches` and `logits` of an .npz file."""
    import onnxruntime  # noqa: PLC0415 - only to record

    session = onnxruntime.InferenceSession(str(model))
    patches = sample_patches()
    name = session.get_inputs()[0].name
    logits = [session.run(None, {name: as_print(patch)})[0][0] for patch in patches]
    np.savez_compressed(file, patches=patches, logits=np.array(logits, np.float32))


def main(arguments: list[str] | None = None) -> int:
    """Write the network; 0 when it was written."""
    parser = argparse.ArgumentParser(prog="python -m vision.training.recogniser", description=__doc__)
    parser.add_argument("model", type=Path, help="the recogniser as ONNX")
    parser.add_argument("letters", type=Path, help="its letters, one a line")
    parser.add_argument("--out", type=Path, default=MODELS, help="where to write the network")
    parser.add_argument("--record", type=Path, help="a file for what onnxruntime says of drawn numbers (.npz)")
    chosen = parser.parse_args(arguments)
    letters = chosen.letters.read_text(encoding="utf-8").rstrip("\n").split("\n")
    model = halved(cut(onnx.load(str(chosen.model)), letters))
    checker.check_model(model)
    file = chosen.out / f"{RECOGNISER}.onnx"
    onnx.save(model, str(file))
    sys.stdout.write(f"{file}: {file.stat().st_size:,} bytes\n")
    if chosen.record is not None:
        record(file, chosen.record)
    return 0


if __name__ == "__main__":
    sys.exit(main())
