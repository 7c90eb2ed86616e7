// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_fork {

/// Forks of one small run.
class TestCliFork : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QList<int> kept_;  // checkpoints of the whole run, oldest first
    QString place(const QString& name) const { return folder_.filePath(name); }
    Outcome fork(const QStringList& more) const { return call(QStringList{"run", "--fork", place("whole")} + more); }
    QJsonObject run(const QString& name) const {
        return QJsonDocument::fromJson(contentOf(place(name) + "/run.json")).object();
    }

private Q_SLOTS:
    void initTestCase() {
        const Outcome outcome =
            call(QStringList{"run", "default", "--out", place("whole")} +
                 settings({"name=Whole", "stream.dataset=shapes", "stream.sessions=2", "stream.train_limit=96",
                           "stream.test_limit=20", "backbone.weights=random", "method.name=linear-probe",
                           "training.batch_size=8", "training.updates_per_batch=1", "evaluation.every_samples=24",
                           "precision=float32", "device=cpu", "threads=1"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        for (const QString& file : QDir(place("whole/checkpoints")).entryList({"*.json"}, QDir::Files, QDir::Name))
            kept_ << file.section('.', 0, 0).toInt();
        QVERIFY(kept_.size() >= 4);
        QCOMPARE(kept_.first(), 0);
        QCOMPARE(kept_.last(), run("whole")["total_samples"].toInt());
    }

    void theNewestCheckpointThatLeavesSomethingToLearnIsTakenAndNamed() {
        const Outcome outcome = fork(QStringList{"--out", place("fork")} + settings({"training.learning_rate=0.01"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const int at = run("fork")["parent"].toObject()["samples_seen"].toInt();
        QCOMPARE(at, kept_[kept_.size() - 2]);
        const QString start =
            QString("Fork of \"Whole\" (%1) after %2 images, from its checkpoint. Differs in Learning rate: ")
                .arg(place("whole"))
                .arg(at);
        const QString out = QString::fromUtf8(outcome.out);
        QVERIFY2(out.contains(start), outcome.out.constData());
        QVERIFY2(out.contains("→ 0.01."), outcome.out.constData());
    }

    void otherProgramsAreToldToo() {
        const Outcome outcome = fork({"--out", place("told"), "--at", QString::number(kept_[1]), "--json"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QJsonObject told = jsonLines(outcome.out).first()["fork"].toObject();
        QCOMPARE(told["parent"].toString(), place("whole"));
        QCOMPARE(told["samples_seen"].toInt(), kept_[1]);
        QVERIFY(told["differences"].toArray().isEmpty());
    }

    void aMomentThatIsNoneIsRefusedInOneSentence_data() {
        QTest::addColumn<QString>("at");
        QTest::addColumn<QString>("said");
        const int end = kept_.last(), first = kept_[1], second = kept_[2];
        QTest::newRow("below 0") << "-5" << QString("goes from 0 to %1 images. The next is at 0.").arg(end);
        QTest::newRow("beyond the end") << "1000" << QString("goes from 0 to %1 images. The last is at %1.").arg(end);
        QTest::newRow("between two") << QString::number(first + 1)
                                     << QString("The nearest are at %1 and %2.").arg(first).arg(second);
        QTest::newRow("the end") << QString::number(end) << "a fork would learn nothing. Choose an earlier moment";
    }
    void aMomentThatIsNoneIsRefusedInOneSentence() {
        QFETCH(QString, at);
        QFETCH(QString, said);
        const Outcome outcome = fork({"--out", place("none"), "--at", at});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(QString::fromUtf8(outcome.err).contains(said), outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY(!QFile::exists(place("none")));
    }
};

PALIMPSEST_GUILESS_TEST(TestCliFork)

}  // namespace tst_cli_fork

#include "tst_cli_fork.moc"
