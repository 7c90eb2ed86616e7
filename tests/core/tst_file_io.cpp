// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/file_io.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QTemporaryDir>
#include <QtTest>
#include <csignal>

#include "engine/config/experiment_file.h"
#include "engine/stream/index_list.h"
#include "engine/support/csv_table.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/text.h"
#include "tests/datasets/errors.h"
#include "tests/support/hostile_files.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_file_io {

namespace fs = std::filesystem;

class TestFileIo : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path place(const char* name) const { return folder_.filePath(name).toStdString(); }

    /// Names in a folder.
    static QStringList namesIn(const fs::path& folder) {
        QStringList names;
        for (const auto& entry : fs::directory_iterator(folder))
            names << QString::fromStdString(entry.path().filename().string());
        names.sort();
        return names;
    }

private Q_SLOTS:
    void aSizeThatNobodyWroteTakesNoMemory() {
        const fs::path file = place("claim");
        plantHole(file, std::uintmax_t{900} << 20U);
        const QString sentence = inputErrorOf([&] { readTextFile(file); });
        QVERIFY2(sentence.contains("says that it has 900 MB, but most of it was never written"), qPrintable(sentence));
        // One that was written is read, whatever its size.
        const std::string written(std::size_t{20} << 20U, 'x');
        replaceTextFile(file, written);
        QVERIFY(readTextFile(file) == written);
    }

    void whatIsNoFileOfTheFolderIsRefused_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("said");
        QTest::newRow("link") << "link"
                              << "is a link";
        QTest::newRow("link to a device") << "zero"
                                          << "is a link";
        QTest::newRow("pipe") << "pipe"
                              << "device or a pipe";
        QTest::newRow("folder") << "folder"
                                << "is a folder";
        QTest::newRow("hole") << "hole"
                              << "larger than any of its kind";
    }
    void whatIsNoFileOfTheFolderIsRefused() {
        QFETCH(QString, kind);
        QFETCH(QString, said);
        const fs::path file = place("planted");
        plantText(place("victim"), "secret");
        if (kind == "link") plantLink(file, place("victim"));
        if (kind == "zero") plantLink(file, "/dev/zero");
        if (kind == "pipe") plantPipe(file);
        if (kind == "hole") plantHole(file, std::uintmax_t{1} << 40U);
        if (kind == "folder") {
            fs::remove_all(file);
            fs::create_directory(file);
        }
        const QString sentence = inputErrorOf([&] { readTextFile(file, FilePlace::InFolder, file_limit::kDocument); });
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
        if (kind != "hole") QVERIFY(!inputErrorOf([&] { InputFile in(file, FilePlace::InFolder); }).isEmpty());
        if (kind != "link" && kind != "hole") {
            // One that the user names may be a link, but no device all the same.
            QVERIFY(!inputErrorOf([&] { readTextFile(file); }).isEmpty());
        }
        if (kind == "link") QCOMPARE(readTextFile(file), std::string("secret"));
        QVERIFY(!scanCsv(file, {"a"}, [](auto) {}).warnings.empty());
    }

    void aSubfolderOfARunIsNoLinkEither() {
        fs::create_directory(place("elsewhere"));
        plantText(place("elsewhere") / "a.json", "{}");
        plantLink(place("checkpoints"), place("elsewhere"));
        const fs::path file = place("checkpoints") / "a.json";
        QVERIFY(inputErrorOf([&] { readTextFile(file, FilePlace::InSubfolder); }).contains("is a link"));
        QVERIFY(inputErrorOf([&] {
                    replaceTextFile(file, "x", Keep::OnDisk, FilePlace::InSubfolder);
                }).contains("is a link"));
        QCOMPARE(plantedText(place("elsewhere") / "a.json"), std::string("{}"));
        QCOMPARE(namesIn(place("elsewhere")), QStringList("a.json"));
        QCOMPARE(readTextFile(file), std::string("{}"));
    }

    void nothingIsWrittenThroughALinkThatWasPlanted() {
        const fs::path run = place("run");
        fs::create_directory(run);
        plantText(place("bashrc"), "mine");
        plantLink(run / "run.json.part", place("bashrc"));
        replaceTextFile(run / "run.json", "{}", Keep::OnDiskWithName, FilePlace::InFolder);
        QCOMPARE(plantedText(place("bashrc")), std::string("mine"));
        QCOMPARE(plantedText(run / "run.json"), std::string("{}"));
        plantLink(run / "run.json", place("bashrc"));
        QVERIFY(inputErrorOf([&] { replaceTextFile(run / "run.json", "{}"); }).contains("never replaced"));
        QCOMPARE(plantedText(place("bashrc")), std::string("mine"));
        QVERIFY(fs::is_symlink(run / "run.json"));
        QCOMPARE(namesIn(run), QStringList({"run.json", "run.json.part"}));
    }

    void devicesAndPipesAreNeverReplaced() {
        QVERIFY(inputErrorOf([&] { replaceTextFile("/dev/full", "x"); }).contains("never replaced"));
        QVERIFY(fs::is_character_file("/dev/full"));
        plantPipe(place("pipe"));
        QVERIFY(inputErrorOf([&] { replaceTextFile(place("pipe"), "x"); }).contains("never replaced"));
        QVERIFY(fs::is_fifo(place("pipe")));
    }

    void whatAKilledProgramLeftBesideItsFilesIsRemovedAndNothingElse() {
        const fs::path run = place("left");
        fs::create_directory(run);
        plantText(run / "a.0123456789abcdef.part", "half");
        plantText(run / "b.part", "mine");
        plantText(run / "c.0123456789abcdeg.part", "mine");
        plantText(place("kept"), "mine");
        plantLink(run / "d.0123456789abcdef.part", place("kept"));
        removeAsideFiles(run);
        QCOMPARE(namesIn(run), QStringList({"b.part", "c.0123456789abcdeg.part"}));
        QCOMPARE(plantedText(place("kept")), std::string("mine"));
        {
            AsideFile aside(run / "e");
            aside.write("lost");
            QVERIFY(fs::exists(aside.path()));
        }
        QCOMPARE(namesIn(run).size(), 2);
    }

    void whatIsBeingWrittenIsNotTakenForLeft() {
        const fs::path run = place("busy");
        fs::create_directory(run);
        AsideFile aside(run / "notes");
        aside.write("mine");
        removeAsideFiles(run);
        aside.publish();
        QCOMPARE(plantedText(run / "notes"), std::string("mine"));
        QCOMPARE(namesIn(run), QStringList({"notes"}));
    }

    // As a running program is, which nobody may write.
    void whatCannotBeAskedIsNotTakenForLeft() {
        const fs::path run = place("asked");
        fs::create_directory(run);
        const fs::path left = run / "a.0123456789abcdef.part";
        fs::copy_file("/bin/sleep", left);
        pid_t program = 0;
        char name[] = "sleep", time[] = "1000";
        char* const words[] = {name, time, nullptr};
        QCOMPARE(posix_spawn(&program, left.c_str(), nullptr, nullptr, words, environ), 0);
        removeAsideFiles(run);
        const bool stayed = fs::exists(left);
        kill(program, SIGKILL);
        waitpid(program, nullptr, 0);
        QVERIFY(stayed);
        removeAsideFiles(run);
        QVERIFY(!fs::exists(left));
    }

    void aFileIsReadWhereverItIsAskedFor() {
        std::string content;
        for (int i = 0; i < 200'000; ++i) content += static_cast<char>(i * 31 % 251);
        plantText(place("long"), content);
        InputFile in(place("long"));
        QCOMPARE(in.size(), std::uint64_t(content.size()));
        std::string piece(70'000, '\0');
        for (const std::size_t from : {std::size_t{5}, std::size_t{120'000}, std::size_t{40}, std::size_t{129'999}}) {
            in.seekg(static_cast<std::streamoff>(from));
            QVERIFY(in.read(piece.data(), static_cast<std::streamsize>(piece.size())));
            QVERIFY(piece == content.substr(from, piece.size()));
            QCOMPARE(static_cast<std::size_t>(in.tellg()), from + piece.size());
            QCOMPARE(in.get(), static_cast<int>(static_cast<unsigned char>(content[from + piece.size()])));
        }
        in.seekg(-10, std::ios::end);
        QVERIFY(!in.read(piece.data(), 20));
        QCOMPARE(in.gcount(), std::streamsize{10});
        QCOMPARE(readTextFile(place("long")), content);
        Sha256 hash;
        hash.add(std::as_bytes(std::span(content).first(100'001)));
        QCOMPARE(fileHash(place("long"), FilePlace::InFolder, 100'001), hash.hex());
        QCOMPARE(fileHash(place("long"), FilePlace::InFolder, 200'001), std::string());
    }

    void aPastIsCopiedAsFarAsItGoes() {
        plantText(place("past"), "12345678");
        copyPlainFile(place("past"), place("copied"), FilePlace::InFolder, 5);
        QCOMPARE(plantedText(place("copied")), std::string("12345"));
        QVERIFY(inputErrorOf([&] {
                    copyPlainFile(place("past"), place("more"), FilePlace::InFolder, 9);
                }).contains("shorter than it was"));
        plantLink(place("linked"), place("past"));
        QVERIFY(inputErrorOf([&] {
                    copyPlainFile(place("linked"), place("other"), FilePlace::InFolder);
                }).contains("is a link"));
    }

    void jsonThatLiesTooDeepIsNoJson() {
        QVERIFY(parsedJson(deepJson()).is_discarded());
        QVERIFY(parsedJson<nlohmann::json>(std::string(400'000, '{')).is_discarded());
        const std::string inText = "{\"a\": \"" + std::string(2 * kDeepestJson, '[') + "\\\"[[[[\"}";
        QVERIFY(parsedJson(inText).is_object());
        const std::string most = std::string(kDeepestJson, '[') + std::string(kDeepestJson, ']');
        QVERIFY(parsedJson(most).is_array());
        QVERIFY(parsedJson("[" + most + "]").is_discarded());
        QVERIFY(parsedJson("[1e999]").is_discarded());
        std::string many = "{\"a\": 0";
        for (int i = 0; i < 30'000; ++i) many += ",\"" + std::to_string(i) + "\":0";
        QVERIFY(parsedJson(many + "}").is_discarded());
    }

    void anIndexListSaysWhatIsWrongWithIt_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("too deep") << QByteArray(400'000, '[') << "too deep";
        QTest::newRow("too large a number") << QByteArray(R"({"sessions": [[0, 1e999]]})") << "too large";
    }
    void anIndexListSaysWhatIsWrongWithIt() {
        QFETCH(QByteArray, text);
        QFETCH(QString, said);
        const QString sentence = inputErrorOf([&] { parseIndexList(text.toStdString(), "list.json"); });
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    void tomlWithLongKeysIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        const QByteArray key = QByteArray::fromStdString(deepToml()).chopped(5);
        QTest::newRow("key") << QByteArray(key + " = 1\n");
        QTest::newRow("header") << QByteArray("[" + key + "]\nb = 1\n");
        QTest::newRow("list of tables") << QByteArray("[[" + key + "]]\n");
        QTest::newRow("quoted parts") << QByteArray(key).replace("a", "\"a\"") + " = 1\n";
        QTest::newRow("blanks between") << QByteArray(key).replace(".", " . ") + " = 1\n";
        QTest::newRow("inline table") << QByteArray("x = { b = 1, " + key + " = 1 }\n");
        QTest::newRow("behind a text") << QByteArray("x = { b = \"\"\"a\"\"\"\"\", " + key + " = 1 }\n");
        QTest::newRow("behind a comment") << QByteArray("# it's\n" + key + " = 1\n");
    }
    void tomlWithLongKeysIsRefused() {
        QFETCH(QByteArray, text);
        const OptionTable table(testCatalogue());
        const QString sentence = inputErrorOf([&] { parseExperiment(table, text.toStdString(), "x.toml"); });
        QVERIFY2(sentence.contains("more than 20 parts"), qPrintable(sentence.left(300)));
    }

    void dotsInTextsAndCommentsAreNoKeys() {
        const OptionTable table(testCatalogue());
        const std::string dots(100, '.');
        const Experiment read = parseExperiment(
            table, "# " + dots + "\nname = \"" + dots + "\" # " + dots + "\n[training]\nlearning_rate = 0.5\n",
            "x.toml");
        QCOMPARE(read.name, dots);
        QCOMPARE(read.training.learning_rate, 0.5);
    }

    void foreignWordsBecomeOnePlainLine() {
        QCOMPARE(plainSentence("a\x1b]0;x\x07\nb\tc"), std::string("a?]0;x? b c"));
        QCOMPARE(plainSentence(std::string("a\0b", 3)), std::string("a?b"));
        // A right-to-left override shows the rest backwards.
        QVERIFY(!isPlainLine("a\u202Etxt.exe"));
        QCOMPARE(plainSentence("a\u202E\u2066b"), std::string("a??????b"));
        QCOMPARE(plainSentence("“Größe” – 数"), std::string("“Größe” – 数"));
        QVERIFY(plainSentence(std::string(100'000, 'x')).size() < 4100);
        const Error error = inputError("bad \x1b[31m\nname", "do\x07 it");
        QCOMPARE(std::string(error.what()), std::string("bad ?[31m name"));
        QCOMPARE(error.hint(), std::string("do? it"));
    }

    void aTableOfOneEndlessLineIsGivenUp() {
        plantHole(place("zeros.csv"), std::uintmax_t{1} << 36U);
        const CsvTable small = readCsv(place("zeros.csv"), {"a"});
        QCOMPARE(small.warnings.size(), std::size_t{1});
        QVERIFY(small.rows.empty());
        const CsvScan scanned = scanCsv(place("zeros.csv"), {"a"}, [](auto) {});
        QVERIFY2(scanned.warnings.back().find("far too long") != std::string::npos, scanned.warnings.back().c_str());
        std::string odd = "a\n";
        for (int i = 0; i < 5000; ++i) odd += "x\n";
        plantText(place("odd.csv"), odd);
        QCOMPARE(readCsv(place("odd.csv"), {"a"}).warnings.size(), std::size_t{101});
    }
};

PALIMPSEST_APPLESS_TEST(TestFileIo)

}  // namespace tst_file_io

#include "tst_file_io.moc"
