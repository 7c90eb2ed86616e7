#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A learner in Python, an example of the learner protocol (resources/docs/learner-protocol.md).

A linear layer on the features of the frozen network, trained with Adam by the cross-entropy of the classes that the
mask lets compete. It needs nothing but PyTorch (Debian: python3-torch). Try it with

    palimpsest-cli learner check "python3 linear_softmax.py"

For a method of your own, write a class like LinearSoftmax below; the rest of the file stays as it is.
"""
import io
import json
import mmap
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
        """Everything that later answers depend on, generators included."""
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
        # Through memory: a file's name would become a part of what PyTorch writes.
        content = io.BytesIO()
        torch.save(learner.state(), content)
        with open(os.path.join(folder, request["file"]), "wb") as file:
            file.write(content.getvalue())
    elif verb == "load":
        learner.set_state(torch.load(os.path.join(folder, request["file"])))
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
    serve(LinearSoftmax())
