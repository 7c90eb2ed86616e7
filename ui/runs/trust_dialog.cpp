// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/trust_dialog.h"

#include <QAction>
#include <QCheckBox>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <utility>

#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/trust_job.h"
#include "ui/state/number_text.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

using spacing::kClose;
using spacing::kGap;
using spacing::kMargin;
using spacing::kRow;
constexpr int kWidth = 760, kHeight = 640;

const QColor& colourOf(const Theme& theme, TrustColour colour) {
    return colour == TrustColour::Green ? theme.better : colour == TrustColour::Red ? theme.worse : theme.attention;
}

}  // namespace

TrustCard::TrustCard(const TrustCheckInfo& check, QWidget* parent)
    : QFrame(parent),
      check_(QString::fromLatin1(check.name)),
      title_(QString::fromUtf8(check.title)),
      question_(QString::fromUtf8(check.question)),
      word_(makeLabel({}, text_size::kText, QFont::DemiBold, false)),
      sentence_(makeTextLabel(text_size::kText, QFont::Normal, false)),
      cut_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      evidence_(new QWidget),
      grid_(new QGridLayout(evidence_)) {
    setObjectName(QStringLiteral("trust-") + check_);
    setProperty("panel", true);
    setFocusPolicy(Qt::TabFocus);
    word_->setObjectName(QStringLiteral("trustWord"));
    sentence_->setObjectName(QStringLiteral("trustSentence"));
    cut_->setObjectName(QStringLiteral("trustCut"));
    evidence_->setObjectName(QStringLiteral("trustEvidence"));
    QLabel* question = makeTextLabel(text_size::kText, QFont::Normal, true);
    question->setText(question_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(kGap);
    grid_->setVerticalSpacing(2);
    // Half each: a column without a share is as narrow as a label that wraps asks for.
    for (const int column : {0, 1}) grid_->setColumnStretch(column, 1);
    auto* heading = new QHBoxLayout;
    heading->addWidget(makeLabel(title_, text_size::kText, QFont::DemiBold, false));
    heading->addStretch(1);
    heading->addWidget(word_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kMargin, kRow, kMargin, kRow);
    column->setSpacing(kClose);
    column->addLayout(heading);
    column->addWidget(question);
    column->addWidget(sentence_);
    column->addWidget(evidence_);
    column->addWidget(cut_);
    reset();
}

void TrustCard::reset() {
    colour_.reset();
    word_->setText({});
    sentence_->clear();
    cut_->clear();
    setEvidence({});
    for (QWidget* part : QList<QWidget*>{sentence_, evidence_, cut_}) part->hide();
    describe();
}

void TrustCard::setWaiting(const QString& word) {
    if (colour_) return;
    word_->setText(word);
    paintWord();
    describe();
}

void TrustCard::setVerdict(const TrustVerdict& verdict) {
    colour_ = verdict.colour;
    // The word says it, too: colours alone do not reach everyone.
    word_->setText(verdict.colour == TrustColour::Green ? tr("● Green")
                   : verdict.colour == TrustColour::Red ? tr("■ Red")
                                                        : tr("▲ Amber"));
    sentence_->setText(withOptionTitles(verdict.sentence));
    cut_->setText(QString::fromStdString(verdict.cut));
    setEvidence(verdict.evidence);
    sentence_->show();
    evidence_->setVisible(!verdict.evidence.empty());
    cut_->setVisible(!verdict.cut.empty());
    paintWord();
    describe();
}

void TrustCard::setEvidence(const std::vector<TrustEvidence>& evidence) {
    while (QLayoutItem* item = grid_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int row = 0;
    for (const TrustEvidence& each : evidence) {
        QLabel* what = makeTextLabel(text_size::kCaption, QFont::Normal, true);
        QLabel* value = makeTextLabel(text_size::kCaption, QFont::DemiBold, false);
        what->setText(QString::fromStdString(each.what));
        value->setText(QString::fromStdString(each.value));
        grid_->addWidget(what, row, 0, Qt::AlignTop);
        grid_->addWidget(value, row++, 1, Qt::AlignTop);
    }
}

void TrustCard::paintWord() {
    const QColor colour = colour_ ? colourOf(Theme::of(this), *colour_) : Theme::of(this).quiet;
    // A change of the style is itself a change of the palette, which comes back here.
    if (const QString style = QStringLiteral("color: ") + colour.name(); word_->styleSheet() != style)
        word_->setStyleSheet(style);
}

void TrustCard::describe() {
    setAccessibleName(word_->text().isEmpty() ? title_ : tr("%1: %2").arg(title_, word_->text()));
    setAccessibleDescription(sentence_->text().isEmpty() ? question_ : question_ + ' ' + sentence_->text());
}

void TrustCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) paintWord();
    QFrame::changeEvent(event);
}

TrustDialog::TrustDialog(TrustJob* job, QWidget* parent)
    : QDialog(parent),
      job_(job),
      subject_(makeTextLabel(text_size::kTitle, QFont::DemiBold, false)),
      status_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      quick_(new QCheckBox(tr("Quick: about a minute"))),
      start_(makeButton(QStringLiteral("trustStart"), tr("Check"), tr("Carry out all checks, one after the other"))),
      stop_(makeButton(QStringLiteral("trustStop"), tr("Stop"), tr("End here; the verdicts given so far stand"))) {
    setObjectName(QStringLiteral("trustDialog"));
    setWindowTitle(tr("Can this be trusted?"));
    setModal(false);
    resize(scaled(kWidth), scaled(kHeight));
    subject_->setObjectName(QStringLiteral("trustSubject"));
    status_->setObjectName(QStringLiteral("trustStatus"));
    quick_->setObjectName(QStringLiteral("trustQuick"));
    quick_->setAccessibleName(quick_->text());
    quick_->setChecked(true);
    quick_->setToolTip(tr("Cut the stream and the test images of every check; the page says how far"));
    start_->setProperty("primary", true);
    withIcon(start_, "check", &Theme::on_accent);
    withIcon(stop_, "stop");
    QPushButton* close = makeButton(QStringLiteral("trustClose"), tr("Close"), tr("Close; checks go on"));

    auto* page = new QWidget;
    auto* cards = new QVBoxLayout(page);
    cards->setContentsMargins(0, 0, 0, 0);
    cards->setSpacing(kRow);
    for (const TrustCheckInfo& check : trustChecks()) {
        cards_.append(new TrustCard(check));
        cards->addWidget(cards_.last());
    }
    cards->addStretch(1);
    QScrollArea* scroll = makeScroll(QStringLiteral("trustPage"), page);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kRow);
    buttons->addWidget(start_);
    buttons->addWidget(stop_);
    buttons->addWidget(quick_);
    buttons->addStretch(1);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kRow);
    column->addWidget(subject_);
    column->addWidget(status_);
    column->addWidget(scroll, 1);
    column->addLayout(buttons);

    connect(start_, &QPushButton::clicked, this, &TrustDialog::start);
    connect(stop_, &QPushButton::clicked, job_, &TrustJob::stop);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(job_, &TrustJob::stateChanged, this, &TrustDialog::refresh);
    connect(job_, &TrustJob::refused, this, [this](const QString& message, const QString& hint) {
        status_->setText(withOptionTitles(message) + ' ' + withOptionTitles(hint));
    });
    connect(job_->bridge(), &TrustBridge::checking, this, [this](const QString& check, qint64 number, qint64 total) {
        TrustCard* shown = card(check);
        if (!shown) return;
        shown->setWaiting(tr("Checking …"));
        present_ =
            tr("%1 of %2: %3").arg(number).arg(total).arg(QString::fromUtf8(trustCheck(check.toStdString()).title));
        status_->setText(present_);
    });
    connect(job_->bridge(), &TrustBridge::progressed, this, [this](const QString& detail) {
        if (!job_->stopping()) status_->setText(tr("%1: %2").arg(present_, detail));
    });
    connect(job_->bridge(), &TrustBridge::judged, this, [this, scroll](const TrustVerdict& verdict) {
        if (TrustCard* shown = card(QString::fromStdString(verdict.check))) {
            shown->setVerdict(verdict);
            scroll->ensureWidgetVisible(shown);
        }
    });
    connect(job_->bridge(), &TrustBridge::ended, this, [this](const TrustEnded& event) {
        for (TrustCard* each : std::as_const(cards_)) each->setWaiting({});
        const QString counts = tr("%1 green, %2 amber, %3 red").arg(event.green).arg(event.amber).arg(event.red);
        if (event.how == TrustEnded::How::Failed)
            status_->setText(withOptionTitles(event.error) + ' ' + withOptionTitles(event.hint));
        else
            status_->setText(event.how == TrustEnded::How::Stopped
                                 ? tr("Stopped: %1").arg(counts)
                                 : tr("%1, in %2").arg(counts, durationText(event.seconds)));
    });
    refresh();
    start_->setFocus();
}

TrustCard* TrustDialog::card(const QString& check) const {
    for (TrustCard* each : cards_)
        if (each->check() == check) return each;
    return nullptr;
}

void TrustDialog::setSubject(const TrustRequest& request, const QString& name) {
    if (job_->busy()) return;
    request_ = request;
    subject_->setText(name);
    status_->setText(tr("Each check is green, amber or red, with its reason and what was measured."));
    for (TrustCard* each : std::as_const(cards_)) each->reset();
}

void TrustDialog::start() {
    request_.quick = quick_->isChecked();
    job_->start(request_);
    if (!job_->busy()) return;
    for (TrustCard* each : std::as_const(cards_)) each->reset();
    status_->setText(tr("Beginning"));
    stop_->setFocus();
}

void TrustDialog::refresh() {
    const bool focused = stop_->hasFocus();
    start_->setEnabled(job_->available() && !job_->busy());
    quick_->setEnabled(!job_->busy());
    stop_->setEnabled(job_->busy() && !job_->stopping());
    if (job_->stopping()) status_->setText(tr("Stopping at the next batch"));
    if (focused && !job_->busy()) start_->setFocus();
}

TrustController::TrustController(TrustFunction function, RunController* controller, RunLibrary* library,
                                 RunsPanel* runs, QAction* action, std::function<std::optional<Failure>()> hindrance,
                                 QWidget* window)
    : QObject(window),
      controller_(controller),
      library_(library),
      window_(window),
      job_(std::make_unique<TrustJob>(std::move(function), controller, std::move(hindrance))) {
    action->setEnabled(job_->available());
    connect(action, &QAction::triggered, this, &TrustController::showExperiment);
    connect(runs->actions(), &RunActions::trustRequested, this, &TrustController::showRun);
}

TrustController::~TrustController() {
    delete dialog_;
}

void TrustController::showExperiment() {
    TrustRequest request;
    request.experiment = controller_->draft()->experiment();
    show(request, tr("The experiment “%1”").arg(QString::fromStdString(request.experiment.name)));
}

void TrustController::showRun(const QString& run) {
    const RunRowPtr row = library_->row(run);
    if (!row) return;
    TrustRequest request;
    request.run = row->folder;
    show(request, tr("The run “%1”").arg(QString::fromStdString(row->name)));
}

void TrustController::show(const TrustRequest& request, const QString& name) {
    if (!job_->available()) return;
    if (!dialog_) dialog_ = new TrustDialog(job_.get(), window_);
    dialog_->setSubject(request, name);
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

}  // namespace palimpsest
