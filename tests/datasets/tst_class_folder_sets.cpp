// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/listing.h"
#include "tests/datasets/torch_permutation.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_class_folder_sets {

// ImageNet-R, GTSRB, NCH, WikiArt and CUB-200-2011: distributions whose classes are folders.

namespace {

/// An unpacked distribution: class folders and names of their pictures.
struct Layout {
    QString below;  ///< parent of the class folders
    QStringList classes;
    QStringList pictures;  ///< in each class, sorted in the expected order; "%1" is the class
    std::string ending;    ///< image format
    QStringList others{};  ///< files beside the pictures
};

QStringList numbered(int count, const QString& pattern) {
    QStringList names;
    for (int i = 0; i < count; ++i) names << pattern.arg(i, 5, 10, QChar('0'));
    return names;
}

Layout imagenetR() {
    QStringList classes{"n01443537"};
    for (int c = 1; c < 200; ++c) classes << wnid(c + 200);
    return {"imagenet-r/", classes, {"art_0.jpg", "art_10.jpg"}, ".jpg"};
}

Layout gtsrb() {
    return {"GTSRB/Final_Training/Images/",
            numbered(43, "%1"),
            {"00000_00000.ppm", "00000_00001.ppm", "00001_00000.ppm"},
            ".ppm",
            {"GT-%1.csv"}};
}

Layout nch(const QString& part) {
    return {part,
            {"ADI", "BACK", "DEB", "LYM", "MUC", "MUS", "NORM", "STR", "TUM"},
            {"%1-AAEK.tif", "%1-TCGA.tif"},
            ".tif"};
}

Layout wikiArt() {
    QStringList classes{"Abstract_Expressionism"};
    for (int c = 1; c < 27; ++c) classes << QString("Style_%1").arg(c, 2, 10, QChar('0'));
    return {"wikiart/wikiart/", classes, {"a-painter_work-1955.jpg", "b-painter_other(1)-1950.jpg"}, ".jpg"};
}

Layout cub() {
    QStringList classes{"001.Black_footed_Albatross"};
    for (int c = 2; c <= 200; ++c) classes << QString("%1.Some_Bird").arg(c, 3, 10, QChar('0'));
    return {"CUB_200_2011/images/", classes, {"A_0001_796111.jpg", "A_0002_55.jpg"}, ".jpg"};
}

/// Names and labels in folder order.
std::vector<Listed> inFolderOrder(const Layout& layout) {
    std::vector<Listed> all;
    for (int c = 0; c < layout.classes.size(); ++c)
        for (const QString& picture : layout.pictures) {
            const QString name = picture.contains('%') ? picture.arg(layout.classes[c]) : picture;
            all.emplace_back((layout.classes[c] + "/" + name).toStdString(), c);
        }
    return all;
}

}  // namespace

class TestClassFolderSets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void imagenetRIsSplitBySeedZeroAndSorted() {
        write(imagenetR());
        writeDeep(folder_->filePath("imagenet-r/README.txt"),
                  "Classes:\nn01443537 goldfish\nn01447437 great_white_shark\n");
        const auto data = openDataset(request("imagenet-r"));
        const auto all = inFolderOrder(imagenetR());
        QCOMPARE(listed(*data.train), chosen(all, splitPart(400, 0, true, true)));
        QCOMPARE(listed(*data.test), chosen(all, splitPart(400, 0, false, true)));
        QVERIFY(agrees(openLabels(request("imagenet-r")), data));
        QCOMPARE(data.class_names[0], std::string("goldfish"));
        QCOMPARE(data.class_names[1], std::string("great white shark"));
        QCOMPARE(data.class_names[2], imagenetR().classes[2].toStdString());
        QCOMPARE(data.load_shape, LoadShape::ShortSideCrop);
        QCOMPARE(data.augment_policy, std::string("imagenet"));
    }

    void gtsrbIsSplitBySeedZeroAndSorted() {
        write(gtsrb());
        const auto data = openDataset(request("gtsrb"));
        const auto all = inFolderOrder(gtsrb());
        QCOMPARE(listed(*data.train), chosen(all, splitPart(129, 0, true, true)));
        QCOMPARE(listed(*data.test), chosen(all, splitPart(129, 0, false, true)));
        QVERIFY(agrees(openLabels(request("gtsrb")), data));
        QCOMPARE(data.class_names[14], std::string("stop"));
        QCOMPARE(data.class_names.size(), std::size_t{43});
        QCOMPARE(data.load_shape, LoadShape::ShortSideCrop);
        QVERIFY(data.augment_policy.empty());
        checkNumbers(*data.test, all);
    }

    void wikiArtIsSplitBySeedZeroAndSorted_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("classes");
        QTest::newRow("its styles") << "wikiart" << 27;
        QTest::newRow("as many as the published code declares") << "wikiart-code" << 43;
    }
    void wikiArtIsSplitBySeedZeroAndSorted() {
        QFETCH(QString, name);
        QFETCH(int, classes);
        write(wikiArt());
        const auto data = openDataset(request(name.toStdString()));
        const auto all = inFolderOrder(wikiArt());
        QCOMPARE(listed(*data.train), chosen(all, splitPart(54, 0, true, true)));
        QCOMPARE(listed(*data.test), chosen(all, splitPart(54, 0, false, true)));
        QVERIFY(agrees(openLabels(request(name.toStdString())), data));
        QCOMPARE(static_cast<int>(data.class_names.size()), classes);
        QCOMPARE(data.class_names[0], std::string("Abstract Expressionism"));
        QCOMPARE(data.load_shape, LoadShape::ShortSideCrop);
        QCOMPARE(data.augment_policy, std::string("imagenet"));
    }

    void nchTakesItsTwoFoldersAsTheyAre() {
        write(nch("NCT-CRC-HE-100K/"));
        Layout test = nch("CRC-VAL-HE-7K/");
        test.pictures = QStringList{"%1-TCGA-1.tif"};
        write(test);
        const auto data = openDataset(request("nch"));
        QCOMPARE(listed(*data.train), inFolderOrder(nch({})));
        QCOMPARE(listed(*data.test), inFolderOrder(test));
        QVERIFY(agrees(openLabels(request("nch")), data));
        QCOMPARE(data.class_names[8], std::string("tumour"));
        QCOMPARE(data.load_shape, LoadShape::Native);
        checkNumbers(*data.train, inFolderOrder(nch({})));
    }

    void cubIsSplitBySeed42AndKeepsTheDrawnOrder() {
        write(cub());
        const auto data = openDataset(request("cub200"));
        const auto all = inFolderOrder(cub());
        QCOMPARE(listed(*data.train), chosen(all, splitPart(400, 42, true, false)));
        QCOMPARE(listed(*data.test), chosen(all, splitPart(400, 42, false, false)));
        QVERIFY(agrees(openLabels(request("cub200")), data));
        QCOMPARE(data.class_names[0], std::string("Black footed Albatross"));
        QCOMPARE(data.load_shape, LoadShape::Square);
        const std::array<float, 3> mean{0.5071F, 0.4867F, 0.4408F};
        QCOMPARE(data.mean, mean);
    }

    void partsOfCubTakeTheirClassesFromTheSameSplit_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("last");
        QTest::newRow("the first 175") << "cub175" << 0 << 175;
        QTest::newRow("the last 25") << "cub25" << 175 << 200;
    }
    void partsOfCubTakeTheirClassesFromTheSameSplit() {
        QFETCH(QString, name);
        QFETCH(int, first);
        QFETCH(int, last);
        write(cub());
        const auto data = openDataset(request(name.toStdString()));
        for (const bool train : {true, false}) {
            std::vector<Listed> expected;
            for (auto [picture, label] : chosen(inFolderOrder(cub()), splitPart(400, 42, train, false)))
                if (label >= first && label < last) expected.emplace_back(picture, label - first);
            QCOMPARE(listed(train ? *data.train : *data.test), expected);
        }
        QCOMPARE(static_cast<int>(data.class_names.size()), last - first);
        QVERIFY(agrees(openLabels(request(name.toStdString())), data));
    }

    void theyAreFoundWhereAFetchPutsThem_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("folder");
        QTest::newRow("ImageNet-R") << "imagenet-r"
                                    << "imagenet-r/";
        QTest::newRow("GTSRB") << "gtsrb"
                               << "gtsrb/";
        QTest::newRow("NCH") << "nch"
                             << "nch/";
        QTest::newRow("CUB-200") << "cub200"
                                 << "cub200/";
        QTest::newRow("WikiArt") << "wikiart"
                                 << "";
        QTest::newRow("a part of CUB") << "cub175"
                                       << "cub200/";
    }
    void theyAreFoundWhereAFetchPutsThem() {
        QFETCH(QString, name);
        QFETCH(QString, folder);
        for (Layout layout : layoutsOf(name)) {
            layout.below.prepend(folder);
            write(layout);
        }
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        QVERIFY(!openLabels({.name = name.toStdString()}).train.empty());
        QVERIFY(
            !openLabels({.name = name.toStdString(), .root = folder_->filePath(folder).toStdString()}).train.empty());
    }

    void nothingThereNamesTheFolderAndTheFetch_data() { addNames(); }
    void nothingThereNamesTheFolderAndTheFetch() {
        QFETCH(QString, name);
        const QString sentence = inputErrorOf([&] { openDataset(request(name.toStdString())); });
        const QString whole = name.startsWith("cub") ? "cub200" : name;
        // WikiArt has no address that a fetch could take it from.
        const QString get =
            whole == "wikiart" ? "Get it from https://" : "palimpsest-cli dataset fetch " + whole + "\"";
        QVERIFY2(sentence.contains(folder_->path()) && sentence.contains(get) && sentence.contains("stream.root"),
                 qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { openLabels(request(name.toStdString())); }), sentence);
    }

    void missingClassesAreCounted_data() { addNames(); }
    void missingClassesAreCounted() {
        QFETCH(QString, name);
        auto layouts = layoutsOf(name);
        Layout& last = layouts.back();
        const auto classes = last.classes.size();
        last.classes.removeLast();
        for (const Layout& layout : layouts) write(layout);
        const QString sentence = inputErrorOf([&] { openDataset(request(name.toStdString())); });
        QVERIFY2(
            sentence.contains(QString("%1 class folders are expected, but it has %2").arg(classes).arg(classes - 1)),
            qPrintable(sentence));
        QVERIFY2(sentence.contains(folder_->path() + "/" + last.below.chopped(1)), qPrintable(sentence));
    }

    void emptyClassesAreNamed_data() { addNames(); }
    void emptyClassesAreNamed() {
        QFETCH(QString, name);
        const auto layouts = layoutsOf(name);
        for (const Layout& layout : layouts) write(layout);
        const QString last = layouts.back().classes.last();
        QDir folder(folder_->filePath(layouts.back().below + last));
        for (const auto& file : folder.entryList(QDir::Files)) QVERIFY(folder.remove(file));
        const QString sentence = inputErrorOf([&] { openLabels(request(name.toStdString())); });
        QVERIFY2(sentence.contains("there are no pictures in " + last), qPrintable(sentence));
    }

    void unreadablePicturesAreFoundWhenTheyAreDecoded() {
        write(gtsrb());
        writeDeep(folder_->filePath("GTSRB/Final_Training/Images/00003/00000_00001.ppm"), "P6\n30 30 255\nshort");
        const auto data = openDataset(request("gtsrb"));
        int unreadable = 0;
        for (const auto& table : {data.train, data.test})
            for (std::int64_t i = 0; i < table->size(); ++i)
                if (const QString sentence = inputErrorOf([&] { table->image(i); }); !sentence.isEmpty()) {
                    ++unreadable;
                    QVERIFY2(sentence.contains("00003/00000_00001.ppm"), qPrintable(sentence));
                }
        QCOMPARE(unreadable, 1);
    }

private:
    static void addNames() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"imagenet-r", "gtsrb", "nch", "cub175", "wikiart"}) QTest::newRow(name) << name;
    }
    static std::vector<Layout> layoutsOf(const QString& name) {
        if (name == "imagenet-r") return {imagenetR()};
        if (name == "gtsrb") return {gtsrb()};
        if (name == "wikiart") return {wikiArt()};
        if (name == "nch") return {nch("NCT-CRC-HE-100K/"), nch("CRC-VAL-HE-7K/")};
        return {cub()};
    }

    /// Writes the distribution. Every picture contains its position in folder order, so lossless ones can be
    /// identified.
    void write(const Layout& layout) {
        const auto all = inFolderOrder(layout);
        for (std::size_t i = 0; i < all.size(); ++i)
            writeNumbered(folder_->filePath(layout.below + QString::fromStdString(all[i].first)), static_cast<int>(i),
                          layout.ending);
        for (const QString& name : layout.classes)
            for (const QString& other : layout.others)
                writeDeep(folder_->filePath(layout.below + name + "/" + other.arg(name)), "Filename;Width\n");
    }
    static void checkNumbers(const ImageTable& table, const std::vector<Listed>& all) {
        for (std::int64_t i = 0; i < table.size(); ++i) {
            const auto place =
                std::find_if(all.begin(), all.end(), [&](const Listed& one) { return one.first == table.name(i); });
            QCOMPARE(numberOf(table.image(i)), static_cast<int>(place - all.begin()));
        }
    }
    DatasetRequest request(const std::string& name) const {
        return {.name = name, .root = folder_->path().toStdString()};
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestClassFolderSets)

}  // namespace tst_class_folder_sets

#include "tst_class_folder_sets.moc"
