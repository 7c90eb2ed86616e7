// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/icons/icon_dataset.h"
#include "datasets/icons/icon_file.h"
#include "datasets/icons/icon_picture.h"
#include "datasets/icons/icon_themes.h"
#include "engine/support/text.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/picture_files.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QScopeGuard>
#include <QTemporaryDir>
#include <QtTest>
#include <map>
#include <set>
#include <sstream>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_icons {

namespace {

const QString kSystemIcons = "/usr/share/icons";

/// An SVG of one shape on a clear square of 48 pixels.
QByteArray svgOf(const QByteArray& shape) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"48\" height=\"48\">" + shape + "</svg>";
}

QByteArray disc(const QByteArray& colour) {
    return svgOf("<circle cx=\"24\" cy=\"24\" r=\"20\" fill=\"" + colour + "\"/>");
}

QByteArray bar(const QByteArray& colour) {
    return svgOf("<rect x=\"2\" y=\"20\" width=\"44\" height=\"8\" fill=\"" + colour + "\"/>");
}

/// A PNG with coverage: a square of this colour (blue, green, red) on clear ground.
QByteArray pngSquare(const cv::Scalar& colour) {
    cv::Mat picture(64, 64, CV_8UC4, cv::Scalar::all(0));
    picture(cv::Rect(16, 16, 32, 32)).setTo(cv::Scalar(colour[0], colour[1], colour[2], 255));
    return encoded(picture, ".png");
}

std::vector<IconTheme> smallThemes() {
    return {{"Ink", "ink-icon-theme"}, {"Oil", "oil-icon-theme"}, {"Chalk", "chalk-icon-theme", true}};
}

std::vector<IconClass> smallClasses() {
    return {{"ball", "Ink/ball.svg Oil/32/ball.svg Chalk/ball.svg"},
            {"stick", "Ink/stick.svg Chalk/stick.svg"},
            {"tile", "Oil/32/tile.png Chalk/tile.png"}};
}

/// All files of smallClasses(), in the layout of real themes.
void writeSmallThemes(const QString& folder) {
    writeDeep(folder + "/Ink/ball.svg", disc("red"));
    writeDeep(folder + "/Ink/stick.svg", bar("red"));
    writeDeep(folder + "/Oil/32/ball.svg", disc("blue"));
    writeDeep(folder + "/Oil/32/tile.png", pngSquare({255, 0, 0}));
    writeDeep(folder + "/Chalk/ball.svg", disc("green"));
    writeDeep(folder + "/Chalk/stick.svg", bar("green"));
    writeDeep(folder + "/Chalk/tile.png", pngSquare({0, 128, 0}));
}

DatasetSource smallSource() {
    return iconSourceOf(smallThemes(), smallClasses());
}

std::vector<std::string> wordsOf(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::string themeOf(const std::string& file) {
    return file.substr(0, file.find('/'));
}

/// Name of an image's file: what name() says after "drawn from ".
std::string fileOf(const ImageTable& table, std::int64_t index) {
    const std::string name = table.name(index);
    return name.substr(name.find('/'));
}

}  // namespace

class TestIcons : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void themesAreFoundInTheUsualLayouts_data() {
        QTest::addColumn<QString>("below");
        QTest::newRow("the folder itself") << "";
        QTest::newRow("the data set's own folder") << "/icons";
        QTest::newRow("an unpacked package") << "/usr/share/icons";
    }
    void themesAreFoundInTheUsualLayouts() {
        QFETCH(QString, below);
        writeSmallThemes(folder_->path() + below);
        const ImageDataset data = smallSource().open(request());
        QCOMPARE(QString::fromStdString(data.folder.string()), folder_->path() + below);
        QCOMPARE(data.class_names, (std::vector<std::string>{"ball", "stick", "tile"}));
        QCOMPARE(data.train->size(), 3 * kIconTrainEach);
        QCOMPARE(data.test->size(), 3 * kIconTestEach);
        QCOMPARE(data.train->image(0).type(), CV_8UC3);
        QCOMPARE(data.train->image(0).size(), cv::Size(kIconSide, kIconSide));
    }

    void classesAndDrawingsAlternateAndEachPartHasItsOwnArtists() {
        writeSmallThemes(folder_->path());
        const ImageDataset data = smallSource().open(request());
        for (std::int64_t i = 0; i < 12; ++i) QCOMPARE(data.train->labels()[static_cast<std::size_t>(i)], i % 3);
        QVERIFY(data.train->name(0).ends_with("Ink/ball.svg"));
        QVERIFY(data.train->name(3).ends_with("Oil/32/ball.svg"));
        QVERIFY(data.train->name(6).ends_with("Ink/ball.svg"));
        for (std::int64_t i = 0; i < data.train->size(); ++i)
            QVERIFY(data.train->name(i).find("/Chalk/") == std::string::npos);
        for (std::int64_t i = 0; i < data.test->size(); ++i)
            QVERIFY(data.test->name(i).find("/Chalk/") != std::string::npos);
    }

    void picturesAreTheSameWheneverAndByWhomeverTheyAreAskedFor() {
        writeSmallThemes(folder_->path());
        const ImageDataset once = smallSource().open(request());
        const ImageDataset again = smallSource().open(request());
        QCOMPARE(differencesAcrossThreads(*once.train), 0);
        for (const std::int64_t i : {std::int64_t{7}, std::int64_t{0}, std::int64_t{59}})
            QVERIFY(same(once.test->image(i), again.test->image(i)));
        // Two pictures of one drawing differ.
        QVERIFY(difference(once.train->image(1), once.train->image(4)) > 0.02);
    }

    void labelsAndLimitsAgreeWithTheWholeDataSet() {
        writeSmallThemes(folder_->path());
        DatasetRequest asked = request();
        asked.train_limit = 100;
        asked.test_limit = 7;
        const ImageDataset data = smallSource().open(asked);
        const LabelsOnly labels = smallSource().labels(asked);
        QCOMPARE(data.train->size(), 100);
        QCOMPARE(labels.train, std::vector<std::int32_t>(data.train->labels().begin(), data.train->labels().end()));
        QCOMPARE(labels.test, std::vector<std::int32_t>(data.test->labels().begin(), data.test->labels().end()));
        QCOMPARE(labels.class_names, data.class_names);
        QVERIFY(same(data.train->image(99), smallSource().open(request()).train->image(99)));
    }

    void missingThemesAreNamedWithTheCommandThatInstallsThem() {
        writeSmallThemes(folder_->path());
        QVERIFY(QDir(folder_->path() + "/Oil").removeRecursively());
        const QString sentence = inputErrorOf([&] { smallSource().open(request()); });
        QVERIFY2(sentence.startsWith("Icons lack 1 icon theme in " + folder_->path() + ": Oil."), qPrintable(sentence));
        QVERIFY2(sentence.contains("\"sudo apt install oil-icon-theme\""), qPrintable(sentence));
        QVERIFY2(!sentence.contains("ink-icon-theme"), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { smallSource().labels(request()); }), sentence);
    }

    void aRootWithoutAnyThemeIsSaidToBeAWrongOne() {
        const QString sentence = inputErrorOf([&] { smallSource().open(request()); });
        QVERIFY2(sentence.startsWith("Icons were not found: " + folder_->path() +
                                     " holds none of their 3 icon themes (Ink, Oil, Chalk). Without Data folder "
                                     "(stream.root) what is installed in /usr/share/icons is taken, once"),
                 qPrintable(sentence));
        QVERIFY2(sentence.endsWith("; otherwise name the folder that holds the data set."), qPrintable(sentence));
    }

    void drawingsThatCameWithTheProgramAreTakenBeforeTheSystems() {
        const QByteArray before = qgetenv("PALIMPSEST_RESOURCES");
        qputenv("PALIMPSEST_RESOURCES", folder_->path().toLocal8Bit());
        const auto restore = qScopeGuard([&] { qputenv("PALIMPSEST_RESOURCES", before); });
        const QString without = inputErrorOf([&] { smallSource().open({.name = "icons"}); });
        QVERIFY2(without.contains("/usr/share/icons: Ink, Oil, Chalk"), qPrintable(without));
        writeSmallThemes(folder_->path() + "/drawings");
        const ImageDataset data = smallSource().open({.name = "icons"});
        QCOMPARE(QString::fromStdString(data.folder.string()), folder_->path() + "/drawings");
        QVERIFY(data.train->name(0).ends_with("/drawings/Ink/ball.svg"));
    }

    void aDrawingThatAThemeLacksIsPassedOverWhileTheClassHasOthers() {
        writeSmallThemes(folder_->path());
        QVERIFY(QFile::remove(folder_->path() + "/Oil/32/ball.svg"));
        const ImageDataset data = smallSource().open(request());
        QCOMPARE(data.train->size(), 3 * kIconTrainEach);
        QVERIFY(data.train->name(3).ends_with("Ink/ball.svg"));
        QVERIFY(QFile::remove(folder_->path() + "/Chalk/stick.svg"));
        const QString sentence = inputErrorOf([&] { smallSource().open(request()); });
        QVERIFY2(sentence.contains("no drawing of the class \"stick\" to test with"), qPrintable(sentence));
    }

    void aDamagedDrawingIsAnErrorThatNamesIt_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const QByteArray whole = pngSquare({255, 0, 0});
        QTest::newRow("SVG cut short") << "Ink/ball.svg" << disc("red").left(90) << "cannot be drawn: ";
        QTest::newRow("empty SVG") << "Ink/ball.svg" << QByteArray() << "cannot be drawn: ";
        QTest::newRow("other XML") << "Ink/ball.svg" << QByteArray("<html><body/></html>") << "";
        QTest::newRow("SVG that shows nothing") << "Ink/ball.svg" << svgOf("") << "shows nothing";
        QTest::newRow("SVG without a place for its picture")
            << "Ink/ball.svg" << QByteArray("<svg xmlns=\"http://www.w3.org/2000/svg\"/>") << "";
        QTest::newRow("PNG cut short") << "Oil/32/tile.png" << whole.left(whole.size() / 2)
                                       << "is not a whole PNG picture";
        QTest::newRow("PNG without coverage of anything")
            << "Oil/32/tile.png" << encoded(cv::Mat(8, 8, CV_8UC4, cv::Scalar::all(0)), ".png") << "shows nothing";
        QByteArray huge = whole;
        huge[18] = 0x20;
        QTest::newRow("PNG of no icon's size") << "Oil/32/tile.png" << huge << "has a side of more than 4096 pixels";
    }
    void aDamagedDrawingIsAnErrorThatNamesIt() {
        QFETCH(QString, file);
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        writeSmallThemes(folder_->path());
        writeDeep(folder_->path() + "/" + file, bytes);
        const ImageDataset data = smallSource().open(request());
        std::int64_t index = 0;
        while (!data.train->name(index).ends_with(file.toStdString())) ++index;
        const QString sentence = inputErrorOf([&] { data.train->image(index); });
        QVERIFY2(sentence.startsWith("The icon " + folder_->path() + "/" + file + " " + says), qPrintable(sentence));
        QVERIFY2(sentence.contains(QRegularExpression("[^?.]\\. Install the package")), qPrintable(sentence));
        // It stays an error, and the others can be read.
        QCOMPARE(inputErrorOf([&] { data.train->image(index); }), sentence);
        data.test->image(0);
    }

    void damagedBytesNeverEndTheProgram() {
        const std::vector<QByteArray> files{disc("red"), pngSquare({9, 200, 40})};
        for (unsigned round = 0; round < 400; ++round) {
            const auto path = writeDeep(folder_->path() + "/a.icon", damaged(files[round % 2], round));
            try {
                const cv::Mat icon = readIconFile(path, 32);
                QVERIFY(icon.type() == CV_8UC4 && icon.rows <= 32 && icon.cols <= 32);
            } catch (const Error& error) {
                QVERIFY(std::string(error.what()).find("a.icon") != std::string::npos);
            }
        }
    }

    void iconsAreCutToWhatTheyShowAndKeepTheirColours() {
        const cv::Mat stick = readIconFile(writeDeep(folder_->path() + "/stick.svg", bar("#ff0000")), 96);
        QCOMPARE(stick.size(), cv::Size(88, 16));
        QCOMPARE(stick.at<cv::Vec4b>(8, 44), cv::Vec4b(0, 0, 255, 255));
        const cv::Mat tile = readIconFile(writeDeep(folder_->path() + "/tile.png", pngSquare({255, 0, 0})), 96);
        QCOMPARE(tile.size(), cv::Size(48, 48));
        QCOMPARE(tile.at<cv::Vec4b>(24, 24), cv::Vec4b(255, 0, 0, 255));
    }

    void iconsStandOutFromTheirGround() {
        for (const int grey : {0, 128, 255}) {
            const cv::Mat drawing(60, 60, CV_8UC4, cv::Scalar(grey, grey, grey, 255));
            for (std::uint64_t seed = 0; seed < 40; ++seed) {
                Random random(seed);
                const cv::Mat picture = renderIcon(drawing, random);
                const cv::Scalar middle = cv::mean(picture(cv::Rect(13, 13, 6, 6)));
                const std::vector<cv::Scalar> corners{
                    cv::mean(picture(cv::Rect(0, 0, 1, 1))), cv::mean(picture(cv::Rect(31, 0, 1, 1))),
                    cv::mean(picture(cv::Rect(0, 31, 1, 1))), cv::mean(picture(cv::Rect(31, 31, 1, 1)))};
                double most = 0;
                for (const cv::Scalar& corner : corners) most = std::max(most, cv::norm(corner - middle));
                QVERIFY2(most > 40, qPrintable(QString("grey %1, seed %2: %3").arg(grey).arg(seed).arg(most)));
            }
        }
    }

    void theListOfDrawingsIsSound() {
        std::map<std::string, bool> tests;
        for (const IconTheme& theme : iconThemes()) {
            QVERIFY2(tests.emplace(theme.name, theme.test).second, theme.name.c_str());
            QVERIFY(!theme.package.empty());
        }
        std::set<std::string> names;
        std::set<std::string> files;
        std::set<std::string> used;
        for (const IconClass& one : iconClasses()) {
            QVERIFY2(names.insert(one.name).second, one.name.c_str());
            std::set<std::string> themes;
            std::array<int, 2> parts{};
            for (const std::string& file : wordsOf(one.drawings)) {
                QVERIFY2(files.insert(file).second, file.c_str());
                QVERIFY2(tests.contains(themeOf(file)), file.c_str());
                QVERIFY2(themes.insert(themeOf(file)).second, file.c_str());
                ++parts[tests[themeOf(file)] ? 1 : 0];
            }
            QVERIFY2(parts[0] >= 3 && parts[1] >= 2, one.name.c_str());
            used.insert(themes.begin(), themes.end());
        }
        QCOMPARE(used.size(), tests.size());
    }

    void theInstalledThemesHoldEveryDrawingAndNoneTwice() {
        if (!allInstalled()) QSKIP("the icon themes are not installed");
        std::map<QByteArray, std::string> seen;
        for (const IconClass& one : iconClasses())
            for (const std::string& file : wordsOf(one.drawings)) {
                QFile drawing(kSystemIcons + "/" + QString::fromStdString(file));
                QVERIFY2(drawing.open(QIODevice::ReadOnly), file.c_str());
                const auto [other, fresh] =
                    seen.emplace(QCryptographicHash::hash(drawing.readAll(), QCryptographicHash::Sha256), file);
                QVERIFY2(fresh, (file + " is the same as " + other->second).c_str());
                QVERIFY(!readIconFile((kSystemIcons + "/" + QString::fromStdString(file)).toStdString(), 32).empty());
            }
    }

    void theWholeDataSetTestsOnDrawingsThatNobodyLearned() {
        if (!allInstalled()) QSKIP("the icon themes are not installed");
        const ImageDataset data = openDataset({.name = "icons"});
        QCOMPARE(std::ssize(data.class_names), std::ssize(iconClasses()));
        QCOMPARE(data.train->size(), std::ssize(iconClasses()) * kIconTrainEach);
        std::set<std::string> learned;
        for (std::int64_t i = 0; i < data.train->size(); ++i) learned.insert(fileOf(*data.train, i));
        for (std::int64_t i = 0; i < data.test->size(); ++i) QVERIFY(!learned.contains(fileOf(*data.test, i)));
        cv::Scalar sum;
        cv::Scalar squares;
        for (std::int64_t i = 0; i < data.train->size(); i += 7) {
            cv::Scalar mean;
            cv::Scalar deviation;
            cv::meanStdDev(data.train->image(i), mean, deviation);
            sum += mean;
            squares += deviation.mul(deviation) + mean.mul(mean);
        }
        const auto pictures = static_cast<double>((data.train->size() + 6) / 7);
        for (std::size_t k = 0; k < 3; ++k) {
            const double mean = sum[static_cast<int>(k)] / pictures;
            const double deviation = std::sqrt(squares[static_cast<int>(k)] / pictures - mean * mean);
            QVERIFY(std::abs(mean / 255 - data.mean[k]) < 0.02 && std::abs(deviation / 255 - data.deviation[k]) < 0.02);
        }
    }

    void rawPixelsAreAPoorGuide() {
        if (!allInstalled()) QSKIP("the icon themes are not installed");
        const ImageDataset data = openDataset({.name = "icons", .train_limit = 1600, .test_limit = 800});
        const double accuracy = nearestMeanAccuracy(*data.train, *data.test, data.class_names.size());
        QVERIFY2(accuracy < 0.2, qPrintable(QString::number(accuracy)));
    }

private:
    DatasetRequest request() const { return {.name = "icons", .root = folder_->path().toStdString()}; }
    static bool allInstalled() {
        return std::ranges::all_of(iconThemes(), [](const IconTheme& theme) {
            return QDir(kSystemIcons + "/" + QString::fromStdString(theme.name)).exists();
        });
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestIcons)

}  // namespace tst_icons

#include "tst_icons.moc"
