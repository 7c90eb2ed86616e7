// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <set>

#include "engine/library/foreign_logs.h"
#include "engine/library/import_run.h"
#include "engine/library/run_index.h"
#include "engine/record/run_folder.h"
#include "engine/support/text.h"
#include "tests/datasets/errors.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_import_logs {

namespace fs = std::filesystem;

/// The logs in tests/data/logs, which the programs' own loggers wrote.
class TestImportLogs : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Desk {
        fs::path runs() const { return path() / "runs"; }
        fs::path path() const { return folder.path().toStdString(); }
        fs::path write(const char* name, const QByteArray& bytes) const {
            const fs::path file = path() / name;
            fs::create_directories(file.parent_path());
            QFile out(QString::fromStdString(file.string()));
            if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size()) qFatal("%s", name);
            return file;
        }
        QTemporaryDir folder;
    };

    struct Imported {
        std::vector<RunRecord> runs;
        QStringList notes;
    };

    static fs::path log(const char* name) { return fs::path(PALIMPSEST_TEST_DATA) / "logs" / name; }
    static QByteArray bytesOf(const fs::path& file) {
        QFile in(QString::fromStdString(file.string()));
        if (!in.open(QIODevice::ReadOnly)) qFatal("%s", file.c_str());
        return in.readAll();
    }
    Imported imported(const Desk& desk, const fs::path& file, std::int64_t every = 0) const {
        const ImportedRuns made = importRuns(table_, {file, {}, desk.runs(), {}, every});
        Imported all;
        for (const fs::path& folder : made.folders) all.runs.push_back(readRun(table_, folder));
        for (const std::string& note : made.notes) all.notes.push_back(QString::fromStdString(note));
        return all;
    }
    QString refusal(const Desk& desk, const fs::path& file) const {
        const QString said = test::inputErrorOf([&] { importRuns(table_, {file, {}, desk.runs(), {}, 0}); });
        if (fs::exists(desk.runs()) && !fs::is_empty(desk.runs())) return "something was left behind";
        return said;
    }
    static bool near(const std::optional<double>& value, double wanted) {
        return value && std::abs(*value - wanted) < 1e-9;
    }
    static QStringList namesOf(const Imported& all) {
        QStringList names;
        for (const RunRecord& run : all.runs) names.push_back(QString::fromStdString(run.experiment.name));
        return names;
    }

private Q_SLOTS:
    void mammothsRecordsBecomeRuns() {
        Desk desk;
        const Imported all = imported(desk, log("mammoth/class-il/seq-cifar10/er/logs.pyd"));
        QCOMPARE(namesOf(all), QStringList({"er on seq-cifar10, buffer_size 200, lr 0.03",
                                            "er on seq-cifar10, buffer_size 200, lr 0.03",
                                            "er on seq-cifar10, buffer_size 500, lr 0.1"}));
        const RunRecord& run = all.runs[0];
        QCOMPARE(run.state, RecordedState::Imported);
        QVERIFY(run.warnings.empty());
        QCOMPARE(run.origin.program, std::string("Mammoth"));
        QCOMPARE(run.origin.method, std::string("er"));
        QCOMPARE(run.origin.dataset, std::string("seq-cifar10"));
        QCOMPARE(run.experiment.seed, 1);
        QCOMPARE(all.runs[1].experiment.seed, 2);
        QCOMPARE(run.experiment.stream.sessions, 5);
        QCOMPARE(run.anytime.size(), std::size_t(5));
        QCOMPARE(run.anytime[4].accuracy, 0.61974000000000004);
        // Five tasks of CIFAR-10's 50,000 images.
        QCOMPARE(run.anytime[0].samples_seen, 10'000);
        QCOMPARE(run.anytime[4].samples_seen, 50'000);
        QCOMPARE(run.session_starts, (std::vector<std::int64_t>{0, 10'000, 20'000, 30'000, 40'000}));
        QCOMPARE(run.retention.size(), std::size_t(15));
        QVERIFY(!run.summary.a_auc);
        QVERIFY(near(run.summary.a_last_overall, 0.61974));
        QVERIFY(near(run.summary.a_last, 0.61974));
        // Mammoth's forgetting, 43.6575, is the mean over the four tasks before the last.
        QVERIFY(near(run.summary.f_last, 0.436575 * 4 / 5));
        QVERIFY(std::find(run.origin.settings.begin(), run.origin.settings.end(),
                          std::pair<std::string, std::string>("minibatch_size", "32")) != run.origin.settings.end());
        QVERIFY(all.notes.join(' ').contains("50,000 training images"));
    }

    void mammothsTaskIncrementalResultsSaySo() {
        Desk desk;
        const Imported all = imported(desk, log("mammoth/task-il/seq-cifar10/er/logs.pyd"));
        QCOMPARE(all.runs[0].origin.method, std::string("er (task-il)"));
        QVERIFY(all.runs[0].experiment.name.starts_with("er (task-il) on seq-cifar10"));
        QVERIFY(*all.runs[0].summary.a_last > 0.9);
    }

    void runsOfOneNameAreOneFamilyAndOthersAreNot() {
        Desk desk;
        imported(desk, log("mammoth/class-il/seq-cifar10/er/logs.pyd"));
        RunIndex index(&table_, desk.runs());
        const auto rows = index.reconcile().rows;
        QCOMPARE(rows.size(), std::size_t(3));
        std::set<std::string> families;
        for (const RunRowPtr& row : rows) {
            families.insert(row->family);
            QCOMPARE(row->method, std::string("er"));
            QCOMPARE(row->dataset, std::string("seq-cifar10"));
            QCOMPARE(row->origin, std::string("Mammoth, logs.pyd"));
            QVERIFY(row->imported());
        }
        QCOMPARE(families.size(), std::size_t(2));
        // What was read from the index alone says the same.
        RunIndex again(&table_, desk.runs());
        const auto known = again.reconcile();
        QCOMPARE(known.read.size(), std::size_t(0));
        QCOMPARE(known.rows[0]->origin, std::string("Mammoth, logs.pyd"));
    }

    void pilotsLogBecomesARun() {
        Desk desk;
        const Imported all = imported(desk, log("pilot_simplecil.log"));
        QCOMPARE(namesOf(all), QStringList({"simplecil on cifar224, 20 of 100 classes"}));
        const RunRecord& run = all.runs[0];
        QCOMPARE(run.origin.program, std::string("LAMDA-PILOT"));
        QCOMPARE(run.experiment.seed, 1993);
        QCOMPARE(run.anytime.size(), std::size_t(5));
        QCOMPARE(run.anytime[2].accuracy, 0.9167);
        // Four of 100 classes with 500 images each.
        QCOMPARE(run.anytime[0].samples_seen, 2'000);
        QCOMPARE(run.anytime[0].classes_seen, 4);
        QCOMPARE(run.retention.size(), std::size_t(15));
        QCOMPARE(run.retention[1].accuracy, 0.95);
        QVERIFY(near(run.summary.a_avg, 0.90764));
        // Forgetting (CNN): 10.75, over the four tasks before the last.
        QVERIFY(near(run.summary.f_last, 0.1075 * 4 / 5));
        QVERIFY(all.notes.join(' ').contains("20 of the 100 classes of cifar224"));
    }

    void pycilsSeedsAndMeansAreRunsOfTheirOwn() {
        Desk desk;
        const Imported all = imported(desk, log("pycil_icarl.log"));
        QCOMPARE(namesOf(all),
                 QStringList({"icarl on cifar100, 20 of 100 classes", "icarl (NME) on cifar100, 20 of 100 classes",
                              "icarl on cifar100, 20 of 100 classes", "icarl (NME) on cifar100, 20 of 100 classes"}));
        QCOMPARE(all.runs[0].origin.program, std::string("PyCIL"));
        QCOMPARE(all.runs[1].experiment.seed, 1993);
        QCOMPARE(all.runs[3].experiment.seed, 1994);
        QVERIFY(near(all.runs[0].summary.a_avg, 0.914) || all.runs[0].summary.a_avg.has_value());
        QVERIFY(near(all.runs[2].summary.f_last, 0.095 * 4 / 5));
        QVERIFY(near(all.runs[3].summary.f_last, 0.1425 * 4 / 5));
    }

    /// In one pass: by moving all that follows each time, this took an hour.
    void aTableOfTensorsAloneIsReadOnce() {
        const Desk desk;
        QByteArray text = bytesOf(log("avalanche/naive/eval_results.csv"));
        const Imported plain = imported(desk, desk.write("plain/eval_results.csv", text));
        text += QByteArray("\ntensor(").repeated(4'000'000) + '\n';
        const Imported torn = imported(desk, desk.write("torn/eval_results.csv", text));
        QCOMPARE(torn.runs.size(), plain.runs.size());
        QCOMPARE(torn.runs[0].anytime.size(), plain.runs[0].anytime.size());
    }

    void avalanchesTableBecomesARun_data() {
        QTest::addColumn<QString>("named");
        QTest::newRow("tests") << "avalanche/naive/eval_results.csv";
        QTest::newRow("training") << "avalanche/naive/training_results.csv";
    }
    void avalanchesTableBecomesARun() {
        QFETCH(QString, named);
        Desk desk;
        const Imported all = imported(desk, log(qPrintable(named)), 1'200);
        QCOMPARE(namesOf(all), QStringList({"naive"}));
        const RunRecord& run = all.runs[0];
        QCOMPARE(run.origin.program, std::string("Avalanche"));
        QCOMPARE(run.origin.source, std::vector<std::string>({"eval_results.csv"}));
        QCOMPARE(run.anytime.size(), std::size_t(5));
        QCOMPARE(run.anytime[4].samples_seen, 6'000);
        QVERIFY(near(run.summary.a_last, (0.2671 + 0.4432 + 0.6223 + 0.8020 + 0.9577) / 5));
        QVERIFY(near(run.summary.f_last, (0.9541 - 0.2671 + 0.9527 - 0.4432 + 0.9806 - 0.6223 + 0.9542 - 0.8020) / 5));
        QVERIFY(!all.notes.join(' ').contains("counts as"));
        // Which file the numbers are from.
        QCOMPARE(all.notes.join(' ').contains("Read was eval_results.csv"), named.contains("training"));
    }

    void misasLogBecomesARunASeed() {
        Desk desk;
        const Imported all = imported(desk, log("misa.log"));
        QCOMPARE(all.runs.size(), std::size_t(5));
        QVERIFY2(all.notes.empty(), qPrintable(all.notes.join('\n')));
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(all.runs[i].experiment.seed, std::int64_t(i) + 1);
            QCOMPARE(all.runs[i].experiment.name, std::string("fam on cifar100"));
            QCOMPARE(all.runs[i].origin.program, std::string("MISA"));
        }
        const RunRecord& run = all.runs[0];
        QCOMPARE(run.anytime.size(), std::size_t(15));
        QCOMPARE(run.anytime[3].samples_seen, 800);
        QCOMPARE(run.anytime[3].session, 1);
        QCOMPARE(run.anytime[3].accuracy, 0.7650);
        QCOMPARE(run.anytime[3].loss, 0.2350);
        QCOMPARE(run.session_starts, (std::vector<std::int64_t>{0, 600, 1200, 1800, 2400}));
        QVERIFY(near(run.summary.a_auc, 0.7068034398998562));
        QVERIFY(near(run.summary.a_avg, 0.6998987515958942));
        QVERIFY(near(run.summary.a_last_overall, 0.5713570637332203));
        QVERIFY(near(run.summary.f_last_classwise, 0.19463726243856017));
        QCOMPARE(run.summary.sessions_ended, 5);
    }

    void flyGclsLogBecomesARunASeed() {
        Desk desk;
        const Imported all = imported(desk, log("flygcl.log"));
        QCOMPARE(all.runs.size(), std::size_t(2));
        QVERIFY2(all.notes.empty(), qPrintable(all.notes.join('\n')));
        QCOMPARE(all.runs[1].origin.program, std::string("FlyGCL"));
        QCOMPARE(all.runs[1].origin.method, std::string("flyprompt"));
        QCOMPARE(all.runs[1].experiment.seed, 2);
        QVERIFY(near(all.runs[1].summary.a_auc, 0.7046671215405295));
        QVERIFY(near(all.runs[1].summary.bwt_last, -0.15451664402739873));
    }

    void aLogThatWasCutGivesWhatIsWhole_data() {
        QTest::addColumn<QString>("named");
        QTest::addColumn<int>("step");
        QTest::newRow("Mammoth") << "mammoth/class-il/seq-cifar10/er/logs.pyd" << 7;
        QTest::newRow("LAMDA-PILOT") << "pilot_simplecil.log" << 1;
        QTest::newRow("PyCIL") << "pycil_icarl.log" << 7;
        QTest::newRow("Avalanche") << "avalanche/naive/eval_results.csv" << 1;
        QTest::newRow("MISA") << "misa.log" << 13;
        QTest::newRow("FlyGCL") << "flygcl.log" << 11;
    }
    void aLogThatWasCutGivesWhatIsWhole() {
        QFETCH(QString, named);
        QFETCH(int, step);
        const fs::path file = log(qPrintable(named));
        const std::string text = bytesOf(file).toStdString();
        const LogKind kind = logKindOf(text).value();
        const std::vector<ForeignResults> whole = readForeignLog(kind, file, text, 100);
        std::size_t given = 0;
        for (std::size_t length = 0; length < text.size(); length += static_cast<std::size_t>(step)) {
            const std::string_view part = std::string_view(text).substr(0, length);
            std::vector<ForeignResults> runs;
            try {
                if (const auto known = logKindOf(part)) runs = readForeignLog(*known, file, part, 100);
            } catch (const Error& error) {
                QVERIFY2(QByteArray(error.what()).contains("no whole"), error.what());
            }
            if (runs.empty()) continue;
            ++given;
            QVERIFY(runs.size() <= whole.size());
            for (std::size_t i = 0; i < runs.size(); ++i) {
                const auto& ends = whole[i].session_ends;
                QVERIFY(runs[i].session_ends.size() <= ends.size());
                QVERIFY(std::equal(runs[i].session_ends.begin(), runs[i].session_ends.end(), ends.begin()));
                QVERIFY(runs[i].points.size() <= whole[i].points.size());
                for (std::size_t k = 0; runs[i].anytime && k < runs[i].points.size(); ++k) {
                    QCOMPARE(runs[i].points[k].samples_seen, whole[i].points[k].samples_seen);
                    QCOMPARE(runs[i].points[k].accuracy, whole[i].points[k].accuracy);
                }
                QVERIFY(runs[i].seed == whole[i].seed);
            }
        }
        QVERIFY(given > 10);
    }

    void whatWasCutIsTold_data() {
        QTest::addColumn<QString>("named");
        QTest::addColumn<QString>("until");
        QTest::addColumn<QString>("note");
        QTest::newRow("Mammoth") << "mammoth/class-il/seq-cifar10/er/logs.pyd"
                                 << "'accuracy_3_task"
                                 << "line 1";
        QTest::newRow("LAMDA-PILOT") << "pilot_simplecil.log"
                                     << "CNN top1 curve: [94.0, 95.0, 91.67, 8"
                                     << "The log ends within session";
        QTest::newRow("Avalanche") << "avalanche/naive/eval_results.csv"
                                   << "2,3,0.77"
                                   << "the first 3 sessions";
        QTest::newRow("MISA") << "misa.log"
                              << "Test | Sample # 800 | test_loss 0.2350 | test_acc 0.76"
                              << "of seed 1 ends before its summary, after 1 session of 5";
        QTest::newRow("FlyGCL") << "flygcl.log"
                                << "[0.7972098733688391, 0.765"
                                << "of seed 1 ends before its summary, after 1 session of 5";
    }
    void whatWasCutIsTold() {
        QFETCH(QString, named);
        QFETCH(QString, until);
        QFETCH(QString, note);
        Desk desk;
        const QByteArray whole = bytesOf(log(qPrintable(named)));
        const qsizetype at = whole.indexOf(until.toUtf8());
        QVERIFY(at > 0);
        const fs::path file = desk.write("cut/results.csv", whole.first(at + until.size()));
        if (named.contains("mammoth")) {
            // Its only record is cut off.
            QVERIFY(refusal(desk, file).contains("holds no whole record"));
            const QByteArray second = whole.first(whole.indexOf('\n') + 1) + whole.first(at);
            const Imported all = imported(desk, desk.write("cut/logs.pyd", second));
            QCOMPARE(all.runs.size(), std::size_t(1));
            QVERIFY2(all.notes.join(' ').contains("line 2 is no whole record"), qPrintable(all.notes.join('\n')));
            return;
        }
        const Imported all = imported(desk, file);
        QVERIFY2(all.notes.join(' ').contains(note), qPrintable(all.notes.join('\n')));
        // Wherever it stands beside whole ones.
        QVERIFY2(all.runs.front().experiment.name.find(", cut off after ") != std::string::npos,
                 all.runs.front().experiment.name.c_str());
    }

    void aWholeRecordThatDoesNotFitSaysLineAndValue_data() {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<QString>("why");
        QTest::newRow("nan") << QByteArray("nan") << "accmean_task2 is nan, which is no accuracy from 0 to 100 %";
        QTest::newRow("inf") << QByteArray("-inf") << "accmean_task2 is -inf,";
        QTest::newRow("too much") << QByteArray("9500.0") << "accmean_task2 is 9500.0,";
        QTest::newRow("words") << QByteArray("'95 %'") << "accmean_task2 is 95 %,";
        QTest::newRow("nothing") << QByteArray("None") << "accmean_task2 is None,";
        QTest::newRow("computed") << QByteArray("190 / 2") << "\"'accmean_task2': 190 / 2\" is no plain value";
    }
    void aWholeRecordThatDoesNotFitSaysLineAndValue() {
        QFETCH(QByteArray, value);
        QFETCH(QString, why);
        Desk desk;
        const QByteArray bad = "{'model': 'er', 'accmean_task1': 95.0, 'accmean_task2': " + value + ", 'seed': 1}\n";
        const QString said = refusal(desk, desk.write("logs.pyd", bad));
        QVERIFY2(said.contains("logs.pyd line 1: " + why), qPrintable(said));
        QVERIFY(!said.contains("cut off"));
        // Others of the file come in.
        const Imported all = imported(desk, desk.write("logs.pyd", "{'accmean_task1': 50.0}\n" + bad));
        QCOMPARE(all.runs.size(), std::size_t(1));
        const QString notes = all.notes.join('\n');
        QVERIFY2(notes.contains("logs.pyd line 2 was left out: " + why), qPrintable(notes));
    }

    void aTasksAccuracyThatIsNoneIsTold() {
        Desk desk;
        const Imported all = imported(desk, desk.write("logs.pyd",
                                                       "{'accmean_task1': 50.0, 'accuracy_1_task1': nan, "
                                                       "'model': 'er'}\n"));
        QVERIFY(all.runs.at(0).retention.empty());
        QVERIFY2(all.notes.join('\n').contains("accuracy_1_task1 is nan"), qPrintable(all.notes.join('\n')));
    }

    void nothingIsEverExecuted() {
        Desk desk;
        const QByteArray target = QByteArray::fromStdString((desk.path() / "made").string());
        const QByteArray code = "{'accmean_task1': __import__('os').system('touch " + target + "')}\n";
        QVERIFY(refusal(desk, desk.write("logs.pyd", code)).contains("line 1: \"'accmean_task1': __import__"));
        QVERIFY(!fs::exists(desk.path() / "made"));
    }

    void namesOfStrangersAreMadePlain() {
        Desk desk;
        const Imported all =
            imported(desk, desk.write("logs.pyd",
                                      "{'model': '\\x1b]52;c;x\\x07<b>|`\\n', 'dataset': '../../../etc/passwd', "
                                      "'seed': 3, '\\x1b[2J': '\\u202e', 'accmean_task1': 50.0}\n"));
        const RunRecord& run = all.runs.at(0);
        QVERIFY(isPlainLine(run.experiment.name));
        QVERIFY(isPlainLine(run.origin.method));
        for (const auto& [key, value] : run.origin.settings) QVERIFY(isPlainLine(key) && isPlainLine(value));
        QCOMPARE(run.folder.parent_path(), desk.runs());
        QVERIFY(isPlainLine(run.folder.filename().string()));
        for (const QString& note : all.notes) QVERIFY(isPlainLine(note.toStdString()));
        QCOMPARE(run.summary.a_last_overall.value(), 0.5);
    }

    void whatIsNoLogIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("why");
        const QByteArray test = "Test | Sample # 200 | test_loss 1 | test_acc 0.5 | \n";
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("binary") << QByteArray(
                                       "\x7f"
                                       "ELF\0\0\1",
                                       7)
                                << "is no text";
        QTest::newRow("words") << QByteArray("a letter\n") << "no results in a known form";
        QTest::newRow("dict without results") << QByteArray("{'model': 'er'}\n") << "line 1: there is no accmean_task1";
        QTest::newRow("accuracy of groups")
            << QByteArray("{'accmean_task1': {'worst': 3}}\n") << "line 1: accmean_task1 is {\"worst\":3}";
        QTest::newRow("above 100 %") << QByteArray("{'accmean_task1': 101}\n") << "line 1: accmean_task1 is 101,";
        QTest::newRow("deep") << "{'accmean_task1': " + QByteArray(200'000, '[') << "no whole record";
        QTest::newRow("backwards") << test + test << "line 2: the number of images seen does not grow";
        QTest::newRow("no fraction") << QByteArray("Test | Sample # 5 | test_loss 1 | test_acc 7 | \n")
                                     << "no fraction";
        QTest::newRow("begun alone") << QByteArray("[1] Select a CIL method (fam)\n") << "no whole evaluation";
        QTest::newRow("settings alone") << QByteArray("x [trainer.py] => seed: 3\n") << "no whole accuracy";
        QTest::newRow("header alone") << QByteArray("eval_exp,training_exp,eval_accuracy,eval_loss,forgetting\n")
                                      << "no whole evaluation";
        QTest::newRow("training alone") << QByteArray("training_exp,epoch,training_accuracy,val_accuracy\n0,0,1,0\n")
                                        << "those of tests";
        QByteArray list = "[2-5] Report task result\n[";
        for (int i = 0; i < 1'001; ++i) list += "0.5, ";
        QTest::newRow("sessions") << list + "]\n"
                                  << "more than 1,000 sessions";
        QTest::newRow("runs") << QByteArray("{'accmean_task1': 50}\n").repeated(501) << "more than 500 runs";
    }
    void whatIsNoLogIsRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, why);
        Desk desk;
        const QString said = refusal(desk, desk.write("a.log", bytes));
        QVERIFY2(said.contains(why), qPrintable(said));
    }

    void foldersAndHugeFilesAreRefused() {
        Desk desk;
        QVERIFY(refusal(desk, desk.path()).contains("is a folder"));
        const fs::path huge = desk.write("huge.log", "x");
        fs::resize_file(huge, std::uintmax_t{1} << 30);
        QVERIFY(refusal(desk, huge).contains("larger than any curve"));
        QVERIFY(refusal(desk, "/dev/zero").contains("/dev/zero"));
    }

    void oneSeedForManyRunsIsRefused() {
        Desk desk;
        const QString said = test::inputErrorOf([&] { importRuns(table_, {log("misa.log"), {}, desk.runs(), 7, 0}); });
        QVERIFY2(said.contains("holds 5 runs"), qPrintable(said));
        QVERIFY(!fs::exists(desk.runs()));
    }
};

PALIMPSEST_GUILESS_TEST(TestImportLogs)

}  // namespace tst_import_logs

#include "tst_import_logs.moc"
