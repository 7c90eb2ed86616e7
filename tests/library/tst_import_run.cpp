// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <cstring>

#include "engine/library/import_run.h"
#include "engine/library/run_index.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "tests/datasets/errors.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_import_run {

namespace fs = std::filesystem;

class TestImportRun : public QObject {
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

    template <class Number>
    static QByteArray npy(const char* type, const std::vector<Number>& values, QByteArray shape = {}) {
        if (shape.isEmpty()) shape = "(" + QByteArray::number(qsizetype(values.size())) + ",)";
        QByteArray header = QByteArray("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
        while ((10 + header.size() + 1) % 64 != 0) header += ' ';
        header += '\n';
        QByteArray bytes("\x93NUMPY\x01\x00", 8);
        bytes += char(header.size() & 0xff);
        bytes += char(header.size() >> 8);
        bytes += header;
        bytes += QByteArray(reinterpret_cast<const char*>(values.data()), qsizetype(values.size() * sizeof(Number)));
        return bytes;
    }
    RunRecord imported(const Desk& desk, const fs::path& file, std::int64_t every = 0) const {
        return readRun(table_, importRuns(table_, {file, {}, desk.runs(), {}, every}).folders.front());
    }
    QString refusal(const Desk& desk, const fs::path& file) const {
        return test::inputErrorOf([&] { importRuns(table_, {file, {}, desk.runs(), {}, 0}); });
    }

private Q_SLOTS:
    void fractionsBesidePercentagesAreNoted() {
        Desk desk;
        const auto notes = [&](const char* name, const QByteArray& text) {
            return importRuns(table_, {desk.write(name, text), {}, desk.runs(), {}, 0}).notes;
        };
        const std::vector<std::string> mixed = notes("mixed.csv", "steps,acc\n500,0.5\n1000,50\n");
        QCOMPARE(mixed.size(), std::size_t{1});
        QVERIFY2(mixed[0].find("0.5 is 0.5 %") != std::string::npos, mixed[0].c_str());
        QVERIFY(notes("fractions.csv", "steps,acc\n500,0.5\n1000,0.75\n").empty());
        QVERIFY(notes("percent.csv", "steps,acc\n500,10\n1000,50\n").empty());
    }

    void theSameResultsTwiceAreNoted() {
        Desk desk;
        const auto noted = [&](const fs::path& file) {
            const ImportedRuns made = importRuns(table_, {file, {}, desk.runs(), {}, 0});
            QString all;
            for (const std::string& note : made.notes) all += QString::fromStdString(note) + "\n";
            return all;
        };
        const fs::path file = desk.write("one.csv", "samples_seen,accuracy\n500,0.25\n1000,0.75\n");
        QVERIFY(!noted(file).contains("imported before"));
        const fs::path first = findRuns(desk.runs()).at(0);
        const QString again = noted(file);
        QVERIFY2(again.contains("imported before") && again.contains(QString::fromStdString(first.string())),
                 qPrintable(again));
        desk.write("one.csv", "samples_seen,accuracy\n500,0.25\n1000,0.80\n");
        QVERIFY(!noted(file).contains("imported before"));
    }

    void foldersAreNamedByWholeWords() {
        Desk desk;
        const auto nameOf = [&](const std::string& name) {
            return makeRunFolder(desk.runs(), name, 1, "imported").filename().string();
        };
        QVERIFY2(nameOf("er on seq-cifar10, with the buffer_size 500")
                     .starts_with("er-on-seq-cifar10-with-the-buffer-size-1-"),
                 nameOf("er on seq-cifar10, with the buffer_size 500").c_str());
        QVERIFY(nameOf("er on cifar10, buffer_size 500").starts_with("er-on-cifar10-buffer-size-500-1-"));
        QVERIFY(nameOf(std::string(60, 'a')).starts_with(std::string(40, 'a') + "-1-"));
    }

    void aTableBecomesARun_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("commas") << QByteArray("samples_seen,accuracy\n500,0.25\n1000,0.75\n");
        QTest::newRow("semicolons, decimal commas") << QByteArray("samples_seen;accuracy\n500;0,25\n1000;0,75\n");
        QTest::newRow("tabs") << QByteArray("samples_seen\taccuracy\n500\t0.25\n1000\t0.75\n");
        QTest::newRow("other names and order") << QByteArray("Acc,loss,\"Samples seen\"\n0.25,3,500\n0.75,2,1000\n");
        QTest::newRow("per cent") << QByteArray("images,accuracy (%)\n500,25 %\n1000,75\n");
        QTest::newRow("spreadsheet") << QByteArray("\xef\xbb\xbfstep,acc\r\n500,0.25\r\n\r\n1000,0.75\r\n");
        QTest::newRow("no last line end") << QByteArray("samples_seen,accuracy\n500,0.25\n1000,0.75");
        QTest::newRow("numbers like 1e3") << QByteArray("samples_seen,accuracy\n5e2,2.5e-1\n1e3,0.75\n");
    }
    void aTableBecomesARun() {
        QFETCH(QByteArray, text);
        Desk desk;
        const RunRecord run = imported(desk, desk.write("paper l2p.csv", text));
        QCOMPARE(run.state, RecordedState::Imported);
        QCOMPARE(run.experiment.name, std::string("paper l2p"));
        QVERIFY2(run.warnings.empty(), run.warnings.empty() ? "" : run.warnings[0].c_str());
        QCOMPARE(run.anytime.size(), std::size_t(2));
        QCOMPARE(run.anytime[0].samples_seen, 500);
        QCOMPARE(run.anytime[1].samples_seen, 1000);
        QCOMPARE(run.anytime[0].accuracy, 0.25);
        QCOMPARE(run.anytime[1].accuracy, 0.75);
        QCOMPARE(run.total_samples, 1000);
        QCOMPARE(run.experiment.evaluation.every_samples, 500);
        QCOMPARE(run.summary.a_auc.value(), 0.5);
        QVERIFY(!run.summary.a_last);
    }

    void aTableMayNameSessions() {
        Desk desk;
        const RunRecord run = imported(
            desk, desk.write("a.csv", "samples_seen,session,accuracy\n100,0,0.5\n200,0,0.6\n300,1,0.4\n400,1,0.5\n"));
        QCOMPARE(run.session_starts, (std::vector<std::int64_t>{0, 200}));
        QCOMPARE(run.anytime[3].session, 1);
    }

    void whatIsNoCurveIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("why");
        const QByteArray head = "samples_seen,accuracy\n";
        QTest::newRow("empty") << QByteArray() << "no column for the images seen";
        QTest::newRow("no header") << QByteArray("500,0.5\n") << "no column";
        QTest::newRow("no accuracy") << QByteArray("samples_seen,loss\n1,2\n") << "no column for the accuracy";
        QTest::newRow("header alone") << head << "holds no accuracy";
        QTest::newRow("words") << head + "500,0.5\n1000,high\n"
                               << "line 3: \"1000,high\"";
        QTest::newRow("a cell short") << head + "500\n"
                                      << "line 2";
        QTest::newRow("backwards") << head + "500,0.5\n400,0.5\n"
                                   << "line 3: the number of images seen does not grow";
        QTest::newRow("twice") << head + "500,0.5\n500,0.5\n"
                               << "does not grow";
        QTest::newRow("negative") << head + "500,-0.1\n"
                                  << "neither a fraction nor a percentage";
        QTest::newRow("too large") << head + "500,101\n"
                                   << "neither a fraction nor a percentage";
        QTest::newRow("not a number") << head + "500,nan\n"
                                      << "neither a fraction nor a percentage";
        QTest::newRow("no images") << head + "0,0.5\n"
                                   << "not above 0";
        QTest::newRow("huge") << head + "1e300,0.5\n"
                              << "line 2";
    }
    void whatIsNoCurveIsRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QString, why);
        Desk desk;
        const QString said = refusal(desk, desk.write("a.csv", text));
        QVERIFY2(said.contains(why), qPrintable(said));
        QVERIFY(!fs::exists(desk.runs()));
    }

    /// What is wrong behind it is not reached.
    void whatIsTooMuchIsRefusedBeforeItTakesMemory() {
        const Desk desk;
        QByteArray rows = "samples_seen,accuracy\n";
        for (int i = 1; i <= 1'000'001; ++i) rows += QByteArray::number(i) + ",1\n";
        QVERIFY(refusal(desk, desk.write("long.csv", rows + "nothing\n")).contains("more than a million evaluations"));
        const QByteArray wide = "samples_seen,accuracy" + QByteArray(1'000'000, ',');
        QVERIFY(refusal(desk, desk.write("wide.csv", wide + "\n1,0.5\n")).contains("more than 10,000 columns"));
        const fs::path list = desk.write("seed_1_eval.npy", npy<float>("<f4", std::vector<float>(1'000'001, 0.5F)));
        desk.write("seed_1_eval_time.npy", npy<std::int64_t>("<i8", {1000}));
        QVERIFY(refusal(desk, list).contains("more than a million evaluations"));
    }

    void theOfficialCodesListsBecomeARun_data() {
        QTest::addColumn<QString>("named");
        for (const char* name : {"seed_3.npy", "seed_3_eval.npy", "seed_3_eval_time.npy"})
            QTest::newRow(name) << QString(name);
    }
    void theOfficialCodesListsBecomeARun() {
        QFETCH(QString, named);
        Desk desk;
        desk.write("misa/seed_3_eval.npy", npy<double>("<f8", {0.25, 0.75, 0.5}));
        desk.write("misa/seed_3_eval_time.npy", npy<std::int64_t>("<i8", {1000, 2000, 3000}));
        desk.write("misa/seed_3.npy", npy<double>("<f8", {0.5, 0.25}));
        const RunRecord run = imported(desk, desk.path() / "misa" / named.toStdString());
        QCOMPARE(run.experiment.name, std::string("misa"));
        QCOMPARE(run.experiment.seed, 3);
        QCOMPARE(run.experiment.stream.sessions, 2);
        QCOMPARE(run.anytime.size(), std::size_t(3));
        QCOMPARE(run.anytime[2].samples_seen, 3000);
        QCOMPARE(run.summary.a_auc.value(), 0.5);
        QCOMPARE(run.summary.a_last_overall.value(), 0.25);
        QCOMPARE(run.summary.a_avg.value(), 0.375);
        QCOMPARE(run.summary.sessions_ended, 2);
        QVERIFY(!run.summary.a_last);
    }

    void otherNumberTypesAreRead() {
        Desk desk;
        const fs::path file = desk.write("seed_1_eval.npy", npy<float>("<f4", {25, 75}));
        desk.write("seed_1_eval_time.npy", npy<std::int32_t>("<i4", {10, 20}));
        QCOMPARE(imported(desk, file).anytime[1].accuracy, 0.75);
    }

    void withoutTimesThePeriodMustBeTold() {
        Desk desk;
        const fs::path file = desk.write("seed_1_eval.npy", npy<double>("<f8", {0.25, 0.75}));
        QVERIFY(refusal(desk, file).contains("seed_1_eval_time.npy"));
        QCOMPARE(imported(desk, file, 1000).anytime[1].samples_seen, 2000);
        QVERIFY(imported(desk, desk.write("acc.npy", npy<double>("<f8", {0.25})), 7).anytime[0].samples_seen == 7);
    }

    void whatIsNoListIsRefused_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("why");
        QTest::newRow("no .npy") << QByteArray("hello") << "is no whole .npy file";
        QTest::newRow("a matrix") << npy<double>("<f8", {1, 2, 3, 4}, "(2, 2)") << "has the shape (2 × 2)";
        QTest::newRow("one number") << npy<double>("<f8", {0.5}, "()") << "is no list";
        QTest::newRow("objects") << npy<double>("|O", {1}) << "Python objects";
        QTest::newRow("big endian") << npy<double>(">f8", {1}) << "unknown type";
        QTest::newRow("torn") << npy<double>("<f8", {0.1, 0.2}).chopped(3) << "does not fit its data";
        QTest::newRow("longer than the times") << npy<double>("<f8", {0.1, 0.2, 0.3}) << "holds 3 accuracies";
        QTest::newRow("no accuracies") << npy<double>("<f8", {0.1, -2}) << "entry 2";
    }
    void whatIsNoListIsRefused() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, why);
        Desk desk;
        const fs::path file = desk.write("seed_1_eval.npy", bytes);
        desk.write("seed_1_eval_time.npy", npy<std::int64_t>("<i8", {1000, 2000}));
        const QString said = refusal(desk, file);
        QVERIFY2(said.contains(why), qPrintable(said));
        QVERIFY(!fs::exists(desk.runs()));
    }

    void otherFilesAreRefused() {
        Desk desk;
        QVERIFY(refusal(desk, desk.write("a.txt", "x")).contains("no results in a known form"));
        QVERIFY(refusal(desk, desk.path() / "gone.csv").contains("Cannot read"));
        // A program in which the words of a log stand.
        QVERIFY(refusal(desk, desk.write("a.log", QByteArray("\x7f"
                                                             "ELF\0\0",
                                                             6) +
                                                      "[1/5] Test | Sample # 10 | acc: 0.5 |\n"))
                    .contains("is no text"));
        QVERIFY(
            refusal(desk, desk.write("seed_1.npy", npy<double>("<f8", {0.5}))).contains("There is no seed_1_eval.npy"));
    }

    void twoImportsOfOneFileAreTwoRuns() {
        Desk desk;
        const fs::path file = desk.write("a.csv", "samples_seen,accuracy\n500,0.5\n");
        imported(desk, file);
        imported(desk, file);
        RunIndex index(&table_, desk.runs());
        const auto rows = index.reconcile().rows;
        QCOMPARE(rows.size(), std::size_t(2));
        // The settings of imported runs are unknown.
        QVERIFY(rows[0]->method.empty());
        QVERIFY(rows[0]->imported());
        QCOMPARE(rows[0]->family, rows[1]->family);
    }
};

PALIMPSEST_GUILESS_TEST(TestImportRun)

}  // namespace tst_import_run

#include "tst_import_run.moc"
