// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_worker.h"

#include <filesystem>

#include "engine/support/error.h"
#include "ui/state/folder_kind.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

QString docsFolder() {
    return QString::fromStdString((resourceFolder() / "docs").string());
}

}  // namespace

FileWorker::FileWorker(const OptionTable* table, QObject* parent) : QObject(parent), table_(table) {
    pool_.setMaxThreadCount(1);
}

FileWorker::~FileWorker() {
    pool_.waitForDone();
}

void FileWorker::perform(std::function<std::function<void()>()> work) {
    perform(std::move(work), [this](const QString& message, const QString& hint) { Q_EMIT failed(message, hint); });
}

void FileWorker::perform(std::function<std::function<void()>()> work,
                         std::function<void(const QString&, const QString&)> tell) {
    pool_.start([this, work = std::move(work), tell = std::move(tell)] {
        const auto failure = [&](const QString& message, const QString& hint) -> std::function<void()> {
            return [message, hint, tell] { tell(message, hint); };
        };
        std::function<void()> then;
        try {
            then = work();
        } catch (const Error& error) {
            then = failure(error.what(), QString::fromStdString(error.hint()));
        } catch (const std::exception& error) {
            then = failure(error.what(), {});
        }
        QMetaObject::invokeMethod(this, std::move(then), Qt::QueuedConnection);
    });
}

void FileWorker::open(const QString& what) {
    perform(
        [this, what]() -> std::function<void()> {
            const std::string text = what.toStdString();
            std::error_code ignored;
            if (fs::is_directory(text, ignored)) {
                if (looksLikeRun(text)) {
                    auto run = std::make_shared<const RunRecord>(readRun(*table_, text));
                    return [this, run] { Q_EMIT runRead(run); };
                }
                if (looksLikeImages(text)) return [this, what] { Q_EMIT imagesFound(what); };
                throw inputError(
                    "The folder " + text + " holds neither a run nor images.",
                    "A run has a file run.json; images lie in one folder for each class, or in train and test "
                    "folders of such.");
            }
            const Experiment experiment = loadExperiment(*table_, text);
            const QString file = fs::is_regular_file(text, ignored) ? what : QString();
            return [this, experiment, file] { Q_EMIT experimentRead(experiment, file); };
        },
        [this](const QString& message, const QString& hint) {
            Q_EMIT failed(message, hint);
            Q_EMIT openFailed();
        });
}

void FileWorker::recall(const QString& folder) {
    perform(
        [this, folder]() -> std::function<void()> {
            auto run = std::make_shared<const RunRecord>(readRun(*table_, folder.toStdString()));
            return [this, run] { Q_EMIT runRecalled(run); };
        },
        [this, folder](const QString& message, const QString& hint) { Q_EMIT notRecalled(folder, message, hint); });
}

void FileWorker::save(const Experiment& experiment, const QString& file) {
    perform(
        [this, experiment, file]() -> std::function<void()> {
            writeExperiment(*table_, experiment, file.toStdString());
            return [this, file] {
                Q_EMIT saved(file);
                Q_EMIT written(Written::Experiment, file);
            };
        },
        [this](const QString& message, const QString& hint) { Q_EMIT notWritten(Written::Experiment, message, hint); });
}

void FileWorker::write(Written what, const QString& file, std::function<void()> work) {
    perform(
        [this, what, file, work = std::move(work)]() -> std::function<void()> {
            work();
            return [this, what, file] { Q_EMIT written(what, file); };
        },
        [this, what](const QString& message, const QString& hint) { Q_EMIT notWritten(what, message, hint); });
}

void FileWorker::findPresets() {
    perform([this]() -> std::function<void()> {
        const std::vector<Preset> presets = listPresets();
        return [this, presets] { Q_EMIT presetsFound(presets); };
    });
}

void FileWorker::findDocs() {
    perform([this]() -> std::function<void()> {
        const QList<GuidePage> pages = readDocs(docsFolder());
        return [this, pages] { Q_EMIT docsFound(pages); };
    });
}

void FileWorker::findIllustratedDocs() {
    perform([this]() -> std::function<void()> {
        const QList<GuidePage> pages = readIllustratedDocs(docsFolder());
        return [this, pages] { Q_EMIT illustratedDocsFound(pages); };
    });
}

}  // namespace palimpsest
