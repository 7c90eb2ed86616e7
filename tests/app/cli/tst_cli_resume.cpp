// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>

#include "engine/support/random.h"
#include "tests/support/cli_program.h"
#include "tests/support/environment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_cli_resume {

namespace {

const QStringList kMeasured = {"anytime.csv", "sessions.csv", "classes.csv", "training.csv",
                               "memory.csv",  "prompts.csv",  "pushes.csv",  "features.csv"};

/// Arguments of the run that is killed again and again.
QStringList smallRun(const QString& folder) {
    return QStringList{"run", "default", "--out", folder, "--json"} +
           settings({"stream.dataset=shapes", "stream.train_limit=400", "stream.test_limit=40", "stream.sessions=3",
                     "threads=1", "precision=float32", "memory.size=20", "memory.batch_size=4", "training.batch_size=8",
                     "evaluation.every_samples=40"});
}

int kills() {
    return palimpsest::testing::environmentOr("PALIMPSEST_KILLS", 20);
}

/// All measurements of a run, and the hash of its state at each evaluation.
QByteArrayList resultsOf(const QString& run) {
    QByteArrayList results;
    for (const QString& name : kMeasured) results << contentOf(run + "/" + name);
    const QJsonObject json = QJsonDocument::fromJson(contentOf(run + "/run.json")).object();
    results << QJsonDocument(json["states"].toArray()).toJson();
    return results;
}

/// Simulates a power failure: a file loses its last bytes, except those that a checkpoint has synced to the disk.
void loseTheEnd(const QString& run, Random& random) {
    const QStringList described = QDir(run + "/checkpoints").entryList({"*.json"}, QDir::Files, QDir::Name);
    if (described.isEmpty()) return;
    const QString name = kMeasured[static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(kMeasured.size())))];
    const QByteArray newest = contentOf(run + "/checkpoints/" + described.last());
    const auto safe = static_cast<qint64>(QJsonDocument::fromJson(newest)["lengths"][name].toInteger());
    QFile file(run + "/" + name);
    if (file.exists() && file.size() > safe)
        file.resize(safe + static_cast<qint64>(random.below(static_cast<std::uint64_t>(file.size() - safe))));
}

}  // namespace

/// PALIMPSEST_KILLS is the number of kills of a run; PALIMPSEST_KILL_SEED decides their times.
class TestCliResume : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString place(const QString& name) const { return folder_.filePath(name); }
    /// Number of rows after the header so far.
    static qsizetype rows(const QString& run) { return contentOf(run + "/training.csv").count('\n') - 1; }

private Q_SLOTS:
    void aRunKilledAtAnyMomentGivesTheSameBits() {
        const QString whole = place("whole");
        QCOMPARE(call(smallRun(whole)).code, 0);
        const QByteArrayList expected = resultsOf(whole);
        QVERIFY(expected.last().contains("hash"));
        const qsizetype all = rows(whole);
        const int seed = qEnvironmentVariableIntValue("PALIMPSEST_KILL_SEED");
        Random random(static_cast<std::uint64_t>(seed), 1);
        int killed = 0, run = 0;
        while (killed < kills()) {
            const QString folder = place(QString("killed-%1").arg(++run));
            QProcess first;
            first.start(program(), smallRun(folder));
            QTRY_VERIFY_WITH_TIMEOUT(first.state() == QProcess::NotRunning || rows(folder) > 0, kPatience);
            QProcess* process = &first;
            std::unique_ptr<QProcess> next;
            for (;;) {
                // Nine in ten kills come at a random row, the others while the program is still preparing.
                const bool early = process != &first && random.below(10) == 0;
                const qsizetype at =
                    rows(folder) + 1 + static_cast<qsizetype>(random.below(static_cast<std::uint64_t>(all) / 4));
                if (early) {
                    QTest::qWait(static_cast<int>(random.below(1500)));
                } else {
                    QElapsedTimer patience;
                    patience.start();
                    while (process->state() != QProcess::NotRunning && rows(folder) < at &&
                           patience.elapsed() < kPatience)
                        QTest::qWait(1);
                }
                if (process->state() == QProcess::NotRunning) break;
                process->kill();
                process->waitForFinished(kPatience);
                // The run may have ended at this very moment.
                if (process->exitStatus() == QProcess::NormalExit) break;
                ++killed;
                if (random.below(3) == 0) loseTheEnd(folder, random);
                next = std::make_unique<QProcess>();
                next->start(program(), {"run", "--resume", folder, "--json"});
                QVERIFY(next->waitForStarted(kPatience));
                process = next.get();
            }
            process->waitForFinished(kPatience);
            QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
            const QByteArrayList found = resultsOf(folder);
            for (qsizetype i = 0; i < expected.size(); ++i)
                QVERIFY2(
                    found[i] == expected[i],
                    qPrintable(
                        QString("%1 after %2 kills, seed %3").arg(kMeasured.value(i, "states")).arg(killed).arg(seed)));
        }
        qInfo("%d kills survived out of %d, in %d runs", killed, killed, run);
    }

    void whatCannotBeGoneOnWithIsSaidInOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("said");
        QTest::newRow("finished") << QStringList{"--resume", "WHOLE"} << "is finished. There is nothing to resume.";
        QTest::newRow("no run") << QStringList{"--resume", "/"} << "/ is not a run folder: it holds no";
        QTest::newRow("nothing there") << QStringList{"--resume", "/no/such/run"} << "There is no folder /no/such/run.";
        QTest::newRow("with other settings")
            << QStringList{"--resume", "WHOLE", "--set", "seed=2"} << "excludes --resume";
        QTest::newRow("with an experiment") << QStringList{"default", "--resume", "WHOLE"} << "excludes";
        QTest::newRow("empty") << QStringList{"--resume", ""} << "--resume names no run.";
    }
    void whatCannotBeGoneOnWithIsSaidInOneSentence() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, said);
        arguments.replaceInStrings("WHOLE", place("whole"));
        const Outcome outcome = call(QStringList{"run"} + arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(QString::fromUtf8(outcome.err).contains(said), outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    }

    void aRunThatGoesOnElsewhereIsNotGoneOnWith() {
        QProcess process;
        process.start(program(), smallRun(place("busy")));
        QTRY_VERIFY_WITH_TIMEOUT(rows(place("busy")) > 0, kPatience);
        const Outcome second = call({"run", "--resume", place("busy")});
        QCOMPARE(second.code, 2);
        QVERIFY2(second.err.contains("is still going on"), second.err.constData());
        process.kill();
        process.waitForFinished(kPatience);
    }
};

PALIMPSEST_GUILESS_TEST(TestCliResume)

}  // namespace tst_cli_resume

#include "tst_cli_resume.moc"
