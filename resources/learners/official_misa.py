#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
r"""The official code of MISA (github.com/kangzhiq/MISA) as a learner: its own DualPrompt, its own online_step, on the
stream, the images and the evaluation of Palimpsest. Bring a checkout; nothing of it comes with this file.

    palimpsest-cli learner check --image-size 32 \
        "python3 official_misa.py --code MISA --weights palimpsest-vit.safetensors"

The weights are those of a plain vision transformer with timm's names, such as Palimpsest's palimpsest-vit.safetensors
(images of 32 x 32 pixels) or vit_base_patch16_224 (224 x 224); without them they are random. The images that it gets
are already varied, so its own augmentation is off, and one observe is one of its updates. Past images come with the
batch, so its own memory is off. Its batch mask decides, or the mask of seen classes (mask=seen); the one of the
experiment is not used. It hides nothing in its answers: set mask.evaluation = "none" to be measured as its own code
measures.
"""
import argparse
import importlib
import json
import math
import os
import pathlib
import struct
import sys
import tempfile

import torch

try:
    from linear_softmax import serve
    from official_code import OfKnownVersion, importOfficial
except ModuleNotFoundError as missing:
    sys.exit("%s needs %s.py beside it: copy the whole folder learners." % (__file__, missing.name))

HALF = {"F32": (torch.float32, 4), "F16": (torch.float16, 2), "BF16": (torch.bfloat16, 2), "I64": (torch.int64, 8)}


def headerOf(file):
    """The tensors that a .safetensors file has, with their places behind so many bytes, and these."""
    try:
        with open(file, "rb") as opened:
            rest = os.fstat(opened.fileno()).st_size - 8
            (length,) = struct.unpack("<Q", opened.read(8))
            if length > rest:
                raise ValueError
            header = json.loads(opened.read(length))
        header.pop("__metadata__", None)
        for name, entry in header.items():
            (begin, end), (dtype, size) = entry["data_offsets"], HALF[entry["dtype"]]
            if min(entry["shape"], default=0) < 0 or not 0 <= begin <= end <= rest - length or \
                    math.prod(entry["shape"]) * size != end - begin:
                raise ValueError
    except OSError as problem:
        raise SystemExit("The weights %s cannot be read: %s." % (file, problem.strerror)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, struct.error):
        raise SystemExit("The weights %s are no whole .safetensors file of numbers that are known here (%s)." %
                         (file, ", ".join(HALF))) from None
    return header, 8 + length


def readWeights(file):
    header, start = headerOf(file)
    data = pathlib.Path(file).read_bytes()
    weights = {}
    for name, entry in header.items():
        dtype, size = HALF[entry["dtype"]]
        begin, end = entry["data_offsets"]
        values = torch.empty(0, dtype=dtype) if begin == end else torch.frombuffer(
            bytearray(data[start + begin:start + end]), dtype=dtype, count=(end - begin) // size)
        weights[name] = values.view(entry["shape"]).float()
    return weights


def notPlain(why):
    return SystemExit("The weights %s: the official code knows plain vision transformers alone, such as "
                      "palimpsest-vit.safetensors." % why)


def requirePlain(shapes, channels=3):
    """Ends with a sentence where weights of these shapes are of another network than a plain vision transformer."""
    name = "patch_embed.proj.weight"
    if name not in shapes:
        raise notPlain("have no " + name)
    shape = list(shapes[name])
    if len(shape) != 4 or shape[2] != shape[3] or 0 in shape:
        raise notPlain("have a %s of %s, which is no convolution of square patches" % (name, shape))
    if shape[1] != channels:
        raise notPlain("have layers before their blocks (%s takes %d channels, and an image has %d)" %
                       (name, shape[1], channels))


def checkWeights(file):
    """Whoever is asked for its hello says what is wrong with its weights, and not first in the run."""
    requirePlain({name: entry["shape"] for name, entry in headerOf(file)[0].items()})


def requirePositions(weights, image, patch):
    """Ends with a sentence where the weights have another number of positions than such images have patches."""
    if "pos_embed" not in weights:
        return  # told with all else that is missing
    shape = list(weights["pos_embed"].shape)
    side = math.isqrt(max(0, shape[1] - 1)) if len(shape) == 3 else 0
    if side == 0 or side * side + 1 != shape[1]:
        raise notPlain("have a pos_embed of %s, which is no square of positions and one for the class" % shape)
    if (image // patch) ** 2 + 1 != shape[1]:
        fits = side * patch
        raise SystemExit("The weights have %d positions, for images of %d x %d pixels, and the images here are %d x %d"
                         ": say --image-size %d to learner check, or set backbone.image_size = %d in the experiment." %
                         (shape[1], fits, fits, image, image, fits, fits))


def shapeOf(weights, image, heads):
    """The arguments of a vision transformer with these weights, for images of [channels, height, width]."""
    channels, size, _ = image
    if weights is None:
        return dict(img_size=size, patch_size=4 if size < 64 else 16, embed_dim=64 * heads, depth=6, num_heads=heads)
    requirePlain({name: values.shape for name, values in weights.items()}, channels)
    width, _, patch, _ = weights["patch_embed.proj.weight"].shape
    requirePositions(weights, size, patch)
    depth = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    return dict(img_size=size, patch_size=patch, embed_dim=width, depth=depth, num_heads=heads or max(1, width // 64),
                mlp_ratio=weights["blocks.0.mlp.fc1.weight"].shape[0] / width)


class OfficialDualPrompt:
    name = "official DualPrompt"
    version = "1"
    takes = ["images"]
    needs = []
    options = [
        {"key": "mask", "title": "Mask", "type": "choice", "default": "batch", "choices": ["batch", "seen"],
         "help": "Which classes its loss lets compete: those of the batch (MISA), or all that have come."},
    ]

    def __init__(self, arguments):
        self.arguments = arguments

    def begin(self, setup):
        torch.manual_seed(setup["seed"])
        torch.set_num_threads(setup["threads"])
        weights = readWeights(self.arguments.weights) if self.arguments.weights else None
        shape = shapeOf(weights, setup["image"], self.arguments.heads)
        code = pathlib.Path(self.arguments.code).resolve()
        prompts = self.arguments.prompts
        with tempfile.TemporaryDirectory() as folder:
            if prompts:
                os.symlink(pathlib.Path(prompts).resolve(), folder + "/pretrained_prompt")
            os.chdir(folder)  # for what the modules write when they are imported
            timm, vit, models, methods = importOfficial(code)
            timm.create_model = lambda name, pretrained=False, num_classes=0, **_: vit.VisionTransformer(
                num_classes=num_classes, **shape)
            model = models.DualPrompt(backbone_name="given", class_num=setup["classes"], memory_size=0,
                                      load_pt=bool(prompts), learnable_mask=False, imbalance=False, isa=False,
                                      e_proj=False, g_proj=False)
            training = importlib.import_module("utils.train_utils")
            memory = importlib.import_module("utils.memory")
            os.chdir("/")
        if weights is not None:
            own = model.backbone.state_dict()
            missing = [name for name in own if name not in weights and not name.startswith(("fc.", "fc_norm."))]
            if missing:
                raise SystemExit("The weights lack " + ", ".join(missing[:5]) + ".")
            model.backbone.load_state_dict({name: values for name, values in weights.items()
                                            if name in own and not name.startswith("fc.")}, strict=False)
        device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        trainer = object.__new__(methods.DualPrompt)
        trainer.model = model.to(device)
        trainer.optimizer = training.select_optimizer("adam", setup["learning_rate"], trainer.model)
        trainer.scheduler = training.select_scheduler("default", trainer.optimizer)
        trainer.criterion = trainer.model.loss_fn
        trainer.scaler = torch.cuda.amp.GradScaler(enabled=False)
        trainer.train_transform = lambda images: images
        vars(trainer).update(
            device=device, distributed=False, world_size=1, exposed_classes=[], memory=memory.Memory(), memory_size=0,
            memory_batchsize=0, temp_batchsize=setup["batch_size"], online_iter=1, sessionmask=False,
            nobatchmask=setup["options"]["mask"] == "seen", sched_name="default", use_amp=False, topk=1,
            n_classes=setup["classes"], n_tasks=1, task_id=0, lr=setup["learning_rate"],
            mask=torch.zeros(setup["classes"], device=device) - torch.inf)
        self.trainer = trainer
        self.known(0)

    def known(self, seen):
        """Classes are numbered as they come, here as there, so that they keep their numbers in its list."""
        self.trainer.exposed_classes = list(range(seen))
        self.trainer.mask[:seen] = 0

    def observe(self, tensors, batch):
        self.known(batch["seen"])
        labels = tensors["labels"].clone()
        return self.trainer.online_step(tensors["images"].clone(), labels, torch.arange(len(labels)))

    def buffers(self):
        """What it counts and measures on its way, in evaluations, too: how often a prompt was taken, how near."""
        return {name: values.clone() for name, values in self.trainer.model.named_buffers()}

    def setBuffers(self, buffers):
        for name, values in buffers.items():
            owner, _, leaf = name.rpartition(".")
            setattr(self.trainer.model.get_submodule(owner), leaf, values.clone().to(self.trainer.device))

    def predict(self, tensors, seen):
        before = self.buffers()
        self.trainer.model.eval()
        with torch.no_grad():
            answer = self.trainer.model(tensors["images"].to(self.trainer.device))
        self.setBuffers(before)
        return answer[0] if isinstance(answer, tuple) else answer

    def session_end(self, session):
        self.trainer.online_after_task(session)

    def learned(self):
        return {name: values for name, values in self.trainer.model.named_parameters() if values.requires_grad}

    def state(self):
        return {"model": {name: values.detach().clone() for name, values in self.learned().items()},
                "buffers": self.buffers(), "optimizer": self.trainer.optimizer.state_dict(),
                "scheduler": self.trainer.scheduler.state_dict(), "seen": len(self.trainer.exposed_classes),
                "task": self.trainer.model.task_id, "random": torch.get_rng_state()}

    def set_state(self, state):
        with torch.no_grad():
            for name, values in self.learned().items():
                values.copy_(state["model"][name])
        self.setBuffers(state["buffers"])
        self.trainer.optimizer.load_state_dict(state["optimizer"])
        self.trainer.scheduler.load_state_dict(state["scheduler"])
        self.trainer.model.task_id = state["task"]
        self.known(state["seen"])
        torch.set_rng_state(state["random"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The official MISA code as a learner.")
    parser.add_argument("--code", required=True, help="checkout of github.com/kangzhiq/MISA")
    parser.add_argument("--weights", help=".safetensors file of the backbone; without it, random weights")
    # Not an option, which a stranger's experiment may set: its code reads them by torch.load, which may run code.
    parser.add_argument("--prompts", help="folder with e_prompt.pt and g_prompt.pt, as the code loads them, which may "
                        "run what they hold; without it, random ones")
    parser.add_argument("--heads", type=int, default=0, help="heads of the attention; 0: one for 64 values")
    given = parser.parse_args()
    if not (pathlib.Path(given.code) / "models").is_dir():
        sys.exit(f"{given.code} is no checkout of the official code: it has no folder models.")
    if given.weights:
        checkWeights(given.weights)
    elif given.heads == 0:
        given.heads = 2
    serve(OfKnownVersion(OfficialDualPrompt(given), given.code))
