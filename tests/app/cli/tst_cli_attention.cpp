// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtEndian>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_attention {

/// Looks at images of one small run.
class TestCliAttention : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString run() const { return folder_.filePath("run"); }
    Outcome look(const QStringList& more) const { return call(QStringList{"attention", run()} + more); }

private Q_SLOTS:
    void initTestCase() {
        const Outcome outcome =
            call(QStringList{"run", "default", "--out", run()} +
                 settings({"name=Whole", "stream.dataset=shapes", "stream.sessions=2", "stream.train_limit=48",
                           "stream.test_limit=20", "backbone.weights=random", "method.name=dualprompt",
                           "initial_session.prompts=none", "training.batch_size=8", "training.updates_per_batch=1",
                           "evaluation.every_samples=24", "precision=float32", "device=cpu", "threads=1"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
    }

    void theTableHasABlockALineAndTheSentence() {
        const Outcome outcome = look({"--image", "5"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.out.startsWith("After 48 images: test image 5, "), outcome.out.constData());
        QVERIFY2(outcome.out.contains("\nIn block "), outcome.out.constData());
        QVERIFY2(outcome.out.contains("\nBlock   Prompts "), outcome.out.constData());
        QVERIFY2(outcome.out.contains("\n1 "), outcome.out.constData());
    }

    void programsGetSharesThatSumToOne() {
        const Outcome json = look({"--image", "5", "--at", "30", "--json"}),
                      csv = look({"--image", "5", "--at", "30", "--csv"});
        QVERIFY2(json.code == 0 && csv.code == 0, (json.err + csv.err).constData());
        const QJsonObject told = jsonLines(json.out).first();
        QVERIFY(told["samples_seen"].toInt() <= 30);
        const int side = told["side"].toInt();
        QStringList rows = QString::fromUtf8(csv.out).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(rows.takeFirst(), QString("samples_seen,image,prompts,block,key,row,column,share"));
        QMap<QString, double> sums;
        for (const QString& row : rows) {
            const QStringList cells = row.split(',');
            QCOMPARE(cells.size(), 8);
            sums[cells[2] + cells[3]] += cells[7].toDouble();
        }
        for (const double sum : sums) QVERIFY2(std::abs(sum - 1) < 1e-4, qPrintable(QString::number(sum)));
        const qsizetype blocks = told["without_prompts"].toArray().size();
        QCOMPARE(told["with_prompts"].toArray().size(), blocks);
        QCOMPARE(sums.size(), 2 * blocks);
        QCOMPARE(rows.size(), 2 * blocks * (2 + side * side));
    }

    void thePictureHasAMapForEachBlock() {
        const QString file = folder_.filePath("maps.png");
        const Outcome outcome = look({"--image", "5", "--json", "--png", file});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QByteArray picture = contentOf(file);
        QVERIFY(picture.startsWith("\x89PNG"));
        const qsizetype blocks = jsonLines(outcome.out).first()["without_prompts"].toArray().size();
        QCOMPARE(qFromBigEndian<qint32>(picture.constData() + 16), static_cast<qint32>(6 + (blocks + 1) * 118));
        QCOMPARE(qFromBigEndian<qint32>(picture.constData() + 20), 6 + 2 * 118);
    }

    void whatCannotBeShownIsSaidInOneSentence() {
        for (const auto& [arguments, said] :
             {std::pair{QStringList{"--image", "20"}, "There is no test image 20"},
              {QStringList{"--image", "0", "--at", "-1"}, "no moment before its first image"},
              {QStringList{}, "--image"},
              {QStringList{"--image", "0", "--csv", "--json"}, "--csv"}}) {
            const Outcome outcome = look(arguments);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(QString::fromUtf8(outcome.err).contains(said), outcome.err.constData());
            QCOMPARE(outcome.err.count('\n'), 1);
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestCliAttention)

}  // namespace tst_cli_attention

#include "tst_cli_attention.moc"
