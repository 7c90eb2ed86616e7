// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_dialog.h"

#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_actions.h"
#include "ui/pretrained/adaptation_kind_box.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/pretrained/adaptation_place_box.h"
#include "ui/pretrained/adaptation_plot.h"
#include "ui/pretrained/prompt_file.h"
#include "ui/pretrained/unwritten_prompts.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/option_titles_in_text.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

using spacing::kGap;
using spacing::kMargin;
using spacing::kRow;
constexpr int kSettingsWidth = 304;
/// Topic of messages that the next start takes away.
constexpr const char* kTopic = "adaptation";

QString nameOf(const QString& file) {
    return QFileInfo(file).fileName();
}

}  // namespace

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
        tellPlace(file);
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
    connect(actions_, &AdaptationActions::useAsked, this, [this] { Q_EMIT useAsked(file()); });
    connect(actions_, &AdaptationActions::keepAsked, unwritten_, &UnwrittenPrompts::askForPlace);
    connect(actions_, &AdaptationActions::closeAsked, this, &QDialog::close);
}

QWidget* AdaptationDialog::makeSettings() {
    auto* content = new QWidget;
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

QString AdaptationDialog::file() const {
    return place_->file();
}

QString AdaptationDialog::kind() const {
    return kind_->kind();
}

void AdaptationDialog::followDraft() {
    if (!controller_->busy()) kind_->follow(QString::fromStdString(draft_->experiment().initial_session.prompts));
}

void AdaptationDialog::showUsualFile() {
    if (!controller_->busy()) place_->setUsual(usualPromptFile(folder_, kind(), draft_->experiment().name));
}

void AdaptationDialog::tellPlace(const QString& file) {
    messages_->showLatest(MessageBar::Kind::Done, kTopic, tr("The prompts are in %1.").arg(nameOf(file)),
                          tr("In the folder %1").arg(QDir::toNativeSeparators(QFileInfo(file).path())));
}

void AdaptationDialog::begin(bool resume) {
    unwritten_->before([this, resume] { start(resume); });
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
        messages_->showMessage(MessageBar::Kind::Note, plainWords(warning));
    refresh();
}

void AdaptationDialog::showEnded(const AdaptationEnded& event) {
    if (event.how == AdaptationEnded::How::Finished && !event.file.empty())
        tellPlace(QString::fromStdString(event.file.string()));
    refresh();
}

void AdaptationDialog::look() {
    const QString chosen = file();
    const bool idle = !controller_->busy();
    waiting_ = idle && QFileInfo::exists(AdaptationJob::stateFileOf(chosen));
    const QFileInfo info(chosen);
    there_ = idle && info.isFile();
    fresh_ = idle && (waiting_ || info.exists()) ? freeFile(chosen) : chosen;
}

void AdaptationDialog::refresh() {
    if (!isVisible()) return;
    look();
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
