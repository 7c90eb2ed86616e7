// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

#include "tests/faults/faulty_program.h"
#include "tests/faults/faulty_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_odd_folders {

/// A folder that cannot be written for good, files of one run in another, and a clock that is set back.
class TestOddFolders : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QMap<QString, QByteArray> expected_;
    qint64 changes_ = 0;

    QString place(const QString& name) const { return folder_.filePath(name); }
    QString below(const QString& run = {}) const {
        QDir(place("below")).removeRecursively();
        QDir().mkpath(place("below"));
        if (!run.isEmpty()) copyFolder(place(run), place("below/run"));
        return place("below");
    }
    /// One sentence of ours, and no trace of a crash.
    static void judge(const Outcome& end, int code, const char* part) {
        QVERIFY2(end.code == code, end.err.constData());
        QCOMPARE(faultOf(end), QString());
        QVERIFY2(end.err.contains(part), end.err.constData());
        QCOMPARE(end.err.count('\n'), 1);
    }

private Q_SLOTS:
    void initTestCase() {
#ifdef PALIMPSEST_SANITIZED
        QSKIP("A sanitizer must be loaded first.");
#endif
        const FaultyEnd end = faultyCall(program(), tinyRun(below() + "/run"), place("below"), {"open", 1 << 30});
        QCOMPARE(end.code, 0);
        changes_ = end.calls["change"];
        copyFolder(place("below/run"), place("whole"));
        expected_ = resultsOf(place("whole"));
        const Fault most{"change", changes_ * 2 / 3, kPowerFails};
        QCOMPARE(faultyCall(program(), tinyRun(below() + "/run"), place("below"), most).code, kPowerLost);
        copyFolder(place("below/run"), place("broken"));
    }

    void aFolderThatIsReadOnlyIsSaidAtOnce_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("run");
        const QString run = place("below/run");
        QTest::newRow("a run") << tinyRun(place("below/new")) << "";
        QTest::newRow("a resumed run") << resumed(run) << "broken";
        QTest::newRow("a fork") << QStringList{"run", "--fork", run, "--out", place("below/fork")} << "whole";
        QTest::newRow("a report") << QStringList{"report", run, "--out", place("below/report")} << "whole";
        QTest::newRow("a stream") << QStringList{"stream", run, "--out", place("below/stream.json")} << "whole";
    }
    void aFolderThatIsReadOnlyIsSaidAtOnce() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, run);
        const FaultyEnd end = faultyCall(program(), arguments, below(run), {"change", 1, EROFS, 0});
        QVERIFY(end.struck);
        judge(end, 2, "Read-only file system");
        if (run.isEmpty()) return;
        QCOMPARE(differenceOf(resultsOf(place(run)), resultsOf(place("below/run"))), QString());
        // It can be looked at all the same, without an index.
        const FaultyEnd list = faultyCall(program(), {"runs", place("below")}, place("below"), {"change", 1, EROFS, 0});
        QVERIFY(list.struck);
        QCOMPARE(list.code, 0);
        QVERIFY2(list.err.contains("so every run is read anew"), list.err.constData());
    }

    void aQuotaThatIsUsedUpPausesARunWhichCanBeStopped() {
        const QString run = below() + "/run";
        QProcess process;
        process.setProcessEnvironment(withFault(place("below"), {"write", 60, EDQUOT, 0}, place("below.log")));
        process.start(program(), tinyRun(run));
        QByteArray printed;
        QTRY_VERIFY_WITH_TIMEOUT((printed += process.readAllStandardOutput() + process.readAllStandardError())
                                     .contains("Disk quota exceeded"),
                                 kPatience);
        QCOMPARE(::kill(static_cast<pid_t>(process.processId()), SIGTERM), 0);
        const Outcome end = outcomeOf(process);
        QCOMPARE(end.code, 1);
        QCOMPARE(faultOf(end), QString());
        QVERIFY2(end.err.contains("Disk quota exceeded"), end.err.constData());
        QCOMPARE(wrongWith(run, expected_), QString());
    }

    void aCheckpointOfAnotherRunIsRefusedOrPassedOver_data() {
        QTest::addColumn<QString>("setting");
        QTest::newRow("another seed") << "seed=2";
        QTest::newRow("another method") << "method.name=linear-probe";
        QTest::newRow("another stream") << "stream.blurry_percent=30";
    }
    void aCheckpointOfAnotherRunIsRefusedOrPassedOver() {
        QFETCH(QString, setting);
        const QString other = place("other-" + QString(QTest::currentDataTag()).remove(' '));
        QVERIFY(call(tinyRun(other) + settings({setting})).code == 0);
        const QString run = below("broken") + "/run";
        const QString newest = QDir(run + "/checkpoints").entryList({"*.json"}, QDir::Files, QDir::Name).last();
        const QString last = QDir(other + "/checkpoints").entryList({"*.json"}, QDir::Files, QDir::Name).last();
        const auto swap = [&](const QString& from, const QString& to) {
            QFile::remove(run + "/checkpoints/" + to);
            QVERIFY(QFile::copy(other + "/checkpoints/" + from, run + "/checkpoints/" + to));
        };
        // The tensors alone: they are not those that the description tells of.
        const QString tensors = QString(newest).replace(".json", ".safetensors");
        swap(QString(last).replace(".json", ".safetensors"), tensors);
        const Outcome check = call({"runs", "check", run});
        QVERIFY2(check.code != 0, check.out.constData());
        const Outcome end = call(resumed(run));
        QVERIFY2(end.code == 0, end.err.constData());
        QVERIFY2((end.out + end.err).contains("is passed over"), end.out.constData());
        QCOMPARE(differenceOf(expected_, resultsOf(run)), QString());

        // A whole checkpoint, under its own name: newer than all that the run has.
        const QString again = below("broken") + "/run";
        swap(last, last);
        swap(QString(last).replace(".json", ".safetensors"), QString(last).replace(".json", ".safetensors"));
        const Outcome whole = call(resumed(again));
        if (whole.code == 0) {
            QVERIFY2((whole.out + whole.err).contains("is passed over"), whole.out.constData());
            QCOMPARE(differenceOf(expected_, resultsOf(again)), QString());
        } else {
            judge(whole, 2, "cannot be resumed");
        }
    }

    void anExperimentOfAnotherRunIsRefused() {
        const QString run = below("broken") + "/run";
        QByteArray text = contentOf(run + "/experiment.toml");
        QVERIFY(text.contains("seed = 1"));
        write(run + "/experiment.toml", text.replace("seed = 1", "seed = 2"));
        judge(call(resumed(run)), 2, "cannot be resumed as it began");
    }

    void aTableOfAnotherRunIsNoticed() {
        const QString other = place("other-table");
        QVERIFY(call(tinyRun(other) + settings({"seed=3"})).code == 0);
        const QString run = below("broken") + "/run";
        QFile::remove(run + "/training.csv");
        QVERIFY(QFile::copy(other + "/training.csv", run + "/training.csv"));
        QVERIFY(call({"runs", "check", run}).code != 0);
        const Outcome end = call(resumed(run));
        if (end.code != 0)
            judge(end, 2, "training.csv");
        else
            QCOMPARE(differenceOf(expected_, resultsOf(run)), QString());
    }

    void aClockThatIsSetBackChangesNoNumber_data() {
        QTest::addColumn<int>("at");
        for (const int at : {1, 20, 60}) QTest::newRow(qPrintable(QString("question %1").arg(at))) << at;
    }
    void aClockThatIsSetBackChangesNoNumber() {
        QFETCH(int, at);
        QProcessEnvironment environment = withShim(PALIMPSEST_CLOCK_SHIM);
        environment.insert("CLOCK_BACK_AT", QString::number(at));
        environment.insert("CLOCK_BACK_BY", QString::number(400 * 24 * 3600));
        const QString run = below() + "/run";
        const Outcome end = call(tinyRun(run), environment);
        QVERIFY2(end.code == 0 && end.err.isEmpty(), end.err.constData());
        QCOMPARE(differenceOf(expected_, resultsOf(run)), QString());
        const double seconds = QJsonDocument::fromJson(contentOf(run + "/summary.json")).object()["seconds"].toDouble();
        QVERIFY2(seconds > 0 && seconds < 3600, qPrintable(QString::number(seconds)));
        // A run that is resumed before it began, as its clock says.
        const QString broken = below("broken") + "/run";
        const Outcome again = call(resumed(broken), environment);
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(differenceOf(expected_, resultsOf(broken)), QString());
        QVERIFY(call({"runs", place("below")}, environment).code == 0);
    }
};

PALIMPSEST_GUILESS_TEST(TestOddFolders)

}  // namespace tst_odd_folders

#include "tst_odd_folders.moc"
