// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/file_worker.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "engine/library/import_run.h"
#include "engine/record/example_runs.h"
#include "engine/support/error.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr int kDeepest = 4;
constexpr int kMostNames = 20'000;
/// Links are followed, since class folders often are some; circles of links end at kDeepest.
constexpr fs::directory_options kOptions =
    fs::directory_options::skip_permission_denied | fs::directory_options::follow_directory_symlink;

bool hasPictureName(const fs::path& file) {
    static constexpr std::array<const char*, 11> kEndings = {".jpg", ".jpeg", ".png",  ".bmp",  ".ppm", ".pgm",
                                                             ".pnm", ".tif",  ".tiff", ".webp", ".gif"};
    std::string ending = file.extension().string();
    for (char& c : ending)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

QString docsFolder() {
    return QString::fromStdString((resourceFolder() / "docs").string());
}

/// Throws Error(Input) that says what can be opened where the file's name promises no experiment either.
Experiment experimentIn(const OptionTable& table, const std::string& what) {
    try {
        return loadExperiment(table, what);
    } catch (const Error&) {
        std::error_code ignored;
        const std::string ending = asciiLowered(fs::path(what).extension().string());
        if (ending.empty() || ending == ".toml" || !fs::is_regular_file(what, ignored)) throw;
        const std::string sentence = "The file " + what + " is neither results, an experiment nor a folder.";
        if (ending == ".py")
            throw inputError(sentence,
                             "To learn with a program of yours, choose Your own program as the method, and write "
                             "python3 and the file's path into Program.");
        throw inputError(sentence,
                         "Open an experiment (.toml), a table or a log of another program, or a folder of a run, a "
                         "sweep or images.");
    }
}

}  // namespace

bool looksLikeImages(const fs::path& folder) {
    std::error_code failure;
    fs::recursive_directory_iterator entry(folder, kOptions, failure);
    int names = 0;
    for (; !failure && entry != fs::recursive_directory_iterator(); entry.increment(failure)) {
        if (++names > kMostNames || hasPictureName(entry->path())) return true;
        if (entry.depth() == kDeepest) entry.disable_recursion_pending();
    }
    return false;
}

bool looksLikeRun(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "run.json", ignored) || fs::exists(folder / "experiment.toml", ignored);
}

bool looksLikeSweep(const fs::path& folder) {
    std::error_code ignored;
    return fs::exists(folder / "sweep.toml", ignored);
}

FileWorker::FileWorker(const OptionTable* table, QObject* parent) : QObject(parent), table_(table) {}

FileWorker::Then FileWorker::opened(const QString& what) {
    const std::string text = what.toStdString();
    std::error_code ignored;
    if (fs::is_directory(text, ignored)) {
        if (looksLikeRun(text)) {
            auto run = std::make_shared<const RunRecord>(readRun(*table_, text));
            return [this, run] { Q_EMIT runRead(run); };
        }
        if (looksLikeSweep(text)) return [this, what] { Q_EMIT sweepFound(what); };
        if (looksLikeImages(text)) return [this, what] { Q_EMIT imagesFound(what); };
        throw inputError("The folder " + text + " holds no run, no sweep and no images.",
                         "A run has a file run.json and a sweep a file sweep.toml; images lie in one folder for each "
                         "class, or in train and test folders of such.");
    }
    const QString file = fs::is_regular_file(text, ignored) ? what : QString();
    if (!file.isEmpty() && isForeignCurve(text)) return [this, file] { Q_EMIT resultsFound(file); };
    Experiment experiment = experimentIn(*table_, text);
    // One that was saved without a name has the usual one in its file.
    if (const std::string name = nameAfter(text);
        !file.isEmpty() && !name.empty() && experiment.name == table_->defaults().name)
        experiment.name = name;
    return [this, experiment, file] { Q_EMIT experimentRead(experiment, file); };
}

void FileWorker::open(const QString& what) {
    background_.run([this, what] { return opened(what); }, [](const Then& then) { then(); },
                    [this](const Failure& failure) { Q_EMIT openFailed(failure.message, failure.hint); });
}

void FileWorker::recall(const QString& folder) {
    background_.run(
        [table = table_, folder] { return std::make_shared<const RunRecord>(readRun(*table, folder.toStdString())); },
        [this](const std::shared_ptr<const RunRecord>& run) { Q_EMIT runRecalled(run); },
        [this, folder](const Failure& failure) { Q_EMIT notRecalled(folder, failure.message, failure.hint); });
}

void FileWorker::readDemo(const fs::path& runs) {
    find(
        [table = table_, runs] {
            DemoFiles files;
            for (const fs::path& folder : bringDemoRuns(runs))
                files.runs.push_back(std::make_shared<const RunRecord>(readRun(*table, folder)));
            // By its file: a folder of this name where the program was started is no preset.
            files.experiment = loadExperiment(*table, (resourceFolder() / "presets" / "demo.toml").string());
            return files;
        },
        &FileWorker::demoRead);
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
    find([] { return listPresets(); }, &FileWorker::presetsFound);
}

void FileWorker::findDocs() {
    find([] { return readDocs(docsFolder()); }, &FileWorker::docsFound);
}

void FileWorker::findIllustratedDocs() {
    find([] { return readIllustratedDocs(docsFolder()); }, &FileWorker::illustratedDocsFound);
}

}  // namespace palimpsest
