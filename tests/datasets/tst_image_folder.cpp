// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/image_folder.h"
#include "engine/support/stop_scope.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/picture_files.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_image_folder {

namespace {

std::vector<std::string> namesOf(const LabelledFiles& files) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < files.files.size(); ++i) names.emplace_back(files.files[i]);
    return names;
}

}  // namespace

class TestImageFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void classesAreSortedByteByByte() {
        for (const char* name : {"b", "B", "a10", "a2", "\xc3\xa9", "_", ".hidden", "__MACOSX"}) QVERIFY(make(name));
        file("a file.png");
        QCOMPARE(classFolders(root()), (std::vector<std::string>{"B", "_", "a10", "a2", "b", "\xc3\xa9"}));
    }

    void aLongListingCanBeGivenUp() {
        for (const char* name : {"a/1.png", "a/2.png", "b/1.png"}) file(name);
        const FileTable table(listClasses(root(), {"a", "b"}));
        std::stop_source stop;
        stop.request_stop();
        {
            const StopScope scope(stop.get_token());
            QVERIFY_EXCEPTION_THROWN(classFolders(root()), GivenUp);
            QVERIFY_EXCEPTION_THROWN(listClasses(root(), {"a", "b"}), GivenUp);
            QVERIFY_EXCEPTION_THROWN(table.identity(), GivenUp);
            QVERIFY_EXCEPTION_THROWN(table.image(0), GivenUp);
        }
        QCOMPARE(classFolders(root()).size(), std::size_t{2});
        QVERIFY(!table.identity().empty());
    }

    void picturesComeInTheOrderOfTorchvision() {
        // Folders are sorted by whole path, pictures by name in each: c, c/a, c/a-b, c/a/deep, since "-" sorts before
        // "/".
        for (const char* name : {"c/z.png", "c/a/x.png", "c/a/B.png", "c/a-b/y.JPG", "c/a/deep/q.bmp", "c/10.png",
                                 "c/9.png", "c/notes.txt", "c/._z.png", "c/.DS_Store", "c/a/list.csv"})
            file(name);
        LabelledFiles files;
        files.root = root();
        QCOMPARE(addPictures(files, "c", 7), 7);
        QCOMPARE(namesOf(files), (std::vector<std::string>{"c/10.png", "c/9.png", "c/z.png", "c/a/B.png", "c/a/x.png",
                                                           "c/a-b/y.JPG", "c/a/deep/q.bmp"}));
        QCOMPARE(files.labels, std::vector<std::int32_t>(7, 7));
        QCOMPARE(files.ignored, 2);
    }

    void labelsAreThePlacesOfTheClasses() {
        for (const char* name : {"x/1.png", "y/1.png", "y/2.png", "z/1.png"}) file(name);
        const auto files = listClasses(root(), {"y", "x"});
        QCOMPARE(namesOf(files), (std::vector<std::string>{"y/1.png", "y/2.png", "x/1.png"}));
        QCOMPARE(files.labels, (std::vector<std::int32_t>{0, 0, 1}));
    }

    void classesWithoutPicturesAreNamed() {
        file("full/1.png");
        file("texts/readme.txt");
        for (int i = 0; i < 6; ++i) QVERIFY(make(QString("empty%1").arg(i)));
        const QString sentence = inputErrorOf([&] { listClasses(root(), classFolders(root())); });
        QVERIFY2(sentence.contains(
                     "no pictures in empty0, empty1, empty2, empty3, empty4 and 2 more; 1 file of another kind"),
                 qPrintable(sentence));
    }

    void missingFoldersAreNamed() {
        const QString sentence = inputErrorOf([&] { classFolders(root() / "nowhere"); });
        QVERIFY2(sentence.contains("nowhere cannot be read: No such file or directory"), qPrintable(sentence));
        file("flat.png");
        QVERIFY(inputErrorOf([&] { classFolders(root() / "flat.png"); }).contains("cannot be read"));
    }

    void aLinkThatLeadsBackUpIsRefused() {
        file("c/1.png");
        std::filesystem::create_directory_symlink(root() / "c", root() / "c" / "again");
        const QString sentence = inputErrorOf([&] { listClasses(root(), {"c"}); });
        QVERIFY2(sentence.contains("more than 16 folders below its class"), qPrintable(sentence));
    }

    void linksToFoldersAndPicturesAreFollowed() {
        file("store/1.png");
        QVERIFY(make("c"));
        std::filesystem::create_symlink(root() / "store" / "1.png", root() / "c" / "link.png");
        std::filesystem::create_directory_symlink(root() / "store", root() / "d");
        QCOMPARE(classFolders(root()), (std::vector<std::string>{"c", "d", "store"}));
        const FileTable table(listClasses(root(), {"c", "d"}));
        QCOMPARE(numberOf(table.image(0)), 5);
        QCOMPARE(numberOf(table.image(1)), 5);
    }

    void tablesDecodeTheirFilesWhenAsked() {
        writeNumbered(folder_->filePath("a/1.png"), 11, ".png");
        writeNumbered(folder_->filePath("b/1.png"), 22, ".png");
        file("b/2.png", "no picture");
        const FileTable table(listClasses(root(), {"a", "b"}));
        QCOMPARE(table.size(), 3);
        QCOMPARE(numberOf(table.image(0)), 11);
        QCOMPARE(numberOf(table.image(1)), 22);
        QCOMPARE(table.name(2), std::string("b/2.png"));
        QVERIFY(inputErrorOf([&] { table.image(2); }).contains("b/2.png is not a picture"));
        QVERIFY(inputErrorOf([&] { table.image(3); }).contains("no image 3"));
        QVERIFY(inputErrorOf([&] { table.image(-1); }).contains("no image -1"));
    }

    void theIdentityChangesWithAnyPictureAndOnlyThen() {
        for (const char* name : {"a/1.png", "a/2.png", "b/1.png"}) file(name);
        const auto identity = [&] { return FileTable(listClasses(root(), {"a", "b"})).identity(); };
        const std::string before = identity();
        QCOMPARE(before.size(), std::size_t{64});
        QCOMPARE(identity(), before);
        file("a/2.png", "longer than before, by far: other bytes");
        const std::string resized = identity();
        QVERIFY(resized != before);
        const auto path = root() / "b" / "1.png";
        std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
        const std::string touched = identity();
        QVERIFY(touched != resized);
        std::filesystem::rename(root() / "a" / "1.png", root() / "a" / "0.png");
        QVERIFY(identity() != touched);
    }

    void selectionsAndLimitsKeepNamesAndLabelsTogether() {
        for (const char* name : {"a/1.png", "a/2.png", "b/1.png"}) file(name);
        const auto all = listClasses(root(), {"a", "b"});
        const std::vector<std::int64_t> wanted{2, 0};
        auto chosen = all.at(wanted);
        QCOMPARE(namesOf(chosen), (std::vector<std::string>{"b/1.png", "a/1.png"}));
        QCOMPARE(chosen.labels, (std::vector<std::int32_t>{1, 0}));
        chosen.limitTo(1);
        QCOMPARE(namesOf(chosen), (std::vector<std::string>{"b/1.png"}));
        QCOMPARE(chosen.labels.size(), std::size_t{1});
        chosen.limitTo(0);
        QCOMPARE(chosen.files.size(), std::size_t{1});
    }

private:
    std::filesystem::path root() const { return folder_->path().toStdString(); }
    bool make(const QString& name) { return QDir().mkpath(folder_->filePath(name)); }
    void file(const QString& name, const QByteArray& bytes = encoded(cv::Mat(2, 2, CV_8UC3, colourOf(5)), ".png")) {
        writeDeep(folder_->filePath(name), bytes);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestImageFolder)

}  // namespace tst_image_folder

#include "tst_image_folder.moc"
