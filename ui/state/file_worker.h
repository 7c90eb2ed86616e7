// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <filesystem>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "ui/state/background.h"
#include "ui/state/guide_pages.h"

namespace palimpsest {

/// True if names of files suggest that pictures lie in a folder or a few folders below. It reads a bounded number of
/// names: for a folder that is full of other files it may return true, and reading it then fails.
bool looksLikeImages(const std::filesystem::path& folder);
/// True if a run has been recorded there.
bool looksLikeRun(const std::filesystem::path& folder);
/// True if it is the folder of a sweep.
bool looksLikeSweep(const std::filesystem::path& folder);

/// What the demo shows and offers.
struct DemoFiles {
    std::vector<std::shared_ptr<const RunRecord>> runs;  ///< kDemoRuns
    Experiment experiment;                               ///< of the preset
};

/// Reads and writes experiments and run folders away from the window's thread, in the order of the calls.
class FileWorker : public QObject {
    Q_OBJECT
public:
    explicit FileWorker(const OptionTable* table, QObject* parent = nullptr);

    /// Opens a run folder, the folder of a sweep, a folder of images, results of another program, an experiment file or
    /// a preset by its name.
    void open(const QString& what);
    /// Reads a run folder that was shown when the program was closed. Answered by runRecalled() or notRecalled().
    void recall(const QString& folder);
    /// Reads what the demo shows; its runs are copied into a folder of runs if they are not there. Answered by
    /// demoRead() or failed().
    void readDemo(const std::filesystem::path& runs);
    void save(const Experiment& experiment, const QString& file);
    /// Content that is written to a file of the user's choice.
    enum class Written { Experiment, Figure, Stream, Prompts };
    /// Anything else that writes; `work` may throw.
    void write(Written what, const QString& file, std::function<void()> work);
    void findPresets();
    /// Pages of the guide, without pictures.
    void findDocs();
    void findIllustratedDocs();

Q_SIGNALS:
    /// `file` is empty for a preset.
    void experimentRead(const palimpsest::Experiment& experiment, const QString& file);
    void runRead(const std::shared_ptr<const palimpsest::RunRecord>& run);
    void runRecalled(const std::shared_ptr<const palimpsest::RunRecord>& run);
    void demoRead(const palimpsest::DemoFiles& files);
    void notRecalled(const QString& folder, const QString& message, const QString& hint);
    /// open() met a folder that seems to hold pictures and no run.
    void imagesFound(const QString& folder);
    /// open() met the folder of a sweep.
    void sweepFound(const QString& folder);
    /// open() met a file that can be imported; see isForeignCurve(). Whether it holds results, its reader knows.
    void resultsFound(const QString& file);
    void saved(const QString& file);
    /// Emitted after saved(), too.
    void written(palimpsest::FileWorker::Written what, const QString& file);
    void notWritten(palimpsest::FileWorker::Written what, const QString& message, const QString& hint);
    void presetsFound(const std::vector<palimpsest::Preset>& presets);
    void docsFound(const QList<palimpsest::GuidePage>& pages);
    void illustratedDocsFound(const QList<palimpsest::GuidePage>& pages);
    /// Anything but open().
    void failed(const QString& message, const QString& hint);
    void openFailed(const QString& message, const QString& hint);

private:
    using Then = std::function<void()>;
    void fail(const Failure& failure) { Q_EMIT failed(failure.message, failure.hint); }
    /// Emits `found` with the result of `work`, or failed().
    template <class Work, class Result>
    void find(Work work, void (FileWorker::*found)(const Result&)) {
        background_.run(
            std::move(work),
            [this, found](const Result& result) {
                Q_EMIT(this->*found)
                (result);
            },
            [this](const Failure& failure) { fail(failure); });
    }
    /// Reads for open(), on the other thread; the result is called on the window's.
    Then opened(const QString& what);

    const OptionTable* table_;
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
