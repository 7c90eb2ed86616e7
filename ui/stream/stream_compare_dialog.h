// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFrame>
#include <memory>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/state/background.h"
#include "ui/state/stream_planner.h"
#include "ui/stream/stream_table.h"

class QComboBox;
class QLabel;
class QTableView;
class QToolButton;

namespace palimpsest {

class FileWorker;
class RunLibrary;
class StreamPreview;
struct PlannedStream;

/// One of two streams that are compared: its title and its picture.
class StreamPanel : public QFrame {
    Q_OBJECT
public:
    /// `name`: of its parts, "first" or "second". `letter`: its name for the user.
    StreamPanel(const QString& name, const QString& letter, QWidget* parent = nullptr);

    StreamPreview* preview() const { return preview_; }
    /// Shows a stream; null: there is none.
    void setStream(const std::shared_ptr<const PlannedStream>& stream);

private:
    const QString letter_;
    QLabel* title_;
    StreamPreview* preview_;
};

/// The composed stream beside another one: both as pictures, in one sentence and in numbers; without another, the
/// stream's own numbers.
class StreamCompareDialog : public QDialog {
    Q_OBJECT
public:
    StreamCompareDialog(StreamPlanner::Labels labels, RunLibrary* library, QWidget* parent = nullptr);

    /// The composed stream; null: there is none with its settings.
    void setFirst(std::shared_ptr<const PlannedStream> stream);
    /// A preset, a run folder, an experiment file or an index list (.json); empty: nothing.
    void compareWith(const QString& what);
    const std::shared_ptr<const PlannedStream>& second() const { return second_; }

private:
    QWidget* makeTableHeader();
    void fillChooser();
    void chooseFile();
    void choose(const QString& what);
    void planSecond(const Experiment& experiment);
    void setSecond(std::shared_ptr<const PlannedStream> stream);
    void showFailure(const QString& message, const QString& hint);
    /// The presets cannot be listed, which stands where nothing is compared.
    void noPresets(const QString& message, const QString& hint);
    void compute();
    void display(const StreamNumbers& numbers);
    void showTable();
    void copy();

    RunLibrary* library_;
    FileWorker* files_;
    StreamPlanner* planner_;
    QComboBox* chooser_;
    StreamPanel *a_, *b_;
    QLabel* sentence_;
    QToolButton* by_session_;
    QToolButton* by_class_;
    QTableView* view_;
    StreamTableModel* model_;
    QString alone_;  ///< in place of a second stream while none is chosen
    std::vector<Preset> presets_;
    QString chosen_;        ///< last argument of compareWith()
    bool awaited_ = false;  ///< its stream is wanted and has not failed
    std::shared_ptr<const PlannedStream> first_, second_;
    StreamNumbers numbers_;
    Background background_;
};

}  // namespace palimpsest
