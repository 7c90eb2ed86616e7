// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/adaptation_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cstring>

#include "engine/support/slug.h"
#include "ui/adaptation_log.h"
#include "ui/adaptation_options.h"
#include "ui/adaptation_plot.h"
#include "ui/experiment_draft.h"
#include "ui/icons.h"
#include "ui/key_names.h"
#include "ui/message_bar.h"
#include "ui/option_form.h"
#include "ui/parts.h"
#include "ui/spacing.h"
#include "ui/text_style.h"
#include "ui/top_bar.h"

namespace palimpsest {
namespace {

using State = AdaptationController::State;
using How = AdaptationEnded::How;

using spacing::kGap;
using spacing::kRow;
using spacing::kClose;
using spacing::kMargin;
constexpr int kSettingsWidth = 304;
constexpr int kPrimaryWidth = 104;
constexpr int kBarSteps = 1000;
constexpr int kTurnMs = 100;
constexpr const char* kEnding = ".safetensors";
/// Topic of messages that the next start takes away.
constexpr const char* kTopic = "adaptation";

struct Kind {
    const char *value, *title, *help;
};
/// The first is the usual one.
constexpr Kind kKinds[] = {
    {"fam", QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog", "Forgetting-aware (FAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog",
                       "Looks for prompts that stay good when other classes are learned, as in MISA.")},
    {"sam", QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog", "Sharpness-aware (SAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog",
                       "Looks for prompts that stay good when they are pushed where they are most sensitive.")},
    {"naive", QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog", "Naive"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationDialog",
                       "Plain steps down the loss; the fastest, since each needs one "
                       "pass only.")}};

QString nameOf(const QString& file) {
    return QFileInfo(file).fileName();
}

bool taken(const QString& file) {
    return QFileInfo::exists(file) || QFileInfo::exists(AdaptationController::stateFileOf(file));
}

}  // namespace

QString freeFile(const QString& file) {
    if (!taken(file)) return file;
    QString stem = file.endsWith(kEnding) ? file.chopped(static_cast<qsizetype>(std::strlen(kEnding))) : file;
    // A number from before is counted on.
    static const QRegularExpression counted(QStringLiteral("-([1-9]\\d{0,2})$"));
    int number = 1;
    if (const auto match = counted.match(stem); match.hasMatch()) {
        number = match.captured(1).toInt();
        stem.chop(match.capturedLength());
    }
    QString next;
    do next = stem + '-' + QString::number(++number) + kEnding;
    while (taken(next));
    return next;
}

QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total) {
    QStringList parts;
    const double speed = progress.steps_per_second;
    if (speed > 0) {
        parts.append(AdaptationDialog::tr("%1 steps/s").arg(speed, 0, 'f', speed < 10 ? 1 : 0));
        if (total > progress.step && progress.step > first)
            parts.append(
                AdaptationDialog::tr("%1 left").arg(durationText(static_cast<double>(total - progress.step) / speed)));
    }
    return parts.join(QStringLiteral(" · "));
}

AdaptationDialog::AdaptationDialog(AdaptationController* controller, ExperimentDraft* draft, const QString& folder,
                                   QWidget* parent)
    : QDialog(parent),
      controller_(controller),
      draft_(draft),
      folder_(folder),
      log_(new AdaptationLog(this)),
      messages_(new MessageBar),
      plot_(new AdaptationPlot(log_)),
      pacer_(
          kTurnMs, [this] { refreshProgress(); }, this) {
    setObjectName("adaptationDialog");
    setWindowTitle(tr("Initial session"));
    setModal(false);
    resize(900, 580);
    setMinimumSize(740, 460);
    messages_->setObjectName("adaptationMessages");

    auto* right = new QVBoxLayout;
    right->setSpacing(kGap);
    right->addWidget(plot_, 1);
    right->addWidget(makeProgress());
    auto* middle = new QHBoxLayout;
    middle->setSpacing(kGap);
    middle->addWidget(makeSettings());
    middle->addLayout(right, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addWidget(messages_);
    column->addLayout(middle, 1);

    connectController();
    connect(draft_, &ExperimentDraft::changed, this, [this](const QString& key) {
        if (key.isEmpty() || key == "name" || key.startsWith("initial_session.")) {
            followDraft();
            showUsualFile();
            refresh();
        } else if (isVisible()) {
            refreshForm();
        }
    });
    connect(plot_, &AdaptationPlot::exportAsked, this, &AdaptationDialog::exportAsked);
    followDraft();
    showKind();
}

void AdaptationDialog::connectController() {
    connect(controller_, &AdaptationController::stateChanged, this, &AdaptationDialog::refresh);
    connect(controller_, &AdaptationController::began, this, &AdaptationDialog::showStarted);
    connect(controller_, &AdaptationController::progressed, this, [this](const QVector<AdaptationProgress>& events) {
        log_->append(events);
        pacer_.ask();
    });
    connect(controller_, &AdaptationController::ended, this, &AdaptationDialog::showEnded);
    connect(controller_, &AdaptationController::kept, this, [this](const QString& file) {
        own_place_ = true;
        place_->setText(file);
        tellPlace(file);
    });
    connect(controller_, &AdaptationController::noted, this, [this](const QString& message, const QString& hint) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic, message, hint);
    });
    connect(controller_, &AdaptationController::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showLatest(MessageBar::Kind::Error, kTopic, message, hint);
        offerOtherPlace(message);
        refresh();
    });
}

QWidget* AdaptationDialog::makeSettings() {
    auto* content = new QWidget;
    content->setObjectName("scrollBody");
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(kGap);
    QLabel* title = makeLabel(tr("What it does"), text_size::kTitle, QFont::DemiBold, false);
    QLabel* sentence = makeWords(text_size::kText, QFont::Normal, true);
    sentence->setObjectName("adaptationSentence");
    sentence->setText(
        tr("Before the stream begins, prompts learn on other data; a run that starts from them need not begin with "
           "random ones. Forgetting-aware adaptation looks for prompts that keep what the backbone knows of classes it "
           "is not learning. Backbone, prompt lengths, seed and device are the experiment's."));
    column->addWidget(title);
    column->addWidget(sentence);
    QStringList elsewhere;
    const QStringList here = adaptationKeys(draft_->table());
    for (const Option& option : draft_->table().options())
        if (const QString key = QString::fromStdString(option.key); !here.contains(key)) elsewhere.append(key);
    form_ = new OptionForm(draft_, elsewhere);
    form_->setObjectName("adaptationForm");
    form_->disclosure()->setToolTip(tr("Settings for experts: optimiser, perturbation, which classes are left out"));
    settings_ = new QWidget;
    auto* inside = new QVBoxLayout(settings_);
    inside->setContentsMargins(0, 0, 0, 0);
    inside->setSpacing(kGap);
    inside->addWidget(makeKind());
    inside->addWidget(form_);
    inside->addWidget(makePlace());
    column->addWidget(settings_);
    column->addStretch(1);

    auto* scroll = new QScrollArea;
    scroll->setObjectName("adaptationScroll");
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    fitToText(panel, [panel] { panel->setFixedWidth(scaled(kSettingsWidth)); });
    auto* all = new QVBoxLayout(panel);
    all->setContentsMargins(kMargin, kMargin, 0, kMargin);
    all->addWidget(scroll);
    return panel;
}

QWidget* AdaptationDialog::makeKind() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kClose);
    QLabel* title = makeLabel(tr("HOW THEY LEARN"), text_size::kCaption, QFont::DemiBold, true);
    kind_ = new QComboBox;
    kind_->setObjectName("adaptationKind");
    kind_->setAccessibleName(tr("How the prompts learn"));
    kind_->setToolTip(tr("How the prompts learn: forgetting-aware, sharpness-aware or naive"));
    kind_->setFocusPolicy(Qt::StrongFocus);
    guardWheel(kind_);
    // The plain delegate honours the style sheet's padding in the list.
    kind_->setItemDelegate(new QStyledItemDelegate(kind_));
    for (const Kind& kind : kKinds) {
        kind_->addItem(tr(kind.title), QString(kind.value));
        kind_->setItemData(kind_->count() - 1, tr(kind.help), Qt::ToolTipRole);
    }
    title->setBuddy(kind_);
    kind_note_ = makeWords(text_size::kCaption, QFont::Normal, true);
    kind_note_->setObjectName("adaptationKindNote");
    connect(kind_, &QComboBox::activated, this, [this] { own_kind_ = true; });
    connect(kind_, &QComboBox::currentIndexChanged, this, &AdaptationDialog::showKind);
    column->addWidget(title);
    column->addWidget(kind_);
    column->addWidget(kind_note_);
    return box;
}

QWidget* AdaptationDialog::makePlace() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kClose);
    QLabel* title = makeLabel(tr("THE PROMPTS GO TO"), text_size::kCaption, QFont::DemiBold, true);
    place_ = new QLineEdit;
    place_->setObjectName("adaptationFile");
    place_->setAccessibleName(tr("File of the prompts"));
    place_->setToolTip(tr("The file that the learned prompts are written to (.safetensors)"));
    title->setBuddy(place_);
    connect(place_, &QLineEdit::textEdited, this,
            [this](const QString& text) { own_place_ = !text.trimmed().isEmpty(); });
    connect(place_, &QLineEdit::textChanged, this, [this](const QString& text) {
        // Where the path is longer than the field, its end says more; the tool tip says all of it.
        if (!place_->hasFocus()) place_->end(false);
        place_->setToolTip(tr("The file that the learned prompts are written to (.safetensors): %1")
                               .arg(text.isEmpty() ? usual_ : text));
        refresh();
    });
    auto* choose = new QToolButton;
    choose->setObjectName("adaptationChooseFile");
    withIcon(choose, "open");
    choose->setAccessibleName(tr("Choose the file of the prompts"));
    choose->setToolTip(tr("Choose where the prompts are written"));
    choose->setFocusPolicy(Qt::TabFocus);
    connect(choose, &QToolButton::clicked, this, &AdaptationDialog::askForFile);
    auto* row = new QHBoxLayout;
    row->setSpacing(kClose);
    row->addWidget(place_, 1);
    row->addWidget(choose);
    place_note_ = makeWords(text_size::kCaption, QFont::Normal, true);
    place_note_->setObjectName("adaptationFileNote");
    column->addWidget(title);
    column->addLayout(row);
    column->addWidget(place_note_);
    return box;
}

QWidget* AdaptationDialog::makeProgress() {
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(kMargin, kGap, kMargin, kGap);
    column->setSpacing(kRow);
    status_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    status_->setObjectName("adaptationStatus");
    // Gives way before the window grows.
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pace_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    pace_->setObjectName("adaptationPace");
    auto* row = new QHBoxLayout;
    row->setSpacing(kRow);
    row->addWidget(status_, 1);
    row->addWidget(pace_);
    column->addLayout(row);
    bar_ = new QProgressBar;
    bar_->setObjectName("adaptationBar");
    bar_->setAccessibleName(tr("Progress of the initial session"));
    bar_->setToolTip(tr("How many of its steps are done"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kBarSteps);
    column->addWidget(bar_);
    facts_ = makeWords(text_size::kText, QFont::Normal, true);
    facts_->setObjectName("adaptationFacts");
    column->addWidget(facts_);
    column->addLayout(makeButtons());
    return panel;
}

QLayout* AdaptationDialog::makeButtons() {
    primary_ = makeButton("adaptationStart", tr("Start"), tr("Let prompts learn"));
    primary_->setProperty("primary", true);
    // Wide enough for its longest word, so that nothing jumps when the word changes.
    fitToText(primary_, [this] { primary_->setFixedWidth(scaled(kPrimaryWidth)); });
    anew_ =
        makeButton("adaptationAnew", tr("Start anew"), tr("Begin again with random prompts, in a file of their own"));
    stop_ =
        makeButton("adaptationStop", tr("Stop"), tr("End here and keep the prompts as they are; it can go on later"));
    use_ = makeButton("adaptationUse", tr("Use these prompts in the experiment"),
                      KeyNames::instance().filled(tr("Let the experiment begin with them; {undo} takes that back")));
    keep_ = makeButton("adaptationKeep", tr("Choose another place …"), tr("Write the prompts to another file"));
    auto* close = makeButton("adaptationClose", tr("Close"), tr("Close; an initial session goes on"));
    withIcon(anew_, "new");
    withIcon(stop_, "stop");
    withIcon(use_, "check");
    withIcon(keep_, "save");
    connect(primary_, &QPushButton::clicked, this, &AdaptationDialog::primary);
    connect(anew_, &QPushButton::clicked, this, [this] { begin(false); });
    connect(stop_, &QPushButton::clicked, controller_, &AdaptationController::stop);
    connect(use_, &QPushButton::clicked, this, [this] { Q_EMIT useAsked(file()); });
    connect(keep_, &QPushButton::clicked, this, &AdaptationDialog::askForOtherPlace);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto* row = new QHBoxLayout;
    row->setSpacing(kRow);
    for (QPushButton* button : {primary_, anew_, stop_, keep_, use_}) row->addWidget(button);
    row->addStretch(1);
    row->addWidget(close);
    return row;
}

void AdaptationDialog::showDialog() {
    show();
    refresh();
    raise();
    activateWindow();
    primary_->setFocus();
}

QString AdaptationDialog::file() const {
    QString text = place_->text().trimmed();
    if (text.isEmpty()) text = usual_;
    if (text.startsWith("~/")) text = QDir::home().filePath(text.mid(2));
    text = QDir::cleanPath(QDir(folder_).absoluteFilePath(text));
    return text.endsWith(kEnding) ? text : text + kEnding;
}

QString AdaptationDialog::kind() const {
    return kind_->currentData().toString();
}

void AdaptationDialog::followDraft() {
    if (own_kind_ || controller_->busy()) return;
    const int named = kind_->findData(QString::fromStdString(draft_->experiment().initial_session.prompts));
    if (named >= 0) kind_->setCurrentIndex(named);
}

void AdaptationDialog::showKind() {
    kind_note_->setText(kind_->currentData(Qt::ToolTipRole).toString());
    showUsualFile();
    refresh();
}

void AdaptationDialog::showUsualFile() {
    if (controller_->busy()) return;
    const std::string words = kind().toStdString() + ' ' + draft_->experiment().name + " prompts";
    const QString usual = QDir(folder_).filePath(QString::fromStdString(slug(words, 60)) + kEnding);
    if (usual == usual_) return;
    usual_ = usual;
    place_->setPlaceholderText(usual);
    if (own_place_) return;
    place_->setText(usual);
}

QFileDialog* AdaptationDialog::makeFileDialog(const QString& file) {
    // The proposed folder need not be there yet.
    QString folder = QFileInfo(file).path();
    while (!QFileInfo(folder).isDir() && folder != QFileInfo(folder).path()) folder = QFileInfo(folder).path();
    auto* dialog = new QFileDialog(this, tr("Where the prompts are written"), folder, tr("Prompts (*.safetensors)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("safetensors");
    dialog->selectFile(nameOf(file));
    return dialog;
}

void AdaptationDialog::askForFile() {
    QFileDialog* dialog = makeFileDialog(file());
    dialog->setObjectName("adaptationFileDialog");
    // Nothing is overwritten: a fresh start takes a free name, and what was stopped goes on.
    dialog->setOption(QFileDialog::DontConfirmOverwrite);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
        own_place_ = true;
        place_->setText(chosen);
    });
    dialog->show();
}

void AdaptationDialog::offerOtherPlace(const QString& message) {
    if (controller_->canKeepElsewhere())
        messages_->addAction(message, {tr("Choose another place …"), [this] { askForOtherPlace(); }});
}

void AdaptationDialog::askForOtherPlace() {
    if (!controller_->canKeepElsewhere()) return;
    QFileDialog* dialog = makeFileDialog(controller_->file());
    dialog->setObjectName("adaptationOtherPlaceDialog");
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) { controller_->keepAt(chosen); });
    connect(dialog, &QFileDialog::rejected, this, [this] {
        if (!controller_->canKeepElsewhere()) return;
        const QString message = tr("The prompts are not written yet.");
        messages_->showLatest(MessageBar::Kind::Error, kTopic, message,
                              tr("They are lost when another initial session starts or the program ends."));
        offerOtherPlace(message);
    });
    dialog->open();
}

void AdaptationDialog::tellPlace(const QString& file) {
    messages_->showLatest(MessageBar::Kind::Done, kTopic, tr("The prompts are in %1.").arg(nameOf(file)),
                          tr("In the folder %1").arg(QDir::toNativeSeparators(QFileInfo(file).path())));
}

void AdaptationDialog::begin(bool resume) {
    if (controller_->unwritten())
        askWhetherToLose(resume);
    else
        start(resume);
}

void AdaptationDialog::askWhetherToLose(bool resume) {
    auto* question = new QMessageBox(QMessageBox::NoIcon, tr("Start without the prompts?"),
                                     tr("The prompts of the last initial session are not written yet."),
                                     QMessageBox::NoButton, this);
    question->setObjectName("losePromptsQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("They are lost when another one starts."));
    QPushButton* lose = question->addButton(tr("Start without them"), QMessageBox::DestructiveRole);
    QPushButton* keep = question->addButton(tr("Choose another place …"), QMessageBox::AcceptRole);
    QPushButton* back = question->addButton(tr("Go back"), QMessageBox::RejectRole);
    lose->setObjectName("losePromptsButton");
    keep->setObjectName("keepPromptsButton");
    question->setDefaultButton(keep);
    question->setEscapeButton(back);
    connect(lose, &QPushButton::clicked, this, [this, resume] { start(resume); });
    connect(keep, &QPushButton::clicked, this, &AdaptationDialog::askForOtherPlace);
    question->open();
}

void AdaptationDialog::start(bool resume) {
    messages_->dismissAll();
    const QString target = resume ? file() : freeFile(file());
    controller_->start(target, kind(), resume);
    if (controller_->busy() && target != file()) place_->setText(target);
}

void AdaptationDialog::primary() {
    if (controller_->busy()) {
        controller_->pauseOrResume();
        return;
    }
    look();
    begin(waiting_);
}

void AdaptationDialog::showStarted(const AdaptationStarted& event) {
    const bool other = event.kind == "sam" || event.kind == "fam";
    if (event.first_step > 0 && log_file_ == controller_->file()) {
        // The curve goes on where it went on learning.
        log_->keepUpTo(event.first_step);
    } else {
        log_->restart(other);
        log_first_ = event.first_step;
    }
    log_file_ = controller_->file();
    plot_->setSteps(log_first_, event.total_steps);
    for (const std::string& warning : event.warnings)
        messages_->showMessage(MessageBar::Kind::Note, QString::fromStdString(warning));
    refresh();
}

void AdaptationDialog::showEnded(const AdaptationEnded& event) {
    if (event.how == How::Finished && !event.file.empty()) tellPlace(QString::fromStdString(event.file.string()));
    refresh();
}

QString AdaptationDialog::outcome() const {
    const auto& end = controller_->end();
    if (!end) return tr("Ready.");
    switch (end->how) {
        case How::Finished:
            return tr("Finished in %1.").arg(durationText(end->seconds));
        case How::Stopped:
            return end->file.empty()      ? tr("Stopped before anything was learned.")
                   : end->state_step == 0 ? tr("Stopped. The prompts are kept as they are.")
                   : end->state_step < end->step
                       ? tr("Stopped. The prompts are kept as they are, and it can go on from step %1.")
                             .arg(countText(end->state_step))
                       : tr("Stopped. The prompts are kept as they are, and it can go on.");
        case How::Failed:
            break;
    }
    if (end->keep_at) return tr("The prompts are done, but not written yet.");
    return controller_->started() ? tr("The initial session failed.") : tr("The initial session could not start.");
}

void AdaptationDialog::look() {
    const QString chosen = file();
    const bool idle = !controller_->busy();
    waiting_ = idle && QFileInfo::exists(AdaptationController::stateFileOf(chosen));
    const QFileInfo info(chosen);
    there_ = idle && info.isFile();
    fresh_ = idle && (waiting_ || info.exists()) ? freeFile(chosen) : chosen;
}

void AdaptationDialog::refresh() {
    if (!isVisible()) return;
    look();
    refreshForm();
    refreshButtons();
    refreshProgress();
    refreshPlace();
}

void AdaptationDialog::refreshForm() {
    markIdle(form_->editors(), draft_->table(), adaptationOf(draft_->experiment(), kind().toStdString()));
}

void AdaptationDialog::refreshButtons() {
    const bool busy = controller_->busy();
    const bool resumes = waiting_ || controller_->state() == State::Paused;
    const bool pauses = busy && !resumes;
    primary_->setText(pauses ? tr("Pause") : resumes ? tr("Resume") : tr("Start"));
    withIcon(primary_, pauses ? "pause" : "play", &Theme::on_accent);
    primary_->setAccessibleName(primary_->text());
    primary_->setToolTip(pauses    ? tr("Pause at the next step")
                         : busy    ? tr("Go on learning")
                         : resumes ? tr("Go on from where it was stopped")
                                   : tr("Let prompts learn"));
    const bool keeping = controller_->unwritten() && !controller_->canKeepElsewhere();
    primary_->setEnabled(busy ? controller_->canStop() : controller_->available() && !keeping);
    anew_->setEnabled(!keeping);
    keep_->setVisible(controller_->unwritten());
    keep_->setEnabled(!keeping);
    anew_->setVisible(waiting_);
    stop_->setVisible(busy);
    stop_->setEnabled(controller_->canStop());
    settings_->setEnabled(!busy);
    const bool in_use = there_ && draft_->experiment().initial_session.prompts == file().toStdString();
    // What is there is not what was learned last, while that is not written.
    use_->setVisible(there_ && !controller_->unwritten());
    use_->setEnabled(!in_use);
    use_->setText(in_use ? tr("The experiment uses these prompts") : tr("Use these prompts in the experiment"));
    use_->setAccessibleName(use_->text());
}

void AdaptationDialog::refreshPlace() {
    QString words;
    if (controller_->busy())
        words = tr("Settings rest until it has ended.");
    else if (waiting_)
        words = tr("An initial session that was stopped waits here. Resume lets it go on; Start anew writes to %1.")
                    .arg(nameOf(fresh_));
    else if (fresh_ != file())
        words = tr("There is a file here already. New prompts go to %1.").arg(nameOf(fresh_));
    place_note_->setText(words);
    place_note_->setVisible(!words.isEmpty());
}

void AdaptationDialog::refreshProgress() {
    const auto& started = controller_->started();
    const auto& progress = controller_->progress();
    const QString detail = controller_->detail();
    bar_->setVisible(started.has_value());
    facts_->setVisible(started.has_value());
    const std::int64_t step = progress ? progress->step : started ? started->first_step : 0;
    if (started) {
        const std::int64_t total = std::max<std::int64_t>(1, started->total_steps);
        bar_->setValue(static_cast<int>(std::clamp<std::int64_t>(step * kBarSteps / total, 0, kBarSteps)));
        QStringList facts{QString::fromStdString(started->data)};
        if (started->trainable_parameters > 0)
            facts.append(tr("%1 parameters learn").arg(countText(started->trainable_parameters)));
        facts.append(QString::fromStdString(started->device));
        facts.append(QString::fromStdString(started->precision));
        facts.removeAll(QString());
        facts_->setText(facts.join(QStringLiteral(" · ")));
    }
    pace_->clear();
    if (!controller_->busy()) {
        status_->setText(outcome());
    } else if (!started) {
        status_->setText((detail.isEmpty() ? tr("Preparing") : detail) + " …");
    } else {
        QString where = tr("%1 of %2 steps").arg(countText(step), countText(started->total_steps));
        if (progress) where = tr("Epoch %1 · %2").arg(progress->epoch).arg(where);
        status_->setText(where);
        if (controller_->state() == State::Paused)
            pace_->setText(tr("Paused"));
        else if (!detail.isEmpty())
            pace_->setText(detail + " …");
        else if (progress)
            pace_->setText(paceText(*progress, started->first_step, started->total_steps));
    }
    status_->setToolTip(status_->text());
}

}  // namespace palimpsest
