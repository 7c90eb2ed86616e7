#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A learner in Python, an example of the learner protocol (resources/docs/learner-protocol.md).

A linear layer on the features of the frozen network, trained with Adam by the cross-entropy of the classes that the
mask lets compete. It needs nothing but PyTorch (Debian: python3-torch). Try it with

    palimpsest-cli learner check "python3 linear_softmax.py"

For a method of your own, write a class like LinearSoftmax below; the rest of the file stays as it is.
"""
import json
import mmap
import numbers
import os
import struct
import sys

import torch


class LinearSoftmax:
    name = "linear softmax"
    version = "1"
    takes = ["features"]  # "images", "features" or both
    needs = []            # ["sessions"] for a method that must know where sessions end
    options = [
        {"key": "decay", "title": "Weight decay", "type": "real", "default": 0.0, "minimum": 0, "maximum": 1,
         "help": "How strongly weights are drawn to 0 in each step."},
    ]

    def begin(self, setup):
        """Called once: setup has classes, image, features, seed, learning_rate, options."""
        torch.manual_seed(setup["seed"])
        torch.set_num_threads(setup["threads"])
        self.layer = torch.nn.Linear(setup["features"], setup["classes"])
        torch.nn.init.normal_(self.layer.weight, std=0.02)
        torch.nn.init.zeros_(self.layer.bias)
        self.optimizer = torch.optim.Adam(self.layer.parameters(), lr=setup["learning_rate"],
                                          weight_decay=setup["options"]["decay"])
        self.classes = setup["classes"]

    def observe(self, tensors, batch):
        """One step on a batch; returns loss and accuracy."""
        labels = tensors["labels"]
        mask = torch.full((self.classes,), float("-inf"))
        mask[batch["visible"]] = 0
        logits = self.layer(tensors["features"]) + mask
        loss = torch.nn.functional.cross_entropy(logits, labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item(), (logits.argmax(1) == labels).float().mean().item()

    def predict(self, tensors, seen):
        """Logits [B, classes] of test images, without a mask."""
        with torch.no_grad():
            return self.layer(tensors["features"])

    def session_end(self, session):
        """Only called where the experiment tells sessions."""

    def state(self):
        """Everything that later answers depend on, generators included: tensors, numbers and text in dicts and lists."""
        return {"layer": self.layer.state_dict(), "optimizer": self.optimizer.state_dict(),
                "random": torch.get_rng_state()}

    def set_state(self, state):
        self.layer.load_state_dict(state["layer"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])


DTYPES = {"F32": (torch.float32, 4), "I64": (torch.int64, 8)}


def read_tensors(path):
    """The tensors of a .safetensors file; they share its memory until the next request."""
    with open(path, "rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    (length,) = struct.unpack("<Q", mapped[:8])
    header = json.loads(mapped[8:8 + length])
    tensors = {}
    for name, entry in header.items():
        dtype, bytes_each = DTYPES[entry["dtype"]]
        begin, end = entry["data_offsets"]
        flat = torch.frombuffer(mapped, dtype=dtype, offset=8 + length + begin, count=(end - begin) // bytes_each)
        tensors[name] = flat.view(entry["shape"])
    return tensors


def write_logits(path, logits):
    logits = logits.detach().to("cpu", torch.float32).contiguous()
    data = logits.numpy().tobytes()
    header = json.dumps({"logits": {"dtype": "F32", "shape": list(logits.shape), "data_offsets": [0, len(data)]}})
    header = header.encode() + b" " * (-len(header) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + data)


# A state comes back from a run folder, which may be somebody else's: it is tensors in the safetensors format and JSON
# for the rest. torch.load() would run code that a file asks for.
STATE_DTYPES = {"BOOL": torch.bool, "U8": torch.uint8, "I8": torch.int8, "I16": torch.int16, "I32": torch.int32,
                "I64": torch.int64, "F16": torch.float16, "BF16": torch.bfloat16, "F32": torch.float32,
                "F64": torch.float64}
STATE_NAMES = {dtype: name for name, dtype in STATE_DTYPES.items()}
BYTES_EACH = {dtype: torch.empty((), dtype=dtype).element_size() for dtype in STATE_NAMES}


class BadState(ValueError):
    """Says in one sentence why a state cannot be saved or taken up."""


def packed(value, tensors):
    """The value as JSON; its tensors are appended to the list and named by their places there."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, torch.Tensor):
        if value.dtype not in STATE_NAMES:
            raise BadState("A state cannot hold tensors of the type %s." % value.dtype)
        tensors.append(value.detach().cpu().contiguous())
        return {"tensor": len(tensors) - 1}
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    if isinstance(value, list):
        return [packed(each, tensors) for each in value]
    if isinstance(value, tuple):
        return {"tuple": [packed(each, tensors) for each in value]}
    if isinstance(value, dict):
        return {"dict": [[packed(key, tensors), packed(each, tensors)] for key, each in value.items()]}
    raise BadState("A state holds tensors, numbers and text, in dicts, lists and tuples, and no %s."
                   % type(value).__name__)


def unpacked(value, tensors):
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, list):
        return [unpacked(each, tensors) for each in value]
    if isinstance(value, dict) and len(value) == 1:
        ((kind, inner),) = value.items()
        if kind == "tensor" and type(inner) is int and 0 <= inner < len(tensors):
            return tensors[inner]
        if kind == "tuple" and isinstance(inner, list):
            return tuple(unpacked(each, tensors) for each in inner)
        if kind == "dict" and isinstance(inner, list):
            pairs = [unpacked(pair, tensors) for pair in inner if isinstance(pair, list) and len(pair) == 2]
            if len(pairs) == len(inner) and all(isinstance(key, (str, int, float, tuple)) for key, _ in pairs):
                return dict(pairs)
    raise BadState("The saved state is damaged: it holds something that is no value.")


def state_bytes(state):
    """A file of the safetensors format; "state" in its metadata is the JSON, in which tensors stand by their names."""
    tensors = []
    rest = json.dumps(packed(state, tensors))
    header, offset = {"__metadata__": {"state": rest}}, 0
    for i, tensor in enumerate(tensors):
        end = offset + tensor.numel() * tensor.element_size()
        header[str(i)] = {"dtype": STATE_NAMES[tensor.dtype], "shape": list(tensor.shape),
                          "data_offsets": [offset, end]}
        offset = end
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([struct.pack("<Q", len(text)), text] +
                    [tensor.flatten().view(torch.uint8).numpy().tobytes() for tensor in tensors])


def state_of(data):
    """The state that state_bytes() wrote. Raises BadState for anything else."""
    if data[:4] == b"PK\x03\x04" or data[:1] == b"\x80":
        raise BadState("The saved state is a Python pickle, which an earlier version of this program wrote and which can "
                       "run code, so it is not read; start the run anew.")
    try:
        (length,) = struct.unpack("<Q", data[:8])
        if length > len(data) - 8:
            raise ValueError
        header = json.loads(data[8:8 + length])
        rest = json.loads(header.pop("__metadata__")["state"])
        tensors, at, room = [], 0, len(data) - 8 - length
        for i in range(len(header)):
            entry = header[str(i)]
            dtype, shape, (begin, end) = STATE_DTYPES[entry["dtype"]], entry["shape"], entry["data_offsets"]
            count = 1
            for size in shape:
                if type(size) is not int or not 0 <= size <= room:
                    raise ValueError
                count *= size
            if begin != at or end != begin + count * BYTES_EACH[dtype] or end > room:
                raise ValueError
            flat = torch.empty(0, dtype=dtype) if count == 0 else torch.frombuffer(
                bytearray(data[8 + length + begin:8 + length + end]), dtype=dtype)
            tensors.append(flat.view(shape))
            at = end
        if at != room:
            raise ValueError
        return unpacked(rest, tensors)
    except BadState:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, RuntimeError, struct.error):
        raise BadState("The saved state is damaged: its tensors are not where its header says.") from None


def answer_to(learner, request, folder):
    verb = request["verb"]
    if verb == "hello":
        return {"protocol": 1, "name": learner.name, "version": learner.version, "takes": learner.takes,
                "needs": learner.needs, "options": learner.options}
    if verb == "begin":
        learner.begin(request)
    elif verb == "observe":
        loss, accuracy = learner.observe(read_tensors(os.path.join(folder, request["tensors"])), request)
        return {"loss": loss, "accuracy": accuracy}
    elif verb == "predict":
        logits = learner.predict(read_tensors(os.path.join(folder, request["tensors"])), request["seen"])
        write_logits(os.path.join(folder, request["logits"]), logits)
    elif verb == "session_end":
        learner.session_end(request["session"])
    elif verb == "save":
        try:
            content = state_bytes(learner.state())
        except BadState as problem:
            return {"error": str(problem)}
        with open(os.path.join(folder, request["file"]), "wb") as file:
            file.write(content)
    elif verb == "load":
        with open(os.path.join(folder, request["file"]), "rb") as file:
            content = file.read()
        try:
            state = state_of(content)
        except BadState as problem:
            return {"error": str(problem)}
        learner.set_state(state)
    else:
        return {"error": "unknown verb " + str(verb)}
    return {}


def serve(learner):
    # Standard output is for answers alone: what anything else prints goes to standard error.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    folder = ""
    for line in sys.stdin:
        request = json.loads(line)
        if request["verb"] == "bye":
            return
        folder = request.get("folder", folder)
        answers.write(json.dumps(answer_to(learner, request, folder)) + "\n")
        answers.flush()


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(f"linear_softmax.py does not take {sys.argv[1]}; its options are those of method.external_options.")
    serve(LinearSoftmax())
