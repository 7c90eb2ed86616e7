// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "tests/faults/faulty_program.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_faulty_calls {

namespace {

const Fault kNothingFails{"open", 1 << 30};

struct Kind {
    const char* call;
    int error;
    bool unnoticed;  ///< the command must go on as if nothing had been
};

constexpr Kind kKinds[] = {
    {"open", EMFILE, false},    {"open", EACCES, false},  {"write", ENOSPC, false},  {"write", EIO, false},
    {"write", kHalfDone, true}, {"write", EINTR, true},   {"read", EIO, false},      {"read", kHalfDone, true},
    {"read", EINTR, true},      {"sync", EIO, false},     {"sync", ENOSPC, false},   {"rename", EACCES, false},
    {"rename", ENOSPC, false},  {"mkdir", ENOSPC, false}, {"remove", EACCES, false}, {"cut", EIO, false},
    {"reserve", ENOSPC, true},  {"close", EIO, false},    {"link", EIO, false},      {"map", ENOMEM, false},
};

/// Commands that write files beside a run.
const QStringList kWriters = {"report", "stream", "prompts", "isa"};

QMap<QString, QByteArray> filesBelow(const QString& folder) {
    QMap<QString, QByteArray> files;
    for (QDirIterator entry(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories); entry.hasNext();) {
        const QString file = entry.next();
        files[QDir(folder).relativeFilePath(file)] = contentOf(file);
    }
    // An empty lock, which stays.
    files.remove(".prompts.safetensors.lock");
    return files;
}

}  // namespace

/// Goes over the calls of a run, a resumed run, a report, an adaptation and other commands, one of which fails each
/// time. PALIMPSEST_FAULTS=all tries every call instead of one of each kind.
class TestFaultyCalls : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QMap<QString, QByteArray> expected_;
    QMap<QString, QMap<QString, QByteArray>> written_;  // by each command without a fault
    QMap<QString, QMap<QString, qint64>> calls_;        // the same
    QByteArray listed_;

    QString place(const QString& name) const { return folder_.filePath(name); }
    /// The only folder where calls fail, with nothing in it or a run.
    QString below(const QString& run = {}) const {
        const QString path = place("below");
        QDir(path).removeRecursively();
        QDir().mkpath(path);
        if (!run.isEmpty()) copyFolder(place(run), path + "/run");
        return path;
    }
    /// A folder in it to write to.
    QString out() const {
        const QString path = below("whole") + "/out";
        QDir().mkpath(path);
        return path;
    }

    QStringList writer(const QString& command, const QString& out) const {
        const QString run = place("below/run");
        if (command == "report") return {"report", run, "--out", out, "--format", "html,svg,csv,latex"};
        if (command == "stream") return {"stream", run, "--out", out + "/stream.json"};
        if (command == "prompts") return {"prompts", place("made.safetensors"), "--out", out + "/p.safetensors"};
        return QStringList{"isa", "default", "--out", out + "/prompts.safetensors"} +
               settings({"initial_session.dataset=fractals", "initial_session.classes=4",
                         "initial_session.other_classes=2", "initial_session.other_drawn=2",
                         "initial_session.images_per_class=2", "initial_session.epochs=2",
                         "initial_session.batch_size=4", "backbone.weights=random", "backbone.image_size=16",
                         "precision=float32", "device=cpu", "threads=1"});
    }

    FaultyEnd with(const Fault& fault, const QStringList& arguments) const {
        return faultyCall(program(), arguments, place("below"), fault);
    }

    void addRows(const QStringList& commands) const {
        QTest::addColumn<QString>("command");
        QTest::addColumn<Fault>("fault");
        QTest::addColumn<bool>("unnoticed");
        // Without the wish for all, each kind takes another place, and half of them are tried of each command.
        qint64 row = 0, number = 0;
        for (const QString& command : commands) {
            ++number;
            for (const Kind& kind : kKinds) {
                const qint64 count = calls_[command][kind.call];
                if (count == 0) continue;
                ++row;
                if (!allFaults() && (&kind - kKinds + number) % 2 == 0) continue;
                const QList<qint64> places = allFaults() ? placesOf(count, count) : QList<qint64>{1 + 7 * row % count};
                for (const qint64 at : places) {
                    const Fault fault{kind.call, at, kind.error};
                    QTest::newRow(qPrintable(command + ": " + fault.text())) << command << fault << kind.unnoticed;
                }
            }
        }
    }

    /// What is common to all: it met the fault, and either went on or says what happened.
    static void judge(const FaultyEnd& end, bool unnoticed) {
        QVERIFY(end.struck);
        QCOMPARE(faultOf(end), QString());
        QVERIFY2(!unnoticed || end.code == 0, end.err.constData());
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
        QVERIFY(folder_.isValid());
        const FaultyEnd end = with(kNothingFails, tinyRun(below() + "/run"));
        QVERIFY2(end.code == 0 && !end.struck, end.err.constData());
        calls_["run"] = end.calls;
        expected_ = resultsOf(place("below/run"));
        QVERIFY(expected_["states"].contains("hash") && expected_["anytime.csv"].count('\n') > 2);
        QVERIFY(expected_["memory.csv"].count('\n') > 1 && expected_.contains("predictions/labels.npy"));
        copyFolder(place("below/run"), place("whole"));

        // The power fails after most of what a run changes: it has states to go on from.
        const Fault most{"change", end.calls["change"] * 2 / 3, kPowerFails};
        QCOMPARE(with(most, tinyRun(below() + "/run")).code, kPowerLost);
        QVERIFY(!QDir(place("below/run/checkpoints")).entryList({"*.json"}).isEmpty());
        copyFolder(place("below/run"), place("broken"));
        calls_["resume"] = with(kNothingFails, resumed(place("below/run"))).calls;
        QCOMPARE(differenceOf(expected_, resultsOf(place("below/run"))), QString());

        QVERIFY(call(writer("isa", folder_.path())).code == 0);
        QVERIFY(QFile::rename(place("prompts.safetensors"), place("made.safetensors")));
        for (const QString& command : kWriters) {
            const QString folder = out();
            const FaultyEnd made = with(kNothingFails, writer(command, folder));
            QVERIFY2(made.code == 0, made.err.constData());
            calls_[command] = made.calls;
            written_[command] = filesBelow(folder);
            QVERIFY(!written_[command].isEmpty());
        }
        const FaultyEnd list = with(kNothingFails, {"runs", below("whole")});
        calls_["runs"] = list.calls;
        listed_ = list.out;
        QVERIFY2(listed_.contains("/run"), listed_.constData());
    }

    void aRunGoesOnOrSaysWhatHappenedAndIsResumed_data() {
        addRows({"run", "resume"});
    }
    void aRunGoesOnOrSaysWhatHappenedAndIsResumed() {
        QFETCH(QString, command);
        QFETCH(Fault, fault);
        QFETCH(bool, unnoticed);
        const bool resumes = command == "resume";
        const QString run = below(resumes ? "broken" : "") + "/run";
        const FaultyEnd end = with(fault, resumes ? resumed(run) : tinyRun(run));
        judge(end, unnoticed);
        QVERIFY2(end.code != 0 || stateOf(run) == "finished", qPrintable(stateOf(run)));
        QVERIFY(!resumes || QFile::exists(run));
        // A fault is no reason to forget what was learned.
        const QByteArray document = contentOf(run + "/run.json");
        if (resumes && end.code == 0)
            QVERIFY(!QJsonDocument::fromJson(document)["resumed"].toArray().isEmpty());
        else if (resumes)
            QVERIFY(!QDir(run + "/checkpoints").entryList({"*.json"}).isEmpty());
        QCOMPARE(wrongWith(run, expected_), QString());
    }

    void nothingHalfWrittenHasItsName_data() {
        addRows(kWriters);
    }
    void nothingHalfWrittenHasItsName() {
        QFETCH(QString, command);
        QFETCH(Fault, fault);
        QFETCH(bool, unnoticed);
        const QString folder = out();
        const FaultyEnd end = with(fault, writer(command, folder));
        judge(end, unnoticed);
        const auto expected = written_[command], found = filesBelow(folder);
        const bool warned = !end.err.isEmpty();
        for (auto file = found.begin(); file != found.end(); ++file)
            if (expected.contains(file.key()) && !warned)
                QVERIFY2(file.value() == expected[file.key()], qPrintable(file.key()));
        // Where a file could not be removed, the next call does it.
        if (end.code == 0 && !warned && fault.call != "remove") QCOMPARE(differenceOf(expected, found), QString());
        // Without the fault it makes what it would have made, or finds it.
        const bool goesOn = QFile::exists(folder + "/prompts.safetensors.state");
        const QStringList more = goesOn                 ? QStringList{"--resume"}
                                 : command == "prompts" ? QStringList{"--force"}
                                                        : QStringList();
        const Outcome again = call(writer(command, folder) + more);
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(differenceOf(expected, filesBelow(folder)), QString());
    }

    void aListIsWholeOrSaysWhatItLacks_data() {
        addRows({"runs"});
    }
    void aListIsWholeOrSaysWhatItLacks() {
        QFETCH(Fault, fault);
        QFETCH(bool, unnoticed);
        const FaultyEnd end = with(fault, {"runs", below("whole")});
        judge(end, unnoticed);
        QVERIFY2(end.out == listed_ || !end.err.isEmpty(), end.out.constData());
        QCOMPARE(call({"runs", place("below")}).out, listed_);
    }
};

PALIMPSEST_GUILESS_TEST(TestFaultyCalls)

}  // namespace tst_faulty_calls

#include "tst_faulty_calls.moc"
