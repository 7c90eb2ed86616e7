#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads what `palimpsest-cli export` writes with other people's readers: protobuf's own, and pyyaml's where it is there.

    tests/python/check_export.py ROOT CLI

The messages are described here as TensorFlow's event.proto and summary.proto describe them; the CRC is computed bit by
bit. Exit code 77: protobuf is not installed."""
import csv
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT, CLI = pathlib.Path(sys.argv[1]), sys.argv[2]
DEMO = ROOT / "resources/recorded/demo"

try:
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
except ImportError:
    print(f"Skipped: protobuf is not installed for this Python ({sys.executable}).")
    sys.exit(77)


def event_class():
    file = descriptor_pb2.FileDescriptorProto(name="event.proto", package="tensorflow", syntax="proto3")
    field = descriptor_pb2.FieldDescriptorProto

    def add(message, name, number, kind, label=field.LABEL_OPTIONAL, of=None):
        made = message.field.add(name=name, number=number, type=kind, label=label)
        if of:
            made.type_name = of

    value = file.message_type.add(name="Value")
    add(value, "tag", 1, field.TYPE_STRING)
    add(value, "simple_value", 2, field.TYPE_FLOAT)
    summary = file.message_type.add(name="Summary")
    add(summary, "value", 1, field.TYPE_MESSAGE, field.LABEL_REPEATED, ".tensorflow.Value")
    event = file.message_type.add(name="Event")
    add(event, "wall_time", 1, field.TYPE_DOUBLE)
    add(event, "step", 2, field.TYPE_INT64)
    add(event, "file_version", 3, field.TYPE_STRING)
    add(event, "summary", 5, field.TYPE_MESSAGE, of=".tensorflow.Summary")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    descriptor = pool.FindMessageTypeByName("tensorflow.Event")
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(pool).GetPrototype(descriptor)


def masked_crc(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def events_in(file):
    data, at, made = file.read_bytes(), 0, event_class()
    while at < len(data):
        (length,) = struct.unpack_from("<Q", data, at)
        assert struct.unpack_from("<I", data, at + 8)[0] == masked_crc(data[at : at + 8]), "CRC of a length"
        body = data[at + 12 : at + 12 + length]
        assert len(body) == length, "a torn record"
        assert struct.unpack_from("<I", data, at + 12 + length)[0] == masked_crc(body), "CRC of a record"
        yield made.FromString(body)
        at += 16 + length


def column(name, field):
    with open(DEMO / name, encoding="utf-8") as file:
        return [(int(row["samples_seen"]), float(row[field])) for row in csv.DictReader(file)]


class Export(unittest.TestCase):
    def exported(self, form):
        work = tempfile.TemporaryDirectory()
        self.addCleanup(work.cleanup)
        out = pathlib.Path(work.name) / "out"
        command = [CLI, "export", str(DEMO), "--format", form, "--output", str(out)]
        called = subprocess.run(command, check=True, capture_output=True, text=True)
        return out, pathlib.Path(called.stdout.strip())

    def test_events(self):
        out, folder = self.exported("tensorboard")
        self.assertEqual(folder.parent, out)
        (file,) = folder.iterdir()
        self.assertIn("tfevents", file.name)
        events = list(events_in(file))
        self.assertEqual(events[0].file_version, "brain.Event:2")
        scalars = {}
        for event in events[1:]:
            (value,) = event.summary.value
            scalars.setdefault(value.tag, []).append((event.step, value.simple_value))
            self.assertEqual(event.wall_time, events[0].wall_time)
        for tag, (name, field) in {
            "test/accuracy": ("anytime.csv", "accuracy"),
            "test/loss": ("anytime.csv", "loss"),
            "train/loss": ("training.csv", "loss"),
        }.items():
            wanted = column(name, field)
            self.assertEqual([step for step, _ in scalars[tag]], [step for step, _ in wanted])
            for (_, value), (_, recorded) in zip(scalars[tag], wanted):
                self.assertAlmostEqual(value, recorded, places=5)
        self.assertEqual(len(scalars["sessions/accuracy_on_session_1"]), 5)
        self.assertIn("summary/a_auc", scalars)

    def test_mlflow(self):
        out, folder = self.exported("mlflow")
        self.assertEqual(folder.parent.parent, out)
        lines = (folder / "metrics/test/accuracy").read_text().splitlines()
        wanted = column("anytime.csv", "accuracy")
        self.assertEqual([(int(line.split()[2]), float(line.split()[1])) for line in lines], wanted)
        self.assertEqual((folder / "params/method.name").read_text(), "dualprompt")
        self.assertEqual((folder / "tags/mlflow.runName").read_text(), "Demo")
        try:
            import yaml
        except ImportError:
            self.skipTest("pyyaml is not installed")
        run = yaml.safe_load((folder / "meta.yaml").read_text())
        experiment = yaml.safe_load((folder.parent / "meta.yaml").read_text())
        self.assertEqual(run["run_id"], folder.name)
        self.assertEqual(run["experiment_id"], folder.parent.name)
        self.assertEqual(experiment["experiment_id"], folder.parent.name)
        self.assertEqual((run["status"], run["lifecycle_stage"], run["run_name"]), (3, "active", "Demo"))
        self.assertEqual(experiment["name"], "Palimpsest")


if __name__ == "__main__":
    result = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromTestCase(Export))
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
