// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <memory>

#include "engine/config/experiment_file.h"
#include "engine/support/process.h"
#include "engine/support/resource_folder.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_slurm.h"
#include "tests/support/cli_program.h"
#include "tests/support/linear_head_text.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_cli_sweep {

namespace {

QJsonObject objectIn(const QString& path) {
    return QJsonDocument::fromJson(contentOf(path)).object();
}

const char* const kTwoRows = R"([[row]]
name = "Slow steps"
set = { "training.learning_rate" = 0.001 }
[[row]]
name = "Long steps"
set = { "training.learning_rate" = 0.1 }
)";

/// DualPrompt on the same, from prompts that the sweep adapts to a few fractals.
const char* const kPromptRows = R"([set]
"method.name" = "dualprompt"
"backbone.image_size" = 16
[[initial_session]]
name = "FAM"
set = { "initial_session.prompts" = "fam", "initial_session.classes" = 3, "initial_session.other_classes" = 2, \
"initial_session.other_drawn" = 2, "initial_session.images_per_class" = 2, "initial_session.batch_size" = 6 }
[[row]]
name = "Random"
[[row]]
name = "General"
initial_session = "FAM"
set = { "initial_session.load" = "general" }
[[row]]
name = "Both"
initial_session = "FAM"
published = { a_auc = 50 }
)";

// Four batches of many updates: when the first rows are on the disk, most of the run is still to come.
const char* const kLong = "[set]\n\"training.updates_per_batch\" = 200\n\"evaluation.every_samples\" = 0\n";
const char* const kLongEnough = "[set]\n\"training.updates_per_batch\" = 60\n";

}  // namespace

class TestCliSweep : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        write(folder_->filePath("base.toml"), QByteArray::fromStdString(linearHeadText()));
    }

    void everyGridOfTheProgramCanBeListed_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : sweepNames()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyGridOfTheProgramCanBeListed() {
        QFETCH(QString, name);
        const Outcome outcome = call({"sweep", name, "--list", "--json"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY(jsonLines(outcome.out).size() >= 10);
    }

    void rowsAndSeedsAreRunInProcessesOfTheirOwnAndTabulated() {
        makeGrid("[1, 2]", kTwoRows);
        const Outcome outcome = call(sweep({"--jobs", "2"}));
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QVERIFY2(outcome.out.contains("4 runs; 2 at once, 1 thread each"), outcome.out.constData());
        QCOMPARE(outcome.out.count(" remain"), 4);
        QVERIFY2(outcome.out.contains("Finished: 4 of 4 runs."), outcome.out.constData());

        QCOMPARE(contentOf(out("sweep.toml")), contentOf(folder_->filePath("grid.toml")));
        QCOMPARE(states(), QStringList({"finished", "finished", "finished", "finished"}));
        const QByteArray table = contentOf(out("table.md"));
        QVERIFY2(table.contains("| Slow steps | 2 | ") && table.contains("| Long steps | Slow steps | 2 | "),
                 table.constData());
        QVERIFY(contentOf(out("table.csv")).startsWith("row,baseline,runs,a_auc_mean"));
        QVERIFY(contentOf(out("table.csv")).contains(",precision,device,versions,processors\n"));
        QVERIFY2(table.contains("p (Holm)") && !table.contains("The runs computed"), table.constData());
        QCOMPARE(runsIn("sweep.json")[0].toObject()["precision"].toString(), QString("float32"));
        const QJsonArray differences = objectIn(out("sweep.json"))["differences"].toArray();
        QCOMPARE(differences[0].toObject()["row"].toString(), QString("Long steps"));
        QCOMPARE(differences[0].toObject()["pairs"].toInt(), 2);
        QVERIFY(contentOf(out("table.tex")).contains("\\toprule"));
        QVERIFY(contentOf(out("runs/001-slow-steps-seed-1.log")).contains("Run folder: "));

        // Each equals the run that `run` makes of the experiment file beside it.
        const Outcome alone =
            call({"run", out("runs/004-long-steps-seed-2.toml"), "--out", folder_->filePath("alone")});
        QVERIFY2(alone.code == 0, alone.err.constData());
        for (const char* file : {"anytime.csv", "training.csv", "experiment.toml"}) {
            const QByteArray content = contentOf(out(QString("runs/004-long-steps-seed-2/") + file));
            QVERIFY2(content.count('\n') > 2, file);
            QVERIFY2(content == contentOf(folder_->filePath(QString("alone/") + file)), file);
        }
        QVERIFY(contentOf(out("runs/004-long-steps-seed-2/training.csv")) !=
                contentOf(out("runs/002-long-steps-seed-1/training.csv")));
    }

    void withoutANumberThereIsARunForEachCoreWithOneThread() {
        makeGrid("[1, 2]", kTwoRows);
        const Outcome outcome = call(sweep({"--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto begun = jsonLines(outcome.out).front();
        cpu_set_t cores;
        QCOMPARE(sched_getaffinity(0, sizeof cores, &cores), 0);
        QCOMPARE(begun["jobs"].toInt(), std::min(4, CPU_COUNT(&cores)));
        QCOMPARE(begun["threads"].toInt(), 1);
    }

    void theShareOfTheCoresDoesNotDependOnHowManyRunsAreLeft() {
        makeGrid("[1, 2]", kTwoRows);
        cpu_set_t cores;
        QCOMPARE(sched_getaffinity(0, sizeof cores, &cores), 0);
        const Outcome outcome = call(sweep({"--only", "2", "--jobs", QString::number(CPU_COUNT(&cores)), "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto begun = jsonLines(outcome.out).front();
        QCOMPARE(begun["jobs"].toInt(), 1);
        QCOMPARE(begun["threads"].toInt(), 1);
    }

    void promptsAreMadeOnceBeforeTheRunsThatBeginWithThem() {
        makeGrid("[1]", QByteArray(kPromptRows).replace("\\\n", ""));
        // A single run waits for prompts that are to be made first.
        const Outcome early = call(sweep({"--only", "2"}));
        QCOMPARE(early.code, 2);
        QVERIFY2(early.err.contains("The prompts of the initial session \"FAM\" are not made yet."),
                 early.err.constData());

        const Outcome slurm = call(sweep({"--slurm", "-p long"}));
        QVERIFY2(slurm.code == 0, slurm.err.constData());
        QCOMPARE(slurm.out, "sbatch --dependency=afterok:$(sbatch --parsable " + out("prompts.sbatch").toUtf8() + ") " +
                                out("sweep.sbatch").toUtf8() + "\n");
        QVERIFY(contentOf(out("prompts.sbatch")).contains(" --only-prompts &\n"));

        const Outcome prompts = call(sweep({"--only-prompts", "--json"}));
        QVERIFY2(prompts.code == 0, prompts.err.constData());
        QStringList events;
        for (const QJsonObject& event : jsonLines(prompts.out)) events << event["event"].toString();
        QCOMPARE(events, QStringList({"sweep_started", "prompts_started", "prompts_ended"}));
        const QStringList made = QDir(out("prompts")).entryList({"*.safetensors"});
        QCOMPARE(made.size(), 1);
        QVERIFY(made.front().startsWith("fam-"));
        QCOMPARE(QDir(out("runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 0);

        const Outcome all = call(sweep());
        QVERIFY2(all.code == 0, all.err + all.out);
        QVERIFY2(!all.out.contains("Initial session FAM"), all.out.constData());
        QCOMPARE(states(), QStringList({"finished", "finished", "finished"}));
        QCOMPARE(QDir(out("prompts")).entryList({"*.safetensors"}), made);
        QVERIFY(contentOf(out("runs/003-both-seed-1/experiment.toml")).contains(made.front().toUtf8()));
        QVERIFY2(contentOf(out("table.md")).contains("Beside the published numbers"), contentOf(out("table.md")));
        QCOMPARE(objectIn(out("sweep.json"))["prompts"].toArray()[0].toObject()["file"].toString(), made.front());

        // Another sweep that is told of the folder takes the same prompts, and its runs are found where it is moved.
        const Outcome shared = call({"sweep", folder_->filePath("grid.toml"), "--out", folder_->filePath("other"),
                                     "--prompts", out("prompts"), "--rows", "Both"});
        QVERIFY2(shared.code == 0 && !shared.out.contains("Initial session"), shared.err + shared.out);
        QVERIFY(QDir(folder_->path()).rename("other", "moved"));
        const Outcome moved = call({"sweep", folder_->filePath("grid.toml"), "--out", folder_->filePath("moved"),
                                    "--prompts", out("prompts"), "--rows", "Both"});
        QVERIFY2(moved.out.contains("1 run, 1 finished already"), moved.out.constData());
    }

    void runsWhosePromptsCannotBeMadeAreNamedAndTheOthersGoOn() {
        makeGrid("[1]", QByteArray(kPromptRows).replace("\\\n", ""));
        const QByteArray grid = contentOf(folder_->filePath("grid.toml"));
        QVERIFY(QDir().mkpath(out("")));
        QVERIFY(QFile::copy(folder_->filePath("grid.toml"), out("sweep.toml")));
        write(out("prompts"), "a file where the folder should be");
        const Outcome outcome = call(sweep());
        QCOMPARE(outcome.code, 1);
        QCOMPARE(states(), QStringList({"finished", "failed", "failed"}));
        const QString error = runsIn("sweep.json")[1].toObject()["error"].toString();
        QVERIFY2(error.contains("The prompts of its initial session \"FAM\" were not made"), qPrintable(error));
    }

    void everythingThatIsMissingIsSaidAtOnce() {
        makeGrid("[1]",
                 "[[row]]\nname = \"A\"\nset = { \"stream.dataset\" = \"cifar100\", \"stream.root\" = \"/nowhere\" }\n"
                 "[[row]]\nname = \"B\"\nset = { \"backbone.weights\" = \"vit-b16-in21k\", \"backbone.name\" = "
                 "\"vit-b16\" }\n");
        const Outcome outcome = call(sweep());
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("Missing data set cifar100 (1 row): ") &&
                     outcome.err.contains("palimpsest-cli dataset fetch cifar100"),
                 outcome.err.constData());
        QVERIFY2(outcome.err.contains("Missing weights vit-b16-in21k (1 row): ") &&
                     outcome.err.contains("palimpsest-cli backbones fetch vit-b16-in21k") &&
                     outcome.err.contains("backbones/vit-b16-in21k/ViT-B_16.npz"),
                 outcome.err.constData());
        QVERIFY2(outcome.err.contains("needs 2 things that are not there, so nothing was started."),
                 outcome.err.constData());
        QVERIFY(!QFile::exists(out("")));
        QStringList kinds;
        for (const QJsonObject& event : jsonLines(call(sweep({"--json"})).out)) kinds << event["kind"].toString();
        QCOMPARE(kinds, QStringList({"data set", "weights"}));
    }

    void anEstimateMeasuresAndRunsNothing() {
        makeGrid("[1, 2]", QByteArray(kPromptRows).replace("\\\n", ""));
        const Outcome outcome = call(sweep({"--estimate", "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto lines = jsonLines(outcome.out);
        QVERIFY(lines.size() == 5);
        QCOMPARE(lines[0]["event"].toString(), QString("initial_session"));
        double together = lines[0]["seconds"].toDouble();
        QVERIFY(together > 0);
        for (int row = 1; row <= 3; ++row) {
            QCOMPARE(lines[row]["event"].toString(), QString("row"));
            QCOMPARE(lines[row]["runs"].toInt(), 2);
            QCOMPARE(lines[row]["batches"].toInt(), 4);
            QCOMPARE(lines[row]["updates"].toInt(), 4);
            QCOMPARE(lines[row]["evaluations"].toInt(), 3);
            QVERIFY(lines[row]["seconds"].toDouble() > 0);
            together += 2 * lines[row]["seconds"].toDouble();
        }
        QCOMPARE(lines[4]["event"].toString(), QString("estimate"));
        QVERIFY(std::abs(lines[4]["seconds"].toDouble() - together) < 1e-6 * together);
        QCOMPARE(lines[4]["measured"].toInt(), 1);
        QVERIFY(lines[4]["memory_bytes"].toDouble() > 1e8 && lines[4]["disk_bytes"].toDouble() > 0);
        double parts = 0;
        for (const QJsonValue part : lines[4]["disk_parts"].toObject()) parts += part.toDouble();
        QCOMPARE(parts, lines[4]["disk_bytes"].toDouble());
        QVERIFY(lines[4]["disk_parts"].toObject()["checkpoints"].toDouble() < 100e6);
        QVERIFY(!lines[4]["assumptions"].toArray().isEmpty());
        QVERIFY(lines[4].contains("shared_load"));
        QVERIFY(!QFile::exists(out("")));
        const Outcome text = call(sweep({"--estimate", "--rows", "Both"}));
        QVERIFY2(text.out.contains("Both") && !text.out.contains("General") && text.out.contains("Assumptions"),
                 text.out.constData());
    }

    void anEstimatesMemoryIsThatOfItsRuns() {
        makeGrid("[1]",
                 "[[row]]\nname = \"Replay\"\nset = { \"method.name\" = \"er\", \"memory.size\" = 40, "
                 "\"memory.batch_size\" = 40 }\n");
        compareMemory("001-replay-seed-1", 0.7);
    }

    // With a frozen network nothing needs as much as an evaluation, which has a batch of its own.
    void anEstimatesMemoryOfAFrozenWideBackboneIsThatOfItsEvaluations() {
        makeGrid("[1]",
                 "[set]\n\"backbone.name\" = \"vit-s16\"\n\"backbone.weights\" = \"random\"\n"
                 "\"stream.sessions\" = 1\n\"stream.train_limit\" = 128\n"
                 "\"stream.test_limit\" = 256\n\"training.batch_size\" = 64\n"
                 "\"training.updates_per_batch\" = 1\n\"evaluation.every_samples\" = 0\n");
        compareMemory("001-tiny-seed-1", 0.9);
    }

    void anEstimateCountsTheUpdatesAfterASession() {
        makeGrid("[1]",
                 "[[row]]\nname = \"Rainbow\"\nset = { \"method.name\" = \"rainbow-memory\", \"memory.size\" = 40, "
                 "\"method.rainbow_epochs\" = 2, \"training.batch_size\" = 8, \"stream.sessions\" = 1 }\n");
        const Outcome outcome = call(sweep({"--estimate", "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto lines = jsonLines(outcome.out);
        QCOMPARE(lines.size(), 2);
        const Outcome learned = call(sweep());
        QVERIFY2(learned.code == 0, learned.err + learned.out);
        const QByteArray last = contentOf(out("runs/001-rainbow-seed-1/training.csv")).trimmed().split('\n').back();
        QCOMPARE(lines[0]["updates"].toInt(), last.split(',')[1].toInt());
        // 13 batches of the stream, then two epochs of two passes over three batches of the memory.
        QCOMPARE(lines[0]["updates"].toInt(), 13 + 2 * 2 * 3);
    }

    void aMiniatureTriesAGridOfThePaperOnMadeData() {
        const Outcome outcome = call({"sweep", "paper/table-12", "--out", out(""), "--miniature", "--rows", "scale"});
        QVERIFY2(outcome.code == 0, outcome.err + outcome.out);
        QVERIFY2(outcome.out.contains("Finished: 5 of 5 runs."), outcome.out.constData());
        QVERIFY2(contentOf(out("table.md")).contains("| With scale and shift | 5 | "), contentOf(out("table.md")));
        QVERIFY2(contentOf(out("table.md")).contains("whose numbers mean nothing: Table 12"),
                 contentOf(out("table.md")));
        QVERIFY(!QFile::exists(out("prompts")));
        // What it made is never taken for the real thing.
        const Outcome listed = call({"sweep", "paper/table-12", "--out", out(""), "--list", "--json"});
        for (const QJsonObject& run : jsonLines(listed.out)) QCOMPARE(run["state"].toString(), QString("waiting"));
    }

    void theGridsOfTheProgramAreListed() {
        const Outcome outcome = call({"sweep", "--list-grids"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QCOMPARE(outcome.out.count('\n'), static_cast<qsizetype>(sweepNames().size()));
        QVERIFY2(outcome.out.contains("paper/table-1 ") && outcome.out.contains("66 rows, 5 seeds"),
                 outcome.out.constData());
        const Outcome none = call({"sweep"});
        QVERIFY2(none.code == 2 && none.err.contains("--list-grids"), none.err.constData());
    }

    void aFinishedSweepRunsNothingAgain() {
        makeGrid("[1]", kTwoRows);
        QCOMPARE(call(sweep()).code, 0);
        const QStringList before = entries();
        QVERIFY(QFile::remove(out("table.md")));
        const Outcome again = call(sweep());
        QCOMPARE(again.code, 0);
        QVERIFY2(again.out.contains("2 runs, 2 finished already"), again.out.constData());
        QCOMPARE(entries(), before);
        QVERIFY(QFile::exists(out("table.md")));
    }

    void aChangedBaseIsRefusedAndTheKeptOneGoesOn() {
        makeGrid("[1]", "");
        QCOMPARE(call(sweep()).code, 0);
        const QByteArray before = QByteArray::fromStdString(linearHeadText());
        const QByteArray changed = QByteArray(before).replace("every_samples = 32", "every_samples = 50");
        write(folder_->filePath("base.toml"), changed);
        for (const QStringList& more : {QStringList(), {"--only", "1"}, {"--slurm", "-p x"}}) {
            const Outcome refused = call(sweep(more));
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains(
                         "holds a sweep of this grid with another base (evaluation.every_samples: 32 there, 50 here)"),
                     refused.err.constData());
            QVERIFY2(refused.err.contains("Name a new folder, or change the base back"), refused.err.constData());
        }
        QCOMPARE(entries().filter("-2").size(), 0);
        // One that an earlier version has begun kept no base; its runs tell.
        QVERIFY(QFile::remove(out("sweep-base.toml")));
        const Outcome older = call(sweep());
        QCOMPARE(older.code, 2);
        QVERIFY2(older.err.contains("with another base (001-tiny-seed-1, evaluation.every_samples: 32 there, 50 here)"),
                 older.err.constData());
        write(folder_->filePath("base.toml"), before);
        const Outcome again = call(sweep());
        QVERIFY2(again.code == 0 && again.out.contains("1 run, 1 finished already"), again.out + again.err);
        QVERIFY(QFile::exists(out("sweep-base.toml")));
    }

    void aSweepIsReadWhateverBecameOfItsGridAndBase() {
        makeGrid("[1, 2]", "");
        QCOMPARE(call(sweep({"--only", "1"})).code, 0);
        const auto reads = [&](const QByteArray& apart) {
            const Outcome listed = call(sweep({"--list", "--json"}));
            QVERIFY2(listed.code == 0, listed.err.constData());
            QVERIFY2(apart.isEmpty() ? listed.err.isEmpty() : listed.err.contains(apart), listed.err.constData());
            QVERIFY(listed.err.count('\n') <= 1);
            QStringList states;
            for (const QJsonObject& run : jsonLines(listed.out)) states << run["state"].toString();
            QCOMPARE(states, QStringList({"finished", "waiting"}));
            const Outcome table = call(sweep({"--table"}));
            QVERIFY2(table.code == 0 && table.err == listed.err, table.err.constData());
            QVERIFY2(contentOf(out("table.md")).contains(" | 1 | "), contentOf(out("table.md")).constData());
        };
        reads({});
        const QByteArray before = QByteArray::fromStdString(linearHeadText());
        write(folder_->filePath("base.toml"), QByteArray(before).replace("every_samples = 32", "every_samples = 50"));
        reads("has another base (evaluation.every_samples: 32 there, 50 here)");
        makeGrid("[3]", "[vary]\n\"training.batch_size\" = [16, 32]\n");
        reads("has another grid (seeds: 1, 2 there, 3 here)");
        QCOMPARE(call(sweep()).code, 2);
        write(folder_->filePath("base.toml"), before);
        makeGrid("[1, 2, 3]", "");
        reads("has another grid (seeds: 1, 2 there, 1, 2, 3 here)");

        const QByteArray apart = "is read as it is. What was given cannot be compared with it: ";
        makeGrid("[1, 2]", "");
        write(folder_->filePath("base.toml"), QByteArray(before).replace("linear-probe", "clib"));
        reads(apart);
        write(folder_->filePath("base.toml"), "learning = [");
        reads(apart);
        QVERIFY(QFile::remove(folder_->filePath("base.toml")));
        reads(apart);
        makeGrid("[1, 2", "");
        reads(apart);
        QVERIFY(QFile::remove(folder_->filePath("grid.toml")));
        reads(apart + "There is no file ");
        // Only what starts runs needs it.
        QCOMPARE(call(sweep()).code, 2);
    }

    void theListKeepsItsColumnsFromTenRunsOn() {
        makeGrid("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "");
        const Outcome listed = call({"sweep", folder_->filePath("grid.toml"), "--list"});
        QVERIFY2(listed.code == 0, listed.err.constData());
        QVERIFY2(listed.out.startsWith(" 1  Tiny, seed 1 ") && listed.out.contains("\n10  Tiny, seed 10 "),
                 listed.out.constData());
    }

    void aFlagOfTheCommandIsNoOptionOfSbatch() {
        makeGrid("[1]", "");
        for (const QStringList& more : {QStringList{"--slurm", "--submit"}, {"--slurm", "--throttle=2"}}) {
            const Outcome refused = call(sweep(more));
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains("--slurm is followed by " + more.at(1).section('=', 0, 0).toUtf8()),
                     refused.err.constData());
            QVERIFY(!QFile::exists(out("sweep.sbatch")));
        }
    }

    // A single run must not keep a base for the others that they have not begun with.
    void oneRunKeepsNoBaseThatOthersHaveNot() {
        makeGrid("[1, 2]", "");
        QCOMPARE(call(sweep({"--only", "1"})).code, 0);
        QVERIFY(QFile::remove(out("sweep-base.toml")));
        const QByteArray before = QByteArray::fromStdString(linearHeadText());
        write(folder_->filePath("base.toml"), QByteArray(before).replace("every_samples = 32", "every_samples = 50"));
        const Outcome refused = call(sweep({"--only", "2"}));
        QVERIFY2(refused.code == 2 && refused.err.contains("with another base (001-tiny-seed-1, "),
                 refused.err.constData());
        QVERIFY(!QFile::exists(out("sweep-base.toml")));
        write(folder_->filePath("base.toml"), before);
        QCOMPARE(call(sweep({"--only", "2"})).code, 0);
        QVERIFY(QFile::exists(out("sweep-base.toml")));
    }

    // Runs of a base without a name were called otherwise in earlier versions.
    void aBaseThatIsCalledOtherwiseNowGoesOn() {
        QByteArray named = QByteArray::fromStdString(linearHeadText());
        QVERIFY(named.contains("name = \"tiny\"") || named.contains("name = \"Tiny\""));
        makeGrid("[1]", "");
        QCOMPARE(call(sweep()).code, 0);
        const QStringList before = entries();
        named.replace("name = \"tiny\"", "name = \"Other\"").replace("name = \"Tiny\"", "name = \"Other\"");
        write(folder_->filePath("base.toml"), named);
        for (const bool kept : {true, false}) {
            if (!kept) QVERIFY(QFile::remove(out("sweep-base.toml")));
            const Outcome again = call(sweep());
            QVERIFY2(again.code == 0 && again.out.contains("1 run, 1 finished already"), again.out + again.err);
            QCOMPARE(entries(), before);
        }
    }

    // The copy of the grid in the folder of the sweep stands for itself, wherever the folder is moved to.
    void theKeptGridGoesOnFromItsOwnFolder() {
        makeGrid("[1, 2]", "");
        QVERIFY2(call(sweep({"--only", "1"})).code == 0, "the first run");
        QVERIFY(QFile::remove(folder_->filePath("base.toml")) && QFile::remove(folder_->filePath("grid.toml")));
        QVERIFY(QDir(folder_->path()).rename("out", "moved"));
        const QString moved = folder_->filePath("moved");
        const Outcome rest = call({"sweep", moved + "/sweep.toml", "--out", moved});
        QVERIFY2(rest.code == 0 && rest.out.contains("2 runs, 1 finished already"), rest.out + rest.err);
        QVERIFY(contentOf(moved + "/runs/002-tiny-seed-2/run.json").contains("\"finished\""));
    }

    void seedsAndRowsAreAddedToASweep() {
        makeGrid("[1]", kTwoRows);
        QCOMPARE(call(sweep()).code, 0);
        const QByteArray before = contentOf(out("runs/002-long-steps-seed-1/run.json"));
        const QByteArray more = QByteArray("[[row]]\nname = \"Usual steps\"\n") + kTwoRows;
        makeGrid("[1, 2]", more);
        // One run of it is no reason to change what the folder holds.
        const Outcome one = call(sweep({"--only", "1"}));
        QVERIFY2(one.code == 2 && one.err.contains("holds a sweep of another grid (seeds: 1 there, 1, 2 here)") &&
                     one.err.contains("Its runs can be added"),
                 one.err.constData());
        const Outcome added = call(sweep());
        QVERIFY2(added.code == 0, added.err + added.out);
        QVERIFY2(added.out.contains("gets seed 2 and row \"Usual steps\": 4 runs are added to the 2 that it has."),
                 added.out.constData());
        QVERIFY2(added.out.contains("6 runs, 2 finished already"), added.out.constData());
        QCOMPARE(states(), QStringList(6, "finished"));
        QCOMPARE(contentOf(out("sweep.toml")), contentOf(folder_->filePath("grid.toml")));
        // Folders keep the numbers that runs had when they began.
        QCOMPARE(contentOf(out("runs/002-long-steps-seed-1/run.json")), before);
        QCOMPARE(runsIn("sweep.json")[2].toObject()["folder"].toString(), QString("runs/002-long-steps-seed-1"));
        QCOMPARE(QDir(out("runs")).entryList(QDir::Dirs | QDir::NoDotAndDotDot),
                 QStringList({"001-slow-steps-seed-1", "001-usual-steps-seed-1", "002-long-steps-seed-1",
                              "004-usual-steps-seed-2", "005-slow-steps-seed-2", "006-long-steps-seed-2"}));
        QVERIFY(contentOf(out("table.md")).contains("| Slow steps | 2 | "));
        const Outcome again = call(sweep());
        QVERIFY2(again.code == 0 && again.out.contains("6 runs, 6 finished already") && !again.out.contains(" gets "),
                 again.out.constData());

        // A row that is gone, or was changed, is another grid.
        makeGrid("[1, 2, 3]", kTwoRows);
        QCOMPARE(call(sweep()).code, 2);
        makeGrid("[1, 2, 3]", QByteArray(more).replace("= 0.1", "= 0.2"));
        const Outcome changed = call(sweep());
        QVERIFY2(changed.code == 2 && changed.err.contains("holds a sweep of another grid"), changed.err.constData());
    }

    // Tasks that wait name runs by numbers.
    void nothingIsAddedWhileSlurmMayStillHaveTasks() {
        makeGrid("[1]", kTwoRows);
        QCOMPARE(call(sweep({"--slurm", "-p long"})).code, 0);
        QCOMPARE(call(sweep({"--only", "1"})).code, 0);
        makeGrid("[1, 2]", kTwoRows);
        const Outcome early = call(sweep({"--slurm", "-p long"}));
        QCOMPARE(early.code, 2);
        QVERIFY2(early.err.contains("was given to Slurm, and 1 run has not finished, so nothing is added yet"),
                 early.err.constData());
        QCOMPARE(call(sweep()).code, 2);
        makeGrid("[1]", kTwoRows);
        QCOMPARE(call(sweep({"--only", "2"})).code, 0);
        makeGrid("[1]", QByteArray("[[row]]\nname = \"Usual steps\"\n") + kTwoRows);
        const Outcome numbers = call(sweep({"--slurm", "-p long"}));
        QVERIFY2(numbers.code == 2 && numbers.err.contains("whose tasks go by the numbers of its runs"),
                 numbers.err.constData());
        makeGrid("[1, 2]", kTwoRows);
        const Outcome added = call(sweep({"--slurm", "-p long"}));
        QVERIFY2(added.code == 0 && added.out.contains("gets seed 2: 2 runs are added to the 2 that it has."),
                 added.out + added.err);
        QVERIFY(contentOf(out("sweep.sbatch")).contains("#SBATCH --array=3-4\n"));
    }

    // A free cluster begins a task before sbatch has even answered.
    void tasksMayBeginWhileTheyAreSubmitted() {
        makeGrid("[1]", "");
        QCOMPARE(call(sweep()).code, 0);
        makeGrid("[1, 2]", "");
        QVERIFY(QDir().mkpath(folder_->filePath("bin")));
        const QString sbatch = folder_->filePath("bin/sbatch");
        write(sbatch, "#!/bin/sh\n'" + program().toUtf8() + "' sweep '" + folder_->filePath("grid.toml").toUtf8() +
                          "' --out '" + out("").toUtf8() + "' --only 2 > '" + folder_->filePath("task").toUtf8() +
                          "' 2>&1 || exit 1\necho 12\n");
        QFile::setPermissions(sbatch, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_->filePath("bin").toUtf8() + ":" + path);
        const Outcome submitted = call(sweep({"--slurm", "-p long", "--submit"}));
        qputenv("PATH", path);
        QVERIFY2(submitted.code == 0, submitted.err + contentOf(folder_->filePath("task")));
        QVERIFY2(submitted.out.contains("gets seed 2") && submitted.out.contains("as job 12."), submitted.out);
        QCOMPARE(objectIn(out("runs/002-tiny-seed-2/run.json"))["state"].toString(), QString("finished"));
    }

    // Its settings are smaller than those of the grid, and decide which folder is whose.
    void rowsAreAddedToAMiniature() {
        makeGrid("[1]", kTwoRows);
        const Outcome first = call(sweep({"--miniature"}));
        QVERIFY2(first.code == 0, first.err + first.out);
        makeGrid("[1]", QByteArray("[[row]]\nname = \"Usual steps\"\n") + kTwoRows);
        const Outcome added = call(sweep({"--miniature"}));
        QVERIFY2(added.code == 0 && added.out.contains("3 runs, 2 finished already"), added.out + added.err);
    }

    void aRunThatIsKilledIsNotedAndTheNextCallGoesOnWithIt() {
        makeGrid("[1, 2]", kLongEnough);
        QProcess process;
        process.start(program(), sweep({"--json"}));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1, kPatience);
        QCOMPARE(kill(pidOf("001-tiny-seed-1"), SIGKILL), 0);
        const Outcome outcome = outcomeOf(process);
        QCOMPARE(outcome.code, 1);
        QCOMPARE(states(), QStringList({"crashed", "finished"}));
        bool printed = false;
        for (const QJsonObject& event : jsonLines(outcome.out)) {
            printed = printed || (event["event"] == "run_ended" && event["number"] == 1 &&
                                  event["error"].toString().contains("signal 9"));
        }
        QVERIFY2(printed, outcome.out.constData());

        const Outcome again = call(sweep());
        QVERIFY2(again.code == 0, again.err + again.out);
        QVERIFY2(again.out.contains("Tiny, seed 1 goes on in "), again.out.constData());
        QCOMPARE(states(), QStringList({"finished", "finished"}));
        QCOMPARE(objectIn(out("runs/001-tiny-seed-1/run.json"))["resumed"].toArray().size(), 1);
        QVERIFY(QFile::exists(out("runs/001-tiny-seed-1.resumed.log")));
        QVERIFY(!QFile::exists(out("runs/001-tiny-seed-1-2")) && !QFile::exists(out("runs/002-tiny-seed-2-2")));
    }

    void aRunThatCannotGoOnBeginsAnewAndThisIsSaid_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QByteArray>("reason");
        QTest::newRow("changed on its way") << "changed" << QByteArray("Its settings were changed while it went on.");
        QTest::newRow("no checkpoint") << "checkpoints" << QByteArray("It kept no checkpoint.");
        QTest::newRow("another build") << "build" << QByteArray("cannot be resumed as it began");
    }
    void aRunThatCannotGoOnBeginsAnewAndThisIsSaid() {
        QFETCH(QString, change);
        QFETCH(QByteArray, reason);
        makeGrid("[1]", kLongEnough);
        QProcess process;
        process.start(program(), sweep());
        const QString run = "001-tiny-seed-1", checkpoints = out("runs/" + run + "/checkpoints");
        const auto evaluated = [&] { return contentOf(out("runs/" + run + "/anytime.csv")).count('\n') > 1; };
        QTRY_VERIFY_WITH_TIMEOUT(evaluated() && rowsOf(run) > 1, kPatience);
        QCOMPARE(kill(pidOf(run), SIGKILL), 0);
        QCOMPARE(outcomeOf(process).code, 1);
        QVERIFY(!QDir(checkpoints).entryList({"*.json"}).isEmpty());
        const QByteArray learned = contentOf(out("runs/" + run + "/training.csv"));
        for (const QString& file : QDir(checkpoints).entryList({"*.json"})) {
            QJsonObject record = objectIn(checkpoints + '/' + file);
            QJsonObject facts = record["facts"].toObject();
            facts["libtorch"] = "another";
            record["facts"] = facts;
            if (change == "build") write(checkpoints + '/' + file, QJsonDocument(record).toJson());
        }
        if (change == "checkpoints") QVERIFY(QDir(checkpoints).removeRecursively());
        if (change == "changed")
            write(out("runs/" + run + "/commands.csv"),
                  contentOf(out("runs/" + run + "/commands.csv")) + "10,change,training.learning_rate=0.5\n");
        const Outcome again = call(sweep());
        QVERIFY2(again.code == 0, again.err + again.out);
        QVERIFY2(again.out.contains("Note: Tiny, seed 1 cannot go on in ") && again.out.contains(reason),
                 again.out.constData());
        QCOMPARE(states(), QStringList({"finished"}));
        QCOMPARE(objectIn(out("runs/" + run + "-2/run.json"))["state"].toString(), QString("finished"));
        QVERIFY2(contentOf(out("runs/" + run + "/training.csv")).startsWith(learned), "what was there stays");
    }

    void aRowThatFailsIsNamedAndTheOthersGoOn() {
        // Faults in an index list are only found by the run.
        write(folder_->filePath("broken.json"), "no stream");
        makeGrid("[1]",
                 "[[row]]\nname = \"Bad\"\nset = { \"stream.partition\" = \"imported\", \"stream.index_list\" = "
                 "\"broken.json\" }\n[[row]]\nname = \"Good\"\n");
        const Outcome outcome = call(sweep());
        QCOMPARE(outcome.code, 1);
        QVERIFY2(outcome.out.contains("Bad, seed 1: failed: ") && outcome.out.contains("\nFailed: Bad, seed 1\n"),
                 outcome.out.constData());
        const QByteArray error = runsIn("sweep.json")[0].toObject()["error"].toString().toUtf8();
        QVERIFY2(error.contains("broken.json"), error.constData());
        QCOMPARE(outcome.out.count(error), 1);
        QVERIFY2(outcome.out.contains("Finished: 1 of 2 runs, 1 failed."), outcome.out.constData());
        QCOMPARE(states(), QStringList({"failed", "finished"}));
        QVERIFY(contentOf(out("table.md")).contains("| Bad | 0 | "));
        // Errors are read back from the logs, too.
        QCOMPARE(call(sweep({"--table"})).code, 0);
        QCOMPARE(states(), QStringList({"failed", "finished"}));
    }

    void aSweepThatIsRefusedLeavesItsFolderFree() {
        const QString broken = folder_->filePath("broken.safetensors");
        write(broken, "no weights");
        const QByteArray rows =
            "[[row]]\nname = \"Good\"\n[[row]]\nname = \"Own weights\"\nset = { \"backbone.weights\" = \"";
        makeGrid("[1]", rows + broken.toUtf8() + "\" }\n");
        for (const QStringList& more : {QStringList{}, QStringList{"--only", "2"}, QStringList{"--slurm", "-p long"}}) {
            const Outcome refused = call(sweep(more));
            QVERIFY2(refused.err.contains("grid.toml, \"Own weights\": ") && refused.err.contains(broken.toUtf8()),
                     refused.err.constData());
            QCOMPARE(refused.code, 2);
            QVERIFY(!QFile::exists(out("")));
        }
        makeGrid("[1]", rows + "random\" }\n");
        const Outcome mended = call(sweep());
        QVERIFY2(mended.code == 0, mended.err.constData());
        QCOMPARE(states(), QStringList({"finished", "finished"}));
    }

    void aRunThatCannotBeStartedIsNamedAndTheOthersGoOn() {
        makeGrid("[1]", kTwoRows);
        // A link blocks the name of its experiment file.
        const QString obstacle = out("runs/001-slow-steps-seed-1.toml");
        QVERIFY(QDir().mkpath(out("runs")));
        QVERIFY(QFile::link(out("nowhere"), obstacle));
        // Without a grid the folder would be no sweep's.
        QVERIFY(QFile::copy(folder_->filePath("grid.toml"), out("sweep.toml")));
        const Outcome outcome = call(sweep({"--json"}));
        QCOMPARE(outcome.code, 1);
        QCOMPARE(states(), QStringList({"failed", "finished"}));
        bool printed = false;
        for (const QJsonObject& event : jsonLines(outcome.out)) {
            printed =
                printed || (event["event"] == "run_ended" && event["number"] == 1 && event["state"] == "failed" &&
                            event["log"].isNull() && event["error"].toString().contains("001-slow-steps-seed-1.toml"));
        }
        QVERIFY2(printed, outcome.out.constData());
        QVERIFY(!QFile::exists(out("runs/001-slow-steps-seed-1.log")));

        QVERIFY(QFile::remove(obstacle));
        const Outcome again = call(sweep());
        QVERIFY2(again.code == 0, again.err + again.out);
        QCOMPARE(states(), QStringList({"finished", "finished"}));
    }

    void badInputIsOneSentenceAndExitCodeTwo_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QString>("part");
        QTest::newRow("mistake in the grid")
            << "seeds = [1]\n[set]\n\"stream.sesions\" = 3" << QStringList{}
            << "grid.toml, line 3: unknown option stream.sesions. Did you mean stream.sessions?";
        QTest::newRow("options at odds") << "seeds = [1]\n[[row]]\nname = \"Odd\"\nset = { \"method.name\" = \"clib\" }"
                                         << QStringList{} << "\"Odd\": memory.size is 0";
        QTest::newRow("missing data set") << "seeds = [1]\n[set]\n\"stream.root\" = \"/nowhere\"" << QStringList{}
                                          << "/nowhere holds none of their 12 icon themes";
        QTest::newRow("no such run") << "seeds = [1]" << QStringList{"--only", "2"} << "There is no run 2 among 1.";
        QTest::newRow("no jobs") << "seeds = [1]" << QStringList{"--jobs", "0"} << "--jobs";
        QTest::newRow("missing weights") << "seeds = [1]\n[set]\n\"backbone.weights\" = \"/nowhere.safetensors\""
                                         << QStringList{} << "There are no backbone weights /nowhere.safetensors.";
        QTest::newRow("missing prompts") << "seeds = [1]\n[set]\n\"initial_session.prompts\" = \"/nowhere.safetensors\""
                                         << QStringList{} << "There are no prompts /nowhere.safetensors.";
        QTest::newRow("prompts without a file of that name")
            << "seeds = [1]\n[[row]]\nname = \"Mine\"\nset = { \"initial_session.prompts\" = \"/nowhere.safetensors\" }"
            << QStringList{} << "grid.toml, \"Mine\": There are no prompts";
        QTest::newRow("a block that the backbone lacks")
            << "seeds = [1]\n[[row]]\nname = \"Deep\"\nset = { \"method.g_blocks\" = \"9\" }" << QStringList{}
            << "grid.toml, \"Deep\": method.g_blocks names block 9, but the backbone has only the blocks 0 to 5.";
        QTest::newRow("weights of another backbone")
            << "seeds = [1]\n[set]\n\"backbone.name\" = \"vit-s16\"\n\"backbone.weights\" = \"" +
                   QString::fromStdString((resourceFolder() / "backbones/palimpsest-vit.safetensors").string()) + "\""
            << QStringList{} << "The backbone vit-s16 is ViT-S/16, but the weights";
        QTest::newRow("another array") << "seeds = [1]" << QStringList{"--slurm", "--array=1-2"}
                                       << "numbers the tasks of the array";
        QTest::newRow("unknown base") << "base = \"nosuch\"\nseeds = [1]" << QStringList{}
                                      << "grid.toml, base: There is no preset or file called \"nosuch\".";
        QTest::newRow("no numbers") << "seeds = [1]" << QStringList{"--only", "1-"} << "no list of numbers";
        QTest::newRow("a throttle without Slurm") << "seeds = [1]" << QStringList{"--throttle", "2"} << "--slurm";
        QTest::newRow("jobs of an array job")
            << "seeds = [1]" << QStringList{"--slurm", "long", "--jobs", "2"} << "--jobs";
        QTest::newRow("two wishes") << "seeds = [1]" << QStringList{"--only", "1", "--table"} << "--table";
        QTest::newRow("tables of nothing") << "seeds = [1]" << QStringList{"--table"} << "holds no sweep yet";
        QTest::newRow("no option of sbatch")
            << "seeds = [1]" << QStringList{"--slurm", "long"} << "no option of sbatch";
    }
    void badInputIsOneSentenceAndExitCodeTwo() {
        QFETCH(QString, grid);
        QFETCH(QStringList, more);
        QFETCH(QString, part);
        write(folder_->filePath("grid.toml"), grid.toUtf8());
        const Outcome outcome = call(sweep(more));
        QVERIFY2(QString(outcome.err).contains(part), outcome.err.constData());
        QVERIFY2(outcome.err.startsWith("palimpsest-cli: ") && outcome.err.count('\n') == 1, outcome.err.constData());
        QCOMPARE(outcome.code, 2);
        QVERIFY2(!QFile::exists(out("")), "the folder is free for the grid when it is mended");
    }

    void aFolderOfAnotherGridOrOfSomethingElseIsRefused() {
        makeGrid("[1]", "");
        QCOMPARE(call(sweep()).code, 0);
        const QByteArray before = contentOf(out("sweep.json"));
        makeGrid("[2]", "");
        const Outcome other = call(sweep());
        QCOMPARE(other.code, 2);
        QVERIFY2(other.err.contains("holds a sweep of another grid (seeds: 1 there, 2 here)"), other.err.constData());
        QCOMPARE(contentOf(out("sweep.json")), before);
        const Outcome foreign = call({"sweep", folder_->filePath("grid.toml"), "--out", folder_->path()});
        QCOMPARE(foreign.code, 2);
        QVERIFY2(foreign.err.contains("is not empty, and it holds no sweep"), foreign.err.constData());
    }

    void theListShowsRunsWithoutRunningThemAndHowTheyStand() {
        makeGrid("[1, 2]", kTwoRows);
        const Outcome plain = call({"sweep", folder_->filePath("grid.toml"), "--list"});
        QVERIFY2(plain.code == 0, plain.err.constData());
        QCOMPARE(plain.out.count('\n'), 4);
        QVERIFY2(plain.out.contains("3  Slow steps, seed 2") && plain.out.contains("003-slow-steps-seed-2"),
                 plain.out.constData());
        QVERIFY(!QFile::exists(out("")));

        const Outcome one = call(sweep({"--only", "3"}));
        QVERIFY2(one.code == 0, one.err.constData());
        QVERIFY(!QFile::exists(out("table.md")) && !QFile::exists(out("sweep.json")));
        QStringList listed;
        for (const QJsonObject& run : jsonLines(call(sweep({"--list", "--json"})).out))
            listed << run["state"].toString();
        QCOMPARE(listed, QStringList({"waiting", "waiting", "finished", "waiting"}));

        const Outcome table = call(sweep({"--table"}));
        QVERIFY2(table.code == 0, table.err.constData());
        QVERIFY(table.out.contains(out("table.tex").toUtf8()));
        QVERIFY(contentOf(out("table.md")).contains("| Slow steps | 1 | "));
    }

    void anArrayJobHasATaskForEveryUnfinishedRun() {
        makeGrid("[1, 2]", kTwoRows);
        QCOMPARE(call(sweep({"--only", "2"})).code, 0);
        const Outcome outcome = call(sweep({"--slurm", "--time=1:00:00 -p 'long one'"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QCOMPARE(outcome.out, "sbatch " + out("sweep.sbatch").toUtf8() + "\n");
        const QByteArray script = contentOf(out("sweep.sbatch"));
        QVERIFY2(script.startsWith("#!/bin/sh\n"), script.constData());
        for (const QByteArray& part : {QByteArray("#SBATCH --array=1,3-4\n"), QByteArray("#SBATCH --time=1:00:00\n"),
                                       QByteArray("#SBATCH -p \"long one\"\n")}) {
            QVERIFY2(script.contains(part), script.constData());
        }
        // A task is a script for any shell.
        QProcess task;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_ARRAY_TASK_ID", "3");
        task.setProcessEnvironment(environment);
        task.start("/bin/sh", {out("sweep.sbatch")});
        QCOMPARE(outcomeOf(task).code, 0);
        QVERIFY(QFile::exists(out("runs/003-slow-steps-seed-2/summary.json")));
    }

    // As Slurm does two minutes before the time limit: the batch shell gets the signal, and `scontrol` is asked to
    // queue the task again.
    void aTaskThatIsWarnedStopsInTimeAndAsksToBeQueuedAgain() {
        makeGrid("[1, 2]", kLong);
        QCOMPARE(call(sweep({"--slurm", "-p long"})).code, 0);
        QVERIFY(QDir().mkpath(folder_->filePath("bin")));
        const auto startTask = [this](QProcess& task, const QByteArray& scontrol) {
            write(folder_->filePath("bin/scontrol"), "#!/bin/sh\n" + scontrol);
            QFile::setPermissions(folder_->filePath("bin/scontrol"),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("PATH", folder_->filePath("bin") + ":" + environment.value("PATH"));
            for (const auto& [name, value] :
                 {std::pair("SLURM_JOB_ID", "12"), {"SLURM_ARRAY_JOB_ID", "12"}, {"SLURM_ARRAY_TASK_ID", "1"}})
                environment.insert(name, value);
            task.setProcessEnvironment(environment);
            task.start("/bin/sh", {out("sweep.sbatch")});
        };
        const auto warned = [this](QProcess& task, int signal) {
            const int before = rowsOf("001-tiny-seed-1");
            if (!QTest::qWaitFor([&] { return rowsOf("001-tiny-seed-1") > std::max(1, before); }, kPatience))
                return Outcome{};
            kill(static_cast<pid_t>(task.processId()), signal);
            return outcomeOf(task);
        };
        QProcess first;
        startTask(first, "echo \"asked: $*\"\n");
        const Outcome stopped = warned(first, SIGUSR1);
        QCOMPARE(stopped.code, kStoppedCode);
        QVERIFY2(stopped.out.contains("asked: requeue 12_1\n"), stopped.out.constData());
        QStringList listed;
        for (const QJsonObject& run : jsonLines(call(sweep({"--list", "--json"})).out))
            listed << run["state"].toString();
        QCOMPARE(listed, QStringList({"stopped", "waiting"}));

        QProcess second;
        startTask(second, "exit 1\n");
        const Outcome refused = warned(second, SIGUSR1);
        QCOMPARE(refused.code, kStoppedCode);
        QVERIFY2(refused.out.contains("goes on in"), refused.out.constData());
        QVERIFY2(refused.out.contains("To go on: sbatch --array=1 '" + out("sweep.sbatch").toUtf8() + "'"),
                 refused.out.constData());

        // What a person cancels stays cancelled, and is not booked as done either.
        QProcess third;
        startTask(third, "echo \"asked: $*\"\n");
        const Outcome cancelled = warned(third, SIGTERM);
        QCOMPARE(cancelled.code, kStoppedCode);
        QVERIFY2(!cancelled.out.contains("asked"), cancelled.out.constData());
    }

    void aTaskBegunAgainGoesOnWithWhatALostMachineLeft() {
        makeGrid("[1]", kLong);
        QProcess first;
        first.start(program(), sweep({"--only", "1"}));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1, kPatience);
        kill(static_cast<pid_t>(first.processId()), SIGTERM);
        QCOMPARE(outcomeOf(first).code, kStoppedCode);
        // As the machine left it when its power failed.
        const QString file = out("runs/001-tiny-seed-1/run.json");
        QJsonObject run = QJsonDocument::fromJson(contentOf(file)).object();
        run["state"] = "running";
        run["host"] = "elsewhere";
        run["processor"] = "Another Processor";
        run["job"] = QJsonObject{{"task", "slurm 12_1"}, {"restarts", 0}};
        write(file, QJsonDocument(run).toJson());

        const Outcome other = call(sweep({"--only", "1"}));
        QCOMPARE(other.code, 1);
        QVERIFY2(other.out.contains("is being computed by another program"), other.out.constData());

        QProcess task;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const auto& [name, value] : {std::pair("SLURM_JOB_ID", "14"),
                                          {"SLURM_ARRAY_JOB_ID", "12"},
                                          {"SLURM_ARRAY_TASK_ID", "1"},
                                          {"SLURM_RESTART_COUNT", "1"}})
            environment.insert(name, value);
        task.setProcessEnvironment(environment);
        task.start(program(), sweep({"--only", "1"}));
        const int before = rowsOf("001-tiny-seed-1");
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > before, kPatience);
        kill(static_cast<pid_t>(task.processId()), SIGTERM);
        const Outcome went = outcomeOf(task);
        QCOMPARE(went.code, kStoppedCode);
        QVERIFY2(went.out.contains("goes on in"), went.out.constData());
    }

    void severalRunsAreATaskOfTheirOwn() {
        makeGrid("[1, 2]", kTwoRows);
        const Outcome some = call(sweep({"--only", "1,3-4", "--jobs", "2"}));
        QVERIFY2(some.code == 0, some.err.constData());
        QStringList listed;
        for (const QJsonObject& run : jsonLines(call(sweep({"--list", "--json"})).out))
            listed << run["state"].toString();
        QCOMPARE(listed, QStringList({"finished", "waiting", "finished", "finished"}));
        const Outcome slurm = call(sweep({"--slurm", "", "--runs-per-task", "4", "--throttle", "3"}));
        QVERIFY2(slurm.code == 0, slurm.err.constData());
        QVERIFY(contentOf(out("sweep.sbatch")).contains("#SBATCH --array=1%3\n"));
    }

    // The same call again would else queue what was taken a second time.
    void whatSlurmTookBeforeARefusalIsTakenBack() {
        makeGrid("[1, 2]", kTwoRows);
        QVERIFY(QDir().mkpath(folder_->filePath("bin")));
        const auto play = [this](const QString& name, const QByteArray& script) {
            write(folder_->filePath("bin/" + name), "#!/bin/sh\nhere=$(dirname \"$0\")\n" + script);
            QFile::setPermissions(folder_->filePath("bin/" + name),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        play("sbatch",
             "if [ -e \"$here/took\" ]; then echo 'sbatch: error: too many jobs' >&2; exit 1; fi\n"
             "touch \"$here/took\"; echo 12\n");
        play("scancel", "echo \"$1\" >> \"$here/cancelled\"\n");
        play("scontrol", "echo 'MaxArraySize = 3'\n");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_->filePath("bin").toUtf8() + ":" + path);
        const Outcome refused = call(sweep({"--slurm", "", "--submit"}));
        play("scancel", "exit 1\n");
        QVERIFY(QFile::remove(folder_->filePath("bin/took")));
        const Outcome left = call(sweep({"--slurm", "", "--submit"}));
        qputenv("PATH", path);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("too many jobs"), refused.err.constData());
        QCOMPARE(contentOf(folder_->filePath("bin/cancelled")), QByteArray("12\n"));
        QVERIFY2(left.err.contains("Slurm has 12 of this sweep already"), left.err.constData());
    }

    // Else the next sweep of that name would be refused for one that never began.
    void nothingIsLeftWhereSlurmTakesNothing() {
        makeGrid("[1, 2]", kTwoRows);
        QVERIFY(QDir().mkpath(folder_->filePath("bin")));
        write(folder_->filePath("bin/sbatch"), "#!/bin/sh\necho 'sbatch: error: no such partition' >&2\nexit 1\n");
        QFile::setPermissions(folder_->filePath("bin/sbatch"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_->filePath("bin").toUtf8() + ":" + path);
        const Outcome fresh = call(sweep({"--slurm", "", "--submit"}));
        const bool left = QFileInfo::exists(out(""));
        // A sweep that was there before stays, without the scripts.
        const Outcome run = call(sweep({"--only", "1"}));
        const Outcome again = call(sweep({"--slurm", "", "--submit"}));
        qputenv("PATH", path);
        QCOMPARE(fresh.code, 2);
        QVERIFY2(fresh.err.contains("no such partition"), fresh.err.constData());
        QVERIFY(!left);
        QCOMPARE(run.code, 0);
        QCOMPARE(again.code, 2);
        QVERIFY(QFile::exists(out("sweep.toml")) && QDir(out("runs")).count() > 2);
        QVERIFY(!QFile::exists(out("sweep.sbatch")));
    }

    // What Slurm answers stands beside the runs; a script plays it.
    void whatSlurmSaysOfRunsIsListed() {
        makeGrid("[1, 2]", kTwoRows);
        QCOMPARE(call(sweep({"--only", "2"})).code, 0);
        QVERIFY(QDir().mkpath(folder_->filePath("bin")));
        const auto play = [this](const QString& name, const QByteArray& script) {
            write(folder_->filePath("bin/" + name), "#!/bin/sh\n" + script);
            QFile::setPermissions(folder_->filePath("bin/" + name),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        };
        play("sbatch", "[ \"$2\" != BAD ] && echo 12\n");
        play("squeue",
             "echo '{\"jobs\": [{\"array_job_id\": 12, \"array_task_id\": 3, \"job_id\": 13, \"job_state\": "
             "[\"RUNNING\"], \"nodes\": \"node1\", \"restart_cnt\": 1, \"command\": \"" +
                 out("sweep.sbatch").toUtf8() + "\"}]}'\n");
        play("sacct", "echo '12_4|TIMEOUT|node1'\n");
        play("scontrol", "exit 1\n");
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder_->filePath("bin").toUtf8() + ":" + path);
        const Outcome submitted = call(sweep({"--slurm", "", "--submit"}));
        write(out("slurm-12_4.out"), "");
        const Outcome list = call(sweep({"--list"}));
        play("sbatch", "echo 'sbatch: error: invalid partition specified: nowhere' >&2\nexit 1\n");
        const Outcome refused = call(sweep({"--slurm", "-p nowhere", "--submit"}));
        qputenv("PATH", path);
        QVERIFY2(submitted.code == 0, submitted.err.constData());
        QVERIFY2(submitted.out.contains("as job 12."), submitted.out.constData());
        QVERIFY2(list.out.contains("waiting; Slurm 12_3: running on node1, begun again 1 time"), list.out.constData());
        QVERIFY2(list.out.contains("waiting; Slurm 12_4: out of time"), list.out.constData());
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("invalid partition specified: nowhere"), refused.err.constData());
    }

    void aReportTakesTheFolderOfASweep() {
        makeGrid("[1]", kTwoRows);
        QCOMPARE(call(sweep()).code, 0);
        const Outcome outcome = call({"report", out(""), "--out", folder_->filePath("report"), "--format", "csv"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY(contentOf(folder_->filePath("report/metrics.csv")).contains("Long steps,a_auc"));
    }

    void aStoppedSweepKeepsWhatItHasAndSaysHowToGoOn() {
        const QByteArray rows = QByteArray(kLong) + "[[row]]\nname = \"Tiny\"\n";
        makeGrid("[1, 2]", rows);
        QProcess process;
        process.start(program(), sweep({"--jobs", "1"}));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1, kPatience);
        // The folder is checked first, whatever else is wrong.
        makeGrid("[1, 2]",
                 rows + "[[row]]\nname = \"Far\"\nset = { \"backbone.weights\" = \"/nowhere.safetensors\" }\n");
        const Outcome second = call(sweep());
        QCOMPARE(second.code, 2);
        QVERIFY2(second.err.contains("Another sweep is at work"), second.err.constData());

        kill(static_cast<pid_t>(process.processId()), SIGINT);
        const Outcome outcome = outcomeOf(process);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.out.contains("Stopped: 0 of 2 runs. The same command goes on"), outcome.out.constData());
        QCOMPARE(outcome.err.count("Stopping"), 1);
        QCOMPARE(states(), QStringList({"stopped", "waiting"}));
        QVERIFY(!QFile::exists(out("runs/002-tiny-seed-2.toml")));
    }

    void aRunAtWorkElsewhereIsTriedTooForItMayDie() {
        const QString weights = folder_->filePath("weights.safetensors");
        const auto shipped = resourceFolder() / "backbones/palimpsest-stem-vit.safetensors";
        QVERIFY(QFile::copy(QString::fromStdString(shipped.string()), weights));
        makeGrid("[1]", QByteArray(kLong) + "\"backbone.weights\" = \"" + weights.toUtf8() + "\"\n");
        QProcess process;
        process.start(program(), sweep({"--only", "1"}));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1, kPatience);
        QVERIFY(QFile::remove(weights));
        const Outcome refused = call(sweep({"--only", "1"}));
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("There are no backbone weights " + weights.toUtf8()), refused.err.constData());
        kill(static_cast<pid_t>(process.processId()), SIGINT);
        QCOMPARE(outcomeOf(process).code, kStoppedCode);
    }

    void ctrlCAtTheTerminalReachesTheRunsOnce() {
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
            QSKIP("This machine gives out no terminal.");
        const std::string name = ptsname(terminal);
        makeGrid("[1, 2]", kLong);
        QProcess process;
        process.setChildProcessModifier([name] {
            // The first terminal opened by a session leader becomes its controlling terminal.
            setsid();
            const int own = open(name.c_str(), O_RDWR);
            if (own >= 0) dup2(own, STDIN_FILENO);
        });
        process.start(program(), sweep({"--jobs", "2"}));
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1 && rowsOf("002-tiny-seed-2") > 1, kPatience);
        QCOMPARE(::write(terminal, "\x03", 1), 1);
        const Outcome outcome = outcomeOf(process);
        close(terminal);
        QCOMPARE(outcome.code, 0);
        QVERIFY2(outcome.err.contains("Ctrl-C once more"), outcome.err.constData());
        QCOMPARE(states(), QStringList({"stopped", "stopped"}));
    }

    void runsEndWhenTheSweepIsKilled() {
        makeGrid("[1]", kLong);
        QProcess process;
        process.start(program(), sweep());
        QTRY_VERIFY_WITH_TIMEOUT(rowsOf("001-tiny-seed-1") > 1, kPatience);
        const pid_t run = pidOf("001-tiny-seed-1");
        const std::string identity = processIdentity(run);
        QVERIFY(processAlive(run, identity));
        process.kill();
        QVERIFY(process.waitForFinished(kPatience));
        QTRY_COMPARE_WITH_TIMEOUT(objectIn(out("runs/001-tiny-seed-1/run.json"))["state"].toString(),
                                  QString("stopped"), kPatience);
    }

private:
    QString out(const QString& name) const { return QDir::cleanPath(folder_->filePath("out/" + name)); }

    QStringList sweep(const QStringList& more = {}) const {
        return QStringList{"sweep", folder_->filePath("grid.toml"), "--out", out("")} + more;
    }

    /// The estimated memory is between `least` and one and a half times what the run takes.
    void compareMemory(const char* run, double least) const {
        const Outcome outcome = call(sweep({"--estimate", "--json"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const double estimated = jsonLines(outcome.out).back()["memory_bytes"].toDouble();
        const Outcome learned = call(sweep());
        QVERIFY2(learned.code == 0, learned.err + learned.out);
        const double taken = objectIn(out("runs") + "/" + run + "/summary.json")["peak_memory_bytes"].toDouble();
        QVERIFY2(taken > 0 && estimated > least * taken && estimated < 1.5 * taken,
                 qPrintable(QString("%1 estimated, %2 taken").arg(estimated).arg(taken)));
    }
    void makeGrid(const QByteArray& seeds, const QByteArray& rest) const {
        write(folder_->filePath("grid.toml"), "base = \"base.toml\"\nseeds = " + seeds + "\n" + rest);
    }

    /// Names in the folder of runs, sorted.
    QStringList entries() const { return QDir(out("runs")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot); }

    QJsonArray runsIn(const QString& name) const { return objectIn(out(name))["runs"].toArray(); }

    QStringList states() const {
        QStringList all;
        for (const QJsonValue& run : runsIn("sweep.json")) all << run.toObject()["state"].toString();
        return all;
    }

    qsizetype rowsOf(const QString& run) const { return contentOf(out("runs/" + run + "/training.csv")).count('\n'); }

    pid_t pidOf(const QString& run) const { return objectIn(out("runs/" + run + "/run.json"))["pid"].toInt(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_GUILESS_TEST(TestCliSweep)

}  // namespace tst_cli_sweep

#include "tst_cli_sweep.moc"
