// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/faults/faulty_run.h"
#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_diff {

/// Two runs compared by the command, on runs that really learned.
class TestCliDiff : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString run(const QString& name, const QStringList& more = {}) const {
        const QString out = folder_.filePath(name);
        const Outcome end = call(tinyRun(out) + settings(more));
        if (end.code != 0) qWarning("%s", end.err.constData());
        return out;
    }

private Q_SLOTS:
    void runsAreToldApart() {
        const QString first = run("first"), again = run("again"), seed = run("seed", {"seed=2"}),
                      rate = run("rate", {"training.learning_rate=0.01"});
        const Outcome same = call({"diff", first, again});
        QVERIFY2(same.code == 0 && same.out.contains("The two runs are the same"), same.out + same.err);

        const Outcome otherStream = call({"diff", first, seed});
        QCOMPARE(otherStream.code, 1);
        QVERIFY2(otherStream.out.contains("  seed: 1 -> 2\n") &&
                     otherStream.out.contains("Streams: batch 1 is the first with other images (session 1, after 0"),
                 otherStream.out + otherStream.err);

        const Outcome json = call({"diff", first, rate, "--json"});
        QCOMPARE(json.code, 1);
        const QJsonObject found = QJsonDocument::fromJson(json.out).object();
        QVERIFY2(!found["same"].toBool(true), json.out);
        QCOMPARE(found["streams"].toObject()["first"], found["streams"].toObject()["second"]);
        // The first update sees the same weights; what the rate makes of it shows in the second one.
        const QJsonObject update = found["update"].toObject();
        QCOMPARE(update["number"].toInt(), 1);
        QCOMPARE(update["column"].toString(), QString("learning_rate"));
        QVERIFY(found["state"].isObject());
    }

    // The same weights and images: what differs before the first batch is the setting itself.
    void anotherMaskIsToldInOrder() {
        const QString one = run("batch-mask"), other = run("no-mask", {"mask.name=none"});
        const Outcome end = call({"diff", one, other});
        QCOMPARE(end.code, 1);
        qsizetype at = -1;
        for (const char* part : {"Settings:\n  mask.name: ", "Streams: the same, every batch has the same images\n",
                                 "Updates: the first one, update 1 in batch 1, after ", ", differs: loss ",
                                 "Evaluations: ", "States: the first one, before anything was learned, differs: hash ",
                                 "  A state holds settings"}) {
            const qsizetype next = end.out.indexOf(part);
            QVERIFY2(next > at, part + QByteArray("\n") + end.out + end.err);
            at = next;
        }
        const QJsonObject update =
            QJsonDocument::fromJson(call({"diff", one, other, "--json"}).out).object()["update"].toObject();
        QCOMPARE(update["batch"].toInt(), 1);
        QCOMPARE(update["column"].toString(), QString("loss"));
    }

    void whatIsNoRunIsNamed() {
        const Outcome end = call({"diff", folder_.path(), folder_.path()});
        QCOMPARE(end.code, 2);
        QVERIFY2(end.err.contains(folder_.path().toUtf8()), end.err);
        const Outcome none = call({"diff", folder_.filePath("nope"), folder_.path()});
        QVERIFY2(none.err.contains("There is no folder " + folder_.filePath("nope").toUtf8() + "."), none.err);
        QCOMPARE(call({"diff", "only-one"}).code, 2);
    }
};

PALIMPSEST_GUILESS_TEST(TestCliDiff)

}  // namespace tst_cli_diff

#include "tst_cli_diff.moc"
