// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <unistd.h>
#include <QBuffer>
#include <QTemporaryDir>
#include <filesystem>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/small_disk.h"
#include "tests/support/test_program.h"
#include "ui/datasets/drawn_classes.h"

using namespace palimpsest;

namespace tst_drawn_classes {

namespace {

namespace fs = std::filesystem;

QImage dotted(int at) {
    QImage image(32, 32, QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setPixel(at, at, qRgb(200, 10, 30));
    return image;
}

DrawnClass starOf(const QString& name, int first = 0) {
    DrawnClass drawn{name, {}, dotted(31 - first)};
    for (int i = 0; i < DrawnClass::kDrawings; ++i) drawn.drawings.append(dotted(first + i));
    return drawn;
}

template <class Work>
std::string refusal(Work work) {
    try {
        work();
    } catch (const Error& error) {
        return error.sentence();
    }
    return {};
}

QStringList listing(const fs::path& folder) {
    QStringList names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            names.append(QString::fromStdString(entry.path().lexically_relative(folder).string()));
    names.sort();
    return names;
}

}  // namespace

class TestDrawnClasses : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> place_;

    fs::path place() const { return place_->path().toStdString(); }
    DrawnClasses classes() const { return DrawnClasses(place()); }

private Q_SLOTS:
    void init() { place_ = std::make_unique<QTemporaryDir>(); }

    void whatIsSavedIsReadPixelForPixel() {
        const DrawnClass star = starOf("star");
        classes().save({"icons"}, star, {});
        QCOMPARE(listing(place()),
                 (QStringList{"icons/base.txt", "icons/test/star/01.png", "icons/train/star/01.png",
                              "icons/train/star/02.png", "icons/train/star/03.png", "icons/train/star/04.png",
                              "icons/train/star/05.png", "icons/train/star/06.png", "icons/train/star/07.png",
                              "icons/train/star/08.png"}));
        QCOMPARE(readDrawingsBase(place() / "icons"), (DrawingsBase{"icons"}));
        QCOMPARE(classes().names("icons"), QStringList{"star"});
        QVERIFY(classes().names("glyphs").isEmpty());
        const DrawnClass back = classes().read("icons", "star");
        QCOMPARE(back.drawings.size(), star.drawings.size());
        for (qsizetype i = 0; i < back.drawings.size(); ++i)
            QCOMPARE(back.drawings[i].convertToFormat(QImage::Format_RGB32), star.drawings[i]);
        QCOMPARE(back.test.convertToFormat(QImage::Format_RGB32), star.test);
    }

    void aClassIsChangedRenamedAndDeleted() {
        classes().save({"icons"}, starOf("star"), {});
        classes().save({"icons"}, starOf("wave"), {});
        DrawnClass fewer = starOf("star", 4);
        fewer.drawings.resize(3);
        classes().save({"icons"}, fewer, "star");
        QCOMPARE(classes().read("icons", "star").drawings.size(), qsizetype(3));
        fewer.name = "comet";
        classes().save({"icons"}, fewer, "star");
        QCOMPARE(classes().names("icons"), (QStringList{"comet", "wave"}));
        QVERIFY(!fs::exists(place() / "icons/test/star"));
        QCOMPARE(classes().read("icons", "comet").test.convertToFormat(QImage::Format_RGB32), dotted(27));
        classes().remove("icons", "comet");
        QCOMPARE(classes().names("icons"), QStringList{"wave"});
        QVERIFY(!fs::exists(place() / "icons/test/comet"));
    }

    void nothingOfOthersIsWrittenOver() {
        classes().save({"icons"}, starOf("star"), {});
        const std::string other = refusal([&] { classes().save({"icons"}, starOf("star", 5), {}); });
        QVERIFY2(other.find("You have drawn a class star before.") == 0, other.c_str());
        classes().save({"icons"}, starOf("wave"), {});
        QVERIFY(!refusal([&] { classes().save({"icons"}, starOf("star"), "wave"); }).empty());
        QCOMPARE(classes().read("icons", "star").drawings[0].convertToFormat(QImage::Format_RGB32), dotted(0));
        // A file of that name, which somebody else put there.
        replaceTextFile(place() / "icons/train/moon", "mine");
        const std::string file = refusal([&] { classes().save({"icons"}, starOf("moon"), {}); });
        QVERIFY2(file.find("There is a folder") == 0 || file.find("Cannot make") == 0, file.c_str());
        QCOMPARE(readTextFile(place() / "icons/train/moon"), std::string("mine"));
        // A link is not followed.
        QTemporaryDir elsewhere;
        fs::create_directory_symlink(elsewhere.path().toStdString(), place() / "glyphs");
        QVERIFY(!refusal([&] { classes().save({"glyphs"}, starOf("star"), {}); }).empty());
        QVERIFY(listing(elsewhere.path().toStdString()).isEmpty());
    }

    void whereTheBaseIsStaysKnown() {
        classes().save({"mnist", "/data/mnist"}, starOf("star"), {});
        classes().save({"mnist"}, starOf("wave"), {});
        QCOMPARE(readDrawingsBase(place() / "mnist"), (DrawingsBase{"mnist", "/data/mnist"}));
    }

    void aFullDiskIsOneSentenceAndLeavesNoHalfClass() {
        classes().save({"icons"}, starOf("wave"), {});
        const QStringList before = listing(place());
        const std::string said = test::onSmallDisk(20, [this] { classes().save({"icons"}, starOf("star"), {}); });
        QVERIFY2(said.starts_with("input: ") && said.find("not an Error") == std::string::npos, said.c_str());
        QCOMPARE(listing(place()), before);
        QCOMPARE(classes().names("icons"), QStringList{"wave"});
    }

    void aPlaceThatIsAFileIsOneSentence() {
        replaceTextFile(place() / "icons", "a file");
        const std::string said = refusal([&] { classes().save({"icons"}, starOf("star"), {}); });
        QVERIFY2(said.find("Cannot make the folder") == 0, said.c_str());
    }

    void namesAreMadePlain_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("plain");
        QTest::newRow("usual") << "  my  star "
                               << "my star";
        QTest::newRow("path") << "../../etc/passwd"
                              << "etc passwd";
        QTest::newRow("hidden") << "..star"
                                << "star";
        QTest::newRow("control") << "a\nb\x1b[31m"
                                 << "a?b?[31m";
        QTest::newRow("reversed") << (QStringLiteral("a") + QChar(0x202e) + 'b') << "a???b";
        QTest::newRow("mac") << "__MACOSX"
                             << "";
        QTest::newRow("nothing") << " ./. "
                                 << "";
        QTest::newRow("umlaut") << "Bär"
                                << "Bär";
    }
    void namesAreMadePlain() {
        QFETCH(QString, typed);
        QFETCH(QString, plain);
        QCOMPARE(DrawnClass::plainName(typed), plain);
        QVERIFY(DrawnClass::plainName(QString(500, 'x')).size() == DrawnClass::kLongestName);
        const QString once = DrawnClass::plainName(typed);
        QCOMPARE(DrawnClass::plainName(once), once);
    }

    void aNameThatIsNotPlainIsRefused() {
        for (const char* name : {"", "a/b", "..", ".a", "a\nb"})
            QVERIFY2(!refusal([&] { classes().save({"icons"}, starOf(name), {}); }).empty(), name);
        QVERIFY(!refusal([&] { classes().remove("icons", ".."); }).empty());
        QVERIFY(fs::exists(place()));
        DrawnClass untested = starOf("star");
        untested.test = {};
        QVERIFY(!refusal([&] { classes().save({"icons"}, untested, {}); }).empty());
        QVERIFY(listing(place()).isEmpty());
    }

    void picturesOfStrangersAreBounded() {
        const fs::path file = place() / "picture.png";
        const auto said = [&](const std::string& bytes) {
            replaceTextFile(file, bytes);
            return refusal([&] { DrawnClasses::readPicture(file); });
        };
        QVERIFY2(said("not a picture").find("picture.png is no picture that can be read.") == 0, said("x").c_str());
        QVERIFY(!said("").empty());
        QVERIFY2(!said("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>").empty(), "SVG is a program");
        QImage good(300, 200, QImage::Format_RGB32);
        good.fill(Qt::red);
        QByteArray bytes;
        QBuffer buffer(&bytes);
        buffer.open(QIODevice::WriteOnly);
        good.save(&buffer, "PNG");
        QVERIFY(said(bytes.toStdString()).empty());
        QVERIFY(!said(bytes.left(bytes.size() / 2).toStdString()).empty());
        // 100,000 by 100,000 pixels, as the header says.
        QByteArray bomb = bytes;
        bomb.replace(16, 8, QByteArray::fromHex("000186a0000186a0"));
        const std::string huge = said(bomb.toStdString());
        QVERIFY2(huge.find("picture.png has 100000 by 100000 pixels") == 0 ||
                     huge.find("is no picture") != std::string::npos,
                 huge.c_str());
        QVERIFY(!refusal([&] { DrawnClasses::readPicture(place()); }).empty());
        QVERIFY(!refusal([&] { DrawnClasses::readPicture("/dev/zero"); }).empty());
        QVERIFY(!refusal([&] { DrawnClasses::readPicture(place() / "none.png"); }).empty());
    }

    void theBaseIsReadCarefully() {
        fs::create_directories(place() / "icons");
        const auto said = [&](const std::string& text) {
            replaceTextFile(place() / "icons/base.txt", text);
            return refusal([&] { readDrawingsBase(place() / "icons"); });
        };
        QVERIFY(!refusal([&] { readDrawingsBase(place() / "icons"); }).empty());
        QVERIFY(said("icons").empty());
        QVERIFY(said("icons\r\n/my/data\n").empty());
        QCOMPARE(readDrawingsBase(place() / "icons"), (DrawingsBase{"icons", "/my/data"}));
        for (const std::string& text : {std::string(), std::string("\n"), std::string("../x\n"), std::string("Icons\n"),
                                        std::string("icons\n/a\nmore\n"), std::string("icons\n\x01\n"),
                                        std::string("own-drawings\n"), std::string(100'000, 'a')})
            QVERIFY2(!said(text).empty(), text.substr(0, 20).c_str());
    }
};

PALIMPSEST_TEST(TestDrawnClasses)

}  // namespace tst_drawn_classes

#include "tst_drawn_classes.moc"
