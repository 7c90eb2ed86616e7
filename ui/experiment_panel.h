// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/experiment_naming.h"
#include "ui/option_editor.h"
#include "ui/panel.h"
#include "ui/stream_planner.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace palimpsest {

class FittingLabel;
class OptionForm;
class RunController;
class StreamEditList;
class StreamPreview;

/// What will be learned: preset, data set, the stream with its picture, and the method's settings.
class ExperimentPanel : public Panel {
    Q_OBJECT
public:
    ExperimentPanel(RunController* controller, StreamPlanner::Labels labels, QWidget* parent = nullptr);

    void setPresets(const std::vector<Preset>& presets);
    OptionForm* form() const { return form_; }
    StreamPreview* preview() const { return preview_; }
    OptionEditor* datasetEditor() const { return composer_.front(); }
    /// A way out of the refusal that is shown; gone with it.
    void offerRemedy(const QString& text);
    /// The files of the data set may have changed.
    void planAgain() { plan(); }

Q_SIGNALS:
    void presetChosen(const QString& name);
    /// There is no stream with these settings, and the reason is shown.
    void refused();
    void remedyAsked();
    /// A stream was planned and is shown; null: there is none with these settings.
    void streamShown(const std::shared_ptr<const palimpsest::PlannedStream>& stream);
    void compareAsked();

protected:
    void changeEvent(QEvent* event) override;

private:
    OptionEditor* add(const QString& key, OptionEditor::Look look);
    QWidget* makeHeading();
    QWidget* makePartition();
    QWidget* makeStream();
    QWidget* makeBalance();
    QWidget* makeLegend();
    void plan();
    void showStream(const std::shared_ptr<const PlannedStream>& stream);
    void showRefusal(const QString& message, const QString& hint);
    void showAttention(const QStringList& lines);
    void showPending();
    void showIdle();
    void showName();
    /// An imported list has a number of sessions of its own; null: no stream.
    void showSessions(const PlannedStream* stream);
    void chooseIndexList();
    void throwDice();

    RunController* controller_;
    StreamPlanner* planner_;
    QComboBox* presets_;
    ExperimentNaming naming_;
    OptionForm* form_;
    QList<OptionEditor*> composer_;
    StreamPreview* preview_;
    StreamEditList* edits_ = nullptr;
    FittingLabel* size_;
    QLabel* fingerprint_;
    QLabel* balance_;
    QWidget* index_list_;
    QLabel* attention_ = nullptr;
    QPushButton* remedy_ = nullptr;
    QStringList attention_lines_;
    bool attention_whole_ = false;  ///< a person wants to see all lines
    QString refusal_;
    QString running_fingerprint_;
    int running_session_ = -1;
};

}  // namespace palimpsest
