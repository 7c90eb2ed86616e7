// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <mutex>
#include <new>
#include <set>

#include <sys/stat.h>

#include "engine/camera/camera_devices.h"
#include "engine/camera/camera_module.h"
#include "engine/camera/local_camera_service.h"
#include "engine/camera/picture_source.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/test_program.h"
#include "tests/support/video_maker.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_camera {

namespace fs = std::filesystem;

namespace {

/// Pictures by a script: all of one shade, the number of the picture. Each waits at a gate.
struct PictureScript {
    std::mutex mutex;
    std::condition_variable gate;
    int allowed = 0, given = 0, opened = 0, closed = 0;
    std::function<void()> fault;  ///< thrown by the next picture

    void allow(int pictures) {
        {
            const std::lock_guard lock(mutex);
            allowed += pictures;
        }
        gate.notify_all();
    }
    template <class T>
    T read(T PictureScript::*member) {
        const std::lock_guard lock(mutex);
        return this->*member;
    }
};

class ScriptedPictures : public PictureSource {
public:
    explicit ScriptedPictures(PictureScript& script) : script_(script) {
        const std::lock_guard lock(script_.mutex);
        ++script_.opened;
    }
    ~ScriptedPictures() override {
        const std::lock_guard lock(script_.mutex);
        ++script_.closed;
    }
    cv::Mat next() override {
        std::unique_lock lock(script_.mutex);
        script_.gate.wait(lock, [this] { return script_.given < script_.allowed; });
        if (script_.fault) script_.fault();
        const int number = script_.given++;
        return cv::Mat(40, 50, CV_8UC3, cv::Scalar::all(number));
    }

private:
    PictureScript& script_;
};

/// A device that opens and sends nothing: every reading waits at a gate and fails.
struct SilentDevice {
    std::mutex mutex;
    std::condition_variable gate;
    int allowed = 0, readings = 0;

    void allow(int more) {
        {
            const std::lock_guard lock(mutex);
            allowed += more;
        }
        gate.notify_all();
    }
    int read() {
        const std::lock_guard lock(mutex);
        return readings;
    }
};
SilentDevice* silentDevice = nullptr;

class SilentReader : public VideoReader {
public:
    bool open(const std::string&, int) override { return true; }
    bool isOpen() const override { return true; }
    bool read(cv::Mat&) override {
        std::unique_lock lock(silentDevice->mutex);
        ++silentDevice->readings;
        silentDevice->gate.wait(lock, [] { return silentDevice->readings <= silentDevice->allowed; });
        return false;
    }
    double property(int) const override { return 0; }
};

/// Asks until the answer is yes. An answer may change what is asked, so each is asked for once.
bool comes(const std::function<bool()>& ask) {
    return QTest::qWaitFor(ask, 30'000);
}

bool hasFrame(Camera& camera) {
    return comes([&] { return camera.take().frame.has_value(); });
}

struct CameraScene {
    PictureScript script;
    std::atomic<int> news = 0;
    std::shared_ptr<const CameraService> service =
        makeCameraService({}, [this](const CameraChoice&) { return std::make_unique<ScriptedPictures>(script); });

    /// A device at its gate would be waited for.
    ~CameraScene() { script.allow(1 << 30); }

    std::unique_ptr<Camera> open() {
        return service->open({"Camera", "/dev/video0"}, 32, [this] { ++news; });
    }
};

/// The news that come last: waits for an end.
CameraNews endOf(const CameraChoice& choice) {
    std::atomic<int> told = 0;
    const auto service = makeCameraService();
    const auto camera = service->open(choice, 32, [&] { ++told; });
    CameraNews news;
    if (!comes([&] { return (news = camera->take()).ended; })) qFatal("The camera does not end.");
    return news;
}

std::array<int, 3> shadeOf(const Thumbnail& picture, int x, int y) {
    const auto at = std::size_t(3) * static_cast<std::size_t>(y * picture.size + x);
    return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

bool isNear(const std::array<int, 3>& a, const std::array<int, 3>& b, int distance = 12) {
    for (std::size_t i = 0; i < 3; ++i)
        if (std::abs(a[i] - b[i]) > distance) return false;
    return true;
}

void addDevice(const fs::path& list, const std::string& device, const std::string& name) {
    fs::create_directories(list / device);
    replaceTextFile(list / device / "name", name);
}

}  // namespace

class TestCamera : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void camerasAreListedByTheirNumbersWithTheirNames() {
        QTemporaryDir place;
        const fs::path list = place.path().toStdString();
        addDevice(list, "video10", "Microscope\n");
        addDevice(list, "video2", "Web Camera\n");
        addDevice(list, "video0", "Web Camera\n");
        addDevice(list, "video1", "Web Camera\n");
        addDevice(list, "video3", "\x1b[31mred\x07\nsecond line");
        addDevice(list, "video4", "");
        addDevice(list, "vbi0", "Teletext\n");
        addDevice(list, "video5x", "odd\n");
        const CameraPlaces places{list, "/dev", [](const fs::path& device) { return device != "/dev/video1"; }};
        const std::vector<CameraChoice> cameras = listCameras(places);
        QCOMPARE(cameras.size(), std::size_t(5));
        QCOMPARE(cameras[0].name, std::string("Web Camera (/dev/video0)"));
        QCOMPARE(cameras[0].file, fs::path("/dev/video0"));
        QCOMPARE(cameras[1].name, std::string("Web Camera (/dev/video2)"));
        QCOMPARE(cameras[2].name, std::string("?[31mred?"));
        QCOMPARE(cameras[3].name, std::string("video4"));
        QCOMPARE(cameras[4].name, std::string("Microscope"));
        QVERIFY(!cameras[4].video);
        QVERIFY(listCameras({list / "none", "/dev", [](const fs::path&) { return true; }}).empty());
    }

    void whatIsNoCameraIsNotListed() {
        QTemporaryDir place;
        addDevice(place.path().toStdString(), "null", "x");
        addDevice(place.path().toStdString(), "video0", "x");
        CameraPlaces places = systemCameras();
        places.list = place.path().toStdString();
        fs::create_symlink("/dev/null", fs::path(place.path().toStdString()) / "d0");
        places.devices = place.path().toStdString();
        // A folder in place of a device, and none at all.
        QVERIFY(listCameras(places).empty());
        places.devices = "/nowhere";
        QVERIFY(listCameras(places).empty());
    }

    void thePictureIsTheMeanOfTheMiddleSquareAndNotMirrored() {
        cv::Mat wide(64, 100, CV_8UC3, cv::Scalar(9, 9, 9));
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                wide.at<cv::Vec3b>(y, x + 18) = x < 32             ? cv::Vec3b(0, 0, 200)
                                                : (x + y) % 2 == 0 ? cv::Vec3b(100, 0, 0)
                                                                   : cv::Vec3b(200, 0, 0);
        const CameraFrame frame = frameOf(wide, 32);
        QCOMPARE(frame.picture.size, 32);
        QCOMPARE(frame.preview.size, 64);
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x) {
                const std::array<int, 3> expected = x < 16 ? std::array{200, 0, 0} : std::array{0, 0, 150};
                QCOMPARE(shadeOf(frame.picture, x, y), expected);
            }
        QCOMPARE(frameOf(cv::Mat(2000, 3000, CV_8UC3, cv::Scalar(1, 2, 3)), 32).preview.size, CameraFrame::kPreview);
        const CameraFrame tiny = frameOf(cv::Mat(1, 1, CV_8UC3, cv::Scalar(1, 2, 3)), 32);
        QCOMPARE(shadeOf(tiny.picture, 31, 31), (std::array{3, 2, 1}));
    }

    void aVideoIsACameraThatBeginsAgain() {
        QTemporaryDir place;
        const fs::path file = fs::path(place.path().toStdString()) / "nine.avi";
        makeVideo(file, 9);
        std::atomic<int> told = 0;
        const auto service = makeCameraService();
        const auto camera = service->open({"nine.avi", file, true}, 32, [&] { ++told; });
        std::set<std::size_t> seen;
        int again = 0;
        const auto look = [&] {
            const CameraNews news = camera->take();
            if (!news.frame) return false;
            const Thumbnail& picture = news.frame->picture;
            for (std::size_t i = 0; i < kVideoColours.size(); ++i)
                if (isNear(shadeOf(picture, 16, 16), kVideoColours[i])) again += !seen.insert(i).second;
            if (!isNear(shadeOf(picture, 2, 2), {255, 255, 255}, 30)) qFatal("The patch is not at the upper left.");
            return seen.size() == 9 && again >= 9;
        };
        QVERIFY(comes(look));
        QVERIFY(told > 0);
    }

    void theMailboxHoldsTheNewestFrameOnly() {
        CameraScene scene;
        const auto camera = scene.open();
        scene.script.allow(100);
        QTRY_COMPARE(scene.script.read(&PictureScript::given), 100);
        // The thread is at the gate again once it has given the last one away.
        CameraNews news;
        QVERIFY(comes([&] { return (news = camera->take()).frame && news.frame->picture.rgb[0] == 99; }));
        QVERIFY(!camera->take().frame);
        QVERIFY2(scene.news < 100, "a full mailbox is told once");
        scene.script.allow(1);
        QVERIFY(comes([&] { return (news = camera->take()).frame.has_value(); }));
        QCOMPARE(int(news.frame->picture.rgb[0]), 100);
    }

    void nothingComesAfterTheEndEvenWhereTheDeviceIsSlow() {
        CameraScene scene;
        auto camera = scene.open();
        scene.script.allow(1);
        QVERIFY(hasFrame(*camera));
        // The device now takes its time; the window does not wait for it.
        camera.reset();
        const int before = scene.news;
        camera = scene.open();
        QVERIFY(!camera->take().frame);
        scene.script.allow(1);
        QTRY_COMPARE(scene.script.read(&PictureScript::closed), 1);
        QTRY_COMPARE(scene.script.read(&PictureScript::opened), 2);
        QCOMPARE(int(scene.news), before);
        scene.script.allow(1);
        QVERIFY(hasFrame(*camera));
        camera.reset();
        scene.script.allow(1);
        QTRY_COMPARE(scene.script.read(&PictureScript::closed), 2);
    }

    void onlyOneCameraIsOpen() {
        CameraScene scene;
        const auto first = scene.open();
        const auto second = scene.open();
        const CameraNews news = first->take();
        QVERIFY(news.ended && news.message == "Another camera was opened.");
        QVERIFY(first->take().ended);
        scene.script.allow(3);
        QVERIFY(hasFrame(*second));
    }

    void whateverIsThrownIsASentence() {
        const std::vector<std::pair<std::function<void()>, std::string>> faults{
            {[] { throw inputError("The lens is dirty.", "Clean it."); }, "The lens is dirty."},
            {[] { throw cv::Exception(-1, "odd picture", "f", "f.cpp", 1); }, "Camera cannot be read: odd picture."},
            {[] { throw std::bad_alloc(); }, "There is not enough memory for the pictures of Camera."},
            {[] { throw std::runtime_error("no idea"); }, "no idea"}};
        for (const auto& [fault, words] : faults) {
            CameraScene scene;
            scene.script.fault = fault;
            const auto camera = scene.open();
            scene.script.allow(1);
            CameraNews news;
            QVERIFY(comes([&] { return (news = camera->take()).ended; }));
            QCOMPARE(news.message, words);
            QVERIFY(!news.hint.empty());
        }
    }

    void whatIsNoVideoIsASentence() {
        QTemporaryDir place;
        const fs::path folder = place.path().toStdString(), good = folder / "good.avi";
        makeVideo(good, 24);
        const std::string bytes = readTextFile(good);
        const auto write = [&](const char* name, const std::string& text) {
            replaceTextFile(folder / name, text);
            return folder / name;
        };
        ::mkfifo((folder / "pipe.avi").c_str(), 0600);
        for (const fs::path& file :
             {write("words.avi", "These are words."), write("empty.avi", ""), write("head.avi", bytes.substr(0, 300)),
              folder / "pipe.avi", folder / "none.avi", folder}) {
            const CameraNews news = endOf({file.filename().string(), file, true});
            QVERIFY2(!news.frame && news.message.starts_with(file.filename().string()), news.message.c_str());
            QVERIFY2(news.message.ends_with('.') && !news.hint.empty(), news.message.c_str());
        }
    }

    void aVideoThatIsCutShortIsShownAsFarAsItGoes() {
        QTemporaryDir place;
        const fs::path folder = place.path().toStdString(), good = folder / "good.avi", half = folder / "half.avi";
        makeVideo(good, 24);
        const std::string bytes = readTextFile(good);
        replaceTextFile(half, bytes.substr(0, bytes.size() / 2));
        const auto service = makeCameraService();
        const auto camera = service->open({"half.avi", half, true}, 32, [] {});
        std::string message;
        int frames = 0;
        const auto look = [&] {
            const CameraNews news = camera->take();
            if (news.ended) qFatal("It ended: %s", news.message.c_str());
            frames += news.frame.has_value();
            if (!news.message.empty()) message = news.message;
            return frames > 2 && !message.empty();
        };
        QVERIFY(comes(look));
        QVERIFY2(
            message.starts_with("half.avi seems to be cut short: it holds ") && message.ends_with(" of 24 pictures."),
            message.c_str());
    }

    void absurdSizesAndDamageEndInASentenceOrAPicture() {
        QTemporaryDir place;
        const fs::path folder = place.path().toStdString(), good = folder / "good.avi", bad = folder / "bad.avi";
        makeVideo(good, 6);
        const std::string bytes = readTextFile(good);
        const auto tryIt = [&](const std::string& content) {
            replaceTextFile(bad, content);
            std::unique_ptr<PictureSource> source;
            try {
                source = openPictureSource({"bad.avi", bad, true});
                for (int i = 0; i < 8; ++i) frameOf(source->next(), 32);
            } catch (const Error& error) {
                if (error.hint().empty()) qFatal("%s has no hint.", error.what());
            } catch (const cv::Exception&) {
                // The service makes a sentence of it.
            }
        };
        // Width and height stand as 32 bits in the main header and in that of the stream's format, and as 16 in each
        // picture (SOF0).
        std::string huge = bytes;
        const std::string side{96, 0, 0, 0};
        for (std::size_t at = huge.find(side); at != std::string::npos; at = huge.find(side, at + 4))
            huge.replace(at, 4, std::string{'\x60', '\xea', 0, 0});
        tryIt(huge);
        std::string large = bytes;
        const std::string frame("\xff\xc0\x00\x11\x08", 5);
        for (std::size_t at = large.find(frame); at != std::string::npos; at = large.find(frame, at + 9))
            large.replace(at + 5, 4, "\xea\x60\xea\x60", 4);
        tryIt(large);
        for (std::size_t at = 8; at < bytes.size(); at += bytes.size() / 60) {
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
            tryIt(damaged);
        }
    }

    void aDeviceThatSendsNothingIsLeftAtTheNextReading() {
        QTemporaryDir place;
        const fs::path file = fs::path(place.path().toStdString()) / "video0";
        replaceTextFile(file, "");
        SilentDevice device;
        silentDevice = &device;
        static const CameraTable module{
            []() -> std::unique_ptr<VideoReader> { return std::make_unique<SilentReader>(); }};
        {
            const auto service =
                makeCameraService({}, [](const CameraChoice& choice) { return openPictureSource(choice, module); });
            auto camera = service->open({"Silent", file}, 32, [] {});
            device.allow(2);
            QTRY_COMPARE(device.read(), 3);
            camera.reset();
            // The reading that is under way is the last one, however many more would be waited for.
            device.allow(1'000);
        }
        QCOMPARE(device.read(), 3);
        CameraNews news;
        const auto service =
            makeCameraService({}, [](const CameraChoice& choice) { return openPictureSource(choice, module); });
        const auto camera = service->open({"Silent", file}, 32, [] {});
        QVERIFY(comes([&] { return (news = camera->take()).ended; }));
        QCOMPARE(news.message, std::string("Silent sends no pictures."));
    }

    void aDeviceThatIsNoneIsASentence() {
        const CameraNews gone = endOf({"Web Camera", "/dev/video-that-is-not-there"});
        QCOMPARE(gone.message, std::string("Web Camera is not there any more."));
        const CameraNews odd = endOf({"Web Camera", "/dev/null"});
        QCOMPARE(odd.message, std::string("Web Camera cannot be opened: another program may be using it."));
        QVERIFY(!odd.hint.empty());
    }
};

PALIMPSEST_GUILESS_TEST(TestCamera)

}  // namespace tst_camera

#include "tst_camera.moc"
