// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>
#include <QApplication>

#include <QDir>
#include <QEvent>
#include <QIcon>
#include <QScreen>
#include <QTemporaryDir>
#include <QTimer>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <utility>

#include "app/gui/gui_arguments.h"
#include "app/gui/gui_settings.h"
#include "app/tour/tour.h"
#include "engine/api.h"
#include "engine/camera/local_camera_service.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/memory_reserve.h"
#include "engine/support/text.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"

using namespace palimpsest;

namespace {

constexpr const char* kDefaultPreset = "default";

void requireDisplay() {
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    for (const char* name : {"QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"})
        if (!qEnvironmentVariableIsEmpty(name)) return;
    throw inputError("There is no display to open a window on.",
                     "Run palimpsest-cli instead, or set DISPLAY or WAYLAND_DISPLAY.");
#endif
}

/// Explains why Qt aborts when a named display does not answer.
void onFatalStart(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type != QtFatalMsg) return;
    std::fprintf(stderr,
                 "The display cannot be used: %s Run palimpsest-cli instead, or check DISPLAY and QT_QPA_PLATFORM.\n",
                 qPrintable(message.section('\n', 0, 0)));
    std::_Exit(2);
}

/// Seconds since the system began to load this program, in steps of 10 ms; absent if the system does not provide it.
std::optional<double> secondsSinceExec() {
#ifdef __linux__
    // Index after the name: the 22nd field is the start in clock ticks since boot; the second may hold spaces and ends
    // with ')' (proc(5)).
    constexpr int kAfterName = 20;
    std::string line;
    std::getline(std::ifstream("/proc/self/stat"), line);
    std::istringstream fields(line.substr(line.rfind(')') + 1));
    std::string field;
    for (int i = 0; i < kAfterName; ++i) fields >> field;
    timespec now{};
    if (!fields || clock_gettime(CLOCK_BOOTTIME, &now) != 0) return std::nullopt;
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 -
           std::stod(field) / static_cast<double>(sysconf(_SC_CLK_TCK));
#else
    return std::nullopt;
#endif
}

/// Prints the time until the window was first drawn, and ends the program.
class StartTime : public QObject {
public:
    explicit StartTime(QWidget* window) : QObject(window), window_(window) {
        QCoreApplication::instance()->installEventFilter(this);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* widget = event->type() == QEvent::Paint ? qobject_cast<QWidget*>(watched) : nullptr;
        if (!widget || widget->window() != window_) return false;
        QCoreApplication::instance()->removeEventFilter(this);
        // Fires after everything in the window is drawn.
        QTimer::singleShot(0, this, [] {
            if (const auto seconds = secondsSinceExec())
                std::printf("The window was drawn %.2f seconds after the start.\n", *seconds);
            else
                std::puts("This system does not tell when a program was started.");
            QCoreApplication::quit();
        });
        return false;
    }

private:
    QWidget* window_;
};

QSize tourSize(const QWidget& window) {
    return window.devicePixelRatioF() > 1 ? QSize(1920, 1080) : QSize(1280, 800);
}

/// The folder of the runs of a tour, with prompts beside it; `own` is the temporary folder that takes those nobody
/// asked for.
std::filesystem::path tourRuns(std::optional<QTemporaryDir>& own) {
    if (!qEnvironmentVariableIsEmpty("PALIMPSEST_RUNS")) return defaultRunsFolder();
    // Empty if TMPDIR names a folder that does not exist.
    const QString place = QDir::tempPath();
    if (!place.isEmpty()) own.emplace(place + "/palimpsest-tour-XXXXXX");
    if (!own || !own->isValid())
        throw inputError("The tour's runs need a temporary folder, but " +
                             (place.isEmpty() ? qgetenv("TMPDIR") : place.toUtf8()).toStdString() +
                             " cannot be written.",
                         "Set TMPDIR to a folder you may write to.");
    return (own->path() + "/runs").toStdString();
}

/// Folder beside the runs, as for the prompts.
QString workspaceFolder(const std::filesystem::path& runs) {
    return QString::fromStdString((std::filesystem::absolute(runs) / ".." / "workspace").lexically_normal().string());
}

/// The user's choices of earlier starts, and from now on those of this one. A tour's pictures are always the same.
void applySettings(MainWindow& window, const GuiArguments& arguments, TextSize textSize) {
    QObject::connect(&window, &MainWindow::appearanceChosen, &window, &GuiSettings::setAppearance);
    window.setTextSize(textSize);
    QObject::connect(&window, &MainWindow::textSizeChosen, &window, &GuiSettings::setTextSize);
    CurveOptions* curves = &window.state().figures.options;
    if (!arguments.tour) {
        curves->restore(GuiSettings::curves());
        QObject::connect(curves, &CurveOptions::changed, &window,
                         [curves] { GuiSettings::setCurves(curves->state()); });
    }
    window.setSaveFolder(GuiSettings::saveFolder());
    window.setRemoteFields(GuiSettings::remoteFields());
    QObject::connect(&window, &MainWindow::remoteFieldsChanged, &window, &GuiSettings::setRemoteFields);
    window.setClusterFields(GuiSettings::clusterFields());
    QObject::connect(&window, &MainWindow::clusterFieldsChanged, &window, &GuiSettings::setClusterFields);
    QObject::connect(&window, &MainWindow::saveFolderChanged, &window, &GuiSettings::setSaveFolder);
    if (!arguments.tour && !arguments.clean) {
        window.setKeys(GuiSettings::keys());
        QObject::connect(&window, &MainWindow::keysChosen, &window, &GuiSettings::setKeys);
        window.setLessonProgress(GuiSettings::lessons());
        QObject::connect(&window, &MainWindow::lessonProgressChanged, &window, &GuiSettings::setLessons);
    }
    DatasetLibrary* shelf = window.datasets()->library();
    shelf->setFolder(GuiSettings::dataFolder());
    QObject::connect(shelf, &DatasetLibrary::folderChanged, &window, &GuiSettings::setDataFolder);
}

int open(QApplication& application, const GuiArguments& arguments) {
    std::optional<QTemporaryDir> own;
    const std::filesystem::path runs = arguments.tour ? tourRuns(own) : defaultRunsFolder();
    const Appearance appearance = arguments.appearance ? *arguments.appearance : GuiSettings::appearance();
    // Before the first widget: each copies its font from the application when it is made.
    applyAppearance(application, appearance);
    // A tour's pictures are always the same.
    const TextSize textSize = arguments.tour ? TextSize::Normal : GuiSettings::textSize();
    applyTextSize(application, textSize);
    Laboratory laboratory = makeLaboratory(runs);
    laboratory.cameras = makeCameraService();
    MainWindow window(std::move(laboratory), runs);
    window.setWindowIcon(QIcon(":/palimpsest/palimpsest.svg"));
    window.setAppearance(appearance);
    // A tour has nothing to save and ends at once.
    std::optional<QuitSignals> endings;
    if (!arguments.tour) {
        endings.emplace();
        QObject::connect(&*endings, &QuitSignals::asked, &window, &MainWindow::stopAndClose);
    }
    applySettings(window, arguments, textSize);
    window.resize(MainWindow::firstSize(window.screen()->availableSize()));
    const bool goesOn = !arguments.tour && !arguments.clean && window.beginSession(workspaceFolder(runs));
    if (!goesOn) {
        // A failure is shown; behind its message stands the experiment that always works.
        QObject::connect(
            &window, &MainWindow::opened, &window,
            [&window](bool success) {
                if (!success) window.openBehind(kDefaultPreset);
            },
            Qt::SingleShotConnection);
    }
    const bool beside = MainWindow::opensBeside(arguments.open);
    // Whoever starts the program for a file looks for its answer: in the terminal, or in this window, before which
    // another one may stand.
    if (!arguments.open.isEmpty() && !beside)
        QObject::connect(
            &window, &MainWindow::opened, &window,
            [&window](bool success) {
                if (success) return;
                const MessageBar* messages = window.messages();
                const QString said = messages->text() + ' ' + messages->hint();
                std::fprintf(stderr, "palimpsest: %s\n", plainSentence(said.toStdString()).c_str());
                if (window.isVisible()) window.comeToFront();
            },
            Qt::SingleShotConnection);
    if (!goesOn && (beside || arguments.open.isEmpty())) window.open(QString::fromLatin1(kDefaultPreset));
    if (!arguments.open.isEmpty()) window.open(arguments.open);
    if (arguments.tour) {
        window.resize(tourSize(window));
        window.show();
        int code = 0;
        QTimer::singleShot(0, &window, [&] {
            code = runTour(window, *arguments.tour);
            QApplication::exit(code);
        });
        application.exec();
        return code;
    }
    if (arguments.clean) window.showWelcome();
    if (arguments.time_start) new StartTime(&window);
    window.show();
    return application.exec();
}

}  // namespace

int main(int argc, char** argv) {
    holdMemoryBack();
    prepareProgram();
    try {
        const GuiArguments arguments = parseGuiArguments(argc, argv);
        if (arguments.help) {
            std::fputs(windowHelp().c_str(), stdout);
            return 0;
        }
        if (arguments.version) {
            std::printf("palimpsest %s\n", PALIMPSEST_VERSION);
            return 0;
        }
        if (!arguments.platform.isEmpty()) qputenv("QT_QPA_PLATFORM", arguments.platform);
        if (!arguments.scale.isEmpty()) qputenv("QT_SCALE_FACTOR", arguments.scale);
        requireDisplay();
        int bare = 1;
        const auto before = qInstallMessageHandler(onFatalStart);
        QApplication application(bare, argv);
        qInstallMessageHandler(before);
        QApplication::setApplicationName("palimpsest");
        QApplication::setOrganizationName("palimpsest");
        QApplication::setApplicationVersion(PALIMPSEST_VERSION);
        QApplication::setDesktopFileName("palimpsest");
        return open(application, arguments);
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.sentence().c_str());
        return error.kind() == ErrorKind::Input ? 2 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
