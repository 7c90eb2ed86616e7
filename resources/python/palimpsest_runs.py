# SPDX-License-Identifier: GPL-3.0-or-later
"""Palimpsest's runs and streams in Python: one file, nothing to install.

    import palimpsest_runs as palimpsest
    run = palimpsest.read_run("RUN")
    run.curve().plot(x="samples_seen", y="accuracy")
    table = palimpsest.read_runs("FOLDER")              # a row a run; also of a sweep's folder
    stream = palimpsest.read_stream("RUN")              # or a file of `palimpsest-cli stream`
    loader = torch.utils.data.DataLoader(data, batch_sampler=stream.batch_sampler(32))

Tables need pandas, samplers torch; each is imported when it is first asked for. Files are only read. Accuracies are
fractions, and sessions count from 0, as in the run folder.
"""
import csv
import hashlib
import io
import json
import operator
import pathlib
import struct
import subprocess
import sys

__all__ = ["Run", "Stream", "find_runs", "read_run", "read_runs", "read_stream"]

# Numbers of summary.json that read_runs() shows.
METRICS = ("a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last", "a_avg", "bwt_last")

# The largest file that is read as a whole.
LARGEST_FILE = 1 << 30


def _text(file):
    file = pathlib.Path(file)
    if not file.is_file():
        raise ValueError(f"{file} is no file. Name one that is there.")
    if file.stat().st_size > LARGEST_FILE:
        raise ValueError(f"{file} is larger than 1 GiB. Name a file of a run or a stream.")
    with open(file, encoding="utf-8", errors="replace", newline="") as opened:
        return opened.read()


def _parsed(text, what):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{what} is no whole JSON: line {error.lineno}, column {error.colno} is not as it should be. "
                         "Take a whole copy of it.") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, thousands of lists in each other
        raise ValueError(f"{what} is no JSON that can be read. Take a whole copy of it.") from None


def _json(file):
    value = _parsed(_text(file), file)
    if not isinstance(value, dict):
        raise ValueError(f"{file} holds no JSON object. Take a whole copy of it.")
    return value


def _pandas():
    try:
        import pandas
    except ImportError:
        raise ImportError("Tables need pandas. Install it, as with `apt install python3-pandas`.") from None
    return pandas


def _flat(settings, prefix=""):
    flat = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            flat.update(_flat(value, prefix + key + "."))
        else:
            flat[prefix + key] = value
    return flat


def _toml(file):
    try:
        import tomllib
    except ImportError:  # Python before 3.11
        try:
            import tomli as tomllib
        except ImportError:
            raise ImportError("Options need Python 3.11, or the package tomli.") from None
    try:
        return tomllib.loads(_text(file))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file} is no TOML: {error}. Take a whole copy of it.") from None


class Run:
    """A run folder. `info` is run.json, `summary` is summary.json (empty while the run goes on)."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if not (self.folder / "run.json").is_file():
            raise ValueError(f"{self.folder} is not a run folder: it holds no run.json. Name the folder of one run.")
        self.info = _json(self.folder / "run.json")
        summary = self.folder / "summary.json"
        self.summary = _json(summary) if summary.is_file() else {}

    def __repr__(self):
        return f"Run({str(self.folder)!r}, {self.name!r}, seed {self.seed}, {self.state})"

    @property
    def name(self):
        return self.info.get("name", self.folder.name)

    @property
    def seed(self):
        return self.info.get("seed")

    @property
    def state(self):
        """running, finished, stopped, failed or imported. A crashed run still says running."""
        return self.info.get("state")

    @property
    def options(self):
        """Every option: {"stream.sessions": 5, ...}. Of an imported run those of its own program, as texts."""
        if self.state == "imported":
            settings = self.info.get("settings")
            return dict(settings) if isinstance(settings, dict) else {}
        return _flat(_toml(self.folder / "experiment.toml"))

    def table(self, name):
        """Any CSV file of the run folder as a DataFrame; empty where the run has none."""
        return self._table(name, ())

    def _table(self, name, columns):
        pandas = _pandas()
        file = self.folder / name
        if not file.is_file():
            return pandas.DataFrame()
        # A run may be writing its last line.
        text = _text(file)
        whole = text[: text.rfind("\n") + 1]
        # Nor may it have written its first one.
        if not whole.strip():
            return pandas.DataFrame()
        try:
            table = pandas.read_csv(io.StringIO(whole))
        except ValueError as error:
            raise ValueError(f"{file} is no table: {' '.join(str(error).split())}. Take a whole copy of it.") from None
        missing = [column for column in columns if column not in table.columns]
        if missing:
            raise ValueError(f"{file} lacks the column {missing[0]}. Take a whole copy of it.")
        return table

    def curve(self):
        """samples_seen, session, accuracy, loss, classes_seen, updates: a row an evaluation."""
        return self._table("anytime.csv", ("samples_seen", "accuracy"))

    def sessions(self):
        """after_session, session, accuracy, samples: a row for each session after each session."""
        return self._table("sessions.csv", ("after_session", "session", "accuracy"))

    def classes(self):
        """samples_seen, class, accuracy, samples, and the class's name where it is known."""
        table = self._table("classes.csv", ("samples_seen", "class", "accuracy"))
        names = self.info.get("class_names")
        if len(table) and isinstance(names, list) and names and table["class"].dtype.kind == "i":
            table["name"] = [names[label] if 0 <= label < len(names) else "" for label in table["class"]]
        return table

    def training(self):
        """samples_seen, update, loss, batch_accuracy, learning_rate: a row an update."""
        return self._table("training.csv", ("samples_seen", "update"))

    def retention(self):
        """The R matrix: rows are sessions learned, columns sessions tested."""
        table = self.sessions()
        if not len(table):
            return table
        return table.pivot_table(index="after_session", columns="session", values="accuracy", aggfunc="last")

    def stream(self, cli="palimpsest-cli"):
        return read_stream(self.folder, cli)


def read_run(folder):
    return Run(folder)


def find_runs(folder):
    """Run folders in a folder, or in the `runs` of a sweep's folder; those that began first come first."""
    folder = pathlib.Path(folder)
    if (folder / "run.json").is_file():
        return [folder]
    if (folder / "runs").is_dir() and ((folder / "sweep.json").is_file() or (folder / "sweep.toml").is_file()):
        folder = folder / "runs"
    if not folder.is_dir():
        raise FileNotFoundError(f"There is no folder {folder}. Name the folder of a run, of runs or of a sweep.")
    found = []
    for below in folder.iterdir():
        if below.name.startswith(".") or below.is_symlink() or not (below / "run.json").is_file():
            continue
        try:
            found.append((str(_json(below / "run.json").get("started", "")), below.name, below))
        except (OSError, ValueError):
            found.append(("", below.name, below))
    return [below for _, _, below in sorted(found)]


def read_runs(folder):
    """A DataFrame with a row for each run of a folder, or of a sweep: name, seed, state, the numbers of its summary,
    and every option in which the runs differ. `row` is the row of the sweep's table. A run that cannot be read is
    named on standard error and left out."""
    pandas = _pandas()
    rows = {}
    plan = pathlib.Path(folder) / "sweep.json"
    if plan.is_file():
        runs = _json(plan).get("runs")
        for run in runs if isinstance(runs, list) else []:
            if isinstance(run, dict) and run.get("folder") and isinstance(run["folder"], str):
                rows[pathlib.Path(run["folder"]).name] = run.get("row")
    table, options = [], []
    for path in find_runs(folder):
        try:
            run = Run(path)
            own = {} if run.state == "imported" else run.options
        except (OSError, ValueError) as error:
            print(f"{path} is left out: {error}", file=sys.stderr)
            continue
        line = {"folder": str(path), "name": run.name, "seed": run.seed, "state": run.state}
        if rows:
            line["row"] = rows.get(path.name)
        imported = run.state == "imported"
        line["method"] = run.info.get("method") if imported else own.get("method.name")
        line["dataset"] = run.info.get("dataset") if imported else own.get("stream.dataset")
        for metric in METRICS:
            line[metric] = run.summary.get(metric)
        table.append(line)
        options.append(own)
    told = {"name", "seed", "method.name", "stream.dataset"}
    keys = sorted({key for own in options for key in own} - told)
    for key in keys:
        values = [own.get(key) for own in options]
        if len({str(value) for own, value in zip(options, values) if own}) > 1:
            for line, value in zip(table, values):
                line[key] = value
    return pandas.DataFrame(table)


def _indices(session, number):
    """The indices of a session as plain numbers of 64 bits."""
    try:
        indices = [operator.index(index) for index in session]
    except TypeError:
        raise ValueError(f"Session {number} of the stream (from 0) is no list of whole numbers. Each session is a list "
                         "of indices.") from None
    if any(not 0 <= index < 1 << 63 for index in indices):
        raise ValueError(f"Session {number} of the stream (from 0) has an index that is negative or too large. Indices "
                         "count training images from 0.")
    return indices


class Stream:
    """The order in which a run sees its training images.

    `sessions` holds a list of indices each. They count the training images from 0 in the data set's own order (where
    the experiment has a `stream.train_limit`, those that it leaves)."""

    def __init__(self, sessions, fingerprint=None, labels_fingerprint=None, batch_size=None):
        self.sessions = [_indices(session, number) for number, session in enumerate(sessions)]
        self.batch_size = batch_size
        self.labels_fingerprint = labels_fingerprint
        if fingerprint and fingerprint != self.fingerprint:
            raise ValueError(f"The stream's fingerprint is {self.fingerprint}, but {fingerprint} was recorded. "
                             "Make the stream anew.")

    def __len__(self):
        return sum(len(session) for session in self.sessions)

    def __repr__(self):
        return f"Stream({len(self)} images in {len(self.sessions)} sessions, fingerprint {self.fingerprint})"

    @property
    def fingerprint(self):
        """As Palimpsest prints it: the same for the same images in the same order and sessions."""
        digest = hashlib.sha256()
        for session in self.sessions:
            digest.update(struct.pack(f"<{len(session) + 1}q", len(session), *session))
        return digest.hexdigest()[:16]

    @property
    def order(self):
        """All indices, session after session."""
        return [index for session in self.sessions for index in session]

    def check_labels(self, labels):
        """Raises ValueError unless these labels, one for each training image, are those the stream was made for."""
        if not self.labels_fingerprint:
            raise ValueError("This stream does not say which labels it was made for; JSON of `stream` does.")
        labels = [int(label) for label in labels]
        found = hashlib.sha256(struct.pack(f"<{len(labels)}i", *labels)).hexdigest()[:16]
        if found != self.labels_fingerprint:
            raise ValueError("The stream was made for other labels: another data set, part or order of it.")

    def batches(self, batch_size=None, sessions=None):
        """Lists of indices, as a run takes them: the last batch of a session is as short as it comes."""
        size = batch_size or self.batch_size
        if not size or size < 1:
            raise ValueError("Say how many images a batch has.")
        for session in self._chosen(sessions):
            for first in range(0, len(session), size):
                yield session[first : first + size]

    def sampler(self, sessions=None):
        """A torch.utils.data.Sampler of single indices. `sessions`: their numbers, from 0; all unless given."""
        return _samplers()[0]([index for session in self._chosen(sessions) for index in session])

    def batch_sampler(self, batch_size=None, sessions=None):
        """A torch.utils.data.Sampler of batches, for DataLoader(data, batch_sampler=...)."""
        return _samplers()[1](list(self.batches(batch_size, sessions)))

    def _chosen(self, sessions):
        if sessions is None:
            return self.sessions
        if isinstance(sessions, int):
            sessions = [sessions]
        sessions = list(sessions)
        for session in sessions:
            if not 0 <= session < len(self.sessions):
                raise ValueError(f"There is no session {session}: the stream has those from 0 to {len(self.sessions) - 1}.")
        return [self.sessions[session] for session in sessions]


_made = []


def _samplers():
    """Classes that derive from torch's, made when torch is first needed."""
    if not _made:
        from torch.utils.data import Sampler

        class StreamSampler(Sampler):
            def __init__(self, entries):
                self.entries = entries

            def __iter__(self):
                return iter(self.entries)

            def __len__(self):
                return len(self.entries)

        class StreamBatchSampler(StreamSampler):
            pass

        _made.extend([StreamSampler, StreamBatchSampler])
    return _made


def _stream_of_csv(text, file):
    sessions = []
    line = 1
    try:
        rows = csv.DictReader(io.StringIO(text))
        if not {"session", "position", "sample"} <= set(rows.fieldnames or []):
            raise ValueError("it lacks the columns session, position and sample")
        for count, row in enumerate(rows):
            line = count + 2
            cells = [row["session"], row["position"], row["sample"]]
            if None in cells:
                raise ValueError(f"line {line} is cut short")
            if not all(cell.isascii() and cell.isdigit() and len(cell) < 19 for cell in cells):
                raise ValueError(f"line {line} has a session, position or sample that is no whole number")
            session, position, sample = map(int, cells)
            if position != count or not len(sessions) - 1 <= session < len(sessions) + 1_000_000:
                raise ValueError(f"line {line} is out of order")
            while len(sessions) <= session:
                sessions.append([])
            sessions[session].append(sample)
    except csv.Error:
        raise ValueError(f"{file} is no stream: it is no CSV of text. {_STREAMS}") from None
    except ValueError as error:
        raise ValueError(f"{file} is no stream: {error}. {_STREAMS}") from None
    return Stream(sessions)


# What to do about a file that is no stream.
_STREAMS = "Name a file that `palimpsest-cli stream EXPERIMENT --out FILE` wrote."


def _stream_of_json(text, what):
    value = _parsed(text, what)
    if isinstance(value, list):
        value = {"sessions": value}
    if not isinstance(value, dict) or not isinstance(value.get("sessions"), list):
        raise ValueError(f"{what} is no stream: it has no list of sessions. {_STREAMS}")
    try:
        return Stream(value["sessions"], value.get("fingerprint"), value.get("labels_fingerprint"))
    except ValueError as error:
        raise ValueError(f"{what} is no stream that can be used. {error}") from None


def read_stream(source, cli="palimpsest-cli"):
    """The stream of a run folder, or of a file that `palimpsest-cli stream` wrote as JSON or CSV.

    A run folder holds the stream's fingerprint and not its indices, unless it was imported: palimpsest-cli plans it
    again, for which it needs the run's data set, and the fingerprint must be the recorded one."""
    source = pathlib.Path(source)
    if not source.is_dir():
        text = _text(source)
        return _stream_of_json(text, source) if text.lstrip()[:1] in ("{", "[") else _stream_of_csv(text, source)
    run = Run(source)
    if run.state == "imported":
        raise ValueError(f"{source} holds another program's results, whose stream is not known. Name another run.")
    kept = source / "stream.json"
    if kept.is_file():
        stream = _stream_of_json(_text(kept), kept)
    else:
        try:
            called = subprocess.run([cli, "stream", str(source), "--format", "json"], capture_output=True, text=True)
        except OSError as error:
            raise ValueError(f"The stream of {source} is planned by {cli}, which cannot be started ({error.strerror}). "
                             "Install it, or name it: read_stream(RUN, cli=\"/path/to/palimpsest-cli\").") from None
        if called.returncode != 0:
            raise ValueError(f"{cli} cannot plan the stream of {source}: {called.stderr.strip()}")
        stream = _stream_of_json(called.stdout, f"What {cli} printed for {source}")
    recorded = run.info.get("fingerprint")
    if recorded and recorded != stream.fingerprint:
        raise ValueError(f"The stream planned now is {stream.fingerprint}, but the run recorded {recorded}. The "
                         "data set or the program has changed since.")
    stream.batch_size = run.options.get("training.batch_size")
    return stream


def _main(arguments):
    """Prints the table of each folder of runs that is named."""
    if {"-h", "--help"} & set(arguments):
        print("Usage: palimpsest_runs.py FOLDER...\n"
              "Prints a table of the runs in each folder. To read runs and streams, import this file in Python.")
        return 0
    flags = [argument for argument in arguments if argument.startswith("-")]
    if not arguments or flags:
        fault = f"There is no option {flags[0]}" if flags else "No folder is named"
        print(f"palimpsest_runs.py: {fault}. Write palimpsest_runs.py FOLDER...", file=sys.stderr)
        return 2
    try:
        for argument in arguments:
            print(read_runs(argument).to_string())
    except (OSError, ValueError, ImportError) as error:
        print(f"palimpsest_runs.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
