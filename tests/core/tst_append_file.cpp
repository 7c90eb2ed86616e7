// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/append_file.h"
#include "tests/support/test_program.h"

#include <sys/resource.h>
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
