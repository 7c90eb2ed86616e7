// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/archive.h"
#include "engine/support/format.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/archive_maker.h"
#include "tests/support/file_content.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <map>
#include <random>
#include <set>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_archive {

namespace {

namespace fs = std::filesystem;
using Kind = MadeEntry::Kind;
const char* const kEndings[] = {".tar", ".tar.gz", ".tar.bz2", ".zip"};

/// Incompressible bytes.
std::string noise(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
}

std::vector<MadeEntry> honestEntries() {
    return {{"set/", {}, Kind::Folder},
            {"set/train/a.png", noise(3000, 1)},
            {"set/train/b.png", noise(500, 2)},
            {"./set/test/c.txt", std::string(20'000, 'c')},
            {"set/empty", ""},
            {"set/test/gr\xc3\xbc\xc3\x9f.txt", "umlauts"}};
}

/// Content by path below a folder; folders end in a slash. Names are bytes, since damage may produce any.
using Tree = std::map<std::string, std::string>;
Tree tree(const fs::path& folder) {
    Tree found;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        if (entry.is_directory()) {
            found[name + "/"];
        } else {
            found[name] = contentOf(entry.path());
        }
    }
    return found;
}

Tree honestTree() {
    Tree files{{"set/", {}}, {"set/train/", {}}, {"set/test/", {}}};
    for (const MadeEntry& entry : honestEntries())
        if (entry.kind != Kind::Folder) files[fs::path(entry.name).lexically_normal().string()] = entry.content;
    return files;
}

}  // namespace

class TestArchive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void everyFormatGivesItsFilesBack_data() { everyEnding(); }
    void everyFormatGivesItsFilesBack() {
        QFETCH(QString, ending);
        // The content decides, not the name.
        const auto made = makeArchive(path("made" + ending), honestEntries());
        fs::rename(made, file("archive"));
        QVERIFY(extractArchive(file("archive"), file("target")));
        QVERIFY(tree(file("target")) == honestTree());
        QVERIFY(!QFile::exists(path("target.part")));
    }

    void aVisitorSeesTheSameFiles_data() { everyEnding(); }
    void aVisitorSeesTheSameFiles() {
        QFETCH(QString, ending);
        const auto archive = makeArchive(path("made" + ending), honestEntries());
        Tree seen{{"set/", {}}, {"set/train/", {}}, {"set/test/", {}}};
        QVERIFY(visitArchive(archive, [&](const ArchiveMember& member) {
            const auto content = member.read();
            seen[member.name] = {content.begin(), content.end()};
            return true;
        }));
        QVERIFY(seen == honestTree());
    }

    void aVisitorMaySkipAndMayHaveEnough_data() { everyEnding(); }
    void aVisitorMaySkipAndMayHaveEnough() {
        QFETCH(QString, ending);
        const auto archive = makeArchive(path("made" + ending), honestEntries());
        QStringList names;
        std::size_t bytes = 0;
        QVERIFY(visitArchive(archive, [&](const ArchiveMember& member) {
            names.append(QString::fromStdString(member.name));
            if (!member.name.ends_with("c.txt")) return true;
            bytes = member.read().size();
            return false;
        }));
        QCOMPARE(names, (QStringList{"set/train/a.png", "set/train/b.png", "set/test/c.txt"}));
        QCOMPARE(bytes, std::size_t{20'000});
    }

    void evilEntriesAreRefusedByName_data() {
        QTest::addColumn<QString>("ending");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("content");
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("says");
        struct Row {
            const char* title;
            const char* name;
            const char* content;
            Kind kind;
            const char* says;
        };
        const Row rows[] = {
            {"path upwards", "../evil", "x", Kind::File, "holds the path \"../evil\", which leaves the folder"},
            {"path upwards in the middle", "set/../../evil", "x", Kind::File, "\"set/../../evil\""},
            {"path upwards that stays inside", "set/../evil", "x", Kind::File, "\"set/../evil\""},
            {"folder upwards", "..", "", Kind::Folder, "holds the path \"../\""},
            {"absolute path", "/tmp/evil", "x", Kind::File, "\"/tmp/evil\""},
            {"absolute folder", "//evil/", "", Kind::Folder, "\"//evil/\""},
            {"symbolic link", "evil", "/etc", Kind::Symlink, "holds a symbolic link, \"evil\""},
            {"symbolic link inside", "evil", "good", Kind::Symlink, "holds a symbolic link"},
            {"hard link", "evil", "good", Kind::Hardlink, "holds a hard link, \"evil\""},
            {"hard link outside", "evil", "/etc/passwd", Kind::Hardlink, "holds a hard link"},
            {"device", "evil", "", Kind::Device, "holds a device, \"evil\""},
            {"fifo", "evil", "", Kind::Fifo, "holds a pipe or socket, \"evil\""},
            {"the same file twice", "good", "x", Kind::File, "holds \"good\" twice"},
            {"a folder that is a file", "good/evil", "x", Kind::File, "holds \"good/evil\" twice"},
            {"a name that ends the sentence", "../e\nvil", "x", Kind::File, "\"../e?vil\""},
        };
        for (const char* ending : {".tar", ".tar.gz", ".zip"})
            for (const Row& row : rows) {
                const bool only_tar = row.kind == Kind::Hardlink || row.kind == Kind::Device || row.kind == Kind::Fifo;
                if (only_tar && QString(ending) == ".zip") continue;
                QTest::addRow("%s, %s", row.title, ending)
                    << ending << row.name << row.content << int(row.kind) << row.says;
            }
    }
    void evilEntriesAreRefusedByName() {
        QFETCH(QString, ending);
        QFETCH(QString, name);
        QFETCH(QString, content);
        QFETCH(int, kind);
        QFETCH(QString, says);
        QDir(folder_->path()).mkdir("inner");
        const auto archive =
            makeArchive(path("evil" + ending),
                        {{"good", "x"}, {name.toStdString(), content.toStdString(), static_cast<Kind>(kind)}});
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("inner/target")); });
        QVERIFY2(sentence.contains(says) && sentence.contains(path("evil" + ending)), qPrintable(sentence));
        QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
        QCOMPARE(tree(file("")).size(), std::size_t{2});  // the archive and the empty folder
        if (!says.contains("twice")) {
            const QString visited =
                inputErrorOf([&] { visitArchive(archive, [](const ArchiveMember&) { return true; }); });
            QCOMPARE(visited, sentence);
        }
    }

    void anEndlessNameIsRefusedAndNotRepeated() {
        const auto archive = makeArchive(path("long.zip"), {{std::string(5000, 'n'), "x"}});
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("target")); });
        QVERIFY2(sentence.contains("long.zip holds a name of 5,000 bytes."), qPrintable(sentence));
        QVERIFY(!sentence.contains("nnnn"));
        QCOMPARE(inputErrorOf([&] { visitArchive(archive, [](const ArchiveMember&) { return true; }); }), sentence);
        QCOMPARE(tree(file("")).size(), std::size_t{1});
    }

    void aBombIsStoppedByItsSize_data() { everyEnding(); }
    void aBombIsStoppedByItsSize() {
        QFETCH(QString, ending);
        const std::string zeros(200'000, '\0');
        const auto archive = makeArchive(path("bomb" + ending), {{"a", zeros}, {"b", zeros}, {"c", zeros}});
        ArchiveSettings settings;
        settings.most_bytes = 500'000;
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("target"), settings); });
        QVERIFY2(sentence.contains("unpacks to more than 500,000 bytes at \"c\""), qPrintable(sentence));
        QCOMPARE(tree(file("")).size(), std::size_t{1});
        settings.most_bytes = 600'000;
        QVERIFY(extractArchive(archive, file("target"), settings));
    }

    void theDefaultLimitGrowsWithTheArchive() {
        // 64 MiB and 100 times an archive of some 70 kB: 68 MiB of zeros pass, 80 MiB do not.
        const std::string zeros(68 << 20, '\0');
        QVERIFY(extractArchive(makeArchive(path("large.tar.gz"), {{"a", zeros}}), file("large")));
        QVERIFY(
            visitArchive(makeArchive(path("small.tar.gz"), {{"a", "x"}}), [](const ArchiveMember&) { return true; }));
        const std::string many(80 << 20, '\0');
        const QString sentence = inputErrorOf([&] {
            extractArchive(makeArchive(path("bomb.tar.gz"), {{"a", many}}), file("bomb"));
        });
        QVERIFY2(sentence.contains("unpacks to more than"), qPrintable(sentence));
    }

    void tooManyEntriesAreRefused() {
        ArchiveSettings settings;
        settings.most_entries = 5;
        const auto archive = makeArchive(path("many.zip"), honestEntries());
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("target"), settings); });
        QVERIFY2(sentence.contains("holds more than 5 entries"), qPrintable(sentence));
        settings.most_entries = 6;
        QVERIFY(extractArchive(archive, file("target"), settings));
    }

    void theMostEntriesGrowWithTheArchive() {
        // 50,000 and one for 20 bytes of the archive: in a packed one the entries take next to nothing.
        const std::vector<MadeEntry> many(60'000, {"a", "", MadeEntry::Kind::Folder});
        const auto archive = makeArchive(path("many.tar.gz"), many);
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("target")); });
        const auto most = 50'000 + static_cast<std::int64_t>(fs::file_size(archive)) / 20;
        QVERIFY2(sentence.contains("holds more than " + QString::fromStdString(grouped(most)) + " entries"),
                 qPrintable(sentence));
        QVERIFY(extractArchive(makeArchive(path("many.tar"), many), file("target")));
    }

    void everyTruncationIsNoticed_data() { everyEnding(); }
    void everyTruncationIsNoticed() {
        QFETCH(QString, ending);
        const auto whole = QByteArray::fromStdString(contentOf(makeArchive(path("whole" + ending), honestEntries())));
        // A tar file is also cut between two entries.
        const qsizetype step = ending == ".tar" ? 256 : std::max<qsizetype>(1, whole.size() / 150);
        for (qsizetype size = 0; size < whole.size(); size += size + step < whole.size() ? step : 1) {
            fs::remove(file("cut"));
            writeFile(path("cut"), whole.left(size));
            const QString sentence = inputErrorOf([&] { extractArchive(file("cut"), file("target")); });
            if (sentence.isEmpty()) {
                // The lost bytes were padding or a checksum of checksums: every file is complete.
                QVERIFY2(tree(file("target")) == honestTree(), qPrintable(QString::number(size)));
                fs::remove_all(file("target"));
                QVERIFY2(ending != ".zip" && size > whole.size() - 600, qPrintable(QString::number(size)));
            } else {
                QVERIFY2(sentence.contains(path("cut")) && sentence.contains("Fetch it again."), qPrintable(sentence));
            }
            QVERIFY(!QFile::exists(path("target")) && !QFile::exists(path("target.part")));
        }
    }

    void gzipsChecksumCountsThoughItStandsBehindTheEnd() {
        const auto plain = contentOf(makeArchive(path("plain.tar"), honestEntries())) + std::string(2'000'000, '\0');
        QByteArray packed = gzipped(QByteArray::fromStdString(plain));
        writeFile(path("right"), packed);
        QVERIFY(extractArchive(file("right"), file("target")));
        packed[packed.size() - 6] = static_cast<char>(packed[packed.size() - 6] ^ 1);
        writeFile(path("wrong"), packed);
        const QString sentence = inputErrorOf([&] { extractArchive(file("wrong"), file("other")); });
        QVERIFY2(sentence.contains(path("wrong") + " is damaged or incomplete"), qPrintable(sentence));
        writeFile(path("short"), packed.left(packed.size() - 4));
        QVERIFY(!inputErrorOf([&] { extractArchive(file("short"), file("other")); }).isEmpty());
        QVERIFY(!fs::exists(file("other")));
    }

    void damageNeverCrashesNorLeaks_data() { everyEnding(); }
    void damageNeverCrashesNorLeaks() {
        QFETCH(QString, ending);
        const auto whole = QByteArray::fromStdString(contentOf(makeArchive(path("whole" + ending), honestEntries())));
        const auto right = honestTree();
        std::set<std::string> contents;
        for (const auto& [name, content] : right) contents.insert(content);
        std::mt19937 random(7);
        int refused = 0;
        constexpr int kTries = 400;
        for (int i = 0; i < kTries; ++i) {
            QByteArray damaged = whole;
            // Single damaged bytes are spread evenly over the file first, then several bytes anywhere.
            const int flips = i < kTries / 2 ? 1 : 1 + static_cast<int>(random() % 20);
            for (int f = 0; f < flips; ++f) {
                const auto place = flips == 1 ? i * whole.size() / (kTries / 2) % whole.size()
                                              : static_cast<qsizetype>(random() % static_cast<unsigned>(whole.size()));
                damaged[place] = static_cast<char>(damaged[place] ^ (1 + static_cast<char>(random() % 255)));
            }
            fs::remove(file("damaged"));  // some file systems sync to the disk at once when a file is replaced
            writeFile(path("damaged"), damaged);
            QString sentence;
            try {
                extractArchive(file("damaged"), file("target"));
            } catch (const Error& error) {
                sentence = QString::fromStdString(error.sentence());
                QVERIFY2(!error.hint().empty() && sentence.contains(folder_->path()), qPrintable(sentence));
            }
            QVERIFY(!QFile::exists(path("target.part")));
            if (sentence.isEmpty()) {
                const auto found = tree(file("target"));
                if (ending.endsWith("gz") || ending.endsWith("bz2")) {
                    QVERIFY2(found == right, qPrintable(QString("damage %1 passed").arg(i)));
                } else if (ending == ".zip") {
                    // Names are not protected by checksums, contents are.
                    for (const auto& [name, content] : found) QVERIFY2(contents.contains(content), name.c_str());
                }
                fs::remove_all(file("target"));
            } else {
                ++refused;
            }
            QVERIFY(!QFile::exists(path("target")));
            QCOMPARE(tree(file("")).size(), std::size_t{2});
        }
        QVERIFY2(refused > kTries / 10, qPrintable(QString::number(refused)));
    }

    void whatIsNoArchiveIsNamed_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("a web page") << QByteArray("<html><body>Please log in.</body></html>");
        QTest::newRow("gzipped text") << gzipped("not a tar file at all, only some words");
        QTest::newRow("a gzip header alone") << QByteArray::fromHex("1f8b0800000000000003");
        QTest::newRow("noise") << QByteArray::fromStdString(noise(5000, 3));
        QTest::newRow("an archive of nothing") << QByteArray(10240, '\0');
    }
    void whatIsNoArchiveIsNamed() {
        QFETCH(QByteArray, content);
        writeFile(path("thing"), content);
        const QString sentence = inputErrorOf([&] { extractArchive(file("thing"), file("target")); });
        QVERIFY2(sentence.contains(path("thing") + " is not a whole tar or zip archive"), qPrintable(sentence));
        QCOMPARE(tree(file("")).size(), std::size_t{1});
    }

    void aMissingArchiveIsNamed() {
        const QString sentence = inputErrorOf([&] { extractArchive(file("none"), file("target")); });
        QVERIFY2(sentence.contains("There is no archive " + path("none")), qPrintable(sentence));
    }

    void aTargetThatIsThereStaysAsItIs() {
        QDir(folder_->path()).mkdir("target");
        writeFile(path("target/mine"), "mine");
        const auto archive = makeArchive(path("a.zip"), honestEntries());
        const QString sentence = inputErrorOf([&] { extractArchive(archive, file("target")); });
        QVERIFY2(sentence.contains(path("target") + " is already there"), qPrintable(sentence));
        QCOMPARE(contentOf(file("target/mine")), std::string("mine"));
    }

    void whatAKilledCallLeftIsThrownAway() {
        QDir(folder_->path()).mkpath("target.part/set");
        writeFile(path("target.part/set/old"), "old");
        QVERIFY(extractArchive(makeArchive(path("a.tar"), honestEntries()), file("target")));
        QVERIFY(tree(file("target")) == honestTree());
    }

    void stoppingLeavesNothing_data() { everyEnding(); }
    void stoppingLeavesNothing() {
        QFETCH(QString, ending);
        const auto archive = makeArchive(path("a" + ending), honestEntries());
        ArchiveSettings settings;
        std::stop_source stop;
        int words = 0;
        settings.stop = stop.get_token();
        settings.progress = [&](const ArchiveProgress& now) {
            ++words;
            QVERIFY(now.total > 0 && now.bytes >= 0 && now.bytes <= now.total);
            stop.request_stop();
        };
        QVERIFY(!extractArchive(archive, file("target"), settings));
        QCOMPARE(words, 1);
        QCOMPARE(tree(file("")).size(), std::size_t{1});
        QVERIFY(!visitArchive(
            archive, [](const ArchiveMember&) { return true; }, settings));
    }

    void progressEndsWithTheWholeArchive_data() { everyEnding(); }
    void progressEndsWithTheWholeArchive() {
        QFETCH(QString, ending);
        const auto archive = makeArchive(path("a" + ending), honestEntries());
        ArchiveSettings settings;
        ArchiveProgress last;
        settings.progress = [&](const ArchiveProgress& now) {
            QVERIFY(now.bytes >= last.bytes);
            last = now;
        };
        QVERIFY(extractArchive(archive, file("target"), settings));
        QCOMPARE(last.bytes, static_cast<std::int64_t>(fs::file_size(archive)));
        QCOMPARE(last.total, last.bytes);
    }

    void aFullDiskIsSaidPlainly() {
        const auto archive = makeArchive(path("a.tar.gz"), {{"small", "x"}, {"large", std::string(300'000, 'x')}});
        const auto target = file("target");
        const auto outcome = QString::fromStdString(onSmallDisk(100'000, [&] { extractArchive(archive, target); }));
        QVERIFY2(outcome.startsWith("run: There is no room on the disk for " + path("target.part/large")),
                 qPrintable(outcome));
        QVERIFY2(outcome.contains("Free some space"), qPrintable(outcome));
        QCOMPARE(tree(file("")).size(), std::size_t{1});
    }

private:
    void everyEnding() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : kEndings) QTest::newRow(ending) << ending;
    }
    QString path(const QString& name) const { return folder_->filePath(name); }
    fs::path file(const QString& name) const { return path(name).toStdString(); }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestArchive)

}  // namespace tst_archive

#include "tst_archive.moc"
