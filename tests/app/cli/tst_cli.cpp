// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <QFile>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"
#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_cli {

namespace {

/// A run of a second: a linear head on the drawn shapes.
QStringList smallRun(const QString& out, const QStringList& more = {}) {
    return QStringList{"run", "default", "--out", out} +
           settings({"stream.dataset=shapes", "stream.sessions=2", "stream.train_limit=100", "stream.test_limit=20",
                     "backbone.weights=random", "method.name=linear-probe", "training.updates_per_batch=1",
                     "evaluation.every_samples=32", "precision=float32", "device=cpu", "threads=1"}) +
           settings(more);
}

}  // namespace

class TestCli : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatCannotStartCrashesOrHangsHasNoCode() {
        QProcess absent;
        absent.start(program() + "-that-is-not-there", QStringList());
        QCOMPARE(outcomeOf(absent).code, -1);
        QProcess crashed;
        crashed.start("/bin/sh", {"-c", "kill -9 $$"});
        QCOMPARE(outcomeOf(crashed).code, -1);
        QProcess hanging;
        hanging.start("/bin/sh", {"-c", "exec sleep 3600"});
        QVERIFY(hanging.waitForStarted());
        QCOMPARE(outcomeOf(hanging, 10).code, -1);
        QCOMPARE(hanging.state(), QProcess::NotRunning);
        QProcess sound;
        sound.start("/bin/sh", {"-c", "exit 3"});
        QCOMPARE(outcomeOf(sound).code, 3);
        QCOMPARE(outcomeOf(sound).code, 3);
    }

    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void everyCommandExplainsItself() {
        const Outcome all = call({"--help"});
        QCOMPARE(all.code, 0);
        for (const char* command :
             {"run",       "stream",  "methods",  "masks",  "datasets", "backbones", "presets",   "options",
              "isa",       "prompts", "pretrain", "probe",  "dataset",  "sweep",     "runs",      "lens",
              "attention", "report",  "talk",     "lesson", "bench",    "verify",    "selfcheck", "documents"}) {
            QVERIFY2(QString(all.out).contains(QRegularExpression(QString("\n  %1 +\\w").arg(command))), command);
            const Outcome one = call({command, "--help"});
            QCOMPARE(one.code, 0);
            QVERIFY2(one.out.contains("Usage: palimpsest-cli " + QByteArray(command)), command);
            QVERIFY2(one.err.isEmpty(), one.err.constData());
        }
    }

    void badInputIsOneSentenceAndExitCodeTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("part");
        QTest::newRow("nothing") << QStringList{} << "Name a command.";
        QTest::newRow("a variable that is not set")
            << QStringList{"stream", "default", "--sessions", ""} << "--sessions: The value is empty";
        QTest::newRow("unknown command") << QStringList{"rnu"} << "Did you mean run?";
        QTest::newRow("unknown flag") << QStringList{"run", "default", "--bogus"} << "--bogus";
        QTest::newRow("a flag almost") << QStringList{"run", "default", "--jsn"} << "--jsn. Did you mean --json?";
        QTest::newRow("an option as a flag")
            << QStringList{"run", "default", "--threads", "1"}
            << "were not expected: --threads 1. Options of the experiment are set with --set: --set threads=1. ";
        QTest::newRow("an option of a section as a flag")
            << QStringList{"stream", "default", "--train-limit=5"} << "--set stream.train_limit=5. ";
        QTest::newRow("too many words") << QStringList{"run", "default", "now", "please"}
                                        << "The following arguments were not expected: now please. `palimpsest-cli run";
        QTest::newRow("no experiment")
            << QStringList{"run"} << "run needs EXPERIMENT: an experiment file, a run folder or the name of a preset";
        QTest::newRow("no runs to report on")
            << QStringList{"report"} << "report needs RUN...: run folders, or folders that hold run folders";
        QTest::newRow("nothing to allow")
            << QStringList{"learner", "allow"} << "learner allow needs COMMAND: program and arguments in one word";
        QTest::newRow("no verb") << QStringList{"dataset"} << "dataset needs a command of its own";
        QTest::newRow("a word for a number")
            << QStringList{"pretrain", "--out", "x", "--steps", "many"}
            << "--steps must be a whole number from 1 to 100,000,000, not many. `palimpsest-cli pretrain";
        QTest::newRow("a number that is too small")
            << QStringList{"import", "t.csv", "--every", "0"} << "--every must be a whole number, 1 or more, not 0.";
        QTest::newRow("a number that is too large") << QStringList{"sweep", "masks", "--jobs", "1025"}
                                                    << "--jobs must be a whole number from 1 to 1,024, not 1025.";
        QTest::newRow("a number that does not fit 64 bits")
            << QStringList{"report", "x", "--out", "y", "--at", "99999999999999999999"}
            << "--at must be a whole number";
        QTest::newRow("a fraction out of range") << QStringList{"learner", "check", "x", "--timeout", "0"}
                                                 << "--timeout must be a number from 0.1 to 86,400, not 0.";
        QTest::newRow("no pixel") << QStringList{"learner", "check", "x", "--image-size", "0"}
                                  << "--image-size must be a whole number from 1 to 1,024, not 0.";
        QTest::newRow("no number") << QStringList{"learner", "check", "x", "--timeout", "nan"}
                                   << "--timeout must be a number";
        QTest::newRow("a word that is none of those") << QStringList{"bench", "--precision", "half"}
                                                      << "--precision must be float32, tf32 or bfloat16, not half.";
        QTest::newRow("a word for a moment")
            << QStringList{"run", "--fork", "x", "--at", "soon"} << "--at cannot be soon. ";
        QTest::newRow("no value") << QStringList{"sweep", "masks", "--jobs"} << "--jobs needs a value: N. ";
        QTest::newRow("a folder without a name")
            << QStringList{"run", "default", "--out", ""} << "--out names no folder.";
        QTest::newRow("unknown preset") << QStringList{"run", "defalt"} << "Did you mean default?";
        QTest::newRow("missing file") << QStringList{"run", "nowhere/x.toml"} << "nowhere/x.toml";
        QTest::newRow("unknown key") << QStringList{"run", "default", "--set", "stream.sesions=3"}
                                     << "Did you mean stream.sessions?";
        QTest::newRow("value out of range")
            << QStringList{"run", "default", "--set", "stream.sessions=0"} << "must be a whole number from 1 to 1000";
        QTest::newRow("setting without a value")
            << QStringList{"run", "default", "--set", "seed"} << "--set seed=VALUE";
        QTest::newRow("settings at odds")
            << QStringList{"run", "default", "--set", "method.name=clib"} << "memory.size is 0, but CLIB";
        QTest::newRow("missing data set") << QStringList{"run", "default", "--set", "stream.root=/nowhere"}
                                          << "/nowhere holds none of their 12 icon themes";
        QTest::newRow("missing data set of a stream")
            << QStringList{"stream", "default", "--set", "stream.root=/nowhere"}
            << "/nowhere holds none of their 12 icon themes";
        QTest::newRow("unwritable folder") << smallRun("/dev/null/run") << "Cannot make the run folder /dev/null/run";
        QTest::newRow("missing weights") << smallRun("OUT", {"backbone.weights=/nowhere.safetensors"})
                                         << "/nowhere.safetensors";
        QTest::newRow("misspelt weights") << smallRun("OUT", {"backbone.weights=embeded"}) << "Did you mean embedded?";
        QTest::newRow("stream of two sources")
            << QStringList{"stream", "default", "--labels", "/nowhere"} << "Both the experiment default and --labels";
        QTest::newRow("label beyond the classes") << QStringList{"stream", "--labels", "LABELS", "--classes", "2"}
                                                  << "labels.txt, line 4: there is no class 2 among 2 classes";
        QTest::newRow("seed below zero") << QStringList{"stream", "--labels", "LABELS", "--seed", "-1"}
                                         << "--seed is \"-1\", but must be";
        QTest::newRow("half a per cent") << QStringList{"stream", "default", "--blurry", "7.5"}
                                         << "--blurry is \"7.5\", but must be a whole number from 0 to 101";
        QTest::newRow("edit of an unknown class")
            << QStringList{"stream", "--labels", "LABELS", "--edits", "class 99 to session 1"}
            << "stream.edits has \"class 99 to session 1\", but there are only";
        QTest::newRow("edit in other words")
            << QStringList{"stream", "default", "--edits", "class one first"} << "which is no edit";
        QTest::newRow("no classes") << QStringList{"stream", "--labels", "LABELS", "--classes", "0"}
                                    << "--classes is \"0\", but must be";
        QTest::newRow("stream without labels") << QStringList{"stream"} << "--labels FILE";
        QTest::newRow("missing label file") << QStringList{"stream", "--labels", "/nowhere"} << "/nowhere";
        QTest::newRow("absurd stream") << QStringList{"stream", "default", "--sessions", "0"}
                                       << "--sessions is 0, but must be a whole number from 1 to 1000";
        QTest::newRow("unknown format") << QStringList{"stream", "default", "--format", "xml"}
                                        << "cannot be written as \"xml\". Use --format json, text or csv.";
        QTest::newRow("unknown partition")
            << QStringList{"stream", "default", "--partition", "unifrom"} << "Did you mean uniform?";
        QTest::newRow("list without a file")
            << QStringList{"stream", "default", "--partition", "imported"} << "stream.index_list names no file";
        QTest::newRow("missing index list")
            << QStringList{"stream", "default", "--index-list", "/nowhere.json"} << "/nowhere.json";
        QTest::newRow("missing index list of a run")
            << smallRun("OUT", {"stream.partition=imported", "stream.index_list=/nowhere.json"}) << "/nowhere.json";
        QTest::newRow("seed of an imported list")
            << QStringList{"stream", "default", "--index-list", "/nowhere.json", "--seed", "3"}
            << "--seed has no effect here. The imported list already says";
        QTest::newRow("sessions of an imported list")
            << QStringList{"stream", "default", "--index-list", "/nowhere.json", "--sessions", "3"}
            << "--sessions has no effect here";
        QTest::newRow("share of an ordered stream")
            << QStringList{"stream", "default", "--partition", "ordered", "--disjoint", "3"}
            << "--disjoint has no effect here";
        QTest::newRow("older sampler, ordered")
            << QStringList{"stream", "default", "--partition", "ordered", "--sampler", "older"} << "older sampler";
        QTest::newRow("comparison as CSV")
            << QStringList{"stream", "default", "--compare", "default", "--format", "csv"} << "--format text or json";
        QTest::newRow("statistics as CSV")
            << QStringList{"stream", "default", "--statistics", "--out", "a.csv"} << "--format text or json";
        QTest::newRow("comparison with nothing")
            << QStringList{"stream", "default", "--compare", "defalt"} << "Did you mean default?";
        QTest::newRow("unwritable stream")
            << QStringList{"stream", "default", "--out", "/nowhere/a.json"} << "/nowhere/a.json";
        QTest::newRow("unknown data set") << QStringList{"dataset", "check", "mnits"} << "fashion-mnist";
        QTest::newRow("no prompts") << QStringList{"prompts", "/nowhere"} << "/nowhere";
        QTest::newRow("nothing golden") << QStringList{"verify", "/nowhere"} << "/nowhere";
        QTest::newRow("not a run") << QStringList{"report", "/nowhere", "--out", "/nowhere/out"} << "/nowhere";
        const QStringList pretrain = {"pretrain",    "--classes", "2",       "--contours", "0",
                                      "--instances", "1",         "--steps", "1",          "--no-probe"};
        QTest::newRow("weights into no folder")
            << pretrain + QStringList{"--out", "/nowhere/x.safetensors"} << "/nowhere/x.safetensors";
        QTest::newRow("shares of groups without drawings")
            << pretrain + QStringList{"--out", "x.safetensors", "--shares", "0,1,1,1"} << "None of the drawings";
        QTest::newRow("weights over a folder") << pretrain + QStringList{"--out", "/usr"} << "/usr is a folder";
        QTest::newRow("no such benchmark") << QStringList{"bench", "--filter", "qqq"} << "qqq";
        QTest::newRow("no such backbone to measure")
            << QStringList{"bench", "--quick", "--backbone", "vit-b61"} << "Did you mean vit-b16?";
        QTest::newRow("a page of single cases")
            << QStringList{"bench", "--suite", "--backbone", "vit-b16"} << "--backbone has no effect on single cases.";
    }
    void badInputIsOneSentenceAndExitCodeTwo() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, part);
        arguments.replaceInStrings(QRegularExpression("^OUT$"), folder_->filePath("run"));
        arguments.replaceInStrings(QRegularExpression("^LABELS$"), folder_->filePath("labels.txt"));
        write(folder_->filePath("labels.txt"), "0\n\n1\n2\n");
        const Outcome outcome = call(arguments);
        QVERIFY2(QString(outcome.err).contains(part), outcome.err.constData());
        QVERIFY2(outcome.err.startsWith("palimpsest-cli: ") && outcome.err.count('\n') == 1, outcome.err.constData());
        QVERIFY2(outcome.out.isEmpty(), outcome.out.constData());
        QCOMPARE(outcome.code, 2);
    }

    void aMistakeInAFileNamesLineAndNearestKey() {
        const QString file = folder_->filePath("mine.toml");
        write(file, "seed = 2\n[stream]\nsesions = 3\n");
        const Outcome outcome = call({"run", file});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(file.toUtf8() + ", line 3: unknown key stream.sesions. Did you mean "
                                                      "stream.sessions?"),
                 outcome.err.constData());
    }

    void listsAreJsonLines_data() {
        QTest::addColumn<QString>("command");
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("value");
        QTest::newRow("methods") << "methods"
                                 << "name"
                                 << "dualprompt";
        QTest::newRow("masks") << "masks"
                               << "name"
                               << "session";
        QTest::newRow("datasets") << "datasets"
                                  << "name"
                                  << "fashion-mnist";
        QTest::newRow("backbones") << "backbones"
                                   << "name"
                                   << "palimpsest-stem-vit";
        QTest::newRow("presets") << "presets"
                                 << "name"
                                 << "default";
        QTest::newRow("options") << "options"
                                 << "key"
                                 << "stream.sessions";
    }
    void listsAreJsonLines() {
        QFETCH(QString, command);
        QFETCH(QString, field);
        QFETCH(QString, value);
        const Outcome plain = call({command});
        QCOMPARE(plain.code, 0);
        QVERIFY2(plain.out.contains(value.toUtf8()), plain.out.constData());
        const Outcome json = call({command, "--json"});
        QCOMPARE(json.code, 0);
        bool found = false;
        for (const QJsonObject& object : jsonLines(json.out)) {
            QVERIFY2(object.contains(field), json.out.constData());
            found = found || object[field].toString() == value;
        }
        QVERIFY2(found, json.out.constData());
    }

    void singleBenchmarksAreListedOneALine() {
        const Outcome outcome = call({"bench", "--list"});
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.split('\n').contains("training step, DualPrompt, float32"), outcome.out.constData());
    }

    void theBenchPageHasAllStagesAndAgreesWithItself() {
        const QStringList command = {"bench",   "--quick", "--device", "cpu",         "--threads", "1",
                                     "--batch", "4",       "--json",   "--precision", "float32"};
        const Outcome outcome = call(command);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QList<QJsonObject> lines = jsonLines(outcome.out);
        QCOMPARE(lines.size(), 7);
        QCOMPARE(lines[0]["kind"].toString(), QString("machine"));
        QCOMPARE(lines[0]["threads"].toInt(), 1);
        QCOMPARE(lines[1]["kind"].toString(), QString("roof"));
        const double roof = lines[1]["gflops"].toDouble();
        QCOMPARE(roof, std::max(lines[1]["gflops_own"].toDouble(), lines[1]["gflops_libtorch"].toDouble()));
        QHash<QString, double> work;
        for (const QJsonObject& stage : lines.sliced(2)) {
            const QString name = stage["stage"].toString();
            work[name] = stage["gflop_per_image"].toDouble();
            const double speed = stage["gflops"].toDouble(), images = stage["images_per_second"].toDouble();
            QVERIFY2(images > 0 && qFuzzyCompare(speed, images * work[name]), qPrintable(name));
            QVERIFY2(qFuzzyCompare(stage["of_roof"].toDouble(), speed / roof), qPrintable(name));
            QVERIFY2(stage["least_ms"].toDouble() <= stage["median_ms"].toDouble(), qPrintable(name));
            QVERIFY2(stage["repetitions"].toInt() >= 1, qPrintable(name));
        }
        QCOMPARE(QSet<QString>(work.keyBegin(), work.keyEnd()),
                 QSet<QString>({"query", "forward", "backward", "evaluation", "update"}));
        // An update is these three and the head, which is small.
        const double parts = work["query"] + work["forward"] + work["backward"];
        QVERIFY(work["update"] > parts && work["update"] < 1.01 * parts);
    }

    void theBenchPageIsForPeopleToo() {
        const Outcome outcome = call({"bench", "--quick", "--device", "cpu", "--threads", "1", "--batch", "4"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        for (const char* word : {"The roof", "float32", "palimpsest-stem-vit", "batches of 4 images", "images/s",
                                 "query", "forward", "backward", "evaluation", "update", "of the roof"})
            QVERIFY2(outcome.out.contains(word), word);
        for (const QByteArray& line : outcome.out.split('\n')) QVERIFY2(line.size() <= 120, line.constData());
    }

    void methodsAreListedByFamilyWithASentenceEach() {
        const Outcome all = call({"methods"});
        QCOMPARE(all.code, 0);
        QVERIFY2(all.out.startsWith("Prompts\n  dualprompt\n      Frozen backbone with a general prompt"),
                 all.out.constData());
        QVERIFY2(all.out.contains("\n\nA head and a memory\n  er\n      Linear head; images from the memory join every "
                                  "batch.\n"),
                 all.out.constData());
        QVERIFY(!all.out.contains("method.pool_size") && !all.out.contains("Costs"));
        for (const QByteArray& line : all.out.split('\n'))
            QVERIFY2(QString::fromUtf8(line).size() <= 80 || line.startsWith('`'), line.constData());
    }

    void oneMethodIsShownWithAllThatIsKnown() {
        const Outcome one = call({"methods", "coda-prompt"});
        QCOMPARE(one.code, 0);
        QVERIFY2(one.out.startsWith("CODA-Prompt\n  Each image mixes its prompt"), one.out.constData());
        for (const char* part :
             {"\nStores\n  Nothing of the stream.", "\nCosts\n  Two passes an image.\n", "\nPaper\n  Smith et al.",
              "\n  method.pool_size = 10\n", "Allowed: a whole number from 1 to 1000 prompts.",
              "Source: ", "\n  method.coda_published = false\n", "\n  method.calibration_file = \"\"\n"})
            QVERIFY2(one.out.contains(part), one.out.constData());
        QVERIFY2(!one.out.contains("method.l2p_length"), one.out.constData());
        for (const QByteArray& line : one.out.split('\n'))
            QVERIFY2(QString::fromUtf8(line).size() <= 80, line.constData());
        const QList<QJsonObject> json = jsonLines(call({"methods", "coda-prompt", "--json"}).out);
        QCOMPARE(json.size(), 1);
        QCOMPARE(json[0]["name"].toString(), QString("coda-prompt"));
        QCOMPARE(json[0]["parameters"].toArray()[0].toObject()["allowed"].toString(),
                 QString("a whole number from 1 to 1000"));
    }

    void aMethodIsFoundByItsTitleWhateverTheCase() {
        for (const char* name : {"EWC++", "ewc++", "EWCPP"}) {
            const Outcome one = call({"methods", name});
            QCOMPARE(one.code, 0);
            QVERIFY2(one.out.startsWith("EWC++\n"), one.out.constData());
        }
        const Outcome near = call({"methods", "ewc"});
        QCOMPARE(near.code, 2);
        QVERIFY2(near.err.contains("Did you mean ") && near.err.contains("ewcpp"), near.err.constData());
    }

    void aMethodListsNoOptionThatItsRunsDoNotRead() {
        const Outcome one = call({"methods", "l2p"});
        QCOMPARE(one.code, 0);
        QVERIFY2(one.out.contains("method.l2p_length = ") && one.out.contains("initial_session.prompts = "),
                 one.out.constData());
        for (const char* other : {"method.e_length", "method.g_blocks", "initial_session.rho", "takes no such prompt"})
            QVERIFY2(!one.out.contains(other), other);
    }

    void anUnknownMethodNamesTheNearest() {
        const Outcome near = call({"methods", "dualpromt"});
        QCOMPARE(near.code, 2);
        QVERIFY2(near.err.contains("There is no method \"dualpromt\". Did you mean dualprompt?"), near.err.constData());
        QVERIFY(near.out.isEmpty());
        const Outcome far = call({"methods", "zzzzzzzzzz", "--json"});
        QCOMPARE(far.code, 2);
        QVERIFY2(far.err.contains("`palimpsest-cli methods` lists all of them."), far.err.constData());
    }

    void sizesThatNoMethodCanHaveAreRefusedBeforeTheRun_data() {
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("part");
        QTest::newRow("fewer components than sessions")
            << QStringList{"method.name=coda-prompt", "method.pool_size=1"} << "method.pool_size is 1, but CODA-Prompt";
        QTest::newRow("more components than the backbone is wide")
            << QStringList{"method.name=coda-prompt", "method.pool_size=193"}
            << "has room for 192. Set method.pool_size to at most 192.";
        QTest::newRow("more experts than images")
            << QStringList{"method.name=fly-prompt", "method.random_features=0", "method.fly_experts=101"}
            << "method.fly_experts is 101, but";
    }
    void sizesThatNoMethodCanHaveAreRefusedBeforeTheRun() {
        QFETCH(QStringList, more);
        QFETCH(QString, part);
        QTemporaryDir folder;
        const Outcome outcome = call(smallRun(folder.filePath("run"), more));
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains(part.toUtf8()), outcome.err.constData());
        QVERIFY(!QFile::exists(folder.filePath("run")));
    }

    void aFileOfWeightsIsDescribed() {
        const QString file =
            QString::fromStdString((resourceFolder() / "backbones" / "palimpsest-vit.safetensors").string());
        const Outcome plain = call({"backbones", file});
        QCOMPARE(plain.code, 0);
        QVERIFY2(plain.out.contains("safetensors, names of timm"), plain.out.constData());
        const Outcome json = call({"backbones", file, "--json"});
        QCOMPARE(json.code, 0);
        const auto facts = jsonLines(json.out);
        QCOMPARE(facts.size(), 1);
        QCOMPARE(facts[0]["width"].toInt(), 128);
        QCOMPARE(facts[0]["known_as"].toString(), QString("palimpsest-vit"));
        const Outcome none = call({"backbones", QCoreApplication::applicationFilePath()});
        QCOMPARE(none.code, 2);
        QVERIFY2(none.err.contains("is no file of weights"), none.err.constData());
    }

    void generatedPagesAreUpToDate_data() {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("file");
        QTest::newRow("schema") << "--schema"
                                << "schema/experiment.schema.json";
        QTest::newRow("reference page") << "--markdown"
                                        << "docs/options.md";
    }
    void generatedPagesAreUpToDate() {
        QFETCH(QString, flag);
        QFETCH(QString, file);
        const Outcome outcome = call({"options", flag});
        QCOMPARE(outcome.code, 0);
        const QString path = QString::fromStdString((resourceFolder() / file.toStdString()).string());
        QVERIFY2(contentOf(path) == outcome.out,
                 qPrintable(QString("Make it again: palimpsest-cli options %1 > %2").arg(flag, path)));
    }

    void aStreamIsTheSameFromTextAndFromIdx() {
        QByteArray text;
        QByteArray idx = QByteArray::fromHex("000008010000012c");  // magic number, 300 labels
        for (int i = 0; i < 300; ++i) {
            text += QByteArray::number(i * 7 % 10) + (i % 2 ? "\r\n" : "\n");
            idx += static_cast<char>(i * 7 % 10);
        }
        write(folder_->filePath("labels.txt"), text);
        write(folder_->filePath("labels-idx1-ubyte"), idx);
        const QStringList settings = {"--classes", "10", "--sessions", "5", "--disjoint", "50",
                                      "--blurry",  "10", "--seed",     "3", "--format",   "json"};
        const Outcome fromText = call(QStringList{"stream", "--labels", folder_->filePath("labels.txt")} + settings);
        const Outcome fromIdx =
            call(QStringList{"stream", "--labels", folder_->filePath("labels-idx1-ubyte")} + settings);
        QCOMPARE(fromText.code, 0);
        QCOMPARE(fromIdx.code, 0);
        QCOMPARE(fromText.out, fromIdx.out);

        const QJsonObject stream = QJsonDocument::fromJson(fromText.out).object();
        QSet<int> samples;
        int total = 0;
        for (const QJsonValue& session : stream["sessions"].toArray()) {
            for (const QJsonValue& sample : session.toArray()) samples.insert(sample.toInt());
            total += int(session.toArray().size());
        }
        QCOMPARE(stream["sessions"].toArray().size(), 5);
        QCOMPARE(stream["disjoint_classes"].toArray().size(), 5);
        QCOMPARE(stream["blurry_classes"].toArray().size(), 5);
        QCOMPARE(total, 300);
        QCOMPARE(samples.size(), 300);
        QVERIFY(QRegularExpression("^[0-9a-f]{16}$").match(stream["fingerprint"].toString()).hasMatch());
        QVERIFY(stream["warnings"].isArray());
    }

    void aStreamOfAGzippedLabelFileIsTheOfficialOne() {
        // streams.json has the first sample indices of the official sampler for Fashion-MNIST's training labels.
        const QString labels = QString(PALIMPSEST_TEST_DATA) + "/fashion-mnist/train-labels-idx1-ubyte.gz";
        const QJsonObject golden =
            QJsonDocument::fromJson(contentOf(QString(PALIMPSEST_TEST_DATA) + "/golden/streams.json")).object();
        int compared = 0;
        for (const QJsonValue& value : golden["cases"].toArray()) {
            const QJsonObject one = value.toObject();
            if (one["labels"].toObject()["kind"].toString() != "fashion-mnist-train") continue;
            const Outcome outcome = call(
                {"stream", "--labels", labels, "--classes", QString::number(one["num_classes"].toInt()), "--sessions",
                 QString::number(one["num_tasks"].toInt()), "--disjoint", QString::number(one["n"].toInt()), "--blurry",
                 QString::number(one["m"].toInt()), "--seed", QString::number(one["seed"].toInt()), "--partition",
                 one["varying"].toBool() ? "stochastic" : "uniform"});
            QCOMPARE(outcome.code, 0);
            const QJsonArray sessions = QJsonDocument::fromJson(outcome.out).object()["sessions"].toArray();
            const QJsonArray expected = one["sessions"].toArray();
            QCOMPARE(sessions.size(), expected.size());
            for (qsizetype t = 0; t < sessions.size(); ++t) {
                const QJsonObject session = expected[t].toObject();
                QCOMPARE(sessions[t].toArray().size(), qsizetype{session["length"].toInt()});
                const QJsonArray first = session["first32"].toArray();
                for (qsizetype i = 0; i < first.size(); ++i)
                    QCOMPARE(sessions[t].toArray()[i].toInt(), first[i].toInt());
            }
            ++compared;
        }
        QVERIFY(compared >= 10);
    }

    void aStreamOfAnExperimentTakesItsSettings() {
        const QStringList experiment = {
            "stream", "default", "--set", "stream.dataset=shapes", "--set", "stream.train_limit=0"};
        const Outcome set = call(experiment + QStringList{"--set", "seed=9", "--set", "stream.sessions=3"});
        const Outcome given = call(experiment + QStringList{"--seed", "9", "--sessions", "3"});
        QCOMPARE(set.code, 0);
        QCOMPARE(set.out, given.out);
        QCOMPARE(QJsonDocument::fromJson(set.out).object()["sessions"].toArray().size(), 3);
    }

    void aStreamTooShortToBeEvaluatedOnTheWayIsNamedBeforeItRuns() {
        const QStringList sixty = {
            "stream",   "default", "--set", "stream.dataset=shapes", "--set", "stream.train_limit=60",
            "--format", "text"};
        // The last session has 17 images, a batch: as many more after it are looked ahead to.
        const QByteArray note = "Note: evaluation.every_samples is 77, but only 60 images come";
        const Outcome met = call(sixty + QStringList{"--set", "evaluation.every_samples=77"});
        QVERIFY2(met.out.contains(note), met.out + met.err);
        const Outcome passed = call(sixty + QStringList{"--set", "evaluation.every_samples=76"});
        QVERIFY2(passed.code == 0 && !passed.out.contains("evaluation."), passed.out + passed.err);
    }

    void aStreamIsWrittenAndReadBack() {
        const QStringList shapes = {"stream", "default", "--set", "stream.dataset=shapes"};
        const QString list = folder_->filePath("plan.json");
        const Outcome written = call(shapes + QStringList{"--seed", "5", "--out", list});
        QVERIFY2(written.code == 0, written.err);
        QVERIFY(written.out.startsWith("Written: " + list.toUtf8()));
        const Outcome planned = call(shapes + QStringList{"--seed", "5"});
        QCOMPARE(contentOf(list), planned.out);

        const Outcome imported = call(shapes + QStringList{"--index-list", list});
        QVERIFY2(imported.code == 0, imported.err);
        const QJsonObject a = QJsonDocument::fromJson(planned.out).object(),
                          b = QJsonDocument::fromJson(imported.out).object();
        for (const char* key : {"sessions", "disjoint_classes", "blurry_classes", "fingerprint"})
            QCOMPARE(b[key], a[key]);

        const Outcome same = call(shapes + QStringList{"--seed", "5", "--compare", list, "--format", "text"});
        QVERIFY2(same.out.startsWith("The same stream"), same.out + same.err);
        const Outcome other = call(shapes + QStringList{"--seed", "6", "--compare", list});
        QCOMPARE(QJsonDocument::fromJson(other.out).object()["sameness"].toString(), QString("same-samples"));
    }

    void aStreamAsATableHasALineASample() {
        const QString file = folder_->filePath("plan.csv");
        const Outcome outcome = call(
            {"stream", "default", "--set", "stream.dataset=shapes", "--set", "stream.train_limit=60", "--out", file});
        QVERIFY2(outcome.code == 0, outcome.err);
        const QList<QByteArray> lines = contentOf(file).trimmed().split('\n');
        QCOMPARE(lines.front(), QByteArray("session,position,sample,class,kind"));
        QCOMPARE(lines.size(), 61);
    }

    void statisticsAreAddedWhenAskedFor() {
        const QStringList shapes = {"stream", "default", "--set", "stream.dataset=shapes", "--statistics"};
        const Outcome text = call(shapes + QStringList{"--format", "text"});
        QVERIFY2(text.out.contains("imbalance: largest class / smallest"), text.out + text.err);
        const QJsonObject json = QJsonDocument::fromJson(call(shapes).out).object()["statistics"].toObject();
        QCOMPARE(json["sessions"].toArray().size(), 5);
    }

    void theOlderSamplerNamesWhatItLeavesOut() {
        const QStringList nine = {"stream", "default", "--set", "stream.dataset=shapes", "--set", "stream.classes=9"};
        const Outcome older = call(nine + QStringList{"--sampler", "older", "--format", "text"});
        QVERIFY2(older.out.contains("Note: The older sampler leaves out classes "), older.out + older.err);
        QVERIFY(!call(nine + QStringList{"--format", "text"}).out.contains("older"));
    }

    void aRunOfAnImportedStreamCanBeRepeatedFromItsFolder() {
        const QString list = folder_->filePath("plan.json");
        write(list, "[[0,3,6,9,12,15],[1,2,4,5,7,8,10,11,20,21,22],[30,31,32,33,0]]");
        const Outcome first =
            call(smallRun(folder_->filePath("first"), {"stream.partition=imported", "stream.index_list=" + list}));
        QVERIFY2(first.code == 0, first.err);
        QFile::remove(list);
        const Outcome second = call({"run", folder_->filePath("first"), "--out", folder_->filePath("second")});
        QVERIFY2(second.code == 0, second.err);
        for (const char* file : {"anytime.csv", "sessions.csv", "training.csv", "stream.json", "experiment.toml"}) {
            QVERIFY2(!contentOf(folder_->filePath(QString("first/") + file)).isEmpty(), file);
            QCOMPARE(contentOf(folder_->filePath(QString("second/") + file)),
                     contentOf(folder_->filePath(QString("first/") + file)));
        }
        const RunRecord record = readRun(table_, folder_->filePath("second").toStdString());
        QCOMPARE(record.session_starts.size(), std::size_t{3});
        QCOMPARE(record.experiment.stream.sessions, std::int64_t{3});
        QCOMPARE(record.total_samples, std::int64_t{22});
    }

    void aBadFolderForTemporaryFilesIsOneSentence() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("TMPDIR", "/nowhere");
        const Outcome outcome = call({"selfcheck"}, environment);
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.err.contains("Set TMPDIR to a folder") && outcome.err.count('\n') == 1,
                 outcome.err.constData());
    }

    void theSameExperimentGivesTheSameNumbersTwice() {
        const Outcome first = call(smallRun(folder_->filePath("first")));
        const Outcome second = call(smallRun(folder_->filePath("second")));
        QVERIFY2(first.code == 0 && second.code == 0, first.err + second.err);
        for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv", "experiment.toml"}) {
            const QByteArray content = contentOf(folder_->filePath(QString("first/") + file));
            QVERIFY2(content.count('\n') > 2, file);
            QVERIFY2(content == contentOf(folder_->filePath(QString("second/") + file)), file);
        }
        QVERIFY(first.out.contains("Run folder: " + folder_->filePath("first").toUtf8()));
        QVERIFY(first.out.contains("A_AUC"));
        QVERIFY2(!first.err.contains("images/s"), "there is no progress bar outside a terminal");
    }

    void aRunTellsItsStoryInJson() {
        const Outcome outcome = call(smallRun(folder_->filePath("run")) + QStringList{"--json"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QList<QJsonObject> events = jsonLines(outcome.out);
        QVERIFY(events.size() > 4);
        QCOMPARE(events.first()["event"].toString(), QString("started"));
        QCOMPARE(events.first()["folder"].toString(), folder_->filePath("run"));
        QCOMPARE(events.first()["total_samples"].toInt(), 100);
        QCOMPARE(events.last()["event"].toString(), QString("ended"));
        QCOMPARE(events.last()["state"].toString(), QString("finished"));
        int sessions = 0;
        for (const QJsonObject& event : events) sessions += event["event"].toString() == "session_ended";
        QCOMPARE(sessions, 2);

        const RunRecord record = readRun(table_, folder_->filePath("run").toStdString());
        QCOMPARE(record.state, RecordedState::Finished);
        QVERIFY(record.warnings.empty());
        QVERIFY(record.summary.a_auc.has_value());
        QCOMPARE(events.last()["summary"].toObject()["a_auc"].toDouble(), *record.summary.a_auc);
    }

    void plateausOfTheLossArePrinted() {
        // Any two losses are a plateau.
        const QStringList plateaus = {"method.name=online-lora", "method.lora_window=2",
                                      "method.lora_plateau_mean=1000", "method.lora_plateau_variance=1000"};
        const Outcome json = call(smallRun(folder_->filePath("json"), plateaus) + QStringList{"--json"});
        QVERIFY2(json.code == 0, json.err.constData());
        const RunRecord record = readRun(table_, folder_->filePath("json").toStdString());
        QVERIFY(!record.plateaus.empty());
        std::size_t told = 0;
        for (const QJsonObject& event : jsonLines(json.out)) {
            if (event["event"].toString() != "plateau") continue;
            QVERIFY(told < record.plateaus.size());
            QCOMPARE(event["samples_seen"].toInt(), record.plateaus[told].samples_seen);
            QCOMPARE(event["update"].toInt(), record.plateaus[told].update);
            QCOMPARE(event["mean"].toDouble(), record.plateaus[told].mean);
            QCOMPARE(event["variance"].toDouble(), record.plateaus[told].variance);
            ++told;
        }
        QCOMPARE(told, record.plateaus.size());
        const Outcome plain = call(smallRun(folder_->filePath("plain"), plateaus));
        QCOMPARE(plain.code, 0);
        QVERIFY2(plain.out.contains(" images  plateau of the loss at update " +
                                    QByteArray::number(static_cast<qlonglong>(record.plateaus[0].update)) + ": mean "),
                 plain.out.constData());
    }

    void aFolderIsNeverOverwritten() {
        QCOMPARE(call(smallRun(folder_->filePath("run"))).code, 0);
        const QByteArray before = contentOf(folder_->filePath("run/run.json"));
        const Outcome again = call(smallRun(folder_->filePath("run")));
        QCOMPARE(again.code, 2);
        QVERIFY2(again.err.contains("is not empty, and a run is never overwritten"), again.err.constData());
        QCOMPARE(contentOf(folder_->filePath("run/run.json")), before);
    }

    void aStreamTooShortToBeEvaluatedOnTheWayIsNamed() {
        const Outcome outcome = call(smallRun(folder_->filePath("run"), {"evaluation.every_samples=1000"}));
        QVERIFY2(outcome.out.contains("Note: evaluation.every_samples is 1000, but only 100 images come, so nothing is "
                                      "evaluated on the way and there is no A_AUC.\n"),
                 outcome.out.constData());
        QVERIFY(contentOf(folder_->filePath("run/run.json")).contains("but only 100 images come"));
    }

    void theNumbersOfAStoppedRunSayHowFarTheyGo() {
        QProcess process;
        process.start(program(),
                      smallRun(folder_->filePath("run"), {"stream.train_limit=200", "training.updates_per_batch=400"}));
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(folder_->filePath("run/sessions.csv")).count('\n') > 1, kPatience);
        kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 0);
        const QByteArray out = process.readAllStandardOutput();
        QVERIFY2(out.contains("mean accuracy so far") && out.contains("after 1 of 2 sessions, over all classes seen"),
                 out.constData());
        QVERIFY2(!out.contains("after the last session"), out.constData());
        const RunRecord record = readRun(table_, folder_->filePath("run").toStdString());
        QCOMPARE(record.summary.sessions_ended, std::int64_t{1});
    }

    void ctrlCStopsAndKeepsAReadableFolder() {
        QProcess process;
        startLongRun(process);
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        const RunRecord record = readRun(table_, folder_->filePath("run").toStdString());
        QCOMPARE(record.state, RecordedState::Stopped);
        QVERIFY(record.warnings.empty());
        QCOMPARE(record.total_samples, std::int64_t{600});
        QVERIFY(contentOf(folder_->filePath("run/training.csv")).count('\n') > 60);
    }

    void whatAnotherProgramSendsNeverThrowsARunAway_data() {
        QTest::addColumn<QList<int>>("signals_sent");
        QTest::newRow("timeout, which sends it twice") << QList<int>{SIGTERM, SIGTERM};
        QTest::newRow("the terminal was closed") << QList<int>{SIGHUP};
        QTest::newRow("interrupted by a script, repeatedly") << QList<int>{SIGINT, SIGINT, SIGINT};
        QTest::newRow("everything") << QList<int>{SIGHUP, SIGINT, SIGTERM};
    }
    void whatAnotherProgramSendsNeverThrowsARunAway() {
        QFETCH(QList<int>, signals_sent);
        QProcess process;
        process.setChildProcessModifier([] { signal(SIGHUP, SIG_DFL); });  // the tests themselves may run under nohup
        startLongRun(process, 200);
        QByteArray said;
        for (qsizetype i = 0; i < signals_sent.size(); ++i) {
            kill(static_cast<pid_t>(process.processId()), signals_sent[i]);
            // Two equal signals would merge if the second came before the first was handled.
            QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).count("Stopping") > i, kPatience);
        }
        QVERIFY2(!said.contains("throws the run away"), said.constData());
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(readRun(table_, folder_->filePath("run").toStdString()).state, RecordedState::Stopped);
    }

    void aReaderThatGoesAwayStopsTheRunAndKeepsIt() {
        QProcess process;
        process.setChildProcessModifier([] { signal(SIGPIPE, SIG_DFL); });
        const QStringList words =
            QStringList{program()} +
            smallRun(folder_->filePath("run"),
                     {"stream.train_limit=600", "evaluation.every_samples=8", "training.updates_per_batch=20"});
        process.start("/bin/bash", QStringList{"-o", "pipefail", "-c", "\"$@\" | head -n 1", "bash"} + words);
        const Outcome outcome = outcomeOf(process);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QCOMPARE(outcome.out.count('\n'), 1);
        QVERIFY2(outcome.err.contains("Stopping at the next batch"), outcome.err.constData());
        QCOMPARE(readRun(table_, folder_->filePath("run").toStdString()).state, RecordedState::Stopped);
    }

    void outputThatCannotBeWrittenIsNoSuccess_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("methods") << QStringList{"methods", "--json"};
        QTest::newRow("options") << QStringList{"options", "--markdown"};
        QTest::newRow("help") << QStringList{"--help"};
        QTest::newRow("stream") << QStringList{"stream", "default", "--set", "stream.dataset=shapes"};
    }
    void outputThatCannotBeWrittenIsNoSuccess() {
        QFETCH(QStringList, arguments);
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(program(), arguments);
        const Outcome outcome = outcomeOf(process);
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("The output could not be written."), outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
    }

    void whatIsNoFileIsNeverReplaced() {
        const QString link = folder_->filePath("link.json"), target = folder_->filePath("target.json");
        const QString pipe = folder_->filePath("pipe.json"), file = folder_->filePath("file.json");
        write(target, "mine");
        write(file, "old");
        QVERIFY(QFile::link(target, link));
        QCOMPARE(mkfifo(pipe.toLocal8Bit().constData(), 0600), 0);
        const auto streamTo = [](const QString& out) {
            return call({"stream", "default", "--set", "stream.dataset=shapes", "--format", "json", "--out", out});
        };
        for (const QString& out : {QString("/dev/full"), link, pipe}) {
            const Outcome outcome = streamTo(out);
            QCOMPARE(outcome.code, 2);
            QVERIFY2(outcome.err.contains("never replaced"), outcome.err.constData());
        }
        QVERIFY(std::filesystem::is_character_file("/dev/full"));
        QCOMPARE(contentOf(target), QByteArray("mine"));
        QVERIFY(std::filesystem::is_fifo(pipe.toStdString()));
        // A file is what the user named, and is replaced as a whole.
        QCOMPARE(streamTo(file).code, 0);
        QVERIFY(contentOf(file).startsWith('{'));
    }

    void withoutAHomeNothingIsWrittenToTheCurrentFolder() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"HOME", "PALIMPSEST_RUNS", "XDG_DATA_HOME", "PALIMPSEST_DATA"})
            environment.remove(name);
        const Outcome outcome = call({"runs", "--json"}, environment);
        // The system's list of users knows a home, or nothing does.
        if (outcome.code != 0) QVERIFY2(outcome.err.contains("Neither HOME nor"), outcome.err.constData());
        QVERIFY(!QFile::exists(".local"));
    }

    void foreignFilesAreRefusedInOnePlainLine_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("escape in a value") << QByteArray("precision = \"\\u001b]0;x\\u0007\"\n");
        QTest::newRow("escape in a key") << QByteArray("\"a\\u001bb\" = 1\n");
        QTest::newRow("zero byte") << QByteArray("precision = \"\\u0000\"\n");
        QTest::newRow("backwards") << QByteArray("precision = \"\\u202Ex\"\n");
        QTest::newRow("cut boolean") << QByteArray("a = fa\n");
        QTest::newRow("endless value") << "precision = \"" + QByteArray(100'000, 'x') + "\"\n";
        QTest::newRow("deep key") << QByteArray("a") + QByteArray(".a").repeated(200'000) + " = 1\n";
        QByteArray many;
        for (int i = 0; i < 3000; ++i) many += "wrong" + QByteArray::number(i) + " = 1\n";
        QTest::newRow("many mistakes") << many;
    }
    void foreignFilesAreRefusedInOnePlainLine() {
        QFETCH(QByteArray, text);
        write(folder_->filePath("x.toml"), text);
        const Outcome outcome = call({"stream", folder_->filePath("x.toml")});
        QCOMPARE(outcome.code, 2);
        QCOMPARE(outcome.err.count('\n'), 1);
        QVERIFY2(outcome.err.size() < 9000, outcome.err.left(200).constData());
        QVERIFY2(
            isPlainLine(std::string_view(outcome.err.constData(), static_cast<std::size_t>(outcome.err.size()) - 1)),
            outcome.err.constData());
    }

    void aHangUpIsIgnoredWhereItWasIgnoredBefore() {
        QProcess process;
        process.setChildProcessModifier([] { signal(SIGHUP, SIG_IGN); });  // as nohup does
        startLongRun(process);
        kill(static_cast<pid_t>(process.processId()), SIGHUP);
        kill(static_cast<pid_t>(process.processId()), SIGTERM);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.readAllStandardError().count("Stopping"), 1);
        QCOMPARE(process.exitCode(), 0);
    }

    void aSecondCtrlCAtTheTerminalThrowsTheRunAway() {
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
            QSKIP("This machine gives out no terminal.");
        const std::string name = ptsname(terminal);
        QProcess process;
        process.setChildProcessModifier([name] {
            // The first terminal opened by a session leader becomes its controlling terminal.
            setsid();
            const int own = open(name.c_str(), O_RDWR);
            if (own >= 0) dup2(own, STDIN_FILENO);
        });
        startLongRun(process, 200);
        QCOMPARE(::write(terminal, "\x03", 1), 1);
        QByteArray said;
        QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("Ctrl-C once more"), kPatience);
        QCOMPARE(::write(terminal, "\x03", 1), 1);
        QVERIFY(process.waitForFinished(kPatience));
        close(terminal);
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(!QFile::exists(folder_->filePath("run")));
    }

    void aKilledRunIsReportedAsCrashed() {
        QProcess process;
        startLongRun(process);
        process.kill();
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(readRun(table_, folder_->filePath("run").toStdString()).state, RecordedState::Crashed);
    }

private:
    /// Returns while the run is in the middle of a batch: each has many updates, and rows are on disk.
    void startLongRun(QProcess& process, int updates = 60) {
        process.start(program(),
                      smallRun(folder_->filePath("run"), {"stream.train_limit=0", "evaluation.every_samples=0",
                                                          QString("training.updates_per_batch=%1").arg(updates)}) +
                          QStringList{"--json"});
        QTRY_VERIFY_WITH_TIMEOUT(contentOf(folder_->filePath("run/training.csv")).count('\n') > 1, kPatience);
    }

    const OptionTable table_{Catalogue{}};
    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_GUILESS_TEST(TestCli)

}  // namespace tst_cli

#include "tst_cli.moc"
