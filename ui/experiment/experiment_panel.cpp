// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/experiment_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/config/experiment_differences.h"
#include "ui/experiment/option_form.h"
#include "ui/experiment/preset_chooser.h"
#include "ui/experiment/stream_box.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/run_controller.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kSideMargin = spacing::kMargin;
constexpr const char* kIndexListKey = "stream.index_list";

/// The option changes the stream, or the warnings about it.
bool changesStream(const QString& key) {
    return key.isEmpty() || key == "seed" || key == "evaluation.every_samples" || key == "memory.size" ||
           key.startsWith("stream.");
}

QFrame* makeSeparator() {
    auto* line = new QFrame;
    line->setProperty("separator", true);
    return line;
}

}  // namespace

ExperimentPanel::ExperimentPanel(RunController* controller, StreamPlanner::Labels labels, QWidget* parent)
    : Panel(tr("Experiment"), {}, parent),
      controller_(controller),
      planner_(new StreamPlanner(std::move(labels), this)),
      presets_(new PresetChooser(controller->draft())),
      stream_(new StreamBox(controller->draft())),
      replay_note_(makeLabel(tr("What plays is a recorded run. These are the settings of your next run."),
                             text_size::kText, QFont::Normal, false)) {
    setObjectName("experimentPanel");
    setHeading(Heading::Section);
    addHeaderWidget(makeChooser());
    replay_note_->setObjectName("replayNote");
    replay_note_->setWordWrap(true);
    replay_note_->setContentsMargins(0, 0, kSideMargin, 6);
    replay_note_->hide();
    body()->addWidget(replay_note_);
    makeScrolling(makeContent());

    connect(presets_, &PresetChooser::chosen, this, &ExperimentPanel::presetChosen);
    connect(stream_, &StreamBox::compareRequested, this, &ExperimentPanel::compareRequested);
    connect(stream_, &StreamBox::remedyRequested, this, &ExperimentPanel::remedyRequested);
    connect(planner_, &StreamPlanner::planned, this, &ExperimentPanel::showStream);
    connect(planner_, &StreamPlanner::failed, this, &ExperimentPanel::showRefusal);
    connect(controller->draft(), &ExperimentDraft::changed, this, [this](const QString& key) {
        if (changesStream(key)) {
            showIdle();
            plan();
        }
        showPending();
    });
    connect(controller, &RunController::runningChanged, this, &ExperimentPanel::showPending);
    connect(controller, &RunController::expectedChanged, this, &ExperimentPanel::showPending);
    connect(controller, &RunController::stateChanged, this, &ExperimentPanel::showPending);
    connect(controller, &RunController::stateChanged, this, &ExperimentPanel::showReplay);
    auto* running = new RunningSession(controller, stream_->preview());
    connect(planner_, &StreamPlanner::planned, running, &RunningSession::show);
    showIdle();
    plan();
}

StreamPreview* ExperimentPanel::preview() const {
    return stream_->preview();
}

OptionEditor* ExperimentPanel::add(const QString& key, OptionEditor::Layout layout) {
    auto* editor = new OptionEditor(controller_->draft(), key, layout);
    composer_.append(editor);
    return editor;
}

QWidget* ExperimentPanel::makeChooser() {
    auto* end = new QWidget;
    auto* row = new QHBoxLayout(end);
    row->setContentsMargins(0, 0, kSideMargin - 4, 0);
    row->addWidget(presets_);
    return end;
}

QWidget* ExperimentPanel::makeContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kSideMargin, 0);
    column->setSpacing(8);
    data_ = new Fold("dataSection", tr("Data and stream"));
    column->addWidget(data_);
    QVBoxLayout* data = data_->body();
    data->addWidget(makeHeading());
    using Layout = OptionEditor::Layout;
    data->addWidget(add("stream.sessions", Layout::Slider));
    data->addWidget(add("stream.disjoint_percent", Layout::Slider));
    data->addWidget(add("stream.blurry_percent", Layout::Slider));
    for (OptionEditor* editor : composer_)
        for (QSlider* slider : editor->findChildren<QSlider*>())
            slider->setProperty("hue", editor->key() == "stream.disjoint_percent" ? "disjoint"
                                       : editor->key() == "stream.blurry_percent" ? "blurry"
                                                                                  : "accent");
    data->addWidget(makePartition());
    composer_.append(stream_->seedEditor());
    data->addWidget(stream_);
    column->addWidget(makeSeparator());
    QStringList elsewhere{"seed", "stream.edits"};
    for (OptionEditor* editor : composer_) elsewhere.append(editor->key());
    elsewhere += adaptationKeys(controller_->draft()->table());
    form_ = new OptionForm(controller_->draft(), elsewhere, OptionForm::Kind::Experiment);
    connect(form_, &OptionForm::editorsChanged, this, &ExperimentPanel::showPending);
    column->addWidget(form_);
    column->addStretch(1);
    return content;
}

QWidget* ExperimentPanel::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(add("stream.dataset", OptionEditor::Layout::Heading));
    size_ = new FittingLabel(heading);
    styleLabel(size_, text_size::kCaption, QFont::Normal, true);
    size_->setObjectName("datasetSize");
    size_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(size_, 1);
    return heading;
}

QWidget* ExperimentPanel::makePartition() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(add("stream.partition", OptionEditor::Layout::Row));
    column->addWidget(makeIndexList());
    return box;
}

QWidget* ExperimentPanel::makeIndexList() {
    index_list_ = new QWidget;
    auto* row = new QHBoxLayout(index_list_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(add(kIndexListKey, OptionEditor::Layout::Row), 1);
    auto* button = new QToolButton;
    button->setObjectName("chooseIndexList");
    withIcon(button, "open");
    button->setAccessibleName(tr("Choose the index list"));
    button->setToolTip(tr("Choose the JSON file that holds the sessions"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &ExperimentPanel::chooseIndexList);
    row->addWidget(button, 0, Qt::AlignTop);
    return index_list_;
}

void ExperimentPanel::chooseIndexList() {
    ExperimentDraft* draft = controller_->draft();
    const QString now = QString::fromStdString(draft->experiment().stream.index_list);
    auto* dialog =
        new QFileDialog(index_list_, tr("Choose an index list"), QFileInfo(now).path(), tr("Index lists (*.json)"));
    dialog->setObjectName("indexListDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [draft](const QString& file) { draft->set(kIndexListKey, file.toStdString()); });
    dialog->show();
}

void ExperimentPanel::makeScrolling(QWidget* content) {
    QScrollArea* scroll = makeScroll("experimentScroll", content);
    body()->addWidget(scroll);
    // The scroll bar stands in the right margin, and the column keeps its width when it comes or goes.
    layout()->setContentsMargins(kSideMargin, 10, 0, 8);
    QScrollBar* bar = scroll->verticalScrollBar();
    QLayout* column = content->layout();
    connect(bar, &QScrollBar::rangeChanged, column, [column, bar](int minimum, int maximum) {
        const int taken = maximum > minimum ? bar->sizeHint().width() : 0;
        column->setContentsMargins(0, 0, kSideMargin - taken, 0);
    });
    // The part that has just been unfolded is brought into sight, once the column has its new height.
    connect(form_, &OptionForm::expertToggled, this, [this, scroll, content](bool shown) {
        if (!shown) return;
        QTimer::singleShot(0, this, [this, scroll, content] {
            content->layout()->activate();
            const QWidget* fold = form_->disclosure();
            scroll->verticalScrollBar()->setValue(fold->mapTo(content, QPoint(0, 0)).y());
        });
    });
}

void ExperimentPanel::setPresets(const std::vector<Preset>& presets) {
    presets_->setPresets(presets);
}

void ExperimentPanel::offerRemedy(const QString& text) {
    stream_->offerRemedy(text);
}

void ExperimentPanel::plan() {
    planner_->request(controller_->draft()->experiment());
}

void ExperimentPanel::summarise(const PlannedStream* stream) {
    const Experiment& experiment = controller_->draft()->experiment();
    const Option& dataset = *controller_->draft()->table().find("stream.dataset");
    const QString name = QString::fromStdString(valueText(dataset, dataset.get(experiment)));
    QStringList parts{name};
    if (stream) {
        const auto sessions = std::ssize(stream->plan.sessions);
        const auto warnings = stream->warnings.size();
        parts << (sessions == 1 ? tr("1 session") : tr("%1 sessions").arg(sessions));
        // A warning is not to be folded away.
        if (warnings > 0) parts.prepend(warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
    }
    const QString between = QStringLiteral(" · ");
    const QString shorter = parts.join(between);
    parts << tr("seed %1").arg(experiment.seed);
    data_->setSummary({parts.join(between), shorter, parts.front()});
}

void ExperimentPanel::showStream(const std::shared_ptr<const PlannedStream>& stream) {
    stream_->setStream(stream);
    const QString images = tr("%1 images").arg(countText(static_cast<qint64>(stream->labels->train.size())));
    const QString classes = tr("%1 classes").arg(stream->labels->class_names.size());
    size_->setTexts({images + " · " + classes, images});
    showSessions(stream.get());
    summarise(stream.get());
    Q_EMIT streamShown(stream);
}

void ExperimentPanel::showRefusal(const QString& message, const QString& hint) {
    stream_->refuse(message, hint);
    // Why nothing can be learned is never out of sight.
    data_->setOpen(true);
    summarise(nullptr);
    size_->setTexts({});
    showSessions(nullptr);
    Q_EMIT streamShown(nullptr);
    Q_EMIT refused();
}

void ExperimentPanel::showPending() {
    const Experiment& draft = controller_->draft()->experiment();
    const Experiment* running = controller_->lane(0).known() ? controller_->running() : nullptr;
    const Experiment coming = controller_->expected();
    for (const auto& editors : {composer_, form_->editors()}) markPending(editors, draft, running, &coming);
}

void ExperimentPanel::showReplay() {
    replay_note_->setVisible(controller_->replaying());
}

void ExperimentPanel::showIdle() {
    markIdle(composer_, *controller_->draft());
    index_list_->setVisible(controller_->draft()->experiment().stream.isImported());
}

void ExperimentPanel::showSessions(const PlannedStream* stream) {
    const bool imported = stream && stream->experiment.stream.isImported();
    for (OptionEditor* editor : composer_)
        if (editor->key() == "stream.sessions")
            editor->setInForce(imported ? std::optional<OptionValue>(std::ssize(stream->plan.sessions)) : std::nullopt);
}

}  // namespace palimpsest
