# SPDX-License-Identifier: GPL-3.0-or-later
"""The guide's example in Python (resources/learners/linear_softmax.py, which PYTHONPATH must reach) with an initial
layer from a .safetensors file: its fc.weight and fc.bias."""
import sys

import torch

from linear_softmax import LinearSoftmax, read_tensors, serve


class GoldenLearner(LinearSoftmax):
    name = "golden"

    def begin(self, setup):
        super().begin(setup)
        initial = read_tensors(sys.argv[1])
        with torch.no_grad():
            self.layer.weight.copy_(initial["fc.weight"])
            self.layer.bias.copy_(initial["fc.bias"])


serve(GoldenLearner())
