// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/record/guess.h"
#include "engine/record/predictions.h"
#include "engine/support/file_io.h"
#include "tests/support/cli_program.h"
#include "tests/support/hostile_files.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/measured_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;
using namespace palimpsest::testing;

namespace tst_cli_runs {

class TestCliRuns : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    static void write(const QString& file, const QByteArray& text) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }

private Q_SLOTS:
    void runsAreListedWithWhatWasSaidOfThem() {
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch", 4);
        writeMadeUpRun(table_, folder.path().toStdString(), "none");
        write(QString::fromStdString((run / "library.json").string()),
              R"({"tags": ["paper"], "note": "the good one"})");
        const Outcome all = call({"runs", folder.path()});
        QCOMPARE(all.code, 0);
        QVERIFY(all.err.isEmpty());
        QVERIFY(all.out.contains("batch run, seed 4 #paper"));
        QVERIFY(all.out.contains("the good one"));
        QVERIFY(all.out.contains("2 runs in"));
        const Outcome found = call({"runs", folder.path(), "--search", "tag:paper", "--json"});
        const QList<QJsonObject> lines = jsonLines(found.out);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0]["name"].toString(), QString("batch run"));
        QCOMPARE(lines[0]["seed"].toInt(), 4);
        QCOMPARE(lines[0]["a_auc"].toDouble(), 0.5);
        QCOMPARE(lines[0]["whole"].toBool(), true);
        QCOMPARE(lines[0]["tags"].toArray().size(), 1);
        QCOMPARE(jsonLines(call({"runs", folder.path(), "--search", "seed:4..9 a_auc:>49", "--json"}).out).size(), 1);
        QCOMPARE(jsonLines(call({"runs", folder.path(), "--search", "seed:>4", "--json"}).out).size(), 0);
    }

    void aSearchThatCannotBeUnderstoodIsRefused() {
        const QTemporaryDir folder;
        const Outcome refused = call({"runs", folder.path(), "--search", "batch seed:many"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("\"seed:many\"") && refused.err.contains("seed:3"), refused.err.constData());
        QCOMPARE(refused.err.count('\n'), 1);
    }

    void runsOfOnePresetAreToldApart() {
        QTemporaryDir folder;
        Experiment experiment = madeUpExperiment("none");
        experiment.name = "Batch mask";
        const auto writer = RunFolderWriter::create(table_, experiment, folder.path().toStdString());
        RunStarted started = madeUpStart(1, writer->folder().string(), "none");
        started.prompt_lengths = {{"method.g_length", 3}, {"method.e_length", 7}};
        writer->onStarted(started);
        writer->onEnded(madeUpEnd(1, RunEnd::Finished));
        const QString facts =
            "default: stream.dataset=fashion-mnist, mask.name=none, evaluation.every_samples=100; prompts of 3 general "
            "and 7 expert tokens\n";
        const Outcome all = call({"runs", folder.path()});
        QVERIFY2(all.out.contains("\n    " + facts.toUtf8()), all.out.constData());
        const QJsonObject row = jsonLines(call({"runs", folder.path(), "--json"}).out).constFirst();
        QCOMPARE(row["preset"].toString(), QString("default"));
        QCOMPARE(row["differs"].toArray().at(1).toString(), QString("mask.name=none"));
        QCOMPARE(row["prompt_lengths"].toObject()["method.e_length"].toInt(), 7);
    }

    void aDamagedIndexIsMadeAnewWithASentence() {
        QTemporaryDir folder;
        writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        write(folder.filePath(".library.sqlite"), QByteArray(9000, '?'));
        const Outcome all = call({"runs", folder.path()});
        QCOMPARE(all.code, 0);
        QVERIFY2(all.err.contains("damaged"), all.err.constData());
        QVERIFY(all.out.contains("1 run in"));
        const Outcome anew = call({"runs", "rebuild", folder.path()});
        QCOMPARE(anew.code, 0);
        QVERIFY(anew.err.isEmpty());
        QVERIFY2(anew.out.contains("made anew from 1 run"), anew.out.constData());
    }

    void filesAreCheckedAndRepaired() {
        QTemporaryDir folder;
        const auto made = writeMadeUpRun(table_, folder.path().toStdString(), "batch", 4);
        const QString run = QString::fromStdString(made.string());
        const Outcome sound = call({"runs", "check", run});
        QVERIFY2(sound.code == 0, sound.err.constData());
        QVERIFY(sound.out.contains("sound, 0 checkpoints") && sound.out.contains("no checkpoint"));
        write(run + "/summary.json", "{");
        const Outcome damaged = call({"runs", "check", folder.path()});
        QCOMPARE(damaged.code, 1);
        QVERIFY2(damaged.out.contains("summary.json cannot be read"), damaged.out.constData());
        const Outcome repaired = call({"runs", "check", "--repair", "--json", run});
        QCOMPARE(repaired.code, 1);
        const QList<QJsonObject> lines = jsonLines(repaired.out);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0]["sound"].toBool(), false);
        QVERIFY(lines[0]["error"].toString().contains("no sound checkpoint"));
        QCOMPARE(contentOf(run + "/summary.json"), QByteArray("{"));
        QCOMPARE(call({"runs", "check", folder.filePath("none")}).code, 2);
    }

    void imagesThatWereForgottenAreListed() {
        QTemporaryDir folder;
        const std::filesystem::path run = measureRun(folder.path().toStdString(), true).folder;
        std::vector<std::int32_t> answers = *predictionsAt(6000);
        answers[5] = 7;
        answers[6] = kNoClassYet;
        replaceTextFile(predictionsFile(run, 6000), formatClassList(answers, 10));
        const QString path = QString::fromStdString(run.string());
        const Outcome listed = call({"runs", "forgotten", path});
        QCOMPARE(listed.code, 0);
        QCOMPARE(listed.out, QByteArray("After 6,000 images, right once and wrong now: 2 of 100 test images\n"
                                        "  5  Sandal, right until 5,500, taken for Sneaker\n"
                                        "  6  Shirt, right until 5,500, taken for a class that has not come yet\n"));
        const QJsonObject json = jsonLines(call({"runs", "forgotten", path, "--json"}).out).value(0);
        QCOMPARE(json["samples_seen"].toInt(), 6000);
        QCOMPARE(json["forgotten"].toArray().size(), 2);
        QCOMPARE(json["forgotten"].toArray()[0].toObject()["answer"].toInt(), 7);
        QVERIFY(json["forgotten"].toArray()[1].toObject()["answer"].isNull());
        QVERIFY(call({"runs", "forgotten", path, "--at", "5600"})
                    .out.contains("After 5,500 images, right once and wrong now: 0 of 100"));
        const Outcome early = call({"runs", "forgotten", path, "--at", "10"});
        QCOMPARE(early.code, 2);
        QVERIFY2(early.err.contains("not evaluated before 10 images") && early.err.contains("at 500"), early.err);
        const Outcome none = call({"runs", "forgotten", folder.filePath("nowhere")});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("nowhere") && none.err.count('\n') <= 2, none.err);
    }

    void guessesAreListedBesideWhatWasMeasured() {
        QTemporaryDir folder;
        const std::filesystem::path run = measureRun(folder.path().toStdString(), true).folder;
        measureRun(folder.path().toStdString(), true);
        const QString path = QString::fromStdString(run.string());
        const Outcome none = call({"runs", "guesses", folder.path()});
        QCOMPARE(none.code, 0);
        QCOMPARE(none.out, QByteArray("No run here was guessed.\n"));
        writeGuess(run, {{{0, 0.75}, {6000, 0.75}}, {}});
        const Outcome listed = call({"runs", "guesses", folder.path()});
        QCOMPARE(listed.code, 0);
        QVERIFY2(listed.out.contains("  anytime accuracy: 25.0 points off on average, most after 500 images: 75 % "
                                     "guessed, 50.0 % measured\n"),
                 listed.out);
        QVERIFY2(!listed.out.contains("session 1:"), listed.out);
        const QJsonObject json = jsonLines(call({"runs", "guesses", path, "--json"}).out).value(0);
        QCOMPARE(json["anytime"].toObject()["distance"].toDouble(), 0.25);
        QCOMPARE(json["anytime"].toObject()["points"].toInt(), 12);
        QVERIFY(json["retention"].isNull());
        const Outcome table = call({"runs", "guesses", "--csv", path});
        QCOMPARE(table.out.count('\n'), 13);
        QVERIFY2(table.out.contains(",anytime,500,0.75,0.5,0.25\n"), table.out);
        QCOMPARE(call({"runs", "guesses", "--csv", "--json", path}).code, 2);
        write(path + "/guess.csv", "much\n");
        const Outcome damaged = call({"runs", "guesses", folder.path()});
        QCOMPARE(damaged.code, 1);
        QVERIFY2(damaged.err.contains("guess.csv cannot be read"), damaged.err);
        QCOMPARE(call({"runs", "guesses", folder.filePath("nowhere")}).code, 2);
    }

    void theFeatureMapIsATable() {
        QTemporaryDir folder;
        const QString path = QString::fromStdString(measureRun(folder.path().toStdString(), true).folder.string());
        const Outcome first = call({"runs", "features", path});
        QCOMPARE(first.code, 0);
        QVERIFY2(first.out.startsWith("samples_seen,kind,class,image,x,y\n500,image,T-shirt,0,"), first.out.left(200));
        QVERIFY(first.out.contains("\n6000,head,"));
        // Axes of another moment give other places to the same rows.
        const Outcome later = call({"runs", "features", path, "--at", "4000"});
        QCOMPARE(later.out.count('\n'), first.out.count('\n'));
        QVERIFY(later.out != first.out);
        QCOMPARE(call({"runs", "features", path, "--at", "3"}).out, first.out);
        QFile::remove(path + "/features.csv");
        const Outcome none = call({"runs", "features", path});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("recorded no features"), none.err);
    }

    void aHostileRunIsLeftOutAndTheOthersAreListedAndReported() {
        QTemporaryDir folder;
        const std::filesystem::path runs = folder.filePath("runs").toStdString();
        writeMadeUpRun(table_, runs, "batch", 4);
        const auto evil = writeMadeUpRun(table_, runs, "none");
        for (const char* kind : {"deep", "pipe"}) {
            if (std::string(kind) == "deep")
                plantText(evil / "run.json", deepJson());
            else
                plantPipe(evil / "run.json");
            const Outcome all = call({"runs", folder.filePath("runs")});
            QCOMPARE(all.code, 0);
            QVERIFY2(all.out.contains("1 run in"), all.out.constData());
            QVERIFY2(all.err.contains("It is left out."), all.err.constData());
            const Outcome report =
                call({"report", folder.filePath("runs"), "--out", folder.filePath("report"), "--format", "csv"});
            QVERIFY2(report.code == 0, report.err.constData());
        }
    }

    void resultsAreImportedAndReported() {
        QTemporaryDir folder;
        write(folder.filePath("paper.csv"), "samples_seen,accuracy\n1000,50\n2000,60\n3000,70\n");
        const Outcome made = call({"runs", "import", folder.filePath("paper.csv"), "--name", "MISA, table 1", "--out",
                                   folder.filePath("runs"), "--seed", "3"});
        QVERIFY2(made.code == 0, made.err.constData());
        const QString run = QString(made.out).trimmed();
        QVERIFY(QFile::exists(run + "/run.json"));
        const QList<QJsonObject> lines = jsonLines(call({"runs", folder.filePath("runs"), "--json"}).out);
        QCOMPARE(lines.size(), 1);
        QCOMPARE(lines[0]["name"].toString(), QString("MISA, table 1"));
        QCOMPARE(lines[0]["state"].toString(), QString("imported"));
        QCOMPARE(lines[0]["a_auc"].toDouble(), 0.6);
        QVERIFY(lines[0]["method"].isNull());
        for (const char* start : {"--fork", "--resume", "--replay"}) {
            const Outcome again = call({"run", start, run});
            QCOMPARE(again.code, 2);
            QVERIFY2(again.err.contains("was imported") && !again.err.contains("Start it anew"), again.err);
        }
        const Outcome report = call({"report", run, "--out", folder.filePath("report"), "--format", "html,csv"});
        QVERIFY2(report.code == 0, report.err.constData());
        QFile page(folder.filePath("report/report.html"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll();
        QVERIFY(text.contains("MISA, table 1"));
        QVERIFY(text.contains("measured by another program"));
        QVERIFY(!text.contains("has not finished"));
    }

    void logsOfOtherProgramsStandBesideOwnRuns() {
        QTemporaryDir folder;
        const auto own = writeMadeUpRun(table_, folder.path().toStdString(), "batch", 4);
        const QString logs = QStringLiteral(PALIMPSEST_TEST_DATA) + "/logs/";
        write(folder.filePath("empty.log"), "");
        const Outcome made = call({"import", logs + "mammoth/class-il/seq-cifar10/er/logs.pyd",
                                   folder.filePath("empty.log"), logs + "misa.log", "--out", folder.path(), "--json"});
        // One bad file keeps no other back.
        QCOMPARE(made.code, 2);
        QVERIFY2(made.err.contains("empty.log is empty"), made.err.constData());
        QVERIFY2(made.err.contains("50,000 training images of seq-cifar10"), made.err.constData());
        QCOMPARE(jsonLines(made.out).size(), 8);
        const QList<QJsonObject> found =
            jsonLines(call({"runs", folder.path(), "--search", "method:er data:cifar10", "--json"}).out);
        QCOMPARE(found.size(), 3);
        QCOMPARE(found[0]["dataset"].toString(), QString("seq-cifar10"));
        QVERIFY(found[0]["a_auc"].isNull());
        QVERIFY(found[0]["a_last"].toDouble() > 0.6);
        const Outcome report =
            call({"report", folder.path(), "--out", folder.filePath("report"), "--format", "html,svg,csv"});
        QVERIFY2(report.code == 0, report.err.constData());
        QFile page(folder.filePath("report/report.html")), captions(folder.filePath("report/captions.txt"));
        QVERIFY(page.open(QIODevice::ReadOnly) && captions.open(QIODevice::ReadOnly));
        const QByteArray text = page.readAll(), caption = captions.readAll();
        QVERIFY(text.contains("Imported from Mammoth, logs.pyd: measured by another program."));
        QVERIFY(text.contains("minibatch_size: 32"));
        QVERIFY2(caption.contains("imported from Mammoth, logs.pyd"), caption.constData());
        QVERIFY2(caption.contains("imported from MISA, misa.log"), caption.constData());
        // The own run, two kinds of Mammoth's, and MISA's five seeds.
        QVERIFY(text.contains("4 experiments compared"));
    }

    void runsAreExportedForOtherPrograms() {
        QTemporaryDir folder;
        const auto run = writeMadeUpRun(table_, folder.path().toStdString(), "batch", 4);
        for (const char* format : {"tensorboard", "mlflow"}) {
            const Outcome made = call({"export", QString::fromStdString(run.string()), "--format", format, "--output",
                                       folder.filePath(format)});
            QVERIFY2(made.code == 0, made.err.constData());
            QVERIFY(QDir(QString(made.out).trimmed()).exists());
        }
        const Outcome refused = call(
            {"export", QString::fromStdString(run.string()), "--format", "parquet", "--out", folder.filePath("x")});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("Choose tensorboard or mlflow."), refused.err.constData());
        QVERIFY(!QFile::exists(folder.filePath("x")));
    }

    void badInputIsOneSentence_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("no folder") << QStringList{"/no/such/folder"} << QByteArray("There is no folder");
        QTest::newRow("no file") << QStringList{"import"} << QByteArray("needs FILE");
        QTest::newRow("a file that is gone") << QStringList{"import", "/no/such.csv"} << QByteArray("Cannot read");
        QTest::newRow("another kind") << QStringList{"import", "/etc/hostname"}
                                      << QByteArray("no results in a known form");
    }
    void badInputIsOneSentence() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, why);
        const Outcome outcome = call(QStringList{"runs"} + arguments);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(why), outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    }
};

PALIMPSEST_GUILESS_TEST(TestCliRuns)

}  // namespace tst_cli_runs

#include "tst_cli_runs.moc"
