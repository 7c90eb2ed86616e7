// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/append_file.h"
#include "tests/support/test_program.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <filesystem>
#include <fstream>

using namespace palimpsest;

namespace tst_append_file {

namespace fs = std::filesystem;

namespace {

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestAppendFile : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path place(const char* name) const { return folder_.filePath(name).toStdString(); }

private Q_SLOTS:
    void rowsAreInTheFileAfterAFlush() {
        AppendFile file(place("rows.csv"), "a,b");
        file.row({"1", "2"});
        QCOMPARE(contentOf(file.file()), std::string("a,b\n"));
        file.flush();
        QCOMPARE(contentOf(file.file()), std::string("a,b\n1,2\n"));
        QCOMPARE(file.length(), std::int64_t{8});
    }

    void whatStandsBehindTheMarkIsCutOff() {
        std::ofstream(place("cut.csv")) << "a\n1\n2\n3";
        AppendFile file(place("cut.csv"), std::int64_t{4});
        file.row({"5"});
        file.flush();
        QVERIFY(file.failure().empty());
        QCOMPARE(contentOf(file.file()), std::string("a\n1\n5\n"));
        AppendFile shorter(place("short.csv"), "a");
        AppendFile lost(shorter.file(), std::int64_t{100});
        QVERIFY(!lost.failure().empty());
    }

    void twoWritersOfOneFileAreOneTooMany() {
        AppendFile first(place("one.csv"), "a");
        first.row({"1"});
        first.flush();
        AppendFile second(place("one.csv"), std::int64_t{2});
        QCOMPARE(second.failure(), "Another program writes " + place("one.csv").string());
        QCOMPARE(contentOf(first.file()), std::string("a\n1\n"));
    }

    void rowsOfAFileThatIsGoneWaitUntilItIsBack() {
        fs::create_directory(place("run"));
        AppendFile file(place("run") / "rows.csv", "a");
        // A second name keeps the file meanwhile, as for a folder that is moved away and back.
        fs::create_hard_link(file.file(), place("kept.csv"));
        fs::remove(file.file());
        fs::rename(place("kept.csv"), file.file());
        file.row({"1"});
        file.flush();
        QVERIFY(file.failure().empty());

        fs::remove_all(place("run"));
        file.row({"2"});
        file.flush();
        QVERIFY2(file.failure().ends_with("is no longer there"), file.failure().c_str());
        file.retry();
        QVERIFY(!file.failure().empty());
        QVERIFY(!fs::exists(place("run")));
    }

    void whatTheDiskRefusesIsWrittenOnceThereIsRoom() {
        signal(SIGXFSZ, SIG_IGN);
        AppendFile file(place("full.csv"), "a");
        file.sync();
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{4, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        file.row({"1234"});
        file.row({"5678"});
        file.flush();
        const std::string failure = file.failure();
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY2(failure.starts_with("Cannot write "), failure.c_str());
        file.retry();
        QVERIFY(file.failure().empty());
        QCOMPARE(contentOf(file.file()), std::string("a\n1234\n5678\n"));
        QCOMPARE(file.length(), std::int64_t{12});
    }

    void itsHashIsThatOfItsBytes() {
        const auto same = [](const AppendFile& file) { return file.hash() == fileHash(file.file()); };
        signal(SIGXFSZ, SIG_IGN);
        AppendFile file(place("hashed.csv"), "a");
        QVERIFY(same(file));
        file.row({"1"});
        file.sync();
        QVERIFY(same(file));
        const std::string first = file.hash();
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const rlimit limit{6, before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
        file.row({"1234"});
        file.flush();
        setrlimit(RLIMIT_FSIZE, &before);
        QVERIFY(!file.failure().empty() && same(file));
        file.retry();
        QVERIFY(file.failure().empty() && same(file));
        const std::string kept = contentOf(file.file()) + "torn";
        std::ofstream(place("again.csv")) << kept;
        AppendFile again(place("again.csv"), std::int64_t{4});
        QCOMPARE(again.hash(), first);
        again.row({"5"});
        again.flush();
        QVERIFY(same(again));
    }

    void linksAndPipesAreNotOpened() {
        std::ofstream(place("victim")) << "mine, and long enough\n";
        fs::create_symlink(place("victim"), place("link.csv"));
        const AppendFile linked(place("link.csv"), std::int64_t{2});
        QVERIFY2(linked.failure().find("is a link") != std::string::npos, linked.failure().c_str());
        const AppendFile fresh(place("link.csv"), "a");
        QVERIFY(!fresh.failure().empty());
        QCOMPARE(contentOf(place("victim")), std::string("mine, and long enough\n"));
        QCOMPARE(mkfifo(place("pipe.csv").c_str(), 0600), 0);
        const AppendFile pipe(place("pipe.csv"), std::int64_t{0});
        QVERIFY(!pipe.failure().empty());
    }

    void aCellForPeopleIsNoFormula() {
        for (const char* plain : {"DualPrompt", "-1.5", "1e5", "a=b", ""})
            QCOMPARE(tableCell(plain), std::string(plain));
        QCOMPARE(tableCell("=1+1"), std::string("'=1+1"));
        QCOMPARE(tableCell("@SUM(A1)"), std::string("'@SUM(A1)"));
        QCOMPARE(tableCell("-cmd|' /C calc'!A0"), std::string("'-cmd|' /C calc'!A0"));
        QCOMPARE(tableCell("+1,2"), std::string("\"'+1,2\""));
    }

    void aFileThatCouldNotBeOpenedIsOpenedLater() {
        AppendFile file(place("later") / "rows.csv", "a");
        QVERIFY(!file.failure().empty());
        file.row({"1"});
        fs::create_directory(place("later"));
        file.retry();
        QVERIFY2(file.failure().empty(), file.failure().c_str());
        QCOMPARE(contentOf(file.file()), std::string("a\n1\n"));
    }
};

PALIMPSEST_APPLESS_TEST(TestAppendFile)

}  // namespace tst_append_file

#include "tst_append_file.moc"
