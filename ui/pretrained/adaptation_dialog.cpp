// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_dialog.h"

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/key_names.h"
#include "ui/state/number_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

struct Kind {
    const char *value, *title, *help;
};
/// The first is the usual one.
constexpr Kind kKinds[] = {
    {"fam", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Forgetting-aware (FAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Looks for prompts that stay good when other classes are learned, as in MISA.")},
    {"sam", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Sharpness-aware (SAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Looks for prompts that stay good when they are pushed where they are most sensitive.")},
    {"naive", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Naive"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Plain steps down the loss; the fastest, since each needs one "
                       "pass only.")}};

constexpr int kPrimaryWidth = 104;

constexpr int kBarSteps = 1000;
constexpr int kTurnMs = 100;

using spacing::kGap;
using spacing::kMargin;
using spacing::kRow;
constexpr int kSettingsWidth = 304;
/// Topic of messages that the next start removes.
constexpr const char* kTopic = "adaptation";

QString nameOf(const QString& file) {
    return QFileInfo(file).fileName();
}

}  // namespace

AdaptationKindBox::AdaptationKindBox(QWidget* parent)
    : QWidget(parent), kind_(new QComboBox), note_(makeTextLabel(text_size::kCaption, QFont::Normal, true)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kClose);
    QLabel* title = makeLabel(tr("HOW THEY LEARN"), text_size::kCaption, QFont::DemiBold, true);
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
    note_->setObjectName("adaptationKindNote");
    connect(kind_, &QComboBox::activated, this, [this] { own_ = true; });
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        showNote();
        Q_EMIT changed();
    });
    column->addWidget(title);
    column->addWidget(kind_);
    column->addWidget(note_);
    showNote();
}

QString AdaptationKindBox::kind() const {
    return kind_->currentData().toString();
}

void AdaptationKindBox::follow(const QString& named) {
    if (own_) return;
    const int index = kind_->findData(named);
    if (index >= 0) kind_->setCurrentIndex(index);
}

void AdaptationKindBox::showNote() {
    note_->setText(kind_->currentData(Qt::ToolTipRole).toString());
}

AdaptationActions::AdaptationActions(AdaptationJob* controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      primary_(makeButton("adaptationStart", tr("Start"), tr("Let prompts learn"))),
      anew_(makeButton("adaptationAnew", tr("Start anew"),
                       tr("Begin again with random prompts, in a file of their own"))),
      stop_(makeButton("adaptationStop", tr("Stop"),
                       tr("End here and keep the prompts as they are; it can go on later"))),
      use_(makeButton("adaptationUse", tr("Use these prompts in the experiment"),
                      KeyNames::instance().filled(tr("Let the experiment begin with them; {undo} takes that back")))),
      keep_(makeButton("adaptationKeep", tr("Choose another place …"), tr("Write the prompts to another file"))) {
    primary_->setProperty("primary", true);
    // Wide enough for its longest word, so that nothing jumps when the word changes.
    fitToText(primary_, [this] { primary_->setFixedWidth(scaled(kPrimaryWidth)); });
    auto* close = makeButton("adaptationClose", tr("Close"), tr("Close; an initial session goes on"));
    withIcon(anew_, "new");
    withIcon(stop_, "stop");
    withIcon(use_, "check");
    withIcon(keep_, "save");
    connect(primary_, &QPushButton::clicked, this, &AdaptationActions::primaryAsked);
    connect(anew_, &QPushButton::clicked, this, &AdaptationActions::anewAsked);
    connect(stop_, &QPushButton::clicked, controller_, &AdaptationJob::stop);
    connect(use_, &QPushButton::clicked, this, &AdaptationActions::useRequested);
    connect(keep_, &QPushButton::clicked, this, &AdaptationActions::keepAsked);
    connect(close, &QPushButton::clicked, this, &AdaptationActions::closeAsked);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing::kRow);
    for (QPushButton* button : {primary_, anew_, stop_, keep_, use_}) row->addWidget(button);
    row->addStretch(1);
    row->addWidget(close);
}

void AdaptationActions::focusPrimary() {
    primary_->setFocus();
}

void AdaptationActions::refresh(const Place& place) {
    const bool busy = controller_->busy();
    const bool resumes = place.waiting || controller_->state() == AdaptationJob::State::Paused;
    const bool pauses = busy && !resumes;
    primary_->setText(pauses ? tr("Pause") : resumes ? tr("Resume") : tr("Start"));
    withIcon(primary_, pauses ? "pause" : "play", &Theme::on_accent);
    primary_->setAccessibleName(primary_->text());
    primary_->setToolTip(pauses    ? tr("Pause at the next step")
                         : busy    ? tr("Resume learning")
                         : resumes ? tr("Resume where it was stopped")
                                   : tr("Let prompts learn"));
    const bool keeping = controller_->unwritten() && !controller_->canKeepElsewhere();
    primary_->setEnabled(busy ? controller_->canStop() : controller_->available() && !keeping);
    anew_->setEnabled(!keeping);
    keep_->setVisible(controller_->unwritten());
    keep_->setEnabled(!keeping);
    anew_->setVisible(place.waiting);
    stop_->setVisible(busy);
    stop_->setEnabled(controller_->canStop());
    // The prompts on disk are not the newest while those are not written.
    use_->setVisible(place.there && !controller_->unwritten());
    use_->setEnabled(!place.in_use);
    use_->setText(place.in_use ? tr("The experiment uses these prompts") : tr("Use these prompts in the experiment"));
    use_->setAccessibleName(use_->text());
}

QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total) {
    QStringList parts;
    const double speed = progress.steps_per_second;
    if (speed > 0) {
        parts.append(AdaptationStatus::tr("%1 steps/s").arg(speed, 0, 'f', speed < 10 ? 1 : 0));
        if (total > progress.step && progress.step > first)
            parts.append(
                AdaptationStatus::tr("%1 left").arg(durationText(static_cast<double>(total - progress.step) / speed)));
    }
    return parts.join(QStringLiteral(" · "));
}

AdaptationStatus::AdaptationStatus(AdaptationJob* controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      status_(makeLabel({}, text_size::kText, QFont::DemiBold, false)),
      pace_(makeLabel({}, text_size::kText, QFont::Normal, true)),
      facts_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      bar_(new QProgressBar),
      throttle_(
          kTurnMs, [this] { refresh(); }, this) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    status_->setObjectName("adaptationStatus");
    // Gives way before the window grows.
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pace_->setObjectName("adaptationPace");
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kRow);
    row->addWidget(status_, 1);
    row->addWidget(pace_);
    column->addLayout(row);
    bar_->setObjectName("adaptationBar");
    bar_->setAccessibleName(tr("Progress of the initial session"));
    bar_->setToolTip(tr("How many of its steps are done"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kBarSteps);
    column->addWidget(bar_);
    facts_->setObjectName("adaptationFacts");
    column->addWidget(facts_);
    connect(controller_, &AdaptationJob::progressed, &throttle_, &Throttle::ask);
}

QString AdaptationStatus::outcome() const {
    using How = AdaptationEnded::How;
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

void AdaptationStatus::refresh() {
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
        if (controller_->state() == AdaptationJob::State::Paused)
            pace_->setText(tr("Paused"));
        else if (!detail.isEmpty())
            pace_->setText(detail + " …");
        else if (progress)
            pace_->setText(paceText(*progress, started->first_step, started->total_steps));
    }
    status_->setToolTip(status_->text());
}

AdaptationDialog::AdaptationDialog(AdaptationJob* controller, ExperimentDraft* draft, const QString& folder,
                                   QWidget* parent)
    : QDialog(parent),
      controller_(controller),
      draft_(draft),
      folder_(folder),
      log_(new AdaptationLog(this)),
      messages_(new MessageBar),
      plot_(new AdaptationPlot(log_)),
      unwritten_(new UnwrittenPrompts(controller, messages_, kTopic, this)),
      kind_(new AdaptationKindBox),
      place_(new AdaptationPlaceBox(folder)),
      status_(new AdaptationStatus(controller)),
      actions_(new AdaptationActions(controller)) {
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
    connectParts();
    followDraft();
    showUsualFile();
}

void AdaptationDialog::connectController() {
    connect(controller_, &AdaptationJob::stateChanged, this, &AdaptationDialog::refresh);
    connect(controller_, &AdaptationJob::began, this, &AdaptationDialog::showStarted);
    connect(controller_, &AdaptationJob::progressed, this,
            [this](const QVector<AdaptationProgress>& events) { log_->append(events); });
    connect(controller_, &AdaptationJob::ended, this, &AdaptationDialog::showEnded);
    connect(controller_, &AdaptationJob::kept, this, [this](const QString& file) {
        place_->choose(file);
        reportPlace(file);
    });
    connect(controller_, &AdaptationJob::noted, this, [this](const QString& message, const QString& hint) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic, message, hint);
    });
    connect(controller_, &AdaptationJob::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showLatest(MessageBar::Kind::Error, kTopic, message, hint);
        unwritten_->offer(message);
        refresh();
    });
}

void AdaptationDialog::connectParts() {
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
    connect(kind_, &AdaptationKindBox::changed, this, [this] {
        showUsualFile();
        refresh();
    });
    connect(place_, &AdaptationPlaceBox::changed, this, &AdaptationDialog::refresh);
    connect(actions_, &AdaptationActions::primaryAsked, this, &AdaptationDialog::primary);
    connect(actions_, &AdaptationActions::anewAsked, this, [this] { begin(false); });
    connect(actions_, &AdaptationActions::useRequested, this, [this] { Q_EMIT useRequested(file()); });
    connect(actions_, &AdaptationActions::keepAsked, unwritten_, &UnwrittenPrompts::askForPlace);
    connect(actions_, &AdaptationActions::closeAsked, this, &QDialog::close);
}

QWidget* AdaptationDialog::makeSettings() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, kMargin, 0);
    column->setSpacing(kGap);
    QLabel* title = makeLabel(tr("What it does"), text_size::kTitle, QFont::DemiBold, false);
    QLabel* sentence = makeTextLabel(text_size::kText, QFont::Normal, true);
    sentence->setObjectName("adaptationSentence");
    sentence->setText(
        tr("Before the stream begins, prompts learn on other data; a run that starts from them need not begin with "
           "random ones. Forgetting-aware adaptation looks for prompts that keep what the backbone knows of classes it "
           "is not learning. Backbone, prompt lengths, seed and device are the experiment's."));
    column->addWidget(title);
    column->addWidget(sentence);
    column->addWidget(makeForm());
    column->addStretch(1);

    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    fitToText(panel, [panel] { panel->setFixedWidth(scaled(kSettingsWidth)); });
    auto* all = new QVBoxLayout(panel);
    all->setContentsMargins(kMargin, kMargin, 0, kMargin);
    all->addWidget(makeScroll("adaptationScroll", content));
    return panel;
}

QWidget* AdaptationDialog::makeForm() {
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
    inside->addWidget(kind_);
    inside->addWidget(form_);
    inside->addWidget(place_);
    return settings_;
}

QWidget* AdaptationDialog::makeProgress() {
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(kMargin, kGap, kMargin, kGap);
    column->setSpacing(kRow);
    column->addWidget(status_);
    column->addWidget(actions_);
    return panel;
}

void AdaptationDialog::showDialog() {
    show();
    refresh();
    raise();
    activateWindow();
    actions_->focusPrimary();
}

void AdaptationDialog::followDraft() {
    if (!controller_->busy()) kind_->follow(QString::fromStdString(draft_->experiment().initial_session.prompts));
}

void AdaptationDialog::showUsualFile() {
    if (!controller_->busy()) place_->setUsual(usualPromptFile(folder_, kind(), draft_->experiment().name));
}

void AdaptationDialog::reportPlace(const QString& file) {
    messages_->showLatest(MessageBar::Kind::Done, kTopic, tr("The prompts are in %1.").arg(nameOf(file)),
                          tr("In the folder %1").arg(QDir::toNativeSeparators(QFileInfo(file).path())));
}

void AdaptationDialog::begin(bool resume) {
    unwritten_->confirmLoss([this, resume] { start(resume); });
}

void AdaptationDialog::start(bool resume) {
    messages_->dismissAll();
    const QString target = resume ? file() : freeFile(file());
    controller_->start(target, kind(), resume);
    if (controller_->busy() && target != file()) place_->setFile(target);
}

void AdaptationDialog::primary() {
    if (controller_->busy()) {
        controller_->pauseOrResume();
        return;
    }
    readPlace();
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
        messages_->showMessage(MessageBar::Kind::Note, withOptionTitles(warning));
    refresh();
}

void AdaptationDialog::showEnded(const AdaptationEnded& event) {
    if (event.how == AdaptationEnded::How::Finished && !event.file.empty())
        reportPlace(QString::fromStdString(event.file.string()));
    refresh();
}

void AdaptationDialog::readPlace() {
    const QString chosen = file();
    const bool idle = !controller_->busy();
    waiting_ = idle && QFileInfo::exists(AdaptationJob::stateFileOf(chosen));
    const QFileInfo info(chosen);
    there_ = idle && info.isFile();
    fresh_ = idle && (waiting_ || info.exists()) ? freeFile(chosen) : chosen;
}

void AdaptationDialog::refresh() {
    if (!isVisible()) return;
    readPlace();
    refreshForm();
    refreshActions();
    status_->refresh();
    refreshPlace();
}

void AdaptationDialog::refreshForm() {
    markIdle(form_->editors(), draft_->table(), adaptationOf(draft_->experiment(), kind().toStdString()));
}

void AdaptationDialog::refreshActions() {
    const bool in_use = there_ && draft_->experiment().initial_session.prompts == file().toStdString();
    actions_->refresh({waiting_, there_, in_use});
    settings_->setEnabled(!controller_->busy());
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
    place_->setNote(words);
}

}  // namespace palimpsest
