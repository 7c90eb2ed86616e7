// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>
#include <QtTest>

#include <QDir>
#include <QJsonArray>
#include <QProcess>
#include <QTemporaryDir>
#include <csignal>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_lens {

/// Looks at one small run.
class TestCliLens : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QList<int> kept_;  // checkpoints of the run, oldest first
    QString run() const { return folder_.filePath("run"); }
    Outcome look(const QStringList& more) const { return call(QStringList{"lens", run()} + more); }

private Q_SLOTS:
    void initTestCase() {
        const Outcome outcome =
            call(QStringList{"run", "default", "--out", run()} +
                 settings({"name=Whole", "stream.dataset=shapes", "stream.sessions=2", "stream.train_limit=96",
                           "stream.test_limit=20", "backbone.weights=random", "method.name=linear-probe",
                           "mask.name=seen", "training.batch_size=8", "training.updates_per_batch=1",
                           "evaluation.every_samples=24", "precision=float32", "device=cpu", "threads=1"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        for (const QString& file : QDir(run() + "/checkpoints").entryList({"*.json"}, QDir::Files, QDir::Name))
            kept_ << file.section('.', 0, 0).toInt();
        QVERIFY(kept_.size() >= 4);
    }

    void theTableHasEveryMaskAndMarksTheRuns() {
        const Outcome outcome = look({});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QString out = QString::fromUtf8(outcome.out);
        QVERIFY2(out.startsWith(
                     QString("After %1 images, before the next batch of session 2: ").arg(kept_[kept_.size() - 2])),
                 outcome.out.constData());
        QVERIFY2(out.contains("Through the batch mask only the "), outcome.out.constData());
        for (const char* mask : {"\nnone ", "\nseen * ", "\nbatch ", "\nsession "})
            QVERIFY2(out.contains(mask), outcome.out.constData());
        QVERIFY2(out.contains("* the mask of the run"), outcome.out.constData());
        QVERIFY2(out.contains(" test images of the "), outcome.out.constData());
    }

    void programsGetTheSameNumbers() {
        const QString at = QString::number(kept_[1] + 1);
        const Outcome json = look({"--at", at, "--json"}), csv = look({"--at", at, "--csv"});
        QVERIFY2(json.code == 0 && csv.code == 0, (json.err + csv.err).constData());
        const QJsonObject told = jsonLines(json.out).first();
        QCOMPARE(told["samples_seen"].toInt(), kept_[1]);
        QStringList rows = QString::fromUtf8(csv.out).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(rows.takeFirst(), QString("samples_seen,mask,used,loss,accuracy,class,in_batch,push"));
        QStringList expected;
        for (const QJsonValue& one : told["masks"].toArray()) {
            const QJsonObject mask = one.toObject();
            QCOMPARE(mask["used"].toBool(), mask["mask"].toString() == "seen");
            double sum = mask["push_on_these"].toDouble();
            for (const QJsonValue& push : mask["pushes"].toArray()) {
                expected << mask["mask"].toString() + ' ' + push["class"].toString();
                sum += push["push"].toDouble();
            }
            if (mask["outputs_without_class"].toInt() > 0) expected << mask["mask"].toString() + ' ';
            // The images' own classes are pulled up by as much as all classes are pushed down.
            QVERIFY2(std::abs(sum) < 1e-4, qPrintable(QString::number(sum)));
        }
        QStringList found;
        for (const QString& row : rows) {
            const QStringList cells = row.split(',');
            QCOMPARE(cells.size(), 8);
            QCOMPARE(cells[0].toInt(), kept_[1]);
            found << cells[1] + ' ' + cells[5];
        }
        QCOMPARE(found, expected);
    }

    void theRunStaysAsItWas() {
        const QByteArray before = contentOf(run() + "/run.json");
        const QStringList files = QDir(run()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name);
        QCOMPARE(look({"--at", "0"}).code, 0);
        QCOMPARE(contentOf(run() + "/run.json"), before);
        QCOMPARE(QDir(run()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot, QDir::Name), files);
    }

    /// The signal is there before the program is, so that it comes before the look is over.
    void somebodyWhoGivesUpIsToldThatNothingWasShown() {
        for (const QStringList& arguments : {QStringList{"lens", run()}, {"attention", run(), "--image", "1"}}) {
            QProcess process;
            process.setChildProcessModifier([] {
                // What a script puts into the background ignores it.
                std::signal(SIGINT, SIG_DFL);
                sigset_t waiting;
                sigemptyset(&waiting);
                sigaddset(&waiting, SIGINT);
                sigprocmask(SIG_BLOCK, &waiting, nullptr);
                // To the process: raise() would send it to this thread, where nothing waits for it.
                kill(getpid(), SIGINT);
            });
            process.start(program(), arguments);
            const Outcome outcome = outcomeOf(process);
            QCOMPARE(outcome.code, 1);
            QCOMPARE(outcome.out, QByteArray());
            QCOMPARE(outcome.err, QByteArray("Stopped before anything was shown.\n"));
        }
    }

    /// Names of folders of a data set, which a spreadsheet would take for a formula.
    void aTableHasNoFormulas() {
        const QString data = folder_.filePath("data");
        const QByteArray picture = "P6\n8 8\n255\n" + QByteArray(8 * 8 * 3, 'x');
        for (const char* part : {"train", "test"})
            for (const char* name : {"=1+2", "a,b"}) {
                const QString place = data + '/' + part + '/' + name;
                QVERIFY(QDir().mkpath(place));
                for (int i = 0; i < 8; ++i) write(place + QString("/%1.ppm").arg(i), picture);
            }
        const QString named = folder_.filePath("named");
        const Outcome learned =
            call(QStringList{"run", "default", "--out", named} +
                 settings({"name=Named", "stream.dataset=folder", "stream.root=" + data, "stream.sessions=2",
                           "backbone.weights=random", "method.name=linear-probe", "training.batch_size=4",
                           "training.updates_per_batch=1", "evaluation.every_samples=4", "precision=float32",
                           "device=cpu", "threads=1"}));
        QVERIFY2(learned.code == 0, learned.err.constData());
        const Outcome csv = call({"lens", named, "--csv"});
        QVERIFY2(csv.code == 0, csv.err.constData());
        QVERIFY2(csv.out.contains(",'=1+2,") && !csv.out.contains(",=1+2"), csv.out.constData());
        const Outcome map = call({"runs", "features", named});
        QVERIFY2(map.code == 0 && map.out.contains(",'=1+2,"), (map.out + map.err).constData());
    }

    void whatCannotBeShownIsSaidInOneSentence() {
        for (const auto& [arguments, said] : {std::pair{QStringList{"--at", "-1"}, "no moment before its first image"},
                                              {QStringList{"--csv", "--json"}, "--csv"},
                                              {QStringList{"--at", "many"}, "--at"}}) {
            const Outcome outcome = look(arguments);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(QString::fromUtf8(outcome.err).contains(said), outcome.err.constData());
            QCOMPARE(outcome.err.count('\n'), 1);
        }
        const Outcome none = call({"lens", folder_.filePath("nothing")});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("There is no folder " + folder_.filePath("nothing").toUtf8() + "."),
                 none.err.constData());
    }
};

PALIMPSEST_GUILESS_TEST(TestCliLens)

}  // namespace tst_cli_lens

#include "tst_cli_lens.moc"
