# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures the official MISA code and palimpsest-cli in turns: the same method (DualPrompt with the batch mask),
backbone, batch, number of updates, threads and precision (float32). bench-official calls it.

The official side is its own model, online_step and online_evaluate, on random images in memory. What its modules
import but these do not need (tensorboard, pandas, scikit-learn, matplotlib) is replaced where it is missing. Its
backbone is its own VisionTransformer with random weights, without a download. AutoAugment is off on both sides.
Palimpsest's side is `palimpsest-cli run` as users run it, reading and augmenting included.
"""
import argparse
import importlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "learners"))
from official_code import importOfficial  # noqa: E402

SHAPES = {
    "palimpsest-vit": dict(img_size=32, patch_size=4, embed_dim=128, depth=6, num_heads=4),
    "vit-s16": dict(img_size=224, patch_size=16, embed_dim=384, depth=12, num_heads=6),
    "vit-b16": dict(img_size=224, patch_size=16, embed_dim=768, depth=12, num_heads=12),
}
CLASSES = 10


# The official side, in a process of its own.


def official(options):
    import torch
    from torchvision import transforms

    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    device = torch.device(options.device)
    shape = SHAPES[options.backbone]
    code = pathlib.Path(options.code).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)  # for what the modules write when they are imported
        timm, vit, models, methods = importOfficial(code)
        timm.create_model = lambda name, pretrained=False, num_classes=0, **_: vit.VisionTransformer(
            num_classes=num_classes, **shape)
        model = models.DualPrompt(backbone_name="random", class_num=CLASSES, memory_size=0, load_pt=False,
                                  learnable_mask=False, imbalance=False, isa=False, e_proj=False, g_proj=False)
        optimisers = importlib.import_module("utils.train_utils")
        memory = importlib.import_module("utils.memory")
        os.chdir("/")
    side = shape["img_size"]
    trainer = object.__new__(methods.DualPrompt)
    trainer.model = model.to(device)
    trainer.optimizer = optimisers.select_optimizer("adam", 5e-3, trainer.model)
    trainer.scheduler = optimisers.select_scheduler("default", trainer.optimizer)
    trainer.criterion = trainer.model.loss_fn
    trainer.scaler = torch.cuda.amp.GradScaler(enabled=False)
    trainer.train_transform = transforms.Compose([
        lambda x: (x * 255).to(torch.uint8), transforms.Resize((side, side)),
        transforms.RandomCrop(side, padding=4), transforms.RandomHorizontalFlip(), lambda x: x.float() / 255,
        transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))])
    vars(trainer).update(
        device=device, distributed=False, world_size=1, exposed_classes=[], memory=memory.Memory(), memory_size=0,
        memory_batchsize=0, temp_batchsize=options.batch, online_iter=options.updates, sessionmask=False,
        nobatchmask=False, sched_name="default", use_amp=False, topk=1, n_classes=CLASSES, n_tasks=5,
        mask=torch.zeros(CLASSES, device=device) - torch.inf)

    def batch(count):
        return torch.rand(count, 3, side, side), torch.arange(count) % CLASSES

    def wait():
        if device.type == "cuda":
            torch.cuda.synchronize()
        return time.perf_counter(), time.process_time()

    batches = [batch(options.batch) for _ in range(options.batches)]
    start = wait()
    for images, labels in batches:
        trainer.online_step(images, labels, torch.arange(options.batch))
    end = wait()
    record = {"train_seconds": end[0] - start[0], "train_cpu_seconds": end[1] - start[1]}
    for look in ("first", "later"):
        loader = [batch(min(128, options.test - i)) for i in range(0, options.test, 128)]
        start = wait()
        trainer.online_evaluate(loader)
        end = wait()
        record["evaluate_%s_seconds" % look] = end[0] - start[0]
    record.update(torch=torch.__version__, timm=str(timm.__version__))
    return record


# Palimpsest's side.


def processorSeconds(pid):
    """Processor time of a process so far, of all its threads."""
    fields = pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def palimpsestRun(options, settings):
    """Events of a run, each with the time and the processor time at which it came."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.cli, "run", "default", "--json", "--out", folder + "/run"]
        settings = {"device": options.device, "precision": "float32", "threads": options.threads, "seed": 1,
                    "stream.dataset": options.dataset, "stream.sessions": 1, "backbone.name": options.backbone,
                    "backbone.weights": "random", "training.batch_size": options.batch,
                    "training.updates_per_batch": options.updates, "training.augment": "crop-flip",
                    "initial_session.prompts": "none", "evaluation.checkpoints": 0, **settings}
        for key, value in settings.items():
            command += ["--set", "%s=%s" % (key, value)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        events = []
        for line in process.stdout:
            events.append((time.perf_counter(), processorSeconds(process.pid), json.loads(line)))
        if process.wait() != 0:
            sys.exit("palimpsest-cli failed: " + " ".join(command))
    return events


def palimpsest(options):
    images = options.batch * options.batches
    # Few test images, so that the processor time from the start to the end is that of learning.
    events = palimpsestRun(options, {"stream.train_limit": images, "stream.test_limit": CLASSES,
                                     "evaluation.every_samples": 10 * images})
    started = next(e for e in events if e[2].get("event") == "started")
    evaluated = next(e for e in events if e[2].get("event") == "evaluated")
    ended = events[-1][2]
    record = {"train_seconds": images / ended["summary"]["images_per_second"],
              "train_cpu_seconds": evaluated[1] - started[1]}
    # Two batches: an evaluation after each, the first look at the test images and the second, and that of the session's
    # end right after the second.
    events = palimpsestRun(options, {"stream.train_limit": 2 * options.batch, "stream.test_limit": options.test,
                                     "training.updates_per_batch": 1, "evaluation.every_samples": options.batch})
    evaluated = [e[0] for e in events if e[2].get("event") == "evaluated"]
    summary = events[-1][2]["summary"]
    later = evaluated[-1] - evaluated[-2]
    training = 2 * options.batch / summary["images_per_second"]
    record["evaluate_later_seconds"] = later
    record["evaluate_first_seconds"] = summary["seconds"] - training - (len(evaluated) - 1) * later
    return record


# The comparison.


def child(options):
    """The official side in a new process, which has the threads from its start."""
    command = [sys.executable, __file__, "--official-child", "--code", options.code]
    for name in ("backbone", "device", "threads", "batch", "updates", "batches", "test"):
        command += ["--" + name, str(getattr(options, name))]
    environment = dict(os.environ, OMP_NUM_THREADS=str(options.threads))
    output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    return json.loads(output.splitlines()[-1])


def rows(options, records):
    """Name, official value, Palimpsest's value and the ratio, each as the median of the pairs; above 1: Palimpsest is
    faster."""
    images, test = options.batch * options.batches, options.test
    for name, key, count in (("training, images a second", "train_seconds", images),
                             ("training, images a CPU second", "train_cpu_seconds", images),
                             ("evaluation, first look, images a second", "evaluate_first_seconds", test),
                             ("evaluation, later looks, images a second", "evaluate_later_seconds", test)):
        sides = {side: [r[key] for r in records if r["side"] == side] for side in ("official", "palimpsest")}
        ratios = [o / p for o, p in zip(sides["official"], sides["palimpsest"])]
        yield (name, count / statistics.median(sides["official"]), count / statistics.median(sides["palimpsest"]),
               statistics.median(ratios), min(ratios), max(ratios))


def table(options, records):
    version = subprocess.run([options.cli, "--version"], stdout=subprocess.PIPE, text=True).stdout.strip()
    official = next(r for r in records if r["side"] == "official")
    lines = ["%s beside the official code (torch %s, timm %s): %s on %s, float32, %d thread(s), batches of %d, %d "
             "updates each; medians of %d pair(s) in turns" % (
                 version, official["torch"], official["timm"], options.backbone, options.device, options.threads,
                 options.batch, options.updates, options.pairs),
             "", "| | Official | Palimpsest | Ratio | Least to most |", "|---|---:|---:|---:|---:|"]
    for name, theirs, ours, ratio, least, most in rows(options, records):
        lines.append("| %s | %.*f | %.*f | %.2f | %.2f to %.2f |" % (
            name, 2 if theirs < 10 else 1, theirs, 2 if ours < 10 else 1, ours, ratio, least, most))
    # Later loads are those of the measurements themselves.
    load = records[0]["load_before"]
    if load > 0.5:
        lines += ["", "The machine had other work before the first measurement (load %.1f). That slows the official "
                  "code more, since its threads wait for each other many times in a pass: do not quote this; with one "
                  "thread it matters least." % load]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="bench-official", description="Speed beside the official MISA code.")
    parser.add_argument("--code", required=True, help="checkout of the official code")
    parser.add_argument("--cli", default="palimpsest-cli", help="palimpsest-cli")
    parser.add_argument("--backbone", default="palimpsest-vit", choices=SHAPES)
    parser.add_argument("--dataset", default="fashion-mnist", help="of Palimpsest's run; the other images are random")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--batch", type=int, default=32, help="images of a batch")
    parser.add_argument("--updates", type=int, default=3, help="updates of a batch")
    parser.add_argument("--batches", type=int, default=10, help="batches of a measurement")
    parser.add_argument("--test", type=int, default=512, help="test images of an evaluation")
    parser.add_argument("--pairs", type=int, default=3, help="measurements of each side, in turns")
    parser.add_argument("--out", help="folder for table.md and records.json")
    parser.add_argument("--official-child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.official_child:
        print(json.dumps(official(options)))
        return
    if options.test < 128:
        parser.error("--test must be at least 128")
    for name in ("threads", "batch", "updates", "batches", "pairs"):
        if getattr(options, name) < 1:
            parser.error(f"--{name} must be at least 1")
    if not (pathlib.Path(options.code) / "models").is_dir():
        parser.error(f"{options.code} is no checkout of the official code: it has no folder models")
    records = []
    for pair in range(options.pairs):
        # Every other pair begins with the other side, so that a machine that slows down favours neither.
        for side, measure in sorted({"official": child, "palimpsest": palimpsest}.items(), reverse=pair % 2 == 1):
            load = os.getloadavg()[0]
            record = {"side": side, "pair": pair + 1, "load_before": load, **measure(options)}
            records.append(record)
            print("pair %d of %d, %-10s %.1f images a second, %.2f CPU seconds a batch (load before: %.1f)" % (
                pair + 1, options.pairs, side, options.batch * options.batches / record["train_seconds"],
                record["train_cpu_seconds"] / options.batches, load), file=sys.stderr)
    text = table(options, records)
    print(text)
    if options.out:
        folder = pathlib.Path(options.out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "table.md").write_text(text + "\n")
        (folder / "records.json").write_text(json.dumps({
            "settings": {k: v for k, v in vars(options).items() if k not in ("official_child", "out")},
            "records": records,
            "rows": [dict(zip(("name", "official", "palimpsest", "ratio", "least_ratio", "most_ratio"), row))
                     for row in rows(options, records)]}, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"{error.cmd[0]} ended with exit code {error.returncode}; what it printed stands above.")
