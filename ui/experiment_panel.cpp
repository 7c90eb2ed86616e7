// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRandomGenerator>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/adaptation_options.h"
#include "ui/fitting_label.h"
#include "ui/hue_dot.h"
#include "ui/icons.h"
#include "ui/option_form.h"
#include "ui/parts.h"
#include "ui/run_controller.h"
#include "ui/spacing.h"
#include "ui/stream_drag.h"
#include "ui/stream_edit_list.h"
#include "ui/stream_preview.h"
#include "ui/stream_table.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

/// Seeds a person can read out to another.
constexpr int kDiceSides = 10000;
constexpr int kLintLines = 2;
constexpr int kSideMargin = spacing::kMargin;

/// The stream, or what there is to say about it.
bool changesStream(const QString& key) {
    return key.isEmpty() || key == "seed" || key == "evaluation.every_samples" || key == "memory.size" ||
           key.startsWith("stream.");
}

/// "a3f9·2c71" of the sixteen digits.
QString shortFingerprint(const QString& full) {
    return full.left(4) + "·" + full.mid(4, 4);
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
      presets_(new QComboBox),
      naming_(&controller->draft()->table()) {
    setObjectName("experimentPanel");
    setHeading(Heading::Section);

    presets_->setObjectName("presetChooser");
    presets_->setAccessibleName(tr("Preset"));
    presets_->setToolTip(tr("Load one of the experiments that come with the program"));
    presets_->setProperty("quietLook", true);
    presets_->setItemDelegate(new QStyledItemDelegate(presets_));
    presets_->setFocusPolicy(Qt::TabFocus);
    presets_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    presets_->setMinimumContentsLength(18);
    presets_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(presets_, &QComboBox::activated, this,
            [this](int index) { Q_EMIT presetChosen(presets_->itemData(index).toString()); });
    auto* end = new QWidget;
    auto* end_row = new QHBoxLayout(end);
    end_row->setContentsMargins(0, 0, kSideMargin - 4, 0);
    end_row->addWidget(presets_);
    addHeaderWidget(end);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kSideMargin, 0);
    column->setSpacing(8);
    column->addWidget(makeHeading());
    using Look = OptionEditor::Look;
    column->addWidget(add("stream.sessions", Look::Slider));
    column->addWidget(add("stream.disjoint_percent", Look::Slider));
    column->addWidget(add("stream.blurry_percent", Look::Slider));
    for (OptionEditor* editor : composer_)
        for (QSlider* slider : editor->findChildren<QSlider*>())
            slider->setProperty("hue", editor->key() == "stream.disjoint_percent" ? "disjoint"
                                       : editor->key() == "stream.blurry_percent" ? "blurry"
                                                                                  : "accent");
    column->addWidget(makePartition());
    column->addWidget(makeStream());
    column->addWidget(makeSeparator());
    QStringList elsewhere{"seed", "stream.edits"};
    for (OptionEditor* editor : composer_) elsewhere.append(editor->key());
    elsewhere += adaptationKeys(controller->draft()->table());
    form_ = new OptionForm(controller->draft(), elsewhere,
                           {"method.name", "mask.name", "memory.size", "training.updates_per_batch"});
    column->addWidget(form_);
    column->addStretch(1);

    QScrollArea* scroll = makeScroll("experimentScroll", content);
    body()->addWidget(scroll);
    // The scroll bar stands in the right margin, and the column keeps its width when it comes or goes.
    layout()->setContentsMargins(kSideMargin, 10, 0, 8);
    QScrollBar* bar = scroll->verticalScrollBar();
    connect(bar, &QScrollBar::rangeChanged, column, [column, bar](int minimum, int maximum) {
        const int taken = maximum > minimum ? bar->sizeHint().width() : 0;
        column->setContentsMargins(0, 0, kSideMargin - taken, 0);
    });

    // What has just been unfolded is brought into sight, once the column has its new height.
    connect(form_, &OptionForm::expertToggled, this, [this, scroll, content](bool shown) {
        if (!shown) return;
        QTimer::singleShot(0, this, [this, scroll, content] {
            content->layout()->activate();
            const QWidget* fold = form_->disclosure();
            scroll->verticalScrollBar()->setValue(fold->mapTo(content, QPoint(0, 0)).y());
        });
    });
    connect(planner_, &StreamPlanner::planned, this, &ExperimentPanel::showStream);
    connect(planner_, &StreamPlanner::failed, this, &ExperimentPanel::showRefusal);
    connect(controller->draft(), &ExperimentDraft::changed, this, [this](const QString& key) {
        if (changesStream(key)) {
            showIdle();
            plan();
        }
        if (key.isEmpty() || key == "name") showName();
        showPending();
    });
    connect(controller, &RunController::runningChanged, this, &ExperimentPanel::showPending);
    connect(controller, &RunController::comingChanged, this, &ExperimentPanel::showPending);
    connect(controller, &RunController::stateChanged, this, [this] {
        if (!controller_->busy()) {
            running_session_ = -1;
            preview_->setCurrentSession(-1);
        }
        showPending();
    });
    const auto frame = [this] {
        const auto& stream = preview_->stream();
        preview_->setCurrentSession(stream && stream->fingerprint == running_fingerprint_ ? running_session_ : -1);
    };
    connect(controller->bridge(), &RunBridge::started, this, [this, frame](const RunStarted& event) {
        running_fingerprint_ = QString::fromStdString(event.fingerprint);
        running_session_ = 0;
        frame();
    });
    connect(controller->bridge(), &RunBridge::progressed, this, [this, frame](const Progress& event) {
        running_session_ = static_cast<int>(event.session);
        frame();
    });
    connect(planner_, &StreamPlanner::planned, this, frame);
    showIdle();
    plan();
}

OptionEditor* ExperimentPanel::add(const QString& key, OptionEditor::Look look) {
    auto* editor = new OptionEditor(controller_->draft(), key, look);
    composer_.append(editor);
    return editor;
}

QWidget* ExperimentPanel::makeHeading() {
    auto* heading = new QWidget;
    auto* row = new QHBoxLayout(heading);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(add("stream.dataset", OptionEditor::Look::Heading));
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
    column->addWidget(add("stream.partition", OptionEditor::Look::Row));
    index_list_ = new QWidget;
    auto* row = new QHBoxLayout(index_list_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(add("stream.index_list", OptionEditor::Look::Row), 1);
    auto* choose = new QToolButton;
    choose->setObjectName("chooseIndexList");
    withIcon(choose, "open");
    choose->setAccessibleName(tr("Choose the index list"));
    choose->setToolTip(tr("Choose the JSON file that holds the sessions"));
    choose->setFocusPolicy(Qt::TabFocus);
    connect(choose, &QToolButton::clicked, this, &ExperimentPanel::chooseIndexList);
    row->addWidget(choose, 0, Qt::AlignTop);
    column->addWidget(index_list_);
    return box;
}

QWidget* ExperimentPanel::makeStream() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);

    auto* title = makeLabel(tr("THE STREAM"), text_size::kCaption, QFont::DemiBold, true, box);
    auto* dice = new QToolButton;
    dice->setObjectName("seedDice");
    withIcon(dice, "dice", &Theme::quiet);
    dice->setToolTip(tr("Another stream: throw the dice for a seed"));
    dice->setAccessibleName(tr("Throw the dice for a seed"));
    dice->setFocusPolicy(Qt::TabFocus);
    connect(dice, &QToolButton::clicked, this, &ExperimentPanel::throwDice);
    auto* header = new QHBoxLayout;
    header->setSpacing(2);
    header->addWidget(title, 1);
    header->addWidget(add("seed", OptionEditor::Look::Seed));
    header->addWidget(dice);
    column->addLayout(header);

    preview_ = new StreamPreview;
    column->addWidget(preview_);
    column->addWidget(makeLegend());
    edits_ = new StreamEditList(controller_->draft());
    column->addWidget(edits_);
    connect(new StreamDrag(preview_), &StreamDrag::moveAsked, edits_, &StreamEditList::move);
    column->addWidget(makeBalance());

    attention_ = makeLabel({}, text_size::kCaption, QFont::Normal, false, box);
    attention_->setObjectName("streamAttention");
    attention_->setAccessibleName(tr("What to know about this stream"));
    attention_->setTextFormat(Qt::RichText);
    attention_->setWordWrap(true);
    attention_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(attention_, &QLabel::linkActivated, this, [this] {
        attention_whole_ = true;
        showAttention(attention_lines_);
    });
    attention_->hide();
    column->addWidget(attention_);
    remedy_ = withIcon(new QPushButton, "import");
    remedy_->setObjectName("datasetRemedy");
    remedy_->setAccessibleName(tr("Get the data set"));
    remedy_->setToolTip(tr("Show where the data set comes from, and fetch it"));
    remedy_->setFocusPolicy(Qt::TabFocus);
    remedy_->hide();
    connect(remedy_, &QPushButton::clicked, this, &ExperimentPanel::remedyAsked);
    column->addWidget(remedy_, 0, Qt::AlignLeft);
    return box;
}

QWidget* ExperimentPanel::makeLegend() {
    auto* legend = new QWidget;
    auto* row = new QHBoxLayout(legend);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    const auto entry = [row](HueDot::Hue hue, const QString& text, const QString& tip) {
        auto* label = makeLabel(text, text_size::kCaption, QFont::Normal, true);
        label->setToolTip(tip);
        row->addWidget(new HueDot(hue));
        row->addWidget(label);
    };
    entry(HueDot::Disjoint, tr("disjoint"), tr("A disjoint class appears in one session only"));
    row->addSpacing(8);
    entry(HueDot::Blurry, tr("blurry"),
          tr("A blurry class has a session of its own and returns, thinly, in all others"));
    row->addStretch(1);
    fingerprint_ = makeLabel({}, text_size::kCaption, QFont::Normal, true);
    fitToText(fingerprint_, [this] {
        QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        mono.setPixelSize(scaled(text_size::kCaption));
        fingerprint_->setFont(mono);
    });
    fingerprint_->setObjectName("streamFingerprint");
    fingerprint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(fingerprint_);
    return legend;
}

QWidget* ExperimentPanel::makeBalance() {
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    balance_ = makeLabel({}, text_size::kCaption, QFont::Normal, true);
    balance_->setObjectName("streamBalance");
    balance_->setAccessibleName(tr("How even the stream is"));
    balance_->setToolTip(balanceHelp());
    // Gives way before the column would have to grow.
    balance_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(balance_, 1);
    auto* compare = new QToolButton;
    compare->setObjectName("compareStreamsButton");
    compare->setText(tr("Compare"));
    withIcon(compare, "compare", &Theme::quiet);
    compare->setAccessibleName(tr("Compare streams"));
    compare->setToolTip(tr("The stream in numbers, and beside that of a preset or a run"));
    compare->setProperty("link", true);
    compare->setFocusPolicy(Qt::TabFocus);
    fitToText(compare, [compare] { compare->setFont(textFont(compare->font(), text_size::kCaption)); });
    connect(compare, &QToolButton::clicked, this, &ExperimentPanel::compareAsked);
    row->addWidget(compare);
    return line;
}

void ExperimentPanel::setPresets(const std::vector<Preset>& presets) {
    presets_->clear();
    QStringList titles;
    for (const Preset& preset : presets) {
        titles.append(QString::fromStdString(preset.title));
        presets_->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.name));
        presets_->setItemData(presets_->count() - 1, QString::fromStdString(preset.summary), Qt::ToolTipRole);
    }
    naming_ = ExperimentNaming(&controller_->draft()->table(), titles);
    controller_->draft()->setNaming(
        [naming = naming_](const Experiment& before, const Experiment& after, const QString& key) {
            return naming.nameOf(before, after, key);
        });
    showName();
}

void ExperimentPanel::showName() {
    const QString name = QString::fromStdString(controller_->draft()->experiment().name);
    // Of an experiment that is no preset.
    presets_->setPlaceholderText(naming_.described(controller_->draft()->experiment()) ? tr("Own: %1").arg(name)
                                                                                       : name);
    presets_->setCurrentIndex(presets_->findText(name));
}

void ExperimentPanel::plan() {
    planner_->request(controller_->draft()->experiment());
}

void ExperimentPanel::showStream(const std::shared_ptr<const PlannedStream>& stream) {
    preview_->setStream(stream);
    edits_->setStream(stream);
    const QString images = tr("%1 images").arg(countText(static_cast<qint64>(stream->labels->train.size())));
    const QString classes = tr("%1 classes").arg(stream->labels->class_names.size());
    size_->setTexts({images + " · " + classes, images});
    fingerprint_->setText(shortFingerprint(stream->fingerprint));
    fingerprint_->setToolTip(
        tr("Fingerprint of the stream: the same digits, the same images in the same order. In full: %1")
            .arg(stream->fingerprint));
    balance_->setText(balanceText(stream->statistics));
    showAttention(stream->warnings);
    showSessions(stream.get());
    remedy_->hide();
    Q_EMIT streamShown(stream);
}

void ExperimentPanel::showRefusal(const QString& message, const QString& hint) {
    preview_->setStream(nullptr);
    edits_->setStream(nullptr);
    preview_->setEmptyText(tr("No stream with these settings"));
    size_->setTexts({});
    fingerprint_->clear();
    balance_->clear();
    refusal_ = message;
    showSessions(nullptr);
    showAttention({hint.isEmpty() ? message : message + " " + hint});
    remedy_->hide();
    Q_EMIT streamShown(nullptr);
    Q_EMIT refused();
}

void ExperimentPanel::offerRemedy(const QString& text) {
    if (preview_->stream()) return;
    // The button says what to do; the hint in full stays in the tooltip.
    const QString full = attention_->toolTip();
    showAttention({refusal_});
    attention_->setToolTip(full);
    remedy_->setText(text);
    remedy_->setAccessibleName(text);
    remedy_->show();
}

void ExperimentPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && attention_) showAttention(attention_lines_);
    Panel::changeEvent(event);
}

void ExperimentPanel::showAttention(const QStringList& lines) {
    attention_lines_ = lines;
    const QString sign = QString("<span style=\"color:%1\">▲</span>&nbsp; ").arg(Theme::of(this).attention.name());
    QStringList shown;
    // Where one more would fit as well as the words that it is left out.
    const qsizetype most = attention_whole_ || lines.size() <= kLintLines + 1 ? lines.size() : kLintLines;
    for (const QString& line : lines.mid(0, most)) shown.append(sign + line.toHtmlEscaped());
    if (lines.size() > most)
        shown.append(QString("<a href=\"all\">%1</a>").arg(tr("and %1 more").arg(lines.size() - most)));
    attention_->setText(shown.join("<br>"));
    attention_->setToolTip(lines.join("\n"));
    attention_->setVisible(!lines.isEmpty());
}

void ExperimentPanel::showPending() {
    const Experiment& draft = controller_->draft()->experiment();
    const Experiment* running = controller_->lane(0).known() ? controller_->running() : nullptr;
    const Experiment coming = controller_->coming();
    for (const auto& editors : {composer_, form_->editors()}) markPending(editors, draft, running, &coming);
}

void ExperimentPanel::showIdle() {
    markIdle(composer_, *controller_->draft());
    index_list_->setVisible(controller_->draft()->experiment().stream.partition == "imported");
}

void ExperimentPanel::showSessions(const PlannedStream* stream) {
    const bool imported = stream && stream->experiment.stream.partition == "imported";
    for (OptionEditor* editor : composer_)
        if (editor->key() == "stream.sessions")
            editor->setInForce(imported ? std::optional<OptionValue>(std::ssize(stream->plan.sessions)) : std::nullopt);
}

void ExperimentPanel::chooseIndexList() {
    const QString now = QString::fromStdString(controller_->draft()->experiment().stream.index_list);
    auto* dialog = new QFileDialog(this, tr("Choose an index list"), QFileInfo(now).path(), tr("Index lists (*.json)"));
    dialog->setObjectName("indexListDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { controller_->draft()->set("stream.index_list", file.toStdString()); });
    dialog->show();
}

void ExperimentPanel::throwDice() {
    controller_->draft()->set("seed", std::int64_t{QRandomGenerator::global()->bounded(1, kDiceSides)});
}

}  // namespace palimpsest
