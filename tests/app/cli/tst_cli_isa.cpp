// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_isa {

namespace {

const QStringList kNetwork = {"backbone.weights=random", "precision=float32", "device=cpu", "threads=1"};

/// A few steps on a few fractals.
QStringList smallAdaptation(const QString& out, const QStringList& more = {}) {
    return QStringList{"isa", "default", "--out", out} + settings(kNetwork) +
           settings({"initial_session.dataset=fractals", "initial_session.classes=6", "initial_session.other_classes=2",
                     "initial_session.other_drawn=2", "initial_session.images_per_class=4", "initial_session.epochs=1",
                     "initial_session.batch_size=8"}) +
           settings(more);
}

}  // namespace

class TestCliIsa : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString file() const { return folder_->filePath("prompts.safetensors"); }

private Q_SLOTS:
    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void badInputIsOneSentenceAndExitCodeTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("no experiment") << QStringList{"isa", "--out", "x.safetensors"} << "isa needs EXPERIMENT";
        QTest::newRow("no file to write")
            << QStringList{"isa", "default"} << "isa needs --out: where to write the prompts";
        QTest::newRow("unknown preset") << QStringList{"isa", "defalt", "--out", "x.safetensors"}
                                        << "Did you mean default?";
        QTest::newRow("unknown data set") << smallAdaptation("OUT", {"initial_session.dataset=fractal"}) << "fractal";
        QTest::newRow("a kind with a slip of the pen")
            << smallAdaptation("OUT", {"initial_session.prompts=fma"}) << "Did you mean fam?";
        QTest::newRow("a kind that is none")
            << smallAdaptation("OUT", {"initial_session.prompts=foo"}) << "initial_session.prompts is \"foo\"";
        QTest::newRow("a method without prompts")
            << smallAdaptation("OUT", {"method.name=linear-probe"}) << "takes no prompts (method.name is linear-probe)";
        QTest::newRow("no classes") << smallAdaptation("OUT", {"initial_session.classes=0"})
                                    << "initial_session.classes";
        QTest::newRow("no epochs") << smallAdaptation("OUT", {"initial_session.epochs=0"}) << "initial_session.epochs";
        QTest::newRow("a folder that is not there")
            << smallAdaptation("/nowhere/p.safetensors") << "/nowhere/p.safetensors cannot be written";
        QTest::newRow("another kind of file") << smallAdaptation("p.pt") << "ends in .safetensors";
        QTest::newRow("nothing to go on from")
            << smallAdaptation("OUT") + QStringList{"--resume"} << "prompts.safetensors.state to go on from";
        QTest::newRow("missing weights") << smallAdaptation("OUT", {"backbone.weights=/nowhere.safetensors"})
                                         << "/nowhere.safetensors";
        QTest::newRow("missing data set")
            << smallAdaptation("OUT", {"stream.dataset=fashion-mnist", "initial_session.dataset=fashion-mnist",
                                       "stream.root=/nowhere"})
            << "dataset-fashion-mnist";
    }
    void badInputIsOneSentenceAndExitCodeTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        arguments.replaceInStrings("OUT", file());
        const Outcome outcome = call(arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY2(QString(outcome.err).contains(part), outcome.err.constData());
        QVERIFY(!QFile::exists(file()));
    }

    void aRunTakesThePromptsThatAnAdaptationMade_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"naive", "sam", "fam"}) QTest::newRow(kind) << kind;
    }
    void aRunTakesThePromptsThatAnAdaptationMade() {
        QFETCH(QString, kind);
        const Outcome made = call(smallAdaptation(file(), {"initial_session.prompts=" + kind}) + QStringList{"--json"});
        QVERIFY2(made.code == 0, made.err.constData());
        const QList<QJsonObject> lines = jsonLines(made.out);
        QCOMPARE(lines.first()["event"].toString(), QString("started"));
        QCOMPARE(lines.first()["kind"].toString(), kind);
        QCOMPARE(lines.first()["total_steps"].toInt(), 3);
        const QJsonObject step = lines.at(lines.size() - 2);
        QCOMPARE(step["event"].toString(), QString("progress"));
        QCOMPARE(step["step"].toInt(), 3);
        QCOMPARE(step["samples_seen"].toInt(), 24);
        QCOMPARE(step["other_loss"].isNull(), kind == "naive");
        QCOMPARE(lines.last()["event"].toString(), QString("ended"));
        QCOMPARE(lines.last()["state"].toString(), QString("finished"));
        QCOMPARE(lines.last()["file"].toString(), file());
        QVERIFY(QFile::exists(file()));
        QVERIFY(!QFile::exists(file() + ".state"));

        const Outcome run =
            call(QStringList{"run", "default", "--out", folder_->filePath("run")} + settings(kNetwork) +
                 settings({"stream.dataset=shapes", "stream.train_limit=40", "stream.test_limit=20",
                           "stream.sessions=1", "training.updates_per_batch=1", "initial_session.prompts=" + file()}));
        QVERIFY2(run.code == 0, run.err.constData());
    }

    void linesForPeopleSayWhatWasMade() {
        const Outcome made = call(smallAdaptation(file()));
        QVERIFY2(made.code == 0, made.err.constData());
        const QString printed = made.out;
        QVERIFY2(printed.contains("Initial session adaptation (fam), Fractals: 6 classes to learn, 2 others"),
                 made.out);
        QVERIFY2(printed.contains("step 3 of 3  epoch 1  loss "), made.out);
        QVERIFY2(printed.contains("--set initial_session.prompts=" + file()), made.out);
        QVERIFY(!printed.contains('\r'));  // no progress bar without a terminal
        QVERIFY2(made.err.isEmpty(), made.err.constData());
        QVERIFY2(printed.contains(" of memory. Prompts: "), made.out);
    }

    void promptsAreNotReplacedUnasked() {
        QVERIFY(call(smallAdaptation(file())).code == 0);
        const QString copy = folder_->filePath("copy.safetensors");
        QCOMPARE(call({"prompts", file(), "--out", copy}).code, 0);
        const Outcome again = call({"prompts", file(), "--out", copy});
        QCOMPARE(again.code, 2);
        QVERIFY2(again.err.contains("is there already") && again.err.contains("--force"), again.err.constData());
        QCOMPARE(call({"prompts", file(), "--out", copy, "--force"}).code, 0);
    }

    void aStoppedAdaptationIsKeptAndGoesOn() {
        const QStringList arguments = smallAdaptation(file(), {"initial_session.epochs=10000"}) + QStringList{"--json"};
        QProcess first;
        first.start(program(), arguments);
        QByteArray printed;
        QTRY_VERIFY_WITH_TIMEOUT((printed += first.readAllStandardOutput()).contains("\"progress\""), kPatience);
        first.terminate();
        const Outcome stopped = outcomeOf(first);
        QVERIFY2(stopped.code == 0, stopped.err.constData());
        QVERIFY(stopped.err.contains("Stopping at the next step; what was learned is kept."));
        QCOMPARE(jsonLines(printed + stopped.out).last()["state"].toString(), QString("stopped"));
        QVERIFY(QFile::exists(file()));
        QVERIFY(QFile::exists(file() + ".state"));

        const Outcome other =
            call(smallAdaptation(file(), {"initial_session.epochs=10000", "seed=2"}) + QStringList{"--resume"});
        QCOMPARE(other.code, 2);
        QVERIFY2(other.err.contains("seed was 1 and is 2"), other.err.constData());

        QProcess second;
        second.start(program(), arguments + QStringList{"--resume"});
        QByteArray more;
        QTRY_VERIFY_WITH_TIMEOUT((more += second.readAllStandardOutput()).contains("\"progress\""), kPatience);
        second.terminate();
        QCOMPARE(outcomeOf(second).code, 0);
        QVERIFY(jsonLines(more).first()["first_step"].toInt() >= jsonLines(printed).last()["step"].toInt());
    }
};

PALIMPSEST_GUILESS_TEST(TestCliIsa)

}  // namespace tst_cli_isa

#include "tst_cli_isa.moc"
