// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <vector>

#include "engine/config/experiment_file.h"
#include "engine/run/run_folder.h"
#include "ui/docs_viewer.h"

namespace palimpsest {

/// Reads and writes experiments and run folders away from the window's thread, in the order asked for.
class FileWorker : public QObject {
    Q_OBJECT
public:
    explicit FileWorker(const OptionTable* table, QObject* parent = nullptr);
    /// Waits for what was begun.
    ~FileWorker() override;

    /// A run folder, a folder of images, an experiment file or the name of a preset.
    void open(const QString& what);
    void save(const Experiment& experiment, const QString& file);
    /// Anything else that writes; what it throws is told by failed().
    void write(std::function<void()> work);
    void findPresets();
    void findDocs();

Q_SIGNALS:
    /// `file` is empty for a preset.
    void experimentRead(const palimpsest::Experiment& experiment, const QString& file);
    void runRead(const std::shared_ptr<const palimpsest::RunRecord>& run);
    /// open() met a folder that seems to hold pictures and no run.
    void imagesFound(const QString& folder);
    void saved(const QString& file);
    void presetsFound(const std::vector<palimpsest::Preset>& presets);
    void docsFound(const QList<palimpsest::DocsPage>& pages);
    void failed(const QString& message, const QString& hint);
    /// After failed(), where it was open() that failed.
    void openFailed();

private:
    /// `work` runs on the pool and returns what to do afterwards on the window's thread.
    /// `afterFailure` follows failed().
    void perform(std::function<std::function<void()>()> work, std::function<void()> afterFailure = [] {});

    const OptionTable* table_;
    QThreadPool pool_;
};

}  // namespace palimpsest
