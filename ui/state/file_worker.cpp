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

FileWorker::FileWorker(const OptionTable* table, QObject* parent) : QObject(parent), table_(table) {}

FileWorker::Then FileWorker::opened(const QString& what) {
    const std::string text = what.toStdString();
    std::error_code ignored;
    if (fs::is_directory(text, ignored)) {
        if (looksLikeRun(text)) {
            auto run = std::make_shared<const RunRecord>(readRun(*table_, text));
            return [this, run] { Q_EMIT runRead(run); };
        }
        if (looksLikeImages(text)) return [this, what] { Q_EMIT imagesFound(what); };
        throw inputError("The folder " + text + " holds neither a run nor images.",
                         "A run has a file run.json; images lie in one folder for each class, or in train and test "
                         "folders of such.");
    }
    const Experiment experiment = loadExperiment(*table_, text);
    const QString file = fs::is_regular_file(text, ignored) ? what : QString();
    return [this, experiment, file] { Q_EMIT experimentRead(experiment, file); };
}

void FileWorker::open(const QString& what) {
    background_.run([this, what] { return opened(what); }, [](const Then& then) { then(); },
                    [this](const Failure& failure) {
                        fail(failure);
                        Q_EMIT openFailed();
                    });
}

void FileWorker::recall(const QString& folder) {
    background_.run(
        [table = table_, folder] { return std::make_shared<const RunRecord>(readRun(*table, folder.toStdString())); },
        [this](const std::shared_ptr<const RunRecord>& run) { Q_EMIT runRecalled(run); },
        [this, folder](const Failure& failure) { Q_EMIT notRecalled(folder, failure.message, failure.hint); });
}

void FileWorker::save(const Experiment& experiment, const QString& file) {
    background_.run(
        [table = table_, experiment, file] { writeExperiment(*table, experiment, file.toStdString()); },
        [this, file] {
            Q_EMIT saved(file);
            Q_EMIT written(Written::Experiment, file);
        },
        [this](const Failure& failure) { Q_EMIT notWritten(Written::Experiment, failure.message, failure.hint); });
}

void FileWorker::write(Written what, const QString& file, std::function<void()> work) {
    background_.run(
        std::move(work), [this, what, file] { Q_EMIT written(what, file); },
        [this, what](const Failure& failure) { Q_EMIT notWritten(what, failure.message, failure.hint); });
}

void FileWorker::findPresets() {
    background_.run([] { return listPresets(); },
                    [this](const std::vector<Preset>& presets) { Q_EMIT presetsFound(presets); },
                    [this](const Failure& failure) { fail(failure); });
}

void FileWorker::findDocs() {
    background_.run([] { return readDocs(docsFolder()); },
                    [this](const QList<GuidePage>& pages) { Q_EMIT docsFound(pages); },
                    [this](const Failure& failure) { fail(failure); });
}

void FileWorker::findIllustratedDocs() {
    background_.run([] { return readIllustratedDocs(docsFolder()); },
                    [this](const QList<GuidePage>& pages) { Q_EMIT illustratedDocsFound(pages); },
                    [this](const Failure& failure) { fail(failure); });
}

}  // namespace palimpsest
