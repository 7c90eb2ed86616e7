// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

class QMimeData;

namespace palimpsest {

class RunSet;
class FileWorker;
class SavedExperiment;
class MessageBar;
class RunController;
class RunLibrary;
class RunsPanel;
struct Experiment;
struct RunRecord;

/// Opens experiments and runs, and takes what is dropped onto the window.
class OpenController : public QObject {
    Q_OBJECT
public:
    struct Parts {
        FileWorker* files;
        RunController* controller;
        SavedExperiment* kept;
        RunSet* store;
        RunLibrary* library;
        RunsPanel* runs;
        MessageBar* messages;
    };
    OpenController(const Parts& parts, QObject* parent);

    /// A run folder, a folder of images, an experiment file or the name of a preset; read in the background.
    void open(const QString& what);
    /// What was left must not be pushed out for good by what is opened.
    void goOn() { going_on_ = true; }
    static bool takes(const QMimeData& data);
    void drop(const QMimeData& data);

Q_SIGNALS:
    /// What open() was asked for is shown, or its failure; images are answered elsewhere.
    void opened(bool success);
    /// An experiment of a file, or a run.
    void cameFrom(const QString& name, const QString& path);
    /// An experiment of a file is shown.
    void experimentOpened();

private:
    void showExperiment(const Experiment& experiment, const QString& file);
    void showRun(const std::shared_ptr<const RunRecord>& record);

    const Parts parts_;
    bool going_on_ = false;
};

}  // namespace palimpsest
