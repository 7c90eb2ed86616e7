// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/fetch.h"
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/archive_maker.h"
#include "tests/support/file_content.h"
#include "tests/support/http_server.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_program.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <set>
#include <thread>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_fetch {

namespace {

namespace fs = std::filesystem;
using State = DatasetFileStatus::State;

ino_t inodeOf(const fs::path& path) {
    struct stat status {};
    return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

}  // namespace

/// A data set of two forms, "packed" (an archive) and "loose" (two plain files), and a file of names for both.
class TestFetch : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        for (const char* name : {"http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"}) qunsetenv(name);
        QVERIFY(makings_.isValid());
        const auto archive =
            makeArchive(makings_.filePath("images.tar.gz"),
                        {{"images/a.png", "picture a"}, {"images/b.png", "picture b"}, {"notes", "x"}});
        files_["images.tar.gz"] = contentOf(archive);
        files_["names.txt"] = "cat\ndog\n";
        files_["one.bin"] = std::string(100'000, '1');
        files_["two.bin"] = std::string(90'000, '2');
    }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        server_ = std::make_unique<HttpServer>();
        info_ = {};
        info_.name = "pets";
        info_.title = "Pets";
        info_.homepage = "https://pets.example/";
        info_.files = {described("names.txt"), described("images.tar.gz"), described("one.bin"), described("two.bin")};
        info_.files[1].archive = true;
        info_.files[1].unpacked = "images";
        info_.files[1].form = "packed";
        for (const std::size_t i : {2, 3}) {
            info_.files[i].form = "loose";
            info_.files[i].optional = true;
        }
        settings_ = {};
        settings_.root = folder_->filePath("data").toStdString();
        settings_.patience.first_pause = settings_.patience.longest_pause = std::chrono::milliseconds(0);
        pets_ = settings_.root / "pets";
        for (const auto& [name, content] : files_) serve(name, content);
    }

    void everythingIsFetchedAndUnpackedOnce() {
        QCOMPARE(fetch(), pets_);
        QCOMPARE(contentOf(pets_ / "names.txt"), files_["names.txt"]);
        QCOMPARE(contentOf(pets_ / "images/a.png"), std::string("picture a"));
        QCOMPARE(contentOf(pets_ / "images/b.png"), std::string("picture b"));
        QCOMPARE(contentOf(pets_ / "images.tar.gz"), files_["images.tar.gz"]);
        QCOMPARE(inFolder(), (QStringList{"images", "images.tar.gz", "names.txt", "notes"}));
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/images.tar.gz"}));
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);

        const auto before = inodeOf(pets_ / "images/a.png");
        server_ = nullptr;
        QCOMPARE(fetch(), pets_);
        QCOMPARE(inodeOf(pets_ / "images/a.png"), before);
    }

    void theFolderItselfIsAGoodRootToo() {
        fetch();
        settings_.root = pets_;
        QCOMPARE(fetch(), pets_);
        QCOMPARE(requestedPaths().size(), 2);
        QVERIFY(datasetStatus(info_, pets_, false).complete);
    }

    void filesOfThoseNamesInTheRootAreAnothersAndStay() {
        fs::create_directories(settings_.root);
        const fs::path anothers = settings_.root / "names.txt";
        writeFile(path(anothers), "names of quite other things");
        const std::string detail = datasetStatus(info_, settings_.root, false).files[0].detail;
        QVERIFY2(detail.ends_with("fetch Pets; it is left alone."), detail.c_str());
        QCOMPARE(fetch(), pets_);
        QCOMPARE(contentOf(anothers), std::string("names of quite other things"));
        QCOMPARE(contentOf(pets_ / "names.txt"), files_["names.txt"]);
        QCOMPARE(datasetStatus(info_, settings_.root, true).folder, pets_);
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void theRootItselfIsFilledWhereItHasSomeOfTheFiles() {
        fs::create_directories(settings_.root);
        writeFile(path(settings_.root / "names.txt"), QByteArray::fromStdString(files_["names.txt"]));
        QCOMPARE(fetch(), settings_.root);
        QCOMPARE(requestedPaths(), QStringList{"/images.tar.gz"});
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void anUnpackedArchiveMayGo() {
        fetch();
        fs::remove(pets_ / "images.tar.gz");
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        fetch();
        QCOMPARE(requestedPaths().size(), 2);
    }

    void onlyWhatIsMissingIsFetched() {
        fetch();
        fs::remove(pets_ / "names.txt");
        fetch();
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/images.tar.gz", "/names.txt"}));
    }

    void anArchiveThatIsThereIsUnpackedOffline() {
        put("images.tar.gz", files_["images.tar.gz"]);
        put("names.txt", files_["names.txt"]);
        settings_.offline = true;
        fetch();
        QCOMPARE(contentOf(pets_ / "images/a.png"), std::string("picture a"));
        QVERIFY(requestedPaths().isEmpty());
    }

    void offlineNamesWhatIsMissing() {
        put("names.txt", files_["names.txt"]);
        settings_.offline = true;
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("images.tar.gz is missing in " + path(pets_)), qPrintable(sentence));
        QVERIFY(requestedPaths().isEmpty());
    }

    void offlineRefusesADamagedFile() {
        put("names.txt", files_["names.txt"]);
        std::string damaged = files_["images.tar.gz"];
        damaged[20] = static_cast<char>(damaged[20] ^ 1);
        put("images.tar.gz", damaged);
        settings_.offline = true;
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains(path(pets_ / "images.tar.gz") + " has the SHA-256 "), qPrintable(sentence));
        QVERIFY2(sentence.contains(QString::fromStdString(info_.files[1].checksum.substr(7))), qPrintable(sentence));
        QVERIFY(!fs::exists(pets_ / "images"));
    }

    void aDamagedFileIsReplaced_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("same_size");
        QTest::newRow("shorter file") << "names.txt" << false;
        QTest::newRow("file with a wrong byte") << "names.txt" << true;
        QTest::newRow("shorter archive") << "images.tar.gz" << false;
        QTest::newRow("archive with a wrong byte") << "images.tar.gz" << true;
    }
    void aDamagedFileIsReplaced() {
        QFETCH(QString, name);
        QFETCH(bool, same_size);
        std::string damaged = files_[name.toStdString()];
        same_size ? void(damaged[damaged.size() / 2] ^= 1) : damaged.resize(3);
        put(name.toStdString(), damaged);
        fetch();
        QCOMPARE(contentOf(pets_ / name.toStdString()), files_[name.toStdString()]);
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void aDamagedFileOfACompleteDataSetIsFetchedAgain() {
        fetch();
        put("names.txt", "cow\ndog\n");
        std::set<std::string> checked;
        settings_.progress = [&](const FetchProgress& now) {
            if (now.step == FetchProgress::Step::Checking) checked.insert(now.file);
        };
        fetch();
        QCOMPARE(contentOf(pets_ / "names.txt"), files_["names.txt"]);
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/images.tar.gz", "/names.txt"}));
        QCOMPARE(checked, (std::set<std::string>{"names.txt", "images.tar.gz"}));
    }

    void aDamagedFileStaysUntilARightOneIsThere() {
        fetch();
        put("names.txt", "cow\ndog\n");
        serve("names.txt", "pig\ndog\n");
        QVERIFY(runErrorOf([&] { fetch(); }).contains("names.txt could not be fetched"));
        QCOMPARE(contentOf(pets_ / "names.txt"), std::string("cow\ndog\n"));
        settings_.offline = true;
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains(path(pets_ / "names.txt") + " has the SHA-256 ") &&
                     sentence.contains("give it as one that you have, or fetch with a network"),
                 qPrintable(sentence));
    }

    void aDamagedFileInAFolderOfAnotherNameIsLeftAlone() {
        fs::create_directories(settings_.root);
        writeFile(path(settings_.root / "names.txt"), "cow\ndog\n");
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains(path(settings_.root / "names.txt") + " has the SHA-256 ") &&
                     sentence.contains("Move it away or delete it"),
                 qPrintable(sentence));
        QCOMPARE(contentOf(settings_.root / "names.txt"), std::string("cow\ndog\n"));
        QVERIFY(requestedPaths().isEmpty());
    }

    void checkingWhatIsThereCanBeStopped() {
        fetch();
        std::stop_source stop;
        stop.request_stop();
        settings_.stop = stop.get_token();
        QVERIFY(fetchDataset(info_, settings_).stopped);
    }

    void aFetchThatFailsLeavesNoEmptyFolder() {
        info_.files[1].name = "train/images.tar.gz";
        info_.files[1].unpacked = "train/images";
        info_.files.erase(info_.files.begin());
        for (DatasetFile& file : info_.files) file.urls = {server_->url("/none")};
        QVERIFY(!runErrorOf([&] { fetch(); }).isEmpty());
        QVERIFY(!fs::exists(settings_.root));
        settings_.offline = true;
        QVERIFY(!inputErrorOf([&] { fetch(); }).isEmpty());
        QVERIFY(!fs::exists(settings_.root));
    }

    void wrongContentIsRefusedAndDoesNotStay_data() {
        QTest::addColumn<QString>("checksum");
        QTest::newRow("SHA-256") << "sha256";
        QTest::newRow("MD5") << "md5";
    }
    void wrongContentIsRefusedAndDoesNotStay() {
        QFETCH(QString, checksum);
        if (checksum == "md5") info_.files[0].checksum = "md5:" + digest(DigestKind::Md5, files_["names.txt"]);
        serve("names.txt", "cow\ndog\n");
        const QString sentence = runErrorOf([&] { fetch(); });
        const auto kind = checksum == "md5" ? DigestKind::Md5 : DigestKind::Sha256;
        QVERIFY2(sentence.contains("names.txt could not be fetched: " + address("/names.txt")), qPrintable(sentence));
        QVERIFY2(sentence.contains(QString::fromStdString(digest(kind, "cow\ndog\n") + " where " +
                                                          digest(kind, "cat\ndog\n") + " is expected")),
                 qPrintable(sentence));
        QCOMPARE(inFolder(), QStringList());
    }

    void aWrongMirrorIsPassedOver() {
        HttpServer wrong;
        Answer other;
        other.body = "cow\ndog\n";
        wrong.serve("/pub/names.txt", {other});
        Answer missing;
        missing.status = 404;
        wrong.serve("/pub/images.tar.gz", {missing});
        settings_.mirrors = {wrong.url("/pub"), wrong.url("/pub/")};
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        QCOMPARE(wrong.requests().size(), std::size_t{4});
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/images.tar.gz"}));
    }

    void aMirrorIsAskedFirst() {
        for (DatasetFile& file : info_.files) file.urls = {"http://127.0.0.1:1/none"};
        settings_.mirrors = {server_->url("/names.txt"), server_->url("")};
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        // An address that ends in the file's own name is used unchanged.
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/names.txt/images.tar.gz", "/images.tar.gz"}));
    }

    void aStoppedFetchIsGoneOnFrom() {
        Answer stalled;
        stalled.body = files_["one.bin"];
        stalled.hang_after = 40'000;
        Answer rest = stalled;
        rest.hang_after = -1;
        server_->serve("/one.bin", {stalled, rest});
        info_.files.erase(info_.files.begin() + 1);
        std::stop_source stop;
        settings_.stop = stop.get_token();
        settings_.progress = [&](const FetchProgress& now) {
            if (now.step == FetchProgress::Step::Downloading && now.bytes == 40'000) stop.request_stop();
        };
        const FetchOutcome outcome = fetchDataset(info_, settings_);
        QVERIFY(outcome.stopped);
        QCOMPARE(outcome.folder, pets_);
        QCOMPARE(inFolder(), (QStringList{"names.txt", "one.bin.part", "one.bin.part.source"}));
        const DatasetStatus status = datasetStatus(info_, settings_.root, true);
        QVERIFY(!status.complete);
        QCOMPARE(status.files[1].state, State::Partial);
        QCOMPARE(status.files[1].found_bytes, std::int64_t{40'000});
        QVERIFY2(status.files[1].detail.find("40,000 of 100,000 bytes") != std::string::npos,
                 status.files[1].detail.c_str());

        settings_.stop = {};
        settings_.progress = {};
        fetch();
        QCOMPARE(server_->requests()[2].headers.at("range"), std::string("bytes=40000-"));
        QCOMPARE(inFolder(), (QStringList{"names.txt", "one.bin", "two.bin"}));
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void stoppingWhileUnpackingLeavesNothingThatLooksComplete() {
        std::stop_source stop;
        settings_.stop = stop.get_token();
        settings_.progress = [&](const FetchProgress& now) {
            if (now.step == FetchProgress::Step::Unpacking) stop.request_stop();
        };
        QVERIFY(fetchDataset(info_, settings_).stopped);
        QCOMPARE(inFolder(), (QStringList{"images.tar.gz", "names.txt"}));
        settings_.stop = {};
        settings_.offline = true;
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void progressTellsTheSteps() {
        std::set<std::pair<FetchProgress::Step, std::string>> seen;
        settings_.progress = [&](const FetchProgress& now) { seen.insert({now.step, now.file}); };
        fetch();
        for (const char* file : {"names.txt", "images.tar.gz"})
            for (const auto step : {FetchProgress::Step::Downloading, FetchProgress::Step::Checking})
                QVERIFY(seen.contains({step, file}));
        QVERIFY(seen.contains({FetchProgress::Step::Unpacking, "images.tar.gz"}));
    }

    void filesThatThePersonHasAreTaken_data() {
        QTest::addColumn<QString>("have");
        QTest::addColumn<QStringList>("asked_for");
        QTest::newRow("a folder of all") << "all" << QStringList{};
        QTest::newRow("a folder of some") << "some" << QStringList{"/names.txt"};
        QTest::newRow("a file") << "some/images.tar.gz" << QStringList{"/names.txt"};
        QTest::newRow("a link to a file") << "link/images.tar.gz" << QStringList{"/names.txt"};
        QTest::newRow("a file under another name") << "renamed/download(1)" << QStringList{"/names.txt"};
        QTest::newRow("what was unpacked") << "unpacked" << QStringList{"/names.txt"};
        QTest::newRow("the unpacked folder itself") << "unpacked/images" << QStringList{"/names.txt"};
    }
    void filesThatThePersonHasAreTaken() {
        QFETCH(QString, have);
        QFETCH(QStringList, asked_for);
        const QDir mine(folder_->path());
        for (const char* name : {"all", "some", "link", "renamed", "unpacked/images"}) mine.mkpath(name);
        for (const char* name : {"all/images.tar.gz", "some/images.tar.gz", "renamed/download(1)"})
            write(name, files_["images.tar.gz"]);
        write("all/names.txt", files_["names.txt"]);
        QFile::link(mine.filePath("some/images.tar.gz"), mine.filePath("link/images.tar.gz"));
        write("unpacked/images/a.png", "picture a");
        write("unpacked/images/b.png", "picture b");
        settings_.have = folder_->filePath(have).toStdString();
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        QCOMPARE(contentOf(pets_ / "images/b.png"), std::string("picture b"));
        QCOMPARE(requestedPaths(), asked_for);
        QCOMPARE(contentOf(mine.filePath("some/images.tar.gz").toStdString()), files_["images.tar.gz"]);
        QVERIFY(!inFolder().join(' ').contains(".part"));
    }

    void aTakenFileCostsNoRoom() {
        write("mine", files_["names.txt"]);
        settings_.have = folder_->filePath("mine").toStdString();
        fetch();
        QCOMPARE(inodeOf(pets_ / "names.txt"), inodeOf(settings_.have));
    }

    void aFolderThatHoldsItsOwnTargetIsRefused() {
        QDir(folder_->path()).mkpath("images");
        write("images/a.png", "picture a");
        settings_.root = settings_.have = folder_->filePath("images").toStdString();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("The folder " + path(settings_.have) + " holds the place that it would be taken to"),
                 qPrintable(sentence));
        QVERIFY(!fs::exists(settings_.root / "pets" / "images.part"));
        QCOMPARE(contentOf(settings_.have / "a.png"), std::string("picture a"));
    }

    void theFormThatThePersonHasIsChosen() {
        write("one.bin", files_["one.bin"]);
        settings_.have = folder_->filePath("one.bin").toStdString();
        fetch();
        QCOMPARE(inFolder(), (QStringList{"names.txt", "one.bin", "two.bin"}));
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/two.bin"}));
    }

    void aWrongFileOfThePersonIsRefusedAndStays() {
        write("names.txt", "cow\ndog\n");
        settings_.have = folder_->filePath("names.txt").toStdString();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("Your file " + path(settings_.have) + " has the SHA-256 "), qPrintable(sentence));
        QVERIFY2(sentence.contains("it is not names.txt of Pets"), qPrintable(sentence));
        QCOMPARE(inFolder(), QStringList());
        QCOMPARE(contentOf(settings_.have), std::string("cow\ndog\n"));
    }

    void whatThePersonHasIsKeptThoughMoreIsMissing_data() {
        QTest::addColumn<bool>("offline");
        QTest::newRow("offline") << true;
        QTest::newRow("no server has the rest") << false;
    }
    void whatThePersonHasIsKeptThoughMoreIsMissing() {
        QFETCH(bool, offline);
        settings_.offline = offline;
        for (DatasetFile& file : info_.files) file.urls = {server_->url("/none")};
        write("two.bin", files_["two.bin"]);
        settings_.have = folder_->filePath("two.bin").toStdString();
        const auto failing = [&] { fetch(); };
        const QString sentence = offline ? inputErrorOf(failing) : runErrorOf(failing);
        QVERIFY2(sentence.contains("Yours is kept: two.bin; still missing: names.txt, one.bin."), qPrintable(sentence));
        QVERIFY2(!offline || sentence.contains("names.txt, one.bin are missing in " + path(pets_)),
                 qPrintable(sentence));
        QCOMPARE(inFolder(), QStringList{"two.bin"});
        QCOMPARE(contentOf(pets_ / "two.bin"), files_["two.bin"]);
    }

    void aWrongFileAmongThePersonsIsNamedAndTheRightOnesAreKept() {
        QDir(folder_->path()).mkdir("mine");
        write("mine/one.bin", "1");
        write("mine/two.bin", files_["two.bin"]);
        settings_.have = folder_->filePath("mine").toStdString();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("one.bin has 1 bytes where 100,000 are expected, so it is not one.bin of Pets.") &&
                     sentence.contains("Yours is kept: two.bin; still missing: names.txt, one.bin."),
                 qPrintable(sentence));
        QCOMPARE(inFolder(), QStringList{"two.bin"});
    }

    void whatHasNothingToDoWithItIsRefused_data() {
        QTest::addColumn<QString>("have");
        QTest::addColumn<QString>("says");
        QTest::newRow("another file") << "other"
                                      << "is nothing of Pets. Expected: names.txt, images.tar.gz";
        QTest::newRow("an empty folder") << "empty"
                                         << "is nothing of Pets";
        QTest::newRow("nothing") << "none"
                                 << "There is no file or folder";
    }
    void whatHasNothingToDoWithItIsRefused() {
        QFETCH(QString, have);
        QFETCH(QString, says);
        write("other", "something else");
        QDir(folder_->path()).mkdir("empty");
        settings_.have = folder_->filePath(have).toStdString();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains(says) && sentence.contains(path(settings_.have)), qPrintable(sentence));
        QVERIFY(requestedPaths().isEmpty());
    }

    void withoutAnAddressTheHomepageIsNamed() {
        for (DatasetFile& file : info_.files) file.urls.clear();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("there is no address for names.txt. Ask for it at https://pets.example/"),
                 qPrintable(sentence));
    }

    void aMirrorMustBeAnAddress() {
        for (const char* wrong : {"", "nonsense", "mirror.example/pets", "ftp://mirror.example", "httpx://a", "/srv"}) {
            settings_.mirrors = {wrong};
            const QString sentence = inputErrorOf([&] { fetch(); });
            QVERIFY2(sentence.contains("is not an address"), qPrintable(sentence));
        }
        QVERIFY(requestedPaths().isEmpty());
        requireMirrors({"HTTPS://mirror.example", "http://127.0.0.1:8080/pets"});
    }

    void withoutFilesThereIsNothingToFetch() {
        info_.files.clear();
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("nothing to fetch for Pets"), qPrintable(sentence));
        QVERIFY(!datasetStatus(info_, settings_.root, false).complete);
        info_.procedural = true;
        QVERIFY(fetch().empty());
        QVERIFY(datasetStatus(info_, settings_.root, false).complete);
    }

    void aPartOfADataSetNamesTheWhole_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("says");
        QTest::newRow("CUB-175") << "cub175"
                                 << "fetch for CUB-175, which is a part of CUB-200-2011. Fetch it with "
                                    "\"palimpsest-cli dataset fetch cub200\"";
        QTest::newRow("CUB-25") << "cub25"
                                << "palimpsest-cli dataset fetch cub200\"";
        QTest::newRow("ImageNet-900") << "imagenet900"
                                      << "which is a part of ImageNet-1k. Get it from "
                                         "https://www.image-net.org/ and unpack it";
    }
    void aPartOfADataSetNamesTheWhole() {
        QFETCH(QString, name);
        QFETCH(QString, says);
        const QString sentence = inputErrorOf([&] { fetchDataset(name.toStdString(), settings_); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void anUnknownDataSetIsNamed() {
        const QString sentence = inputErrorOf([&] { fetchDataset("petz", settings_); });
        QVERIFY2(sentence.contains("no data set called \"petz\". Choose one of: "), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { datasetStatus("petz", settings_.root, false); }), sentence);
    }

    void anArchiveWithoutItsContentIsRefused() {
        info_.files[1].unpacked = "pictures";
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("images.tar.gz does not hold pictures"), qPrintable(sentence));
        QCOMPARE(inFolder(), (QStringList{"images.tar.gz", "names.txt"}));
    }

    void aDamagedArchiveWithoutChecksumIsSetAside() {
        info_.files[1].checksum.clear();
        info_.files[1].size = 0;
        serve("images.tar.gz", files_["images.tar.gz"].substr(0, files_["images.tar.gz"].size() / 2));
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("images.tar.gz is") && sentence.contains("Fetch it again"), qPrintable(sentence));
        QCOMPARE(inFolder(), (QStringList{"images.tar.gz.damaged", "names.txt"}));
        serve("images.tar.gz", files_["images.tar.gz"]);
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void anEvilArchiveIsRefused() {
        const auto evil =
            contentOf(makeArchive(folder_->filePath("evil.tar.gz"), {{"images/a.png", "x"}, {"../evil", "x"}}));
        info_.files[1].size = static_cast<std::int64_t>(evil.size());
        info_.files[1].checksum = "sha256:" + digest(DigestKind::Sha256, evil);
        serve("images.tar.gz", evil);
        const QString sentence = inputErrorOf([&] { fetch(); });
        QVERIFY2(sentence.contains("\"../evil\""), qPrintable(sentence));
        QCOMPARE(inFolder(), (QStringList{"images.tar.gz", "names.txt"}));
        QVERIFY(!fs::exists(settings_.root / "evil"));
    }

    void archivesMayShareAFolder() {
        const auto more = contentOf(makeArchive(folder_->filePath("more.zip"), {{"images/more/c.png", "picture c"}}));
        DatasetFile file = described("more.zip", more);
        file.archive = true;
        file.unpacked = "images/more";
        info_.files.push_back(file);
        serve("more.zip", more);
        fetch();
        QCOMPARE(contentOf(pets_ / "images/more/c.png"), std::string("picture c"));
        QCOMPARE(contentOf(pets_ / "images/a.png"), std::string("picture a"));
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void aFileMayLieBelow() {
        info_.files[1].name = "train/images.tar.gz";
        info_.files[1].unpacked = "train/images";
        fetch();
        QCOMPARE(contentOf(pets_ / "train/images/a.png"), std::string("picture a"));
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
    }

    void theStatusTellsWhatIsWrong() {
        put("images.tar.gz", files_["images.tar.gz"]);
        put("names.txt", "cow\ndog\n");
        put("one.bin", "1");
        const DatasetStatus quick = datasetStatus(info_, settings_.root, false);
        QCOMPARE(quick.folder, pets_);
        QVERIFY(!quick.complete);
        QCOMPARE(quick.files[0].state, State::Present);
        QCOMPARE(quick.files[1].state, State::NotUnpacked);
        QCOMPARE(quick.files[2].state, State::WrongSize);
        QCOMPARE(quick.files[2].expected_bytes, std::int64_t{100'000});
        QCOMPARE(quick.files[2].found_bytes, std::int64_t{1});
        QVERIFY2(quick.files[2].detail.ends_with("fetch Pets again, which replaces it."),
                 quick.files[2].detail.c_str());
        QCOMPARE(quick.files[3].state, State::Missing);
        const DatasetStatus thorough = datasetStatus(info_, settings_.root, true);
        QCOMPARE(thorough.files[0].state, State::WrongChecksum);
        QVERIFY2(thorough.files[0].detail.find("has the SHA-256") != std::string::npos,
                 thorough.files[0].detail.c_str());
        QVERIFY2(thorough.files[0].detail.ends_with("fetch Pets again, which replaces it."),
                 thorough.files[0].detail.c_str());
        for (const DatasetFileStatus& file : thorough.files) QVERIFY2(file.detail.ends_with('.'), file.detail.c_str());
        QVERIFY(!fs::exists(settings_.root / "pets" / ".fetching"));
    }

    void twoAtOnceFetchEverythingOnce() {
        Answer slow;
        slow.body = files_["images.tar.gz"];
        slow.piece = 20;
        server_->serve("/images.tar.gz", {slow});
        const auto both = [this] { fetchDataset(info_, settings_); };
        {
            const std::jthread first(both);
            const std::jthread second(both);
        }
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        QCOMPARE(requestedPaths(), (QStringList{"/names.txt", "/images.tar.gz"}));
        QCOMPARE(inFolder(), (QStringList{"images", "images.tar.gz", "names.txt", "notes"}));
    }

    void aFetchWaitsForAnotherAndCanBeStopped() {
        fs::create_directories(pets_);
        QFile lock(QString::fromStdString((pets_ / ".fetching").string()));
        QVERIFY(lock.open(QIODevice::WriteOnly));
        QCOMPARE(flock(lock.handle(), LOCK_EX), 0);
        std::stop_source stop;
        settings_.stop = stop.get_token();
        settings_.progress = [&](const FetchProgress& now) {
            if (now.step == FetchProgress::Step::Waiting) stop.request_stop();
        };
        QVERIFY(fetchDataset(info_, settings_).stopped);
        QVERIFY(requestedPaths().isEmpty());
    }

    void whatAKilledFetchLeftIsNoObstacle() {
        put(".fetching", "");
        put("names.txt.taken.part", "half");
        fs::create_directories(pets_ / ".unpacking-images.tar.gz" / "images");
        fs::create_directories(pets_ / ".unpacking-images.tar.gz.part" / "images");
        write("names.txt", files_["names.txt"]);
        settings_.have = folder_->filePath("names.txt").toStdString();
        fetch();
        QCOMPARE(inFolder(), (QStringList{"images", "images.tar.gz", "names.txt", "notes"}));
    }

    void aFullDiskIsSaidAndTheNextFetchGoesOn() {
        info_.files.erase(info_.files.begin() + 1);
        const auto outcome = QString::fromStdString(onSmallDisk(50'000, [&] { fetchDataset(info_, settings_); }));
        QVERIFY2(outcome.startsWith("run: There is no room on the disk for " + path(pets_ / "one.bin.part")),
                 qPrintable(outcome));
        fetch();
        QVERIFY(datasetStatus(info_, settings_.root, true).complete);
        QCOMPARE(server_->requests()[2].headers.at("range"), std::string("bytes=50000-"));
    }

    void dataLiesWhereTheEnvironmentSays() {
        qputenv("XDG_DATA_HOME", "/x");
        qunsetenv("PALIMPSEST_DATA");
        QCOMPARE(dataFolder(), fs::path("/x/palimpsest/data"));
        qputenv("PALIMPSEST_DATA", "/y");
        QCOMPARE(dataFolder(), fs::path("/y"));
        QCOMPARE(datasetStatus(info_, {}, false).folder, fs::path("/y/pets"));
        qunsetenv("PALIMPSEST_DATA");
        qunsetenv("XDG_DATA_HOME");
    }

private:
    static std::string digest(DigestKind kind, const std::string& content) {
        Digest digest(kind);
        digest.add(std::as_bytes(std::span(content)));
        return digest.hex();
    }
    DatasetFile described(const std::string& name, const std::string& content) const {
        DatasetFile file;
        file.name = name;
        file.size = static_cast<std::int64_t>(content.size());
        file.checksum = "sha256:" + digest(DigestKind::Sha256, content);
        file.urls = {server_->url("/" + name)};
        return file;
    }
    DatasetFile described(const std::string& name) const { return described(name, files_.at(name)); }
    void serve(const std::string& name, const std::string& content) {
        Answer answer;
        answer.body = content;
        server_->serve("/" + name, {answer});
    }
    fs::path fetch() const {
        const FetchOutcome outcome = fetchDataset(info_, settings_);
        return outcome.stopped ? "stopped" : outcome.folder;
    }
    /// Writes a file into the data set's folder.
    void put(const std::string& name, const std::string& content) const {
        fs::create_directories(pets_);
        writeFile(path(pets_ / name), QByteArray::fromStdString(content));
    }
    /// Writes a file of the user's own.
    void write(const QString& name, const std::string& content) const {
        writeFile(folder_->filePath(name), QByteArray::fromStdString(content));
    }
    QStringList inFolder() const {
        return QDir(path(pets_)).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
    }
    QStringList requestedPaths() const {
        QStringList targets;
        for (const Request& request : server_->requests()) targets.append(QString::fromStdString(request.target));
        return targets;
    }
    QString address(const std::string& target) const { return QString::fromStdString(server_->url(target)); }
    static QString path(const fs::path& path) { return QString::fromStdString(path.string()); }
    template <class Action>
    static QString runErrorOf(Action action) {
        try {
            action();
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::Run && !error.hint().empty())
                return QString::fromStdString(error.sentence());
        }
        return {};
    }

    QTemporaryDir makings_;
    std::map<std::string, std::string> files_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<HttpServer> server_;
    DatasetInfo info_;
    FetchSettings settings_;
    fs::path pets_;
};

PALIMPSEST_APPLESS_TEST(TestFetch)

}  // namespace tst_fetch

#include "tst_fetch.moc"
