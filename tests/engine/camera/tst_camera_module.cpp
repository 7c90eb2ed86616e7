// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <atomic>
#include <filesystem>
#include <string>

#include "engine/camera/camera_module.h"
#include "engine/camera/local_camera_service.h"
#include "engine/camera/picture_source.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/own_module.h"
#include "tests/support/test_program.h"
#include "tests/support/video_maker.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_camera_module {

namespace fs = std::filesystem;

namespace {

constexpr const char* kMark = "palimpsest-camera-module: ";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    if (from.size() != to.size()) qFatal("The file must keep its length.");
    std::size_t at = text.find(from);
    if (at == std::string::npos) qFatal("The module lacks %s.", from.c_str());
    for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
    return text;
}

/// "VERSION STAMP" of the true module.
std::string ownMark(const std::string& module) {
    const std::size_t at = module.find(kMark) + std::string(kMark).size();
    return module.substr(at, module.find(' ', module.find(' ', at) + 1) - at);
}

}  // namespace

/// The module with OpenCV's video library, and what is said when it cannot be loaded.
class TestCameraModule : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itLiesWhereTheProgramLooksForIt() {
        std::error_code fault;
        QVERIFY(fs::equivalent(ownModule("libpalimpsest-camera.so"), PALIMPSEST_CAMERA_FILE, fault));
        QVERIFY(cameraModule().makeReader() != nullptr);
        QVERIFY(!cameraModule().makeReader()->isOpen());
        QCOMPARE(&cameraModule(), &cameraModule(PALIMPSEST_CAMERA_FILE));
    }

    void whatIsNoneIsOneSentence_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("part");
        QTest::newRow("missing") << "missing"
                                 << "The camera module FILE is missing.";
        QTest::newRow("a folder") << "folder"
                                  << "The camera module cannot be read:";
        QTest::newRow("a text") << "text"
                                << "FILE is no camera module of Palimpsest.";
        QTest::newRow("empty") << "empty"
                               << "FILE is no camera module of Palimpsest.";
        QTest::newRow("a mark alone") << "mark"
                                      << "FILE is no module of a program.";
        QTest::newRow("cut short") << "short"
                                   << "The module FILE is cut short.";
        QTest::newRow("another version") << "version"
                                         << "The camera module FILE is of version 9.9.9, not " PALIMPSEST_VERSION;
        QTest::newRow("another build") << "stamp"
                                       << "The camera module FILE is of another build of version " PALIMPSEST_VERSION;
        QTest::newRow("without the function") << "function"
                                              << "lacks the function palimpsestCamera.";
        QTest::newRow("without its library") << "library"
                                             << "libopencv_videoiX";
    }
    void whatIsNoneIsOneSentence() {
        QFETCH(QString, kind);
        QFETCH(QString, part);
        QTemporaryDir place;
        const fs::path file = fs::path(place.path().toStdString()) / "module.so";
        const std::string module = readTextFile(PALIMPSEST_CAMERA_FILE);
        const std::string mark = ownMark(module), stamp = mark.substr(mark.find(' ') + 1);
        QCOMPARE(stamp.size(), std::size_t(16));
        if (kind == "folder") fs::create_directory(file);
        if (kind == "text") replaceTextFile(file, "no module\n");
        if (kind == "empty") replaceTextFile(file, "");
        if (kind == "mark") replaceTextFile(file, kMark + mark + " ");
        // The mark stays, the table at the end is lost.
        if (kind == "short") replaceTextFile(file, module.substr(0, module.size() - 100));
        if (kind == "version") replaceTextFile(file, replaced(module, kMark + mark, kMark + ("9.9.9 " + stamp)));
        if (kind == "stamp") replaceTextFile(file, replaced(module, stamp, "0123456789abcdef"));
        if (kind == "function") replaceTextFile(file, replaced(module, "palimpsestCamera", "palimpsestOthers"));
        if (kind == "library") replaceTextFile(file, replaced(module, "libopencv_videoio", "libopencv_videoiX"));
        part.replace("FILE", QString::fromStdString(file.string()));
        try {
            cameraModule(file);
            QFAIL("It is taken for a module.");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains(part), error.what());
            QCOMPARE(error.kind(), ErrorKind::Run);
            QVERIFY(!error.hint().empty());
        }
    }

    void aCameraSaysWhatIsMissingAndTheNextOneTriesAgain() {
        QTemporaryDir place;
        const fs::path folder = place.path().toStdString(), file = folder / "module.so", video = folder / "nine.avi";
        makeVideo(video, 9);
        const auto service = makeCameraService(
            {}, [&](const CameraChoice& choice) { return openPictureSource(choice, cameraModule(file)); });
        const auto look = [&](const auto& enough) {
            std::atomic<int> told = 0;
            const auto camera = service->open({"nine.avi", video, true}, 32, [&] { ++told; });
            CameraNews news;
            if (!QTest::qWaitFor([&] { return enough(news = camera->take()); }, 30'000)) qFatal("Nothing comes.");
            return news;
        };
        const CameraNews failed = look([](const CameraNews& news) { return news.ended; });
        QCOMPARE(failed.message, "The camera module " + file.string() + " is missing.");
        QCOMPARE(failed.hint, std::string("Build the target palimpsest_camera, or install the program again."));
        fs::copy_file(PALIMPSEST_CAMERA_FILE, file);
        QVERIFY(look([](const CameraNews& news) { return news.frame || news.ended; }).frame.has_value());
    }
};

PALIMPSEST_GUILESS_TEST(TestCameraModule)

}  // namespace tst_camera_module

#include "tst_camera_module.moc"
