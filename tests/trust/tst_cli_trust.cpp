// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <opencv2/imgcodecs.hpp>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_trust {

namespace {

QStringList tiny(const QStringList& more = {}) {
    return settings({"stream.dataset=shapes", "stream.train_limit=160", "stream.test_limit=60", "stream.sessions=2",
                     "backbone.weights=random", "method.name=linear-probe", "device=cpu", "precision=float32",
                     "threads=1", "training.updates_per_batch=1", "evaluation.every_samples=64"}) +
           settings(more);
}

}  // namespace

class TestCliTrust : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }

    void eachVerdictIsALineOfJson() {
        const Outcome outcome =
            call(QStringList{"trust", "default", "--quick", "--json", "--checks", "overlap,order"} + tiny());
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QList<QJsonObject> lines = jsonLines(outcome.out);
        QCOMPARE(lines.size(), 3);
        // In the order of the page, whatever the order of the request.
        QCOMPARE(lines[0]["check"].toString(), QString("order"));
        QCOMPARE(lines[0]["event"].toString(), QString("verdict"));
        QCOMPARE(lines[0]["colour"].toString(), QString("green"));
        QVERIFY(!lines[0]["question"].toString().isEmpty());
        QCOMPARE(lines[0]["evidence"].toArray()[0].toObject()["value"].toString(), QString("0 of 60"));
        QCOMPARE(lines[1]["check"].toString(), QString("overlap"));
        QCOMPARE(lines[2]["event"].toString(), QString("ended"));
        QCOMPARE(lines[2]["state"].toString(), QString("finished"));
        QCOMPARE(lines[2]["red"].toInt(), 0);
    }

    void aRedCheckIsExitCodeOne() {
        const QTemporaryDir folder;
        for (const char* part : {"train", "test"}) {
            for (const char* name : {"cats", "dogs"}) {
                const QString file = folder.filePath(QString("%1/%2/a.png").arg(part, name));
                QDir().mkpath(QFileInfo(file).path());
                cv::Mat picture(8, 8, CV_8UC3, cv::Scalar::all(name[0]));
                QVERIFY(cv::imwrite(file.toStdString(), picture));
            }
        }
        const Outcome outcome = call({"trust", "default", "--checks", "overlap", "--set", "stream.dataset=folder",
                                      "--set", "stream.root=" + folder.path()});
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.startsWith("RED  Test images among the training images"), outcome.out.constData());
        QVERIFY2(outcome.out.contains("2 test images are among the training images"), outcome.out.constData());
        QVERIFY2(outcome.out.contains("0 green, 0 amber, 1 red"), outcome.out.constData());
        QVERIFY2(outcome.err.isEmpty(), outcome.err.constData());
    }

    void aRunIsCheckedByItsFolder() {
        const QTemporaryDir folder;
        const QString run = folder.filePath("run");
        QCOMPARE(call(QStringList{"run", "default", "--out", run} + tiny()).code, 0);
        const Outcome outcome = call({"trust", run, "--json", "--checks", "batch-size"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QList<QJsonObject> lines = jsonLines(outcome.out);
        QCOMPARE(lines.size(), 2);
        QCOMPARE(lines[0]["colour"].toString(), QString("green"));
        const Outcome changed = call({"trust", run, "--set", "seed=2"});
        QCOMPARE(changed.code, 2);
        QVERIFY2(changed.err.contains("is a run"), changed.err.constData());
    }

    /// As `run` does it: nothing is wrong with the numbers.
    void aProgramThatIsNotAllowedIsExitCodeTwo() {
        QTemporaryDir folder;
        qputenv("PALIMPSEST_LEARNERS", folder.filePath("allowed").toLocal8Bit());
        const QStringList own = tiny({"method.name=external", "method.external_command=/bin/cat"});
        for (const QStringList& more : {QStringList{"--checks", "batch-size"}, QStringList{"--checks", "labels"}}) {
            const Outcome refused = call(QStringList{"trust", "default"} + own + more);
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains("wants to start the program /bin/cat, which you have not allowed"),
                     refused.err.constData());
            QVERIFY2(!refused.out.contains("AMBER"), refused.out.constData());
        }
        qunsetenv("PALIMPSEST_LEARNERS");
    }

    void badInputIsOneSentenceAndExitCodeTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("nothing to check") << QStringList{"trust"} << "trust needs RUN|EXPERIMENT";
        QTest::newRow("unknown preset") << QStringList{"trust", "defalt"} << "Did you mean default?";
        QTest::newRow("unknown check") << QStringList{"trust", "default", "--checks", "order,colour"}
                                       << "There is no check \"colour\". Choose among batch-size,";
    }
    void badInputIsOneSentenceAndExitCodeTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        const Outcome outcome = call(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY2(QString::fromUtf8(outcome.err).contains(part), outcome.err.constData());
    }
};

PALIMPSEST_GUILESS_TEST(TestCliTrust)

}  // namespace tst_cli_trust

#include "tst_cli_trust.moc"
