#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests of resources/python/palimpsest_runs.py on the recorded runs that come with the program.

    tests/python/check_runs.py ROOT CLI [tables|samplers]

Exit code 77: pandas, torch or tomllib is not installed, so that part was skipped."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT, CLI = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(ROOT / "resources/python"))
sys.dont_write_bytecode = True
import palimpsest_runs as palimpsest  # noqa: E402

DEMO = ROOT / "resources/recorded/demo"


def skip(what):
    print(f"Skipped: {what} is not installed for this Python ({sys.executable}).")
    sys.exit(77)


class Tables(unittest.TestCase):
    def test_the_curve_gives_the_summary(self):
        run = palimpsest.read_run(DEMO)
        curve = run.curve()
        self.assertEqual(run.state, "finished")
        self.assertAlmostEqual(curve.accuracy.mean(), run.summary["a_auc"], places=9)
        self.assertTrue(curve.samples_seen.is_monotonic_increasing)
        self.assertEqual(run.info["seed"], run.seed)

    def test_sessions_and_their_matrix(self):
        run = palimpsest.read_run(DEMO)
        matrix = run.retention()
        self.assertEqual(matrix.shape, (5, 5))
        self.assertAlmostEqual(matrix.iloc[-1].mean(), run.summary["a_last"], places=9)

    def test_classes_have_names(self):
        table = palimpsest.read_run(DEMO).classes()
        self.assertEqual(set(table.columns), {"samples_seen", "class", "accuracy", "samples", "name"})
        first = table.iloc[0]
        self.assertEqual(first["name"], palimpsest.read_run(DEMO).info["class_names"][int(first["class"])])

    def test_an_empty_table_is_an_empty_frame(self):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(DEMO / "run.json", folder)
            for text in ("", "\n", "samples_seen,acc"):
                pathlib.Path(folder, "anytime.csv").write_text(text)
                self.assertTrue(palimpsest.Run(folder).curve().empty)

    def test_a_stream_that_is_cut_short_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "stream.csv")
            for row in ("0", "0,0", ""):
                file.write_text("session,position,sample\n0,0,7\n" + row + "\n1,1,8\n" if row else
                                "session,position,sample\n0")
                with self.assertRaisesRegex(ValueError, "cut short"):
                    palimpsest.read_stream(file)

    def test_options_are_flat(self):
        options = palimpsest.read_run(DEMO).options
        self.assertEqual(options["stream.sessions"], 5)
        self.assertEqual(options["method.name"], "dualprompt")

    def test_what_is_not_there_is_a_sentence(self):
        with self.assertRaisesRegex(FileNotFoundError, "There is no folder nope"):
            palimpsest.read_runs("nope")
        stream = palimpsest.Stream([[0, 1], [2]])
        for wrong in (2, -1, [0, 5]):
            with self.assertRaisesRegex(ValueError, "from 0 to 1"):
                list(stream.batches(2, wrong))

    def sentence(self, call, *arguments, **settings):
        """What is said of a fault: one line, without the words of Python's own readers."""
        with self.assertRaises(ValueError) as caught:
            call(*arguments, **settings)
        text = str(caught.exception)
        self.assertTrue(text.endswith(".") and "\n" not in text, text)
        for foreign in ("Errno", "Unterminated", "invalid literal", "unquoted", "line 1 column"):
            self.assertNotIn(foreign, text)
        return text

    def test_files_that_are_broken_are_named(self):
        with tempfile.TemporaryDirectory() as work:
            run = pathlib.Path(work, "run")
            shutil.copytree(DEMO, run)
            whole = palimpsest.read_run(run)
            for name, content, read in (
                ("anytime.csv", b'\x00\xff\n"a,b\n1,2,3\n', whole.curve),
                ("sessions.csv", b"a,b\n1,2\n", whole.retention),
                ("classes.csv", b"samples_seen,acc\n1,2\n", whole.classes),
                ("experiment.toml", b"a = \n", lambda: whole.options),
                ("run.json", b'{"state', lambda: palimpsest.read_run(run)),
                ("run.json", b"[" * 100000, lambda: palimpsest.read_run(run)),
                ("run.json", b'{"seed": ' + b"9" * 5000 + b"}", lambda: palimpsest.read_run(run)),
            ):
                (run / name).write_bytes(content)
                self.assertIn(str(run / name), self.sentence(read))

    def test_streams_that_are_none_are_named(self):
        with tempfile.TemporaryDirectory() as work:
            for name, content in (
                ("binary.csv", bytes(range(256)) * 5),
                ("return.csv", b"session,position,sample\n0,0,\r7\n"),
                ("letters.csv", b"session,position,sample\n0,0,x\n"),
                ("negative.csv", b"session,position,sample\n0,0,-1\n"),
                ("order.csv", b"session,position,sample\n0,1,3\n"),
                ("torn.json", b'{"sessions": [["'),
                ("none.json", b"{}"),
                ("letters.json", b'{"sessions": [["a"]]}'),
                ("text.json", b'{"sessions": ["12"]}'),
                ("numbers.json", b'{"sessions": [1, 2]}'),
                ("fraction.json", b'{"sessions": [[1.5]]}'),
                ("negative.json", b'{"sessions": [[1], [-1]]}'),
                ("large.json", b'{"sessions": [[9223372036854775808]]}'),
                ("other.json", b'{"sessions": [[1]], "fingerprint": "0123456789abcdef"}'),
            ):
                file = pathlib.Path(work, name)
                file.write_bytes(content)
                self.assertIn(str(file), self.sentence(palimpsest.read_stream, file))

    def test_a_program_that_is_not_there_is_named(self):
        said = self.sentence(palimpsest.read_stream, DEMO, cli="/no/such/program")
        self.assertIn("/no/such/program, which cannot be started", said)

    def test_as_a_script_it_says_what_is_wrong(self):
        def called(*arguments):
            script = ROOT / "resources/python/palimpsest_runs.py"
            return subprocess.run([sys.executable, "-B", str(script), *arguments], capture_output=True, text=True)

        helped = called("--help")
        self.assertEqual((helped.returncode, helped.stderr), (0, ""))
        self.assertIn("Usage: palimpsest_runs.py FOLDER...", helped.stdout)
        for arguments, says in (((), "No folder is named"), (("--all", "x"), "There is no option --all"),
                                (("/no/such/folder",), "There is no folder /no/such/folder")):
            failed = called(*arguments)
            self.assertEqual((failed.returncode, failed.stdout), (2, ""))
            self.assertIn("palimpsest_runs.py: " + says, failed.stderr)
            self.assertEqual(failed.stderr.count("\n"), 1)
        self.assertIn("dualprompt", called(str(ROOT / "resources/recorded")).stdout)

    def test_many_runs_are_one_table(self):
        table = palimpsest.read_runs(ROOT / "resources/recorded")
        self.assertEqual(len(table), 3)
        self.assertIn("mask.name", table.columns)  # in which they differ
        self.assertNotIn("stream.sessions", table.columns)
        self.assertTrue((table.state == "finished").all())

    def test_a_sweep_names_its_rows(self):
        with tempfile.TemporaryDirectory() as work:
            sweep = pathlib.Path(work)
            for name in ("demo", "demo-no-mask"):
                shutil.copytree(ROOT / "resources/recorded" / name, sweep / "runs" / name)
            runs = [{"row": "With", "folder": "runs/demo"}, {"row": "Without", "folder": "runs/demo-no-mask"}]
            (sweep / "sweep.json").write_text(json.dumps({"title": "A", "runs": runs}))
            table = palimpsest.read_runs(sweep)
            self.assertEqual(sorted(table.row), ["With", "Without"])

    def test_a_torn_line_is_skipped_and_a_damaged_run_left_out(self):
        with tempfile.TemporaryDirectory() as work:
            copy = pathlib.Path(work) / "demo"
            shutil.copytree(DEMO, copy)
            whole = len(palimpsest.read_run(copy).curve())
            with open(copy / "anytime.csv", "a", encoding="utf-8") as file:
                file.write("99999,4,0.")
            self.assertEqual(len(palimpsest.read_run(copy).curve()), whole)
            os.remove(copy / "summary.json")
            self.assertEqual(palimpsest.read_run(copy).summary, {})
            broken = pathlib.Path(work) / "broken"
            broken.mkdir()
            (broken / "run.json").write_text("{")
            self.assertEqual(len(palimpsest.read_runs(work)), 1)
            with self.assertRaises(ValueError):
                palimpsest.read_run(work)

    def test_imported_results_are_runs(self):
        with tempfile.TemporaryDirectory() as work:
            log = ROOT / "tests/data/logs/mammoth/class-il/seq-cifar10/er/logs.pyd"
            subprocess.run([CLI, "import", str(log), "--out", work], check=True, capture_output=True)
            table = palimpsest.read_runs(work)
            self.assertEqual(len(table), 3)
            self.assertEqual(set(table.method), {"er"})
            self.assertAlmostEqual(table.a_last_overall.iloc[0], 0.61974, places=9)
            run = palimpsest.read_run(palimpsest.find_runs(work)[0])
            self.assertEqual(run.options["buffer_size"], "200")
            self.assertEqual(run.retention().shape, (5, 5))


class Samplers(unittest.TestCase):
    def planned(self, *arguments):
        labels = "".join(f"{i % 10}\n" for i in range(500))
        work = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, work)
        (pathlib.Path(work) / "labels.txt").write_text(labels)
        file = pathlib.Path(work) / "stream.out"
        command = [CLI, "stream", "--labels", f"{work}/labels.txt", "--sessions", "3", "--seed", "7", "--out", str(file)]
        subprocess.run([*command, *arguments], check=True, capture_output=True)
        return file

    def test_json_and_csv_are_the_same_stream(self):
        from_json = palimpsest.read_stream(self.planned("--format", "json"))
        from_csv = palimpsest.read_stream(self.planned("--format", "csv"))
        self.assertEqual(from_json.sessions, from_csv.sessions)
        self.assertEqual(sorted(from_json.order), list(range(500)))
        self.assertEqual(from_json.fingerprint, from_csv.fingerprint)
        from_json.check_labels(i % 10 for i in range(500))
        with self.assertRaises(ValueError):
            from_json.check_labels(i % 9 for i in range(500))

    def test_a_changed_stream_is_refused(self):
        file = self.planned("--format", "json")
        value = json.loads(file.read_text())
        value["sessions"][0].reverse()
        file.write_text(json.dumps(value))
        with self.assertRaises(ValueError):
            palimpsest.read_stream(file)

    def test_a_loader_goes_through_the_stream(self):
        import torch

        stream = palimpsest.read_stream(self.planned("--format", "json"))
        data = torch.utils.data.TensorDataset(torch.arange(500))
        loader = torch.utils.data.DataLoader(data, batch_sampler=stream.batch_sampler(32))
        seen = [batch[0].tolist() for batch in loader]
        self.assertEqual([index for batch in seen for index in batch], stream.order)
        self.assertEqual(len(loader), sum(-(-len(session) // 32) for session in stream.sessions))
        self.assertEqual(seen, list(stream.batches(32)))
        # No batch reaches over the end of a session.
        ends = [len(session) % 32 for session in stream.sessions]
        self.assertEqual([len(batch) for batch in seen if len(batch) < 32], [end for end in ends if end])
        sampler = stream.sampler(sessions=1)
        self.assertIsInstance(sampler, torch.utils.data.Sampler)
        self.assertEqual(list(sampler), stream.sessions[1])
        self.assertEqual(len(sampler), len(stream.sessions[1]))

    def test_a_recorded_run_gives_its_own_stream(self):
        called = subprocess.run([CLI, "stream", str(DEMO)], capture_output=True)
        if called.returncode != 0:
            self.skipTest("the icons of the recorded run are not installed")
        if json.loads(called.stdout)["fingerprint"] != palimpsest.read_run(DEMO).info["fingerprint"]:
            with self.assertRaises(ValueError):
                palimpsest.read_stream(DEMO, CLI)
            return
        stream = palimpsest.read_stream(DEMO, CLI)
        self.assertEqual(len(stream), palimpsest.read_run(DEMO).info["total_samples"])
        starts = [0]
        for session in stream.sessions[:-1]:
            starts.append(starts[-1] + len(session))
        self.assertEqual(starts, palimpsest.read_run(DEMO).info["session_starts"])
        self.assertEqual(stream.batch_size, palimpsest.read_run(DEMO).options["training.batch_size"])


if __name__ == "__main__":
    part = sys.argv[3] if len(sys.argv) > 3 else "tables"
    try:
        import tomllib  # noqa: F401
    except ImportError:
        skip("tomllib (Python 3.11)")
    try:
        __import__("pandas" if part == "tables" else "torch")
    except ImportError:
        skip("pandas" if part == "tables" else "torch")
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Tables if part == "tables" else Samplers)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    sys.exit(0 if result.wasSuccessful() and result.testsRun > 0 else 1)
