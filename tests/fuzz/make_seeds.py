#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the first inputs of each target in tests/data/fuzz, whole files of each kind and form, small.

    tests/fuzz/make_seeds.py [FOLDER]

Inputs that were found later lie beside them and stay. JPEG and WebP, which Python cannot write, are made elsewhere."""
import bz2
import gzip
import hashlib
import io
import json
import pathlib
import sqlite3
import struct
import sys
import tarfile
import tempfile
import zipfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/data/fuzz"


def put(target, name, content):
    if isinstance(content, str):
        content = content.encode()
    folder = OUT / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def joined(files):
    """Several files in one input, as InputFolder takes them apart."""
    out = b""
    for name, content in files.items():
        content = content.encode() if isinstance(content, str) else content
        out += b"@@" + name.encode() + b"\n" + content + (b"" if content.endswith(b"\n") else b"\n")
    return out


# Settings.

EXPERIMENT = """# A run.
name = "a run"
seed = 3

[stream]
dataset = "fashion-mnist"
sessions = 4
disjoint_percent = 50
edits = "class 3 to session 2; class 4 from session 1 to session 3"

[method]
name = "dualprompt"

[mask]
name = "batch"

[memory]
size = 500

[training]
batch_size = 32
learning_rate = 5e-3

[evaluation]
every_samples = 100
"""
put("experiment_toml", "whole", EXPERIMENT)
put("experiment_toml", "problems", 'sed = 1\n[streem]\n[stream]\nsessions = "four"\ndataset = [1, 2]\n[method]\nname = "none"\n')
put("experiment_toml", "kinds", "a = 1979-05-27T07:32:00Z\nb = '''\nx'''\nc = \"\\u00e9\\n\"\nd = {e = 0x1f, f.g = -inf}\n[[h]]\ni = true\n")
put("experiment_toml", "imported", '[stream]\nindex_list = "lists/stream.json"\nedits = ""\n[method]\nname = "l2p"\n[initial_session]\nprompts = "fam"\n')
for preset in ("default", "misa"):
    put("experiment_toml", preset, (ROOT / f"resources/presets/{preset}.toml").read_bytes())

put("sweep_grid", "axes", 'title = "Masks"\nseeds = [3, 1]\nmetrics = ["a_last", "a_auc"]\n[set]\n"stream.sessions" = 4\nstream.dataset = "shapes"\n[[row]]\nname = "None"\nset = { "mask.name" = "none" }\n[[row]]\nname = "Batch"\n[vary]\n"training.batch_size" = [8, 32]\n"memory.size" = [0, 500]\n')
put("sweep_grid", "sessions", 'seeds = [1]\npublished_in = "A paper, Table 4"\nmetrics = ["a_auc", "a_last"]\n[set]\n"stream.dataset" = "shapes"\n[[initial_session]]\nname = "FAM"\nset = { "initial_session.prompts" = "fam", "initial_session.epochs" = 2 }\n[[initial_session]]\nname = "Naive"\nseed = 7\nset = { "initial_session.prompts" = "naive" }\n[[row]]\nname = "Without"\nset = { "mask.name" = "none" }\npublished = { a_auc = [80.55, 2.17], a_last = 70 }\n[[row]]\nname = "With"\nbaseline = "Without"\ninitial_session = "FAM"\n')
put("sweep_grid", "problems", 'seeds = [1, 1, "x"]\nmetrics = ["nothing"]\nbase = "./x.toml"\n[[row]]\n[[row]]\nname = ""\nset = 3\nbaseline = "Nobody"\n[vary]\nseed = [1]\n"memory.size" = []\n')

put("queue_file", "whole", '{"version": 1, "next": 4, "at_once": 2, "paused": false, "experiments": {"1": "name = \\"Mine\\"\\n"}, "jobs": [{"id": 1, "name": "Mine", "seed": 1, "folder": "/runs/mine-seed-1", "state": "running", "sentence": "", "pid": 7, "process": "boot 1", "seconds": 1.5, "starts": 1, "experiment": "1"}, {"id": 3, "name": "Masks", "seed": 0, "folder": "/sweeps/masks", "state": "failed", "sentence": "No room.", "pid": 0, "process": "", "seconds": 0, "starts": 1, "grid": "/sweeps/masks.toml"}]}')
put("queue_file", "newer", '{"version": 2, "jobs": {}}')
put("queue_file", "problems", '{"version": 1, "next": -1, "at_once": 1e99, "paused": 1, "experiments": [], "jobs": [[]]}')
put("queue_file", "program", '{"pid": 7, "process": "boot:1", "folder": "/runs/mine-seed-1"}')
put("queue_file", "seeds", "1-3, 7,\n0-4000000000000000000")

put("talk", "whole", 'title = "A talk"\nminutes = 7.5\n[[run]]\nname = "mask"\nrecorded = "demo"\n[[run]]\nname = "mine"\nfolder = "my-run"\n[[run]]\nname = "live"\nexperiment = "demo"\nset = { seed = 9, "mask.name" = "none" }\nseconds = 31\n[[scene]]\ncaption = "{accuracy(session 2)} % and {mine.retention(1, 3)} %, {{so}}"\nnote = "Wait."\nruns = ["mask", "mine"]\nfigure = "Retention"\nat = "session 2"\nnow = true\nspotlight = true\n[[scene]]\ncaption = "{live.a_auc}"\nat = 640\nplay = 3\nstart = "live"\n')
put("talk", "problems", 'titel = 1\n[[run]]\nname = "a b"\nrecorded = "dem"\nfolder = "../x"\n[[scene]]\ncaption = "{acuracy} {"\nruns = []\nfigure = "Los"\nat = "session x"\nplay = 4\nstart = "b"\n')
put("talk", "outside", 'title = "A talk"\n[[run]]\nname = "a"\nexperiment = "../x.toml"\n[[run]]\nname = "b"\nexperiment = "/etc/passwd"\n[[run]]\nname = "c"\nexperiment = "a/../demo"\n[[scene]]\ncaption = "x"\n')
put("slurm_queue", "old", '{"jobs": [{"array_job_id": 12, "array_task_id": 3, "job_id": 15, "job_state": "RUNNING", "state_reason": "None", "nodes": "n1", "command": "/o/sweep.sbatch", "restart_cnt": 2}, {"array_job_id": 12, "array_task_id": null, "array_task_string": "4-5,7%2", "job_state": "PENDING"}]}')
put("slurm_queue", "recent", '{"jobs": [{"array_job_id": {"set": true, "infinite": false, "number": 12}, "array_task_id": {"set": false, "number": 0}, "array_task_string": "1-9:2", "job_id": 12, "job_state": ["PENDING", "REQUEUED"], "state_reason": "Priority", "command": "/o/sweep.sbatch"}]}')
put("slurm_queue", "lines", "12|3|RUNNING|None|node1|/out/sweep.sbatch\n12|4|PENDING|Priority||/out|odd/sweep.sbatch\n")
put("slurm_queue", "past", "12_1|COMPLETED|node1\n12_2|CANCELLED by 1000|None assigned\n12_[5-6%2]|PENDING|\n13|TIMEOUT|n2\n")
put("slurm_queue", "script", '#!/bin/sh\n#SBATCH --array=1-2\nset -- 1-4 5,7-9\nshift $((SLURM_ARRAY_TASK_ID - 1))\n')
put("slurm_queue", "listed", '{"number":1,"row":"a","seed":1,"state":"waiting","folder":"001-a","slurm":{"task":"12_1","state":"PENDING","reason":"Priority","nodes":null,"restarts":0}}\n{"number":2,"slurm":{"task":"12","state":"RUNNING","nodes":"n1","restarts":2}}\n')
put("followed_file", "whole", '{"version": 1, "followed": [{"kind": "run", "place": "ssh://me@lab:22/~/runs/one", "folder": "/runs/one", "program": ""}, {"kind": "sweep", "place": "ssh://lab/data/masks", "folder": "/sweeps/masks", "program": "/opt/palimpsest-cli"}]}')
put("followed_file", "newer", '{"version": 2, "followed": {}}')
put("followed_file", "problems", '{"version": 1, "followed": [{"kind": "other", "place": "ssh://-oProxyCommand=x/y", "folder": "runs", "program": 3}]}')
put("slurm_queue", "configuration", "MaxArraySize            = 5001\n")
put("learner_answer", "hello", '{"protocol":1,"name":"mine","version":"2","takes":["images","features"],"needs":["sessions"],"options":[{"key":"lr","title":"Rate","type":"real","default":0.5,"minimum":0,"maximum":1,"unit":"","help":"How fast."},{"key":"n","type":"integer","default":3},{"key":"f","type":"boolean","default":true},{"key":"t","type":"text","default":"a=b, c"},{"key":"c","type":"choice","default":"x","choices":["x","y"]}]}')
put("learner_answer", "observed", '{"loss":1.25,"accuracy":0.5,"more":[1,{"a":null}]}')
put("learner_answer", "error", '{"error":"out of\\nmemory"}')
put("learner_answer", "nan", '{"loss": NaN, "accuracy": 0.5}')
put("learner_answer", "settings", 'lr=0.5, n = 3,t="a, b=c",f=true')
put("learner_answer", "command", "python3 'my method.py' --name \"a \\\" b\" ~/x\\ y")
LOGITS = b'{"logits":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}}'
put("learner_answer", "logits", len(LOGITS).to_bytes(8, "little") + LOGITS)

put("lesson", "whole", 'title = "One"\nsummary = "Of one thing."\nminutes = 5\nbase = "no-mask"\n[set]\nseed = 2\nstream.sessions = 3\n[[step]]\nheading = "Look"\ntext = """\nLook *here*, [there](stream.md).\n"""\npoint = "mask.name"\nexperiment = { name = "Mine", "memory.size" = 20 }\ngoal = \'finished and not (retention(1) < 5 or fall(2) > 3.5)\'\nhint = "let it end"\n')
put("lesson", "problems", 'titel = 1\nminutes = 0\nbase = "../x"\nset = []\n[[step]]\nheading = 3\ntext = "<b>"\npoint = "nowhere"\ngoal = "a ="\nexperiment = { "mask.nme" = 1 }\n[[step]]\n')
put("lesson", "goal", 'best(a_auc, mask.name == "batch" and seeds(finished) >= 3) - worst(a_auc) > spread(a_last) + -2 or not guess_drawn')
put("lesson", "words", 'title = "<b>"\nsummary = "![x](y)"\nminutes = 5\n[[step]]\nheading = "`"\ntext = "a\\nb"\ngoal = """\nname == "\\u001b[2J" or\n\tname != "`![x](y)"\n"""\nhint = "\\u202e"\n')
for lesson in ("3-blurry-borders", "8-luck"):
    put("lesson", lesson, (ROOT / f"resources/lessons/{lesson}.toml").read_bytes())

put("option_value", "size", "memory.size=500")
put("option_value", "rate", "training.learning_rate=5e-3")
put("option_value", "mask", "mask.name=batch")
put("option_value", "unknown", "memory.sise=1")
put("option_value", "edits", "class 3 to session 2; class 4 from session 1 to session 3")
put("option_value", "blocks", "0,1,4")
put("option_value", "text", "stream.edits=class 3 to session 2")

# Streams.

LISTS = {"sessions": [[0, 4, 8, 1], [2, 3, 5, 6, 7]], "disjoint_classes": [[0], [2]], "blurry_classes": [[1], [3]],
         "fingerprint": "0123456789abcdef", "labels_fingerprint": "0123456789abcdef"}
put("drawings_base", "usual", "icons\n")
put("drawings_base", "root", "mnist\r\n/data/mnist\r\n")
put("drawings_base", "path", "../icons\n")
put("drawings_base", "itself", "own-drawings\n")
put("drawings_base", "control", "icons\n/a\x1b]0;x\x07\nmore\n")
put("index_list", "whole", json.dumps(LISTS))
put("index_list", "bare", "[[0, 1, 2], [3, 4, 5], []]")
put("index_list", "outside", '{"sessions": [[0, 99], [-1, 1e999, 1.5, "a", {}, null]]}')
put("index_list", "homes", '{"sessions": [[0, 1], [0, 1]], "disjoint_classes": [[0], []], "blurry_classes": [[1], [], [2]]}')
put("index_list", "control", '{"sessions": [[0, 1]], "fingerprint": "\\u001b]0;x\\u0007\\n\\u202e", "labels_fingerprint": "\\u0000"}')

# Tables.

ANYTIME = "samples_seen,session,accuracy,loss,classes_seen,updates\n500,0,0.5,1.2,2,500\n1000,0,0.6,1.0,2,1000\n1200,1,0.55,,4,1200\n"
put("csv_table", "anytime", ANYTIME)
put("csv_table", "odd", "accuracy,samples_seen\r\n1e999,nan\ninf,-3\n\n1,2,3\n0.5,0x10\n1e-400,9007199254740993\n\"a\",1\n0.5,7")
put("csv_table", "memory", "samples_seen,class_0,class_1,class_2\n100,1,,2\n200,3,4,\n300,1000000000000,0,x\n")

NPY_MAGIC = b"\x93NUMPY"


def npy(kind, shape, data, version=1, fortran=False):
    head = f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}".encode()
    head += b" " * (63 - (len(head) + (10 if version == 1 else 12)) % 64) + b"\n"
    return NPY_MAGIC + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", len(head)) + head + data


put("npy_header", "matrix", npy("<f8", "(2, 3)", bytes(48)))
put("npy_header", "version-2", npy("<f4", "(4,)", bytes(16), 2))
put("npy_header", "objects", npy("|O", "()", bytes(8), 3, True))
FEATURES = "samples_seen,class,image,values\n100,4,7,AACAPwAAAEA=\n100,4,9,AAAAAAAAAEA=\n100,4,,AAAAQAAAAAA=\n"
put("features", "whole", (FEATURES + "200,4,7,AACAPwAAgD8=\n200,2,5,AACAPwAAAEA=\n200,2,,AAAAQAAAgD8=\n").encode())
put("features", "heads", b"samples_seen,class,image,values\n100,4,,AACAPw==\n200,4,,AACAvw==\n")
put("features", "largest", (FEATURES + "200,4,7,//9/f///f38=\n200,4,,//9/////f/8=\n").encode())
put("features", "odd", (FEATURES + "50,4,7,AACAPwAAgD8=\n200,4,7,????\n200,4,7,AACAfwAAgH8=\n200,4,7,AAAA\n200,x,7,AAAAAA==\n1,2\n300,4").encode())
put("predictions", "bytes", npy("|u1", "(6,)", bytes([0, 1, 2, 254, 255, 3])))
put("predictions", "top", npy("|u1", "(2, 6)", bytes([0, 1, 255, 200, 50, 0, 254, 2, 1, 255, 0, 0])))
put("predictions", "top-words", npy("<u2", "(1, 6)", struct.pack("<6H", 300, 0xFFFE, 0xFFFF, 60000, 5000, 0)))
put("predictions", "words", npy("<u2", "(4,)", struct.pack("<4H", 300, 0xFFFF, 0xFFFE, 1)))

# Run folders.

RUN = {"format": 1, "state": "finished", "name": "a run", "seed": 1, "started": "2026-03-01T10:00:00.125Z",
       "ended": "2026-03-01T10:10:00.125Z", "error": None, "fingerprint": "0123456789abcdef", "device": "cpu",
       "precision": "float32", "total_samples": 2400, "trainable_parameters": 1000, "unreadable_images": 1,
       "session_starts": [0, 1200], "class_names": ["T-shirt", "Trouser", "Pullover", "Dress"],
       "class_kinds": ["disjoint", "blurry", "disjoint", "blurry"], "versions": {"palimpsest": "0.1.0"},
       "warnings": ["A class has no test images."], "host": "here", "pid": 1, "process": "x",
       "states": [{"samples_seen": 500, "hash": "ab"}], "shared_past": {"images": 0, "batches": 0}}
SUMMARY = {"a_auc": 0.5, "a_last": 0.4, "f_last": 0.3, "a_avg": None, "a_last_overall": 0.45, "f_last_classwise": 0.35,
           "bwt_last": -0.1, "ncm_a_auc": 0.2, "seconds": 12.5, "images_per_second": 100, "batch_seconds": 0.1,
           "peak_memory_bytes": 1000000, "sessions_ended": 2}
SETTINGS = '[stream]\ndataset = "fashion-mnist"\nsessions = 2\n[method]\nname = "er"\n[memory]\nsize = 500\n[checkpoints]\n'.replace("[checkpoints]\n", "")
CHECKPOINT = {"format": 1, "samples_seen": 500, "session": 0, "batches": 50, "updates": 500, "bytes": 3, "state_hash": "ab",
              "checksum": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "written": "2026-03-01T10:05:00Z",
              "seconds": 1.5, "training_seconds": 1.0, "lengths": {"anytime.csv": 56}, "hashes": {"anytime.csv": "00"},
              "facts": {"method.name": "er", "stream.sessions": "2"}, "folder": {"updates": 5}}
FOLDER = {"run.json": json.dumps(RUN), "experiment.toml": SETTINGS, "summary.json": json.dumps(SUMMARY),
          "anytime.csv": ANYTIME,
          "sessions.csv": "after_session,session,accuracy,samples\n0,0,0.6,100\n1,0,0.5,100\n1,1,0.7,100\n",
          "classes.csv": "samples_seen,class,accuracy,samples\n500,0,0.5,50\n500,1,0.6,50\n1000,0,0.4,50\n1000,3,,0\n",
          "training.csv": "samples_seen,update,loss,batch_accuracy,learning_rate\n10,1,2.3,0.1,0.005\n20,2,2.1,0.2,0.005\n",
          "commands.csv": "samples_seen,command,argument\n100,change,training.learning_rate=0.01\n200,pause,\n300,fork,\n400,change,\"mask.name=\"\"seen\"\"\"\n",
          "early.csv": "samples_seen,session,accuracy,loss,classes_seen,updates\n100,0,0.3,2,2,100\n",
          "reference.csv": "samples_seen,accuracy\n500,0.2\n1000,0.3\n",
          "routing.csv": "samples_seen,session,router_accuracy,head_agreement\n500,0,0.5,\n1000,1,,0.9\n",
          "memory.csv": "samples_seen,class_0,class_1,class_2,class_3\n500,10,20,,\n1000,5,5,5,5\n",
          "prompts.csv": "samples_seen,prompt,count\n500,0,10\n500,3,40\n1000,1,50\n",
          "pushes.csv": "samples_seen,class,push,since\n500,0,12.5,0\n500,1,,-3\n1000,0,-2,-2\n1000,3,1e300,0\n",
          "predictions.csv": "file,sha256\nlabels.npy,00\n00000500.npy,11\n",
          # A file in an input ends with an end of line, so these do, too.
          "predictions/labels.npy": npy("|u1", "(4,)", bytes([0, 1, 2, 10])),
          "predictions/00000500.npy": npy("|u1", "(4,)", bytes([0, 254, 255, 10])),
          "predictions/top-00000500.npy": npy("|u1", "(4, 6)", bytes([0, 1, 255, 200, 50, 0, 254, 2, 1, 255, 0, 0] + [255] * 6 + [3, 255, 255, 0, 0, 10])),
          "watched.csv": "samples_seen,image,class,probability\n500,2,2,0.25\n500,2,0,0.5\n500,2,,0.125\n500,3,3,1\n1000,2,2,0.75\n",
          "features.csv": FEATURES + "200,4,7,AACAPwAAgD8=\n",
          "checkpoints/00000500.json": json.dumps(CHECKPOINT)}
put("run_folder", "whole", joined(FOLDER))
put("run_folder", "stopped", joined(dict(FOLDER, **{"run.json": json.dumps(dict(RUN, state="stopped", ended=None)), "summary.json": "{}"})))
put("run_folder", "waits", joined(dict(FOLDER, **{"run.json": json.dumps(dict(RUN, state="running", ended=None, waits_for={
    "learner": "nearest mean", "since": "2026-03-01T10:05:00.125Z", "limit": 60}))})))
put("run_folder", "fork", joined({"run.json": json.dumps(dict(RUN, state="failed", error="It failed.", parent={"run": "/a/b", "samples_seen": 300})),
                                  "experiment.toml": SETTINGS, "anytime.csv": ANYTIME, "commands.csv": FOLDER["commands.csv"],
                                  "checkpoints/00000500.json": json.dumps(CHECKPOINT)}))
put("run_folder", "imported", joined({"run.json": json.dumps(dict(RUN, state="imported", source=["a.csv"])), "anytime.csv": ANYTIME,
                                      "sessions.csv": "after_session,session,accuracy,samples\n"}))
# Counts whose sum is more than 63 bits hold.
put("run_folder", "large-counts", joined({
    "run.json": json.dumps(dict(RUN, state="finished")), "anytime.csv": ANYTIME,
    "sessions.csv": "after_session,session,accuracy,samples\n" + "0,0,1,8e15\n" * 1200,
    "classes.csv": "samples_seen,class,accuracy,samples\n" + "".join(f"900,{i},1,8e15\n" for i in range(1200))}))
put("checkpoint_record", "whole", joined({"checkpoints/00000100.json": json.dumps(dict(CHECKPOINT, samples_seen=100)),
                                          "checkpoints/00000100.safetensors": "abc", "anytime.csv": ANYTIME}))
put("checkpoint_record", "older", joined({"checkpoints/00000100.json": json.dumps({k: v for k, v in CHECKPOINT.items() if k != "hashes"}),
                                          "checkpoints/00000100.safetensors": "abd", "anytime.csv": "x"}))
put("run_notes", "whole", json.dumps({"tags": ["good", "slow"], "note": "Two\nlines.", "colour": "#ff8800", "hidden": True, "left_alone": False}))
put("run_notes", "odd", '{"tags": ["a b,c", 3, "\\u001b]52;c;x\\u0007"], "note": "\\u202e\\u0000", "colour": "red", "hidden": 1}')

put("foreign_curve", "comma", joined({"l2p.csv": "step,acc,loss,session\n100,0.5,1.2,0\n200,0.6,,1\n"}))
put("foreign_curve", "semicolon", joined({"l2p.csv": "\ufeff\"Samples seen\";\"Accuracy (%)\"\r\n100;50,5 %\r\n200;61,25%\r\n"}))
put("foreign_curve", "tabs", joined({"l2p.csv": "images\taccuracy\n1e2\t55\n9e15\t60\n"}))
put("foreign_curve", "npy", joined({"misa/seed_3_eval.npy": npy("<f8", "(2,)", struct.pack("<2d", 0.5, 0.6)),
                                    "misa/seed_3_eval_time.npy": npy("<i8", "(2,)", struct.pack("<2q", 100, 200)),
                                    "misa/seed_3.npy": npy("<f4", "(1,)", struct.pack("<f", 0.7))}))

LOGS = ROOT / "tests/data/logs"
PILOT = (LOGS / "pilot_simplecil.log").read_bytes()
put("foreign_logs", "mammoth", (LOGS / "mammoth/class-il/seq-cifar10/er/logs.pyd").read_bytes().splitlines(True)[0])
put("foreign_logs", "mammoth-odd", "{'model': b'er\\n', 'accmean_task1': np.float64(50.0), 'accmean_task2': nan, 'x': <a <b> c>, 'f': f(1, k={2, 3})}\n{'a")
put("foreign_logs", "pilot", PILOT)
put("foreign_logs", "pilot-cut", PILOT[:2500])
put("foreign_logs", "pycil", b"".join((LOGS / "pycil_icarl.log").read_bytes().splitlines(True)[:50]))
put("foreign_logs", "avalanche", (LOGS / "avalanche/naive/eval_results.csv").read_bytes())
put("foreign_logs", "avalanche-tensor", "eval_exp,training_exp,eval_accuracy,eval_loss,forgetting\n0,None,0,0,0\n0,0,\ntensor(0.5),\ntensor(1.),0\n1,0,0.1,1,0\n0,1,0.4")
put("foreign_logs", "misa", b"".join((LOGS / "misa.log").read_bytes().splitlines(True)[:78]))
put("foreign_logs", "flygcl", b"".join((LOGS / "flygcl.log").read_bytes().splitlines(True)[:85]))

put("sweep_folder", "whole", joined({
    "sweep.json": json.dumps({"title": "A", "rows": [{"name": "First"}, {"name": "Second"}], "runs": []}),
    "runs/001-first/run.json": json.dumps(RUN), "runs/001-first/summary.json": json.dumps(SUMMARY),
    "runs/001-first/anytime.csv": ANYTIME, "runs/001-first/experiment.toml": "seed = 1\n",
    "runs/002-second.log": "palimpsest-cli: There is no data set.\nmore\n"}))
put("sweep_folder", "log", joined({"runs/001-first.log": "words\npalimpsest-cli: \x1b]0;x\x07 \xff it failed.\n",
                                   "runs/002-second/run.json": json.dumps(dict(RUN, state="running"))}))

PART = "https://example.org/a.tar.gz\n\"etag-1\"\n1000\nend\n"
put("part_record", "whole", PART)
put("part_record", "cut", PART[:-4])
put("part_record", "negative", "http://a\n\n-5\nend\n")
put("part_record", "sha256", "sha256:" + "0123456789abcdef" * 4)
put("part_record", "md5", "md5:" + "0123456789abcdef" * 2)

with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "index"
    base = sqlite3.connect(file)
    base.execute("PRAGMA page_size=512")
    base.execute(
        "CREATE TABLE runs (folder TEXT PRIMARY KEY, signature TEXT NOT NULL, name TEXT, method TEXT, mask TEXT, "
        "prompts TEXT, dataset TEXT, memory INTEGER, seed INTEGER, sessions INTEGER, batch_size INTEGER, "
        "updates_per_batch INTEGER, state TEXT, error TEXT, started TEXT, ended TEXT, fingerprint TEXT, family TEXT, "
        "total_samples INTEGER, samples_seen INTEGER, sessions_ended INTEGER, area_whole INTEGER, a_auc REAL, "
        "a_last_overall REAL, f_last_classwise REAL, a_last REAL, f_last REAL, modified INTEGER, trashed INTEGER, "
        "tags TEXT, note TEXT, colour TEXT, hidden INTEGER, parent TEXT, forked_at INTEGER, changes TEXT) WITHOUT ROWID")
    for row in range(4):
        values = [f"run-{row}", "s", "a run", "er", "batch", "", "icons", 500, row, 5, 32, 1, "finished", "", "2026", "2026",
                  "ab", "cd", 100, 100, 5, 1, 0.5, 0.4, 0.3, 0.2, 0.1, 7, 0, "good", "note", "#ff8800", 0, "", -1,
                  "10 mask.name=seen\n20 training.learning_rate=0.1\n"]
        base.execute("INSERT INTO runs VALUES (" + ",".join("?" * len(values)) + ")", values)
    base.execute("PRAGMA user_version=5")
    base.commit()
    base.execute("VACUUM")
    base.close()
    whole = file.read_bytes()
put("library_index", "whole", joined({".library.sqlite": whole, "a-run/run.json": json.dumps(RUN), "a-run/library.json": '{"tags": ["x"]}'}))
put("library_index", "newer", joined({".library.sqlite": whole[:60] + struct.pack(">I", 99) + whole[64:]}))
put("library_index", "older", joined({".library.sqlite": whole[:60] + struct.pack(">I", 1) + whole[64:]}))
put("library_index", "text", joined({".library.sqlite": "no database\n", "a-run/run.json": json.dumps(RUN)}))

# Data sets.


def pickled_cifar(key, labels, rows, python3):
    def text(value):
        if python3:
            value = value.encode()
            return b"X" + struct.pack("<I", len(value)) + value
        value = value.encode("latin1")
        return b"U" + bytes([len(value)]) + value if len(value) < 256 else b"T" + struct.pack("<I", len(value)) + value

    def raw(value):
        if not python3:
            return b"U" + bytes([len(value)]) + value if len(value) < 256 else b"T" + struct.pack("<I", len(value)) + value
        return b"c_codecs\nencode\n" + text(value.decode("latin1")) + text("latin1") + b"\x86R"

    width = len(rows) // len(labels)
    shape = b"K" + bytes([len(labels)]) + (b"K" + bytes([width]) if width < 256 else b"M" + struct.pack("<H", width)) + b"\x86"
    array = (b"cnumpy.core.multiarray\n_reconstruct\nq\x07cnumpy\nndarray\nq\x08K\0\x85" + raw(b"b") + b"\x87Rq\x09(K\x01" + shape +
             b"cnumpy\ndtype\nq\x0a" + text("u1") + (b"\x89\x88" if python3 else b"K\0K\1") + b"\x87Rq\x0b(K\x03" + text("|") +
             b"NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89" + raw(rows) + b"tb")
    return (b"\x80\x02}q\x01(" + text("batch_label") + b"q\x02" + text("one") + b"q\x03" + text(key) + b"q\x04]q\x05(" +
            b"".join(b"K" + bytes([label]) for label in labels) + b"e" + text("data") + b"q\x06" + array + text("filenames") +
            b"q\x0c]q\x0d(" + b"".join(text("a.png") for _ in labels) + b"eu.")


put("cifar_pickle", "python-2", pickled_cifar("labels", [1, 2], bytes(range(12)), False))
put("cifar_pickle", "python-3", pickled_cifar("fine_labels", [3], bytes(range(200, 216)), True))
put("cifar_pickle", "protocol-0", b"(dp0\nS'labels'\np1\n(lp2\nI1\naI01\naL5L\nasS'data'\np3\nV\\u00e9\\u20ac\np4\ns.")
put("cifar_pickle", "numbers", b"\x80\x02(J\xff\xff\xff\xff\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80\x8b\x01\x00\x00\x00\x7f\x88\x89N]r\x01\x00\x00\x00j\x01\x00\x00\x002001t.")
put("cifar_pickle", "call", b"cos\nsystem\n(S'true'\ntR.")
PICTURE = bytes(i % 251 for i in range(3072))
binary = bytes([1, 7]) + PICTURE
put("cifar", "binary", b"\0" + binary)
put("cifar", "python", b"\1" + pickled_cifar("fine_labels", [5], PICTURE, False))
packed = io.BytesIO()
with tarfile.open(fileobj=packed, mode="w") as tar:
    for name in ("train.bin", "test.bin"):
        info = tarfile.TarInfo("cifar-100-binary/" + name)
        info.size = len(binary)
        tar.addfile(info, io.BytesIO(binary))
put("cifar", "archive", b"\2" + gzip.compress(packed.getvalue(), mtime=0))
put("cifar", "ten", b"\3" + pickled_cifar("labels", [5], PICTURE, True))


def idx_images(count, side):
    return struct.pack(">4I", 0x803, count, side, side) + bytes(i % 256 for i in range(count * side * side))


put("idx", "images", idx_images(3, 4))
put("idx", "images.gz", gzip.compress(idx_images(3, 4), mtime=0))
put("idx", "labels", struct.pack(">2I", 0x801, 5) + bytes([0, 1, 2, 3, 9]))
put("idx", "labels.gz", gzip.compress(struct.pack(">2I", 0x801, 5) + bytes([0, 1, 2, 3, 9]), mtime=0))
put("idx", "huge", struct.pack(">4I", 0x803, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) + bytes(8))


def tar_of(entries, kind=tarfile.USTAR_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=kind) as tar:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            if content is None:
                info.type = tarfile.DIRTYPE
                tar.addfile(info)
            elif isinstance(content, str):
                info.type, info.linkname = tarfile.SYMTYPE, content
                tar.addfile(info)
            else:
                info.size = len(content)
                tar.addfile(info, io.BytesIO(content))
    whole = out.getvalue()
    return whole[:len(whole.rstrip(b"\0")) // 512 * 512 + 512 + 1024]


ENTRIES = [("data", None), ("data/a.txt", b"hello"), ("data/b/c.bin", bytes(600))]
put("archive", "ustar", tar_of(ENTRIES))
put("archive", "pax", tar_of(ENTRIES + [("data/\u00e9" + "x" * 120, b"1")], tarfile.PAX_FORMAT))
put("archive", "gnu", tar_of(ENTRIES + [("data/" + "y" * 120, b"1")], tarfile.GNU_FORMAT))
put("archive", "gzip", gzip.compress(tar_of(ENTRIES), mtime=0))
put("archive", "bzip2", bz2.compress(tar_of(ENTRIES)))
put("archive", "link", tar_of([("data/link", "/etc/passwd"), ("data/link/x", b"1")]))
put("archive", "upwards", tar_of([("../out", b"1"), ("/abs", b"2")]))


def zip_of(entries, method=zipfile.ZIP_STORED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in entries:
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


put("archive", "zip", zip_of([("data/a.txt", b"hello"), ("data/b.bin", bytes(300))], zipfile.ZIP_DEFLATED))
put("archive", "zip-twice", zip_of([("a", b"1")]) + b"")


def png(side, colour, depth=8, interlace=0):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + bytes((i * 37) % 256 if colour != 3 else 1 for i in range(side * channels * depth // 8))
    parts = chunk(b"IHDR", struct.pack(">2I5B", side, side, depth, colour, 0, 0, interlace))
    if colour == 3:
        parts += chunk(b"PLTE", bytes([0, 0, 0, 255, 128, 64])) + chunk(b"tRNS", b"\0\x80")
    return b"\x89PNG\r\n\x1a\n" + parts + chunk(b"IDAT", zlib.compress(row * side)) + chunk(b"IEND", b"")


put("picture", "rgb.png", png(4, 2))
put("picture", "palette.png", png(4, 3))
put("picture", "grey16.png", png(4, 0, 16))
put("picture", "alpha.png", png(4, 6))
BMP_ROWS = bytes((i * 11) % 256 for i in range(4 * 12))
put("picture", "true.bmp", b"BM" + struct.pack("<IHHI", 54 + 48, 0, 0, 54) + struct.pack("<IiiHHIIiiII", 40, 4, -4, 1, 24, 0, 48, 0, 0, 0, 0) + BMP_ROWS)
put("picture", "run-length.bmp", b"BM" + struct.pack("<IHHI", 100, 0, 0, 62) + struct.pack("<IiiHHIIiiII", 40, 4, 2, 1, 8, 1, 12, 0, 0, 2, 0) + bytes(8) + b"\x04\x01\0\0\x04\0\0\0\0\1")
put("picture", "binary.ppm", b"P6\n# a comment\n2 2\n255\n" + bytes(range(12)))
put("picture", "text.pgm", b"P2\n2 2\n15\n1 2 3 15\n")
put("picture", "bits.pbm", b"P4\n9 2\n\xff\x80\x00\x80")


def tiff(order):
    tags = [(256, 3, 1, 2), (257, 3, 1, 2), (258, 3, 1, 8), (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 8), (277, 3, 1, 1),
            (278, 3, 1, 2), (279, 4, 1, 4)]
    out = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 12) + bytes([1, 2, 3, 4])
    out += struct.pack(order + "H", len(tags))
    for tag, kind, count, value in tags:
        out += struct.pack(order + "HHI", tag, kind, count)
        out += struct.pack(order + "HH", value, 0) if kind == 3 else struct.pack(order + "I", value)
    return out + struct.pack(order + "I", 0)


put("picture", "little.tiff", tiff("<"))
put("picture", "big.tiff", tiff(">"))

put("icon", "shapes.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><linearGradient id="g"><stop offset="0" stop-color="red"/><stop offset="1"/></linearGradient></defs><rect width="8" height="8" fill="url(#g)"/><path d="M1 1L9 9A3 3 0 0 1 2 5z" stroke="#00f" transform="rotate(30)"/></svg>')
put("icon", "text.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm"><style>.a{fill:#123456}</style><g class="a" opacity=".5"><use href="#c"/><circle id="c" cx="5" cy="5" r="4"/></g></svg>')
put("icon", "alpha.png", png(4, 6))

put("label_lists", "tiny", joined({
    "tiny-imagenet-200/wnids.txt": "n01443537\n", "tiny-imagenet-200/words.txt": "n01443537\tgoldfish, Carassius auratus\nn01629819 fire_salamander\n",
    "tiny-imagenet-200/val/val_annotations.txt": "val_0.JPEG\tn01443537\t0\t32\t44\t62\n",
    "tiny-imagenet-200/val/images/val_0.JPEG": "x", "tiny-imagenet-200/train/n01443537/images/a.JPEG": "x"}))
put("label_lists", "places", joined({
    "places365/categories_places365.txt": "".join(f"/a/place_{i}/in {i}\n" for i in range(365)),
    "places365/places365_train_standard.txt": "/a.jpg 0\n/b/c d.jpg 364\n", "places365/places365_val.txt": "a.jpg 7\r\n",
    "places365/data_256/a.jpg": "x", "places365/val_256/a.jpg": "x"}))

# Tensors.


def safetensors(header, data=b""):
    header = json.dumps(header) if not isinstance(header, str) else header
    return struct.pack("<Q", len(header)) + header.encode() + data


def entry(kind, shape, begin, end):
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


put("safetensors", "whole", safetensors({"__metadata__": {"vit": "{}"}, "a": entry("F32", [2, 2], 0, 16), "b": entry("BOOL", [3], 16, 19),
                                         "c": entry("F16", [], 19, 21)}, bytes(range(21))))
put("safetensors", "kinds", safetensors({"a": entry("F64", [1], 0, 8), "b": entry("I64", [1], 8, 16), "c": entry("I32", [1], 16, 20),
                                         "d": entry("BF16", [0, 5], 20, 20), "e": entry("U8", [4], 20, 24)}, bytes(24)))
put("safetensors", "overlap", safetensors({"a": entry("F32", [1], 0, 4), "b": entry("F32", [1], 2, 6)}, bytes(6)))
put("safetensors", "twice", safetensors('{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}', b"x"))
put("npz", "stored", zip_of([("a.npy", npy("<f4", "(2, 2)", bytes(16))), ("b.npy", npy("|b1", "(3,)", bytes(3)))]))
put("npz", "deflated", zip_of([("x/y.npy", npy("<f8", "(2, 3)", bytes(48), 2, True)), ("c.npy", npy("<i4", "()", bytes(4)))], zipfile.ZIP_DEFLATED))
put("npz", "half", zip_of([("a.npy", npy("<f2", "(1, 3)", bytes(6), 3))]))


def short(text):
    return b"X" + struct.pack("<I", len(text)) + text.encode()


def whole_number(value):
    if 0 <= value < 256:
        return b"K" + bytes([value])
    return b"J" + struct.pack("<i", value)


def tuple_of(numbers):
    return b"(" + b"".join(whole_number(n) for n in numbers) + b"t"


def torch_tensor(key, storage, count, offset, sizes, strides):
    return (b"ctorch._utils\n_rebuild_tensor_v2\n((" + short("storage") + b"ctorch\n" + storage.encode() + b"\n" + short(key) +
            short("cpu") + whole_number(count) + b"tQ" + whole_number(offset) + tuple_of(sizes) + tuple_of(strides) +
            b"\x89ccollections\nOrderedDict\n)RtR")


STATE = (b"\x80\x02ccollections\nOrderedDict\n)R(" + short("a.weight") + torch_tensor("0", "FloatStorage", 4, 0, [2, 2], [2, 1]) +
         short("a.bias") + torch_tensor("0", "FloatStorage", 4, 1, [2], [1]) + b"u}" + short("_metadata") +
         b"ccollections\nOrderedDict\n)Rsb.")
BARE = b"\x80\x02" + torch_tensor("0", "HalfStorage", 4, 0, [4], [1]) + b"."
NESTED = (b"\x80\x04\x95\x20\x00\x00\x00\x00\x00\x00\x00}q\x00(" + short("epoch") + whole_number(3) + short("model") + b"}\x94" + short("w") +
          b"\x8c\x0ctorch._utils\x8c\x12_rebuild_tensor_v2\x93((" + short("storage") + b"\x8c\x05torch\x8c\x0bLongStorage\x93" + short("1") +
          short("cuda:0") + whole_number(2) + b"tQK\x00K\x02\x85K\x01\x85\x89NtRs" + short("args") + b"cargparse\nNamespace\n)\x81}" + short("lr") +
          b"G\x3f\xe0\x00\x00\x00\x00\x00\x00sbu.")
SCRIPT = (b"\x80\x02c__torch__\nNet\n)\x81}(" + short("training") + b"\x89" + short("layer") + b"c__torch__\nLayer\n)\x81}" + short("p") +
          torch_tensor("0", "FloatStorage", 4, 0, [4], [1]) + b"sb" + short("list") + b"ctorch.jit._pickle\nbuild_intlist\n](K\x01K\x02e\x85Rub.")
for name, content in (("state-dict", STATE), ("bare", BARE), ("nested", NESTED), ("script", SCRIPT)):
    put("torch_pickle", name, content)


def torch_file(pickle, data):
    return zip_of([("archive/data.pkl", pickle), ("archive/byteorder", b"little")] + [("archive/data/" + k, v) for k, v in data] +
                  [("archive/version", b"3\n")])


put("weights", "state-dict.pt", torch_file(STATE, [("0", bytes(16))]))
put("weights", "bare.pt", torch_file(BARE, [("0", bytes(8))]))
put("weights", "nested.pt", torch_file(NESTED, [("1", bytes(16))]))
put("weights", "old.pt", b"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.\x80\x02M\xe9\x03.")


def network(tensors, metadata=None):
    """All tensors lie in the same few bytes' order: zeros."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, shape in tensors:
        size = 2
        for extent in shape:
            size *= extent
        header[name] = entry("F16", shape, at, at + size)
        at += size
    return safetensors(header, bytes(at))


D = 4
BLOCK = [("norm1.weight", [D]), ("norm1.bias", [D]), ("attn.qkv.weight", [3 * D, D]), ("attn.qkv.bias", [3 * D]), ("attn.proj.weight", [D, D]),
         ("attn.proj.bias", [D]), ("norm2.weight", [D]), ("norm2.bias", [D]), ("mlp.fc1.weight", [2 * D, D]), ("mlp.fc1.bias", [2 * D]),
         ("mlp.fc2.weight", [D, 2 * D]), ("mlp.fc2.bias", [D])]
TIMM = [("cls_token", [1, 1, D]), ("pos_embed", [1, 5, D]), ("patch_embed.proj.weight", [D, 3, 2, 2]), ("patch_embed.proj.bias", [D])]
TIMM += [("blocks.0." + name, shape) for name, shape in BLOCK] + [("norm.weight", [D]), ("norm.bias", [D]), ("head.weight", [3, D])]
put("weights", "timm.safetensors", network(TIMM, {"vit": '{"heads": 2, "norm_epsilon": 1e-5}'}))
# DINOv2 with layer scale and registers, a distilled DeiT, and SigLIP without a class token and with a query that reads out.
SCALED = TIMM + [("reg_token", [1, 2, D]), ("blocks.0.ls1.gamma", [D]), ("blocks.0.ls2.gamma", [D])]
put("weights", "dinov2.safetensors", network(SCALED))
DISTILLED = [(name, [1, 6, D] if name == "pos_embed" else shape) for name, shape in TIMM] + [("dist_token", [1, 1, D])]
put("weights", "distilled.safetensors", network(DISTILLED, {"vit": '{"readout": "two-tokens", "tanh_gelu": false}'}))
POOL = [("attn_pool.latent", [1, 1, D]), ("attn_pool.q.weight", [D, D]), ("attn_pool.kv.weight", [2 * D, D]), ("attn_pool.proj.weight", [D, D]),
        ("attn_pool.mlp.fc1.weight", [2 * D, D]), ("attn_pool.mlp.fc2.weight", [D, 2 * D])]
PROBED = [(name, [1, 4, D] if name == "pos_embed" else shape) for name, shape in TIMM if name != "cls_token"] + POOL
put("weights", "siglip.safetensors", network(PROBED))
FACE = [("embeddings.cls_token", [1, 1, D]), ("embeddings.position_embeddings", [1, 5, D]), ("embeddings.patch_embeddings.projection.weight", [D, 3, 2, 2]),
        ("embeddings.patch_embeddings.projection.bias", [D])]
for part in ("query", "key", "value"):
    FACE += [(f"encoder.layer.0.attention.attention.{part}.weight", [D, D]), (f"encoder.layer.0.attention.attention.{part}.bias", [D])]
for part, shape in (("attention.output.dense", [D, D]), ("intermediate.dense", [2 * D, D]), ("output.dense", [D, 2 * D])):
    FACE += [(f"encoder.layer.0.{part}.weight", shape), (f"encoder.layer.0.{part}.bias", shape[:1])]
for part in ("layernorm_before", "layernorm_after"):
    FACE += [(f"encoder.layer.0.{part}.weight", [D]), (f"encoder.layer.0.{part}.bias", [D])]
FACE += [("layernorm.weight", [D]), ("layernorm.bias", [D])]
put("weights", "hugging-face.safetensors", network(FACE))
JAX = [("cls", "(1, 1, 4)", 4), ("Transformer/posembed_input/pos_embedding", "(1, 5, 4)", 20), ("embedding/kernel", "(2, 2, 3, 4)", 48), ("embedding/bias", "(4,)", 4)]
put("weights", "jax.npz", zip_of([(name + ".npy", npy("<f4", shape, bytes(4 * count))) for name, shape, count in JAX], zipfile.ZIP_DEFLATED))

STATE_TENSORS, at = {}, 0
STATE_DATA = b""


def keep(name, kind, shape, data):
    global STATE_DATA
    STATE_TENSORS[name] = entry(kind, shape, len(STATE_DATA), len(STATE_DATA) + len(data))
    STATE_DATA += data


keep("flag", "I64", [1], struct.pack("<q", 1))
keep("count", "I64", [1], struct.pack("<q", 7))
keep("rate", "F64", [1], struct.pack("<d", 0.5))
keep("flags", "I32", [2], struct.pack("<2i", 0, 1))
keep("labels", "I32", [2], struct.pack("<2i", 3, 4))
keep("samples", "I64", [2], struct.pack("<2q", 5, 6))
keep("rates", "F64", [1], struct.pack("<d", 0.25))
keep("lists.lengths", "I64", [2], struct.pack("<2q", 1, 2))
keep("lists", "I64", [3], struct.pack("<3q", 1, 2, 3))
keep("random", "I64", [2], struct.pack("<2q", 11, 12))
keep("inner.tensor", "F32", [2], bytes(8))
keep("inner.tensors.count", "I64", [1], struct.pack("<q", 1))
keep("inner.tensors.0", "F32", [1], bytes(4))
keep("inner.parameter", "F32", [2, 3], bytes(24))
put("saved_state", "checkpoint", safetensors(STATE_TENSORS, STATE_DATA))
COUNTERS = {"palimpsest-adaptation-state": "1", "step": "3", "samples_seen": "300", "threads": "2", "other.draw": "1", "other.passes": "0",
            "other.next": "4", "other.batches": "3", "fact: method.name": "er"}
put("saved_state", "adaptation", safetensors({"__metadata__": COUNTERS, "adaptation.exposed": entry("I64", [2], 0, 16),
                                              "learner.w": entry("F32", [1], 16, 20)}, bytes(20)))

# Counts of which a thousand are more than 63 bits hold, and images that nobody could keep.
CLASSES = 1100
put("run_folder", "large-memory", joined({
    "run.json": json.dumps(dict(RUN, class_names=["c"] * CLASSES)), "anytime.csv": ANYTIME,
    "memory.csv": ",".join(["samples_seen"] + [f"class_{i}" for i in range(CLASSES)]) + "\n" + ",".join(["500"] + ["8900000000000000"] * CLASSES) + "\n"}))

# A run that is resumed: its checkpoint says how the folder was.
NOTES = {"run": dict(RUN, state="running", resumed=[], parent={"run": "/a", "samples_seen": 100, "batches": 5}, hint=None), "named_from": 1,
         "samples_seen": 500, "updates": 500, "classes_written_at": 500, "balance": {"samples_seen": 500, "kept": [10, 20, None]}}
GROWING = {name: FOLDER[name] for name in ("anytime.csv", "sessions.csv", "classes.csv", "training.csv", "commands.csv", "memory.csv", "watched.csv", "features.csv")}
GROWING["predictions.csv"] = f"file,sha256\ntop-00000500.npy,{hashlib.sha256(FOLDER['predictions/top-00000500.npy']).hexdigest()}\n"
MARK = dict(CHECKPOINT, lengths={name: len(text) for name, text in GROWING.items()}, hashes={}, folder=NOTES)


def resumed(notes):
    return joined(dict({"checkpoints/00000500.json": json.dumps(dict(MARK, folder=notes)), "run.json": json.dumps(RUN), "experiment.toml": SETTINGS,
                        "predictions/00000600.npy": FOLDER["predictions/labels.npy"],
                        "predictions/top-00000500.npy": FOLDER["predictions/top-00000500.npy"],
                        "predictions/top-00000600.npy": FOLDER["predictions/top-00000500.npy"]}, **GROWING))


put("resumed_run", "whole", resumed(NOTES))
put("resumed_run", "odd-features", resumed(NOTES).replace(b"AACAPwAAAEA=", b"AACAPwAAAE=="))
put("resumed_run", "none", resumed(dict(NOTES, run=3)))
put("resumed_run", "text-for-list", resumed(dict(NOTES, run=dict(RUN, resumed="x", states="y", warnings={}, versions=[]))))
put("resumed_run", "huge-warnings", resumed(dict(NOTES, named_from=-1)))

# Names in files that reach messages.
put("run_folder", "control-name", joined(dict(FOLDER, **{"predictions.csv": "file,sha256\n\x1b]0;x\x07.npy,00\n"})))
put("checkpoint_record", "control-name", joined({"checkpoints/00000100.json": json.dumps(dict(CHECKPOINT, samples_seen=100, lengths={"a\x1b\n.csv": 5}, hashes={}))}))

# Runs with a sound checkpoint, and damage that can be repaired.


def digest(content):
    return hashlib.sha256(content if isinstance(content, bytes) else content.encode()).hexdigest()


SOUND = {name: FOLDER[name] for name in ("anytime.csv", "sessions.csv", "classes.csv", "training.csv", "commands.csv", "watched.csv", "features.csv")}
TOP = FOLDER["predictions/top-00000500.npy"]
SOUND["predictions.csv"] = f"file,sha256\nlabels.npy,{digest(npy('|u1', '(4,)', bytes([0, 1, 2, 10])))}\ntop-00000500.npy,{digest(TOP)}\n"
TENSORS = "weights\n"
KEPT = dict(CHECKPOINT, bytes=len(TENSORS), checksum=digest(TENSORS), lengths={name: len(text) for name, text in SOUND.items()},
            hashes={name: digest(text) for name, text in SOUND.items()}, folder=NOTES)
REPAIRABLE = dict({"run.json": json.dumps(RUN), "experiment.toml": SETTINGS, "summary.json": json.dumps(SUMMARY),
                   "predictions/labels.npy": npy("|u1", "(4,)", bytes([0, 1, 2, 10])), "predictions/top-00000500.npy": TOP,
                   "checkpoints/00000500.json": json.dumps(KEPT), "checkpoints/00000500.safetensors": TENSORS}, **SOUND)
LATER = {"checkpoints/00000600.json": json.dumps(dict(KEPT, samples_seen=600)), "checkpoints/00000600.safetensors": "other\n"}
put("repaired_run", "sound", joined(REPAIRABLE))
put("repaired_run", "summary", joined(dict(REPAIRABLE, **{"summary.json": "{", "library.json": "["}, **LATER)))
put("repaired_run", "longer", joined(dict(REPAIRABLE, **{"anytime.csv": ANYTIME + "1300,1,0.5,,4,1300\n", "summary.json": "x"}, **LATER)))
put("repaired_run", "later", joined(dict(REPAIRABLE, **LATER)))
put("repaired_run", "top", joined(dict(REPAIRABLE, **{"predictions/top-00000600.npy": TOP, "watched.csv": FOLDER["watched.csv"] + "1300,2,2,0.5\n",
                                                     "features.csv": FOLDER["features.csv"] + "1300,4,7,AACAPwAAgD8=\n", "summary.json": "{"}, **LATER)))


# Prompts.

PROMPTS = safetensors({"g_prompt.prompts": entry("F32", [1, 2, 2], 0, 16), "e_prompt.prompts": entry("F32", [2, 1, 2], 16, 32)}, bytes(32))
BARE_PROMPTS = torch_file(b"\x80\x02" + torch_tensor("0", "FloatStorage", 4, 0, [1, 2, 2], [4, 2, 1]) + b".", [("0", bytes(16))])
put("prompts", "both.safetensors", PROMPTS)
put("prompts", "bare.pt", BARE_PROMPTS)
put("prompts", "flat.pt", torch_file(BARE, [("0", bytes(8))]))
put("prompts", "folder", joined({"g_prompt.pt": BARE_PROMPTS, "e_prompt.pt": BARE_PROMPTS}))

# Bytes of a cache of pictures: where they go, and what.

put("picture_cache", "untouched", b"")
put("picture_cache", "header", b"\x00\x05another")
put("picture_cache", "checksum", b"\x10\x00" + bytes(8))
put("picture_cache", "picture", b"\x10\x09x")
put("picture_cache", "missing", b"\x10\x40" + b"\x01" * 20)

# What a server sends.

ANSWER = "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"one\"\r\n"
put("server_answer", "whole", ANSWER + "Content-Length: 5\r\n\r\nhello")
put("server_answer", "without-length", ANSWER + "\r\nhello")
put("server_answer", "too-long", ANSWER + "\r\n" + "x" * 3000)
put("server_answer", "cut", ANSWER + "Content-Length: 50\r\n\r\nhello")
put("server_answer", "chunks", ANSWER + "Transfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nTrailer: x\r\n\r\n")
put("server_answer", "packed", ANSWER.encode() + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(9000), mtime=0))
put("server_answer", "part", "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/5\r\nContent-Length: 5\r\n\r\nhello")
put("server_answer", "redirect", "HTTP/1.1 302 Found\r\nLocation: http://a.example/\x1b]0;x\x07\r\nContent-Length: 0\r\n\r\n")
put("server_answer", "busy", "HTTP/1.1 503 Busy\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n")
put("server_answer", "page", ANSWER + "Content-Type: text/html\r\n\r\n<html>")
put("server_answer", "old", "<html>")
put("server_answer", "noise", bytes(range(256)))
