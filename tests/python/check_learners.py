#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of the state of resources/learners/*.py: what is saved comes back, and a file of somebody else's runs nothing.

    tests/python/check_learners.py ROOT

Exit code 77: torch is not installed, so that they were skipped."""
import io
import json
import math
import os
import pathlib
import pickle
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(ROOT / "resources/learners"))
sys.dont_write_bytecode = True
try:
    import torch
except ImportError:
    print(f"Skipped: torch is not installed for this Python ({sys.executable}).")
    sys.exit(77)
import linear_softmax as example  # noqa: E402


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, folder):
        self.folder = folder

    def __reduce__(self):
        return os.mkdir, (self.folder,)


def learner(images=8):
    made = example.LinearSoftmax()
    made.begin({"seed": 1, "threads": 1, "features": 5, "classes": 3, "learning_rate": 0.1,
                "options": {"decay": 0.001}})
    batch = {"visible": [0, 1, 2]}
    for _ in range(2):
        made.observe({"features": torch.randn(images, 5), "labels": torch.arange(images) % 3}, batch)
    return made


def file_of(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor_file(dtype="F32", shape=(2,), offsets=(0, 8), data=b"\0" * 8, state='{"tensor": 0}'):
    return file_of({"__metadata__": {"state": state},
                    "0": {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}}, data)


class State(unittest.TestCase):
    def test_values_come_back(self):
        state = {"a": [1, 2.5, None, True, "word"], 3: (0.9, (1, [])), "inf": math.inf, "empty": {},
                 "step": torch.tensor(4.0), "none": torch.empty(0, 3), "flags": torch.tensor([True, False]),
                 "half": torch.tensor([1.5], dtype=torch.bfloat16), "turned": torch.arange(6).view(2, 3).t()}
        back = example.state_of(example.state_bytes(state))
        self.assertEqual(list(back), list(state))
        for key, value in state.items():
            if isinstance(value, torch.Tensor):
                self.assertEqual(back[key].dtype, value.dtype)
                self.assertTrue(torch.equal(back[key], value), key)
            else:
                self.assertEqual(back[key], value)

    def test_a_learner_goes_on_as_it_was(self):
        first = learner()
        saved = example.state_bytes(first.state())
        second = learner(images=4)
        second.set_state(example.state_of(saved))
        self.assertEqual(example.state_bytes(second.state()), saved)
        features, labels = torch.randn(8, 5), torch.arange(8) % 3
        for each in (first, second):
            each.observe({"features": features, "labels": labels}, {"visible": [0, 1, 2]})
        self.assertEqual(example.state_bytes(first.state()), example.state_bytes(second.state()))

    def test_a_pickle_runs_nothing_and_is_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            trap = {"layer": Trap(folder + "/trapped")}
            content = io.BytesIO()
            torch.save(trap, content)
            for data in (content.getvalue(), pickle.dumps(trap)):
                with self.assertRaisesRegex(example.BadState, "pickle.*start the run anew"):
                    example.state_of(data)
            self.assertEqual(os.listdir(folder), [])

    def test_the_program_answers_a_pickle_with_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "state.bin").write_bytes(pickle.dumps(Trap(folder + "/trapped")))
            asked = [{"verb": "hello", "protocol": 1, "folder": folder},
                     {"verb": "begin", "seed": 1, "threads": 1, "features": 5, "classes": 3, "learning_rate": 0.1,
                      "options": {"decay": 0}},
                     {"verb": "load", "file": "state.bin"}, {"verb": "bye"}]
            done = subprocess.run([sys.executable, ROOT / "resources/learners/linear_softmax.py"], text=True,
                                  input="".join(json.dumps(each) + "\n" for each in asked), capture_output=True)
            answers = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("is a Python pickle", answers[-1]["error"])
            self.assertEqual(os.listdir(folder), ["state.bin"])

    def test_damage_is_a_sentence(self):
        good = example.state_bytes({"a": torch.arange(4), "b": [1, 2]})
        self.assertEqual(example.state_of(tensor_file())[1].item(), 0)
        bad = {"nothing": b"", "short": b"abc", "long header": struct.pack("<Q", 2**63) + b"{}",
               "no JSON": file_of(b"{"), "a list": file_of([]), "no state": file_of({}),
               "deep": file_of({"__metadata__": {"state": "[" * 100000}}),
               "type": tensor_file(dtype="F31"), "shape": tensor_file(shape=(3,)),
               "negative": tensor_file(shape=(-1, -2)), "huge": tensor_file(shape=(2**40, 2**40)),
               "beyond": tensor_file(offsets=(0, 16), shape=(4,)), "overlap": tensor_file(offsets=(-8, 0)),
               "rest": tensor_file(data=b"\0" * 16), "place": tensor_file(state='{"tensor": 1}'),
               "kind": tensor_file(state='{"call": "os.mkdir"}'), "pair": tensor_file(state='{"dict": [[1]]}'),
               "key": tensor_file(state='{"dict": [[[1], 2]]}'), "flag": tensor_file(state='{"tensor": true}')}
        bad.update({"cut at %d" % size: good[:size] for size in range(len(good))})
        for name, data in bad.items():
            with self.subTest(name), self.assertRaises(example.BadState):
                example.state_of(data)

    def test_what_is_no_value_is_not_saved(self):
        for value in (object(), {1, 2}, torch.zeros(1, dtype=torch.complex64)):
            with self.assertRaises(example.BadState):
                example.state_bytes({"value": value})

    def test_no_example_reads_pickles(self):
        for file in (ROOT / "resources/learners").glob("*.py"):
            self.assertNotRegex(file.read_text().replace("torch.load() would run", ""), r"torch\.load\(|import pickle")


class Checkout(unittest.TestCase):
    """Official code of another version is told of in one sentence: what is missing, and where."""

    VIT = "class VisionTransformer:\n    def __init__(self, **_):\n        pass\n"
    MODEL = "import torch\n\n\nclass DualPrompt(torch.nn.Module):\n    def __init__(self, **_):\n" \
            "        super().__init__()\n"
    MISA = {"models/vit.py": VIT, "models/dualprompt.py": MODEL,
            "methods/dualprompt.py": "class DualPrompt:\n    pass\n",
            "utils/train_utils.py": "def select_optimizer(*_):\n    pass\n\n\ndef select_scheduler(*_):\n    pass\n",
            "utils/memory.py": "class Memory:\n    pass\n"}
    PARSER = "import argparse\n\n\ndef base_parser():\n    parser = argparse.ArgumentParser()\n" \
             "    for name in %r:\n        parser.add_argument('--' + name)\n    return parser.parse_args()\n"
    NAMES = ["method", "backbone", "n_tasks", "opt_name", "lr", "batchsize", "online_iter", "rp_dim", "rp_ridge",
             "step_num"]
    FLYGCL = {"models/vit.py": VIT, "configuration/config.py": PARSER % NAMES,
              "methods/__init__.py": "class Trainer:\n    def __init__(self, **_):\n        pass\n\n\n"
                                     "METHODS = {'l2p': Trainer}\n"}

    def last(self, folder, script, files, *more, side=16, answers=1):
        """What a learner with this checkout says last, after so many answers, of images so many pixels a side."""
        code = pathlib.Path(folder, "code")
        (code / "models").mkdir(parents=True)
        for name, text in files.items():
            (code / name).parent.mkdir(exist_ok=True)
            (code / name).write_text(text)
        options = {"mask": "batch", "steps": 0, "rp_dim": 8, "rp_ridge": 1.0}
        asked = [{"verb": "hello", "protocol": 1, "folder": folder},
                 {"verb": "begin", "seed": 1, "threads": 1, "image": [3, side, side], "features": 5, "classes": 3,
                  "batch_size": 4, "learning_rate": 0.1, "sessions": 2, "samples": 8, "options": options}]
        done = subprocess.run([sys.executable, "-B", ROOT / "resources/learners" / script, "--code", code, *more],
                              text=True, input="".join(json.dumps(each) + "\n" for each in asked), capture_output=True)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), answers)
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr.splitlines()[-1]

    def said(self, script, files, *more):
        with tempfile.TemporaryDirectory() as folder:
            last = self.last(folder, script, files, *more)
            code = pathlib.Path(folder, "code").resolve()
            begin = "%s is another version of the official code than this learner knows: " % code
            self.assertTrue(last.startswith(begin), last)
            return last[len(begin):]

    def test_misa(self):
        without = lambda name: {file: text for file, text in self.MISA.items() if file != name}
        model = "models/dualprompt.py"
        for expected, files in (
                ("it has no models/vit.py.", without("models/vit.py")),
                ("it has no folder methods.", without("methods/dualprompt.py")),
                (model + " has no DualPrompt.", {**self.MISA, model: ""}),
                ("it has no utils/memory.py.", without("utils/memory.py")),
                ("utils/train_utils.py has no select_optimizer.", {**self.MISA, "utils/train_utils.py": ""}),
                ("utils/memory.py has no Reservoir.",
                 {**self.MISA, model: "from utils.memory import Reservoir\n" + self.MODEL}),
                ("it needs the module no_such_module, which this Python does not have.",
                 {**self.MISA, model: "import no_such_module\n" + self.MODEL}),
                ("DualPrompt in %s has no loss_fn." % model, self.MISA)):
            with self.subTest(expected):
                self.assertEqual(self.said("official_misa.py", files), expected)
        other = {**self.MISA, model: self.MODEL.replace("**_", "backbone_name")}
        self.assertRegex(self.said("official_misa.py", other),
                         r"^in models/dualprompt.py, .*unexpected keyword argument 'class_num'\.$")

    def test_flygcl(self):
        without = lambda name: {file: text for file, text in self.FLYGCL.items() if file != name}
        l2p = ("--method", "l2p")
        for expected, files, more in (
                ("it has no folder configuration.", without("configuration/config.py"), l2p),
                ("METHODS in methods/__init__.py has no flyprompt.", self.FLYGCL, ()),
                ("methods/__init__.py has no METHODS.", {**self.FLYGCL, "methods/__init__.py": ""}, l2p),
                ("Trainer in methods/__init__.py has no _init_internal_step_scheduler.", self.FLYGCL, l2p)):
            with self.subTest(expected):
                self.assertEqual(self.said("official_flygcl.py", files, *more), expected)
        few = {**self.FLYGCL, "configuration/config.py": self.PARSER % self.NAMES[:7]}
        self.assertRegex(self.said("official_flygcl.py", few, *l2p),
                         r"^in configuration/config.py, .*unrecognized arguments: --rp_dim 8")

    def test_weights_that_are_none_are_a_sentence(self):
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder, "code")
            (code / "models").mkdir(parents=True)
            (code / "methods").mkdir()
            (code / "methods/__init__.py").touch()
            entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
            bad = {"rubbish": b"\xff\xfe rubbish that is no header", "short": b"abc", "empty": b"",
                   "a list": file_of([]), "no JSON": file_of(b"{"), "huge": struct.pack("<Q", 2**63) + b"{}",
                   "cut": file_of({"a": entry}, b"\0" * 7), "shape": file_of({"a": {**entry, "shape": [3]}}, b"\0" * 8),
                   "type": file_of({"a": {**entry, "dtype": "F8"}}, b"\0" * 8), "entry": file_of({"a": 1}), "below 0": file_of({"a": {**entry, "shape": [-1, -2]}}, b"\0" * 8),
                   "text": file_of({"a": {**entry, "shape": "ab"}}, b"\0" * 8)}
            from official_misa import headerOf, readWeights
            file = code / "weights"
            for name, data in bad.items():
                with self.subTest(name), self.assertRaisesRegex(SystemExit, r"are no whole \.safetensors file"):
                    file.write_bytes(data)
                    headerOf(file)
            with self.assertRaisesRegex(SystemExit, "cannot be read: Is a directory"):
                headerOf(code)
            file.write_bytes(file_of({"__metadata__": {}, "a": entry}, struct.pack("<2f", 1, 2)))
            self.assertEqual(readWeights(file)["a"].tolist(), [1, 2])
            # Also before the first answer, and in the words of the program alone.
            none = code / "none"
            for script in ("official_misa.py", "official_flygcl.py"):
                done = subprocess.run([sys.executable, "-B", ROOT / "resources/learners" / script, "--code", code,
                                       "--weights", none], text=True, input="", capture_output=True)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertEqual(done.stderr, "The weights %s cannot be read: No such file or directory.\n" % none)

    SCRIPTS = ("official_misa.py", "official_flygcl.py")

    def ended(self, script, weights, side=32, answers=1):
        """What a learner with weights of these shapes says last."""
        header, size = {}, 0
        for name, shape in weights.items():
            header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [size, size + 4 * math.prod(shape)]}
            size += 4 * math.prod(shape)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "weights.safetensors")
            file.write_bytes(file_of(header, bytes(size)))
            return self.last(folder, script, {**self.MISA, **self.FLYGCL}, "--weights", file, side=side,
                             answers=answers)

    PLAIN = {"patch_embed.proj.weight": [8, 3, 4, 4], "pos_embed": [1, 65, 8], "blocks.0.mlp.fc1.weight": [16, 8]}

    def test_weights_for_other_images_say_for_which(self):
        for script in self.SCRIPTS:
            for side in (16, 64):
                with self.subTest(script, side=side):
                    self.assertEqual(self.ended(script, self.PLAIN, side),
                                     "The weights have 65 positions, for images of 32 x 32 pixels, and the images here "
                                     "are %d x %d: say --image-size 32 to learner check, or set backbone.image_size = "
                                     "32 in the experiment." % (side, side))
            # Where they fit, it comes as far as the checkout.
            self.assertIn("is another version of the official code", self.ended(script, self.PLAIN))

    def test_weights_of_another_network_are_a_sentence_before_the_first_answer(self):
        name = "patch_embed.proj.weight"
        others = {key: shape for key, shape in self.PLAIN.items() if key != name}
        for weights, why in (
                ({**others, name: [8, 64, 2, 2]},
                 "have layers before their blocks (%s takes 64 channels, and an image has 3)" % name),
                ({**others, name: [8, 48]}, "have a %s of [8, 48], which is no convolution of square patches" % name),
                (others, "have no " + name)):
            for script in self.SCRIPTS:
                with self.subTest(why, script=script):
                    self.assertEqual(self.ended(script, weights, answers=0),
                                     "The weights %s: the official code knows plain vision transformers alone, such as "
                                     "palimpsest-vit.safetensors." % why)

    def test_positions_that_are_no_square_are_of_another_network(self):
        from official_misa import shapeOf
        for shape in ([1, 66, 8], [1, 1, 8], [65, 8]):
            weights = {name: torch.zeros(each) for name, each in {**self.PLAIN, "pos_embed": shape}.items()}
            with self.subTest(shape=shape), self.assertRaisesRegex(SystemExit, "have a pos_embed of .* is no square"):
                shapeOf(weights, [3, 32, 32], 0)

    def test_what_comes_with_the_program_fits(self):
        from official_misa import checkWeights, readWeights, shapeOf
        file = ROOT / "resources/backbones/palimpsest-vit.safetensors"
        checkWeights(file)
        self.assertEqual(shapeOf(readWeights(file), [3, 32, 32], 0)["img_size"], 32)

    def test_a_checkout_of_misa_is_none_of_flygcl(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.MISA.items():
                file = pathlib.Path(folder, name)
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
            done = subprocess.run([sys.executable, "-B", ROOT / "resources/learners/official_flygcl.py", "--code",
                                   folder], text=True, input="", capture_output=True)
            self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
            self.assertEqual(done.stderr, "%s is no checkout of FlyGCL: it has no methods/__init__.py.\n" % folder)

    def test_a_file_alone_says_what_it_needs(self):
        for script, needs in (("official_misa.py", "linear_softmax"), ("official_flygcl.py", "linear_softmax")):
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder, script)
                copy.write_bytes((ROOT / "resources/learners" / script).read_bytes())
                done = subprocess.run([sys.executable, "-B", copy, "--code", folder], text=True, input="",
                                      capture_output=True)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr, "%s needs %s.py beside it: copy the whole folder learners.\n" %
                                 (copy, needs))

    def test_what_goes_wrong_while_it_learns_is_no_other_version(self):
        from official_code import OfKnownVersion
        with tempfile.TemporaryDirectory() as folder:
            code = pathlib.Path(folder).resolve()
            (code / "steps.py").write_text("def step(value):\n    return value + None\n")
            names = {}
            exec(compile((code / "steps.py").read_text(), str(code / "steps.py"), "exec"), names)

            class Learner:
                begin = observe = staticmethod(names["step"])

            learner = OfKnownVersion(Learner(), code)
            with self.assertRaisesRegex(SystemExit, "is another version .*: steps.py, line 2: unsupported operand"):
                learner.begin(1)
            with self.assertRaises(TypeError):
                learner.observe(1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
