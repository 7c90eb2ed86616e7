// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/experiment/option_editor.h"
#include "ui/state/stream_planner.h"
#include "ui/widgets/panel.h"

namespace palimpsest {

class FittingLabel;
class Fold;
class OptionForm;
class PresetChooser;
class RunController;
class StreamBox;
class StreamPreview;

/// The experiment to learn: preset, data set, the stream with its picture, and the method's settings.
class ExperimentPanel : public Panel {
    Q_OBJECT
public:
    ExperimentPanel(RunController* controller, StreamPlanner::Labels labels, QWidget* parent = nullptr);

    void setPresets(const std::vector<Preset>& presets);
    OptionForm* form() const { return form_; }
    StreamPreview* preview() const;
    OptionEditor* datasetEditor() const { return composer_.front(); }
    /// Offers a way out of the refusal that is shown; hidden with it.
    void offerRemedy(const QString& text);
    /// The files of the data set may have changed.
    void planAgain() { plan(); }

Q_SIGNALS:
    void presetChosen(const QString& name);
    /// There is no stream with these settings, and the reason is shown.
    void refused();
    void remedyRequested();
    /// A stream was planned and is shown; null: there is none with these settings.
    void streamShown(const std::shared_ptr<const palimpsest::PlannedStream>& stream);
    void compareRequested();

private:
    OptionEditor* add(const QString& key, OptionEditor::Layout layout);
    QWidget* makeChooser();
    QWidget* makeContent();
    QWidget* makeHeading();
    QWidget* makePartition();
    /// The file of an imported stream: its option, and a button to choose one.
    QWidget* makeIndexList();
    void chooseIndexList();
    void makeScrolling(QWidget* content);
    void plan();
    /// Updates the summary of the section on data and stream; null: no stream.
    void summarise(const PlannedStream* stream);
    void showStream(const std::shared_ptr<const PlannedStream>& stream);
    void showRefusal(const QString& message, const QString& hint);
    void showPending();
    /// While a recorded run is played back, the form is not what is seen.
    void showReplay();
    void showIdle();
    /// An imported list has a number of sessions of its own; null: no stream.
    void showSessions(const PlannedStream* stream);

    RunController* controller_;
    StreamPlanner* planner_;
    PresetChooser* presets_;
    OptionForm* form_ = nullptr;
    QList<OptionEditor*> composer_;
    StreamBox* stream_;
    Fold* data_ = nullptr;
    FittingLabel* size_ = nullptr;
    QWidget* index_list_ = nullptr;
    QLabel* replay_note_;
};

}  // namespace palimpsest
