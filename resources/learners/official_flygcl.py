#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
r"""Methods of FlyGCL (github.com/AnAppleCore/FlyGCL) as learners: its own models, its own updates, its own way to
answer, on the stream, the images and the evaluation of Palimpsest. Bring a checkout; nothing of it comes with this file.

    palimpsest-cli learner check --image-size 32 \
        "python3 official_flygcl.py --code FlyGCL --method flyprompt --weights palimpsest-vit.safetensors"

The weights are those of a plain vision transformer with timm's names, such as Palimpsest's palimpsest-vit.safetensors
(images of 32 x 32 pixels) or vit_base_patch16_224 (224 x 224); without them they are random. The images that it gets
are already varied and normalised, so its own augmentation is off, also where FlyPrompt counts features of images as
they are; one observe is one of its updates, in 32 bits. Its batch mask decides, or the mask of seen classes
(mask=seen); the one of the experiment is not used. FlyPrompt, DualPrompt and MVP take as many steps as there are
sessions, each after the same share of the stream, so they must know how long it is; L2P, CODA-Prompt and SD-LoRA must
know where sessions end. Its code keeps no past images. What is not offered here keeps features or prototypes beside its
network: S-Prompt, RanPAC, HiDe and NoRGa. CODA-Prompt is written for networks of width 768, such as
vit_base_patch16_224.
"""
import argparse
import contextlib
import io
import os
import pathlib
import sys
import tempfile

import torch

try:
    from linear_softmax import serve
    from official_code import FLYGCL, OfKnownVersion, anotherVersion, importOfficial
    from official_misa import checkWeights, readWeights, shapeOf
except ModuleNotFoundError as missing:
    sys.exit("%s needs %s.py beside it: copy the whole folder learners." % (__file__, missing.name))

METHODS = ("flyprompt", "dualprompt", "mvp", "l2p", "codaprompt", "sdlora")
STEPPING = ("flyprompt", "dualprompt", "mvp")  # by the images that have come, and not at the ends of sessions
LEAST = -1e30  # in place of minus infinity, which is no answer


class OfficialFlyGcl:
    version = "1"
    takes = ["images"]
    needs = ["sessions"]
    options = [
        {"key": "mask", "title": "Mask", "type": "choice", "default": "batch", "choices": ["batch", "seen"],
         "help": "Which classes its loss lets compete: those of the batch, or all that have come."},
        {"key": "steps", "title": "Steps", "type": "integer", "default": 0, "minimum": 0, "maximum": 1000,
         "help": "FlyPrompt, DualPrompt and MVP: how many steps the stream is divided into, at least 2; 0: as many as "
                 "sessions."},
        {"key": "rp_dim", "title": "Random features", "type": "integer", "default": 10000, "minimum": 1,
         "maximum": 100000, "help": "FlyPrompt: of the head that chooses an expert. A checkpoint holds the square of it."},
        {"key": "rp_ridge", "title": "Ridge", "type": "real", "default": 10000.0, "minimum": 0,
         "help": "FlyPrompt: of the head that chooses an expert."},
    ]

    def __init__(self, arguments):
        self.arguments = arguments
        self.name = "FlyGCL " + arguments.method

    def begin(self, setup):
        torch.manual_seed(setup["seed"])
        torch.set_num_threads(setup["threads"])
        method, options = self.arguments.method, setup["options"]
        if method in STEPPING and max(options["steps"], 0) <= 1 and (options["steps"] == 1 or setup["sessions"] <= 1):
            raise SystemExit("FlyGCL's %s needs at least two steps: set steps=2 or more." % method)
        if "samples" not in setup:
            raise SystemExit("FlyGCL's methods must know how long the stream is.")
        weights = readWeights(self.arguments.weights) if self.arguments.weights else None
        shape = shapeOf(weights, setup["image"], self.arguments.heads)
        code = pathlib.Path(self.arguments.code).resolve()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # for what it writes when it is made
            timm, vit, config, methods = importOfficial(code, FLYGCL)

            def backbone(name, pretrained=False, num_classes=0, **_):
                made = vit.VisionTransformer(num_classes=num_classes, **shape)
                if weights is not None:
                    own = made.state_dict()
                    missing = [key for key in own if key not in weights and not key.startswith(("fc.", "fc_norm."))]
                    if missing:
                        raise SystemExit("The weights lack " + ", ".join(missing[:5]) + ".")
                    made.load_state_dict({key: values for key, values in weights.items()
                                          if key in own and not key.startswith("fc.")}, strict=False)
                self.given = {id(values) for name, values in made.named_parameters() if not name.startswith("fc.")}
                return made

            timm.create_model = backbone
            # Its own parser gives everything that is not said here its published default.
            arguments, sys.argv = sys.argv, ["main.py", "--method", method, "--backbone", "given", "--n_tasks", str(setup["sessions"]),
                        "--opt_name", "adam", "--lr", str(setup["learning_rate"]), "--batchsize",
                        str(setup["batch_size"]), "--online_iter", "1", "--rp_dim", str(options["rp_dim"]),
                        "--rp_ridge", str(options["rp_ridge"]), "--step_num", str(options["steps"] or -1)]
            if options["mask"] == "seen":
                sys.argv.append("--no_batchmask")
            if method not in methods.METHODS:
                raise anotherVersion(code, "METHODS in methods/__init__.py has no " + method)
            complaint = io.StringIO()
            try:
                with contextlib.redirect_stderr(complaint):
                    settings = vars(config.base_parser())
            except SystemExit:
                # Its parser tells the usage, which is long, and in the last line what it does not know.
                said = complaint.getvalue().strip().splitlines() or ["its arguments are refused"]
                raise anotherVersion(code, "in configuration/config.py, " + said[-1]) from None
            trainer = methods.METHODS[method](**settings)
            sys.argv = arguments
            device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
            unchanged = lambda images: images
            vars(trainer).update(device=device, distributed=False, world_size=1, n_classes=setup["classes"],
                                 exposed_classes=[], train_transform=unchanged, test_transform_tensor=unchanged,
                                 total_samples=setup["samples"],
                                 mask=torch.zeros(setup["classes"], device=device) - torch.inf)
            trainer._init_internal_step_scheduler()
            trainer.setup_distributed_model()
            os.chdir("/")
        self.trainer, self.model = trainer, trainer.model_without_ddp
        self.frozen = {name for name, values in self.model.named_parameters()
                       if id(values) in self.given and not values.requires_grad}
        # How far the stream has come is counted when all updates on a batch are done, and past images are none of it.
        self.advance, self.arrived = trainer._maybe_advance_internal_step, 0
        trainer._maybe_advance_internal_step = lambda images: None
        # Solves once for what has been counted, and not for every batch of test images.
        if method == "flyprompt":
            self.solve, self.solved = self.model.rp_head.update, False
            self.model.update = self.solveOnce
        self.known(0)
        trainer.online_before_task(0)

    def solveOnce(self):
        if not self.solved:
            self.solve()
        self.solved = True

    def known(self, seen):
        """Classes are numbered as they come, here as there, so that they keep their numbers in its list."""
        self.trainer.exposed_classes = list(range(seen))
        self.trainer.mask[:seen] = 0

    def finishBatch(self):
        if self.arrived:
            self.advance(self.arrived)
        self.arrived = 0

    def observe(self, tensors, batch):
        images, labels = tensors["images"].clone(), tensors["labels"].clone()
        if batch["update"] == 0:
            self.finishBatch()
            self.arrived = batch["streamed"]
        self.known(batch["seen"])
        self.solved = False
        if batch["update"] == 0:
            return self.trainer.online_step(images, labels, torch.arange(len(labels)))
        # Its step without what it does once for a batch.
        return self.trainer.online_train([images, labels])

    def buffers(self):
        """What some count on their way, in evaluations, too: how often a prompt was taken."""
        return {name: values.clone() for name, values in self.model.named_buffers() if not name.startswith("rp_head.")}

    def setBuffers(self, buffers):
        for name, values in buffers.items():
            owner, _, leaf = name.rpartition(".")
            setattr(self.model.get_submodule(owner), leaf, values.clone().to(self.trainer.device))

    def predict(self, tensors, seen):
        self.finishBatch()
        images = tensors["images"].to(self.trainer.device)
        if self.arguments.method == "flyprompt":
            return self.answerOfEvaluation(images)
        before = self.buffers()
        self.model.eval()
        with torch.no_grad():
            answer = self.model(images)
        self.setBuffers(before)
        return answer[0] if isinstance(answer, tuple) else answer

    def answerOfEvaluation(self, images):
        """What its evaluation compares with the labels, taken where it computes a loss of it."""
        seen = []
        criterion = self.trainer.criterion
        self.trainer.criterion = lambda logits, labels: seen.append(logits) or logits.new_zeros(())
        try:
            self.trainer.online_evaluate([(images, torch.zeros(len(images), dtype=torch.int64))])
        finally:
            self.trainer.criterion = criterion
        return seen[0].clamp(min=LEAST)

    def session_end(self, session):
        self.finishBatch()
        self.trainer.online_after_task(session)
        if session + 1 < self.trainer.n_tasks:
            self.trainer.online_before_task(session + 1)

    def learned(self):
        # The head that chooses an expert is solved from its sums.
        return {name: values for name, values in self.model.state_dict().items()
                if name not in self.frozen and name != "rp_head.fc.weight"}

    def state(self):
        self.finishBatch()
        trainer = self.trainer
        met = getattr(trainer, "label_to_task", {})
        return {
            "model": {name: values.detach().clone() for name, values in self.learned().items()},
            "optimizer": trainer.optimizer.state_dict(), "scheduler": trainer.scheduler.state_dict(),
            "seen": len(trainer.exposed_classes), "tasks": [trainer.task_id, self.model.task_count],
            "reached": [trainer.current_step, trainer.current_step_seen_samples],
            "graded": [values.grad is not None for values in self.stepped()],
            "met": sorted((label, sorted(tasks)) for label, tasks in met.items()),
            "random": torch.get_rng_state()}

    def stepped(self):
        return [values for group in self.trainer.optimizer.param_groups for values in group["params"]]

    def set_state(self, state):
        trainer = self.trainer
        trainer.task_id, count = state["tasks"]
        self.model.task_count = 0
        if self.arguments.method in ("codaprompt", "sdlora"):
            # A new task replaces parameters, which then no longer learn, or switches which ones do.
            for _ in range(count):
                self.model.process_task_count()
        self.model.task_count = count
        parameters = dict(self.model.named_parameters())
        with torch.no_grad():
            for name, values in state["model"].items():
                if name in parameters:
                    parameters[name].copy_(values)
        # They change their shape.
        self.setBuffers({name: values for name, values in state["model"].items() if name not in parameters})
        # A gradient of zero is not the same to its optimiser as none.
        for values, graded in zip(self.stepped(), state["graded"]):
            values.grad = torch.zeros_like(values) if graded else None
        trainer.optimizer.load_state_dict(state["optimizer"])
        trainer.scheduler.load_state_dict(state["scheduler"])
        trainer.current_step, trainer.current_step_seen_samples = state["reached"]
        if hasattr(trainer, "label_to_task"):
            trainer.label_to_task = {label: set(tasks) for label, tasks in state["met"]}
        self.known(state["seen"])
        self.arrived, self.solved = 0, False
        torch.set_rng_state(state["random"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Methods of FlyGCL as learners.")
    parser.add_argument("--code", required=True, help="checkout of github.com/AnAppleCore/FlyGCL")
    parser.add_argument("--method", default="flyprompt", choices=METHODS, help="flyprompt, if none is given")
    parser.add_argument("--weights", help=".safetensors file of the backbone; without it, random weights")
    parser.add_argument("--heads", type=int, default=0, help="heads of the attention; 0: one for 64 values")
    given = parser.parse_args()
    if not (pathlib.Path(given.code) / "models").is_dir():
        sys.exit(f"{given.code} is no checkout of the official code: it has no folder models.")
    # MISA has a folder of this name, too, but without a table of its methods.
    if not (pathlib.Path(given.code) / "methods/__init__.py").is_file():
        sys.exit(f"{given.code} is no checkout of FlyGCL: it has no methods/__init__.py.")
    if given.weights:
        checkWeights(given.weights)
    elif given.heads == 0:
        given.heads = 2
    serve(OfKnownVersion(OfficialFlyGcl(given), given.code))
