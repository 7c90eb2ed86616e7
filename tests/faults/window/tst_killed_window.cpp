// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <functional>
#include <memory>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "engine/support/random.h"
#include "tests/support/cli_program.h"
#include "tests/support/environment.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/publish/publish_dialog.h"
#include "ui/state/file_worker.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/window/main_window.h"
#include "ui/window/workspace_file.h"

using namespace palimpsest;
using namespace palimpsest::test;
using palimpsest::testing::environmentOr;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::writeMadeUpRun;

namespace tst_killed_window {

namespace {

/// Set for the process that is killed: what it does without end, and in which folder.
constexpr const char* kDeed = "PALIMPSEST_TEST_DEED";
constexpr const char* kFolder = "PALIMPSEST_TEST_FOLDER";

QString nameOf(std::int64_t number) {
    return QString("Number %1").arg(number);
}

/// Longest that a kill comes after what proves that there is something to lose.
constexpr int kLatestMs = 60;

/// The window of that process. What it does begins again when it is done.
class BusyWindow {
public:
    explicit BusyWindow(QString folder)
        : folder_(std::move(folder)), window_(script_.laboratory(), (folder_ + "/runs").toStdString()) {
        window_.beginSession(folder_ + "/workspace");
        window_.show();
    }

    int exec(const QByteArray& deed) {
        if (deed == "save") {
            QObject::connect(&window_.state().files, &FileWorker::saved, &window_, [this] { save(); });
            save();
        } else if (deed == "remember") {
            // The workspace is written a second after a change.
            change();
            QObject::connect(&timer_, &QTimer::timeout, &window_, [this] { change(); });
            timer_.start(1100);
        } else if (deed == "import") {
            QObject::connect(window_.library(), &RunLibrary::imported, &window_, [this] { import(); });
            import();
        } else {
            once_ = deed == "export once";
            window_.open(folder_ + "/run");
            QObject::connect(&timer_, &QTimer::timeout, &window_, [this] { exportNext(); });
            timer_.start(1);
        }
        return QApplication::exec();
    }

private:
    void change() {
        ExperimentDraft* draft = window_.controller()->draft();
        draft->set("seed", std::int64_t{++count_});
        draft->set("name", nameOf(count_).toStdString());
    }
    void save() {
        change();
        window_.state().files.save(window_.controller()->draft()->experiment(), folder_ + "/saved.toml");
    }
    void import() {
        ImportRequest request;
        request.file = (folder_ + "/curve.csv").toStdString();
        request.out = (folder_ + "/runs").toStdString();
        window_.library()->importFile(request);
    }

    /// Exports the figure once more, in the other of two styles, when it is drawn.
    void exportNext() {
        if (window_.curves()->visibleRuns().empty()) return;
        auto* dialog = window_.findChild<PublishDialog*>();
        if (!dialog) return window_.action(Command::ExportFigure)->trigger();
        auto* formats = dialog->findChild<QComboBox*>("publishFormat");
        auto* styles = dialog->findChild<QComboBox*>("publishStyle");
        auto* save = dialog->findChild<QPushButton*>("savePiece");
        if (!save->isEnabled()) return;
        if (const int png = formats->findText("PNG (.png)"); formats->currentIndex() != png)
            return formats->setCurrentIndex(png);
        if (once_ && count_ == 2) return QApplication::quit();
        save->click();
        auto* asked = dialog->findChild<QFileDialog*>("exportDialog");
        Q_EMIT asked->fileSelected(folder_ + (once_ ? QString("/style-%1.png").arg(count_) : "/figure.png"));
        asked->reject();
        ++count_;
        styles->setCurrentIndex(styles->currentIndex() == 0 ? 1 : 0);
    }

    const QString folder_;
    ScriptedRun script_;
    MainWindow window_;
    QTimer timer_;
    bool once_ = false;
    int count_ = 0;
};

}  // namespace

/// The window is killed (SIGKILL) while it saves, remembers, imports and exports, after it has written the first of
/// what is looked at then. PALIMPSEST_KILLS is the number of kills of each; PALIMPSEST_KILL_SEED decides their moments.
class TestKilledWindow : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    QString place(const QString& name) const { return folder_->filePath(name); }
    QStringList leftovers(const QString& name) const {
        return QDir(place(name)).entryList({"*.part"}, QDir::Files | QDir::Hidden);
    }
    static QProcessEnvironment environment(const QString& folder, const QByteArray& deed) {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        all.insert(kDeed, deed);
        all.insert(kFolder, folder);
        return all;
    }
    void start(QProcess& window, const QByteArray& deed) const {
        window.setProcessEnvironment(environment(folder_->path(), deed));
        window.start(QCoreApplication::applicationFilePath(), {"tst_killed_window"});
    }
    /// Kills windows that do this, each some time after `begun` says that it has done a first part, and then `look`s.
    void killAll(const QByteArray& deed, int latest, const std::function<bool()>& begun,
                 const std::function<void()>& look) {
        Random random(static_cast<std::uint64_t>(qEnvironmentVariableIntValue("PALIMPSEST_KILL_SEED")), 4);
        const int kills = environmentOr("PALIMPSEST_KILLS", 3);
        for (int done = 0; done < kills; ++done) {
            QProcess window;
            start(window, deed);
            QTRY_VERIFY2_WITH_TIMEOUT(begun() || window.state() == QProcess::NotRunning, "It does nothing.", kPatience);
            QTest::qWait(static_cast<int>(random.below(static_cast<std::uint64_t>(latest))));
            QVERIFY2(window.state() == QProcess::Running, window.readAllStandardError().constData());
            window.kill();
            QVERIFY(window.waitForFinished(kPatience));
            QCOMPARE(window.exitStatus(), QProcess::CrashExit);
            look();
            if (QTest::currentTestFailed()) return;
        }
        qInfo("%d kills after the first %s", kills, deed.constData());
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
        QVERIFY(QDir(folder_->path()).mkpath("runs"));
    }

    void aSavedExperimentIsWhole() {
        const std::filesystem::path file = place("saved.toml").toStdString();
        const OptionTable table(testCatalogue());
        killAll(
            "save", kLatestMs, [&] { return std::filesystem::exists(file); },
            [&] {
                const Experiment saved = readExperiment(table, file);
                QCOMPARE(QString::fromStdString(saved.name), nameOf(saved.seed));
                std::filesystem::remove(file);
            });
        // A file that is saved is rid of what a kill left beside it.
        writeExperiment(table, table.defaults(), file);
        QCOMPARE(leftovers("."), QStringList());
    }

    void theWorkspaceIsReadBack() {
        const QString draft = draftFile(place("workspace"));
        const OptionTable table(testCatalogue());
        killAll(
            "remember", 40 * kLatestMs, [&] { return QFile::exists(draft); },
            [&] {
                QStringList notes;
                const WorkspaceState found = readWorkspace(place("workspace"), &notes);
                QVERIFY2(notes.isEmpty(), qPrintable(notes.join(' ')));
                const Experiment experiment = parseExperiment(table, found.draft.toStdString(), "the draft");
                QCOMPARE(QString::fromStdString(experiment.name), nameOf(experiment.seed));
                // The next window is not kept out by the lock of the one that is gone.
                QVERIFY(QFile::remove(draft));
            });
    }

    void anImportIsThereOrIsNot() {
        QFile curve(place("curve.csv"));
        QVERIFY(curve.open(QIODevice::WriteOnly));
        curve.write("samples_seen,accuracy\n");
        for (int i = 1; i <= 400; ++i) curve.write(QString("%1,0.%2\n").arg(10 * i).arg(100 + i).toLatin1());
        curve.close();
        const OptionTable table(testCatalogue());
        std::size_t before = 0;
        const std::filesystem::path runs = place("runs").toStdString();
        killAll(
            "import", kLatestMs, [&] { return findRuns(runs).size() > before; },
            [&] {
                const auto folders = findRuns(runs);
                before = folders.size();
                for (const auto& folder : folders) {
                    const RunRecord run = readRun(table, folder);
                    QVERIFY2(run.warnings.empty(), run.warnings.empty() ? "" : run.warnings.front().c_str());
                    QCOMPARE(run.state, RecordedState::Imported);
                    QCOMPARE(run.anytime.size(), std::size_t{400});
                }
            });
    }

    void anExportedFigureIsWhole() {
        const auto run = writeMadeUpRun(OptionTable(testCatalogue()), folder_->path().toStdString(), "batch");
        std::filesystem::rename(run, place("run").toStdString());
        QProcess once;
        start(once, "export once");
        const Outcome outcome = outcomeOf(once);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const QByteArray first = contentOf(place("style-0.png")), second = contentOf(place("style-1.png"));
        QVERIFY(first.size() > 10'000 && second.size() > 10'000 && first != second);
        const QString file = place("figure.png");
        killAll(
            "export", 4 * kLatestMs, [&] { return QFile::exists(file); },
            [&] {
                const QByteArray found = contentOf(file);
                QVERIFY(found == first || found == second);
                QVERIFY(QFile::remove(file));
            });
    }
};

PALIMPSEST_TEST_RUN(TestKilledWindow, QApplication application(argc, argv);
                    if (const QByteArray deed = qgetenv(kDeed);
                        !deed.isEmpty()) return BusyWindow(qEnvironmentVariable(kFolder))
                        .exec(deed))

}  // namespace tst_killed_window

#include "tst_killed_window.moc"
