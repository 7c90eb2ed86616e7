// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/remote_run_controller.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFontMetrics>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <tuple>

#include "engine/remote/remote_place.h"
#include "engine/support/error.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/engine_text.h"
#include "ui/state/remote_address.h"
#include "ui/state/window_state.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_menus.h"

namespace palimpsest {
namespace {

/// Folder of runs on the other machine, where the user names none.
constexpr const char* kUsualPlace = "~/palimpsest-runs";

/// Machine, folder and program of each place that is remembered, and the most of them.
constexpr qsizetype kPlaceFields = 3, kMostPlaces = 5;
constexpr int kDialogWidth = 560;
/// Widest entry of the menu, in letters.
constexpr int kWidestEntry = 50;

const QString kRemoteTopic = QStringLiteral("remote run");

/// Folder of runs that the fields name, or the usual one.
QString folderIn(const QStringList& fields) {
    return fields.value(1).isEmpty() ? QString::fromLatin1(kUsualPlace) : fields.value(1);
}

/// The same where the machine was typed as an address, with or without the folder behind it.
QStringList partedFields(QStringList fields) {
    fields.resize(kPlaceFields);
    std::tie(fields[0], fields[1]) = machineAndFolder(fields[0], fields[1]);
    return fields;
}

QString placeIn(const QStringList& given) {
    const QStringList fields = partedFields(given);
    return remoteAddress(fields[0], folderIn(fields));
}

/// Machine of "ssh://USER@HOST:PORT/PATH", short enough for a line.
QString hostIn(const QString& place) {
    constexpr int kMost = 40;
    const QString host = partedFields({place}).value(0);
    return host.size() > kMost ? host.left(kMost - 1) + QStringLiteral("…") : host;
}

/// True where both name the same, however they were typed.
bool sameFolder(const QStringList& fields, const QStringList& other) {
    return fields.value(0) == other.value(0) && folderIn(fields) == folderIn(other);
}
bool samePlace(const QStringList& fields, const QStringList& other) {
    return sameFolder(fields, other) && fields.value(2) == other.value(2);
}

QLineEdit* makeField(const QString& name, const QString& title, const QString& example, const QString& tip,
                     QFormLayout* form) {
    auto* field = new QLineEdit;
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setPlaceholderText(example);
    field->setToolTip(tip);
    field->setMaxLength(2000);
    form->addRow(title, field);
    return field;
}

}  // namespace

RemoteRunDialog::RemoteRunDialog(QWidget* parent)
    : QDialog(parent), experiment_(new QLabel(this)), fault_(new QLabel(this)) {
    setObjectName(QStringLiteral("remoteRunDialog"));
    setWindowTitle(tr("Run on another machine"));
    auto* explanation = new QLabel(tr("It is started there by ssh, with your own settings and keys, and goes on by "
                                      "itself. What it measures comes here and is shown as it grows."),
                                   this);
    for (QLabel* label : {experiment_, explanation, fault_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    fault_->setObjectName(QStringLiteral("remoteRunFault"));
    fault_->setAccessibleName(tr("What is wrong"));
    markWrong(fault_, true);
    keepLines(fault_, 2);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    machine_ =
        makeField(QStringLiteral("remoteRunMachine"), tr("Machine"), tr("user@host or ssh://user@host:port/folder"),
                  tr("A name or address as ssh takes it, with a user before and a port behind it if need be"), form);
    folder_ = makeField(QStringLiteral("remoteRunFolder"), tr("Folder of runs there"), QLatin1String(kUsualPlace),
                        tr("The run gets a new folder in it"), form);
    program_ = makeField(QStringLiteral("remoteRunProgram"), tr("Program there"), tr("palimpsest-cli, found by itself"),
                         tr("Path of palimpsest-cli on that machine, if it is not where programs usually are"), form);
    auto* buttons = new QDialogButtonBox(this);
    start_ = makeButton(QStringLiteral("remoteRunStart"), tr("Start there"), tr("Start the experiment there"));
    start_->setProperty("primary", true);
    QPushButton* cancel = makeButton(QStringLiteral("remoteRunCancel"), tr("Cancel"), tr("Start nothing"));
    buttons->addButton(start_, QDialogButtonBox::AcceptRole);
    buttons->addButton(cancel, QDialogButtonBox::RejectRole);
    start_->setDefault(true);
    connect(start_, &QPushButton::clicked, this, [this] {
        setBusy(true);
        Q_EMIT startAsked();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(experiment_);
    layout->addWidget(explanation);
    layout->addLayout(form);
    layout->addWidget(fault_);
    layout->addStretch(1);
    layout->addWidget(buttons);
    for (QLineEdit* field : {machine_, folder_, program_})
        connect(field, &QLineEdit::textChanged, this, &RemoteRunDialog::refresh);
    fitToText(this, [this] { setMinimumWidth(scaled(kDialogWidth)); });
    refresh();
}

void RemoteRunDialog::setFields(const QStringList& fields) {
    machine_->setText(fields.value(0));
    folder_->setText(fields.value(1));
    program_->setText(fields.value(2));
}

QStringList RemoteRunDialog::fields() const {
    return partedFields({machine_->text().trimmed(), folder_->text().trimmed(), program_->text().trimmed()});
}

QString RemoteRunDialog::place() const {
    return placeIn(fields());
}

void RemoteRunDialog::ask(const QString& name) {
    if (!busy_) {
        experiment_->setText(tr("Experiment: “%1”").arg(name));
        refresh();
        machine_->selectAll();
        machine_->setFocus();
    }
    show();
    growToContent(this);
    raise();
    activateWindow();
}

void RemoteRunDialog::fail(const Failure& failure) {
    setBusy(false);
    fault_->setText(oneText(failure));
    show();
    growToContent(this);
    // While it was busy the fields took no input, and the focus went to Cancel.
    machine_->setFocus();
}

void RemoteRunDialog::finish() {
    setBusy(false);
    accept();
}

void RemoteRunDialog::setBusy(bool busy) {
    busy_ = busy;
    for (QLineEdit* field : {machine_, folder_, program_}) field->setEnabled(!busy);
    start_->setText(busy ? tr("Starting …") : tr("Start there"));
    refresh();
}

void RemoteRunDialog::refresh() {
    const auto failure = failureOf([this] {
        if (fields().value(0).contains('/'))
            throw inputError("The folder is named twice.", "Leave it to one of the two fields.");
        parseRemotePlace(place().toStdString());
    });
    const bool empty = fields().value(0).isEmpty();
    fault_->setText(failure && !empty && !busy_ ? withOptionTitles(oneText(*failure)) : QString());
    start_->setEnabled(!failure && !empty && !busy_);
    growToContent(this);
}

RemoteRunController::RemoteRunController(WindowState& state, RunsPanel* runs, MessageBar* messages, QAction* here,
                                         QAction* there, QWidget* window)
    : QObject(window),
      state_(state),
      panel_(runs),
      messages_(messages),
      here_(here),
      there_(there),
      window_(window),
      remote_(&state.table, state.laboratory.version, state.library.folder()) {
    connect(there, &QAction::triggered, this, &RemoteRunController::showDialog);
    connect(runs->actions(), &RunActions::stopThereRequested, &remote_, &RemoteRuns::stop);
    connect(runs->actions(), &RunActions::checkpointsRequested, this, [this](const QString& folder) {
        messages_->showLatest(MessageBar::Kind::Info, kRemoteTopic, tr("Bringing checkpoints here …"),
                              tr("What the run measures comes behind them."));
        remote_.bringCheckpoints(folder);
    });
    connect(&state_.library, &RunLibrary::changed, this, &RemoteRunController::selectArrived);
    connectNews();
    QTimer::singleShot(0, &remote_, &RemoteRuns::recall);
}

RemoteRunController::~RemoteRunController() {
    delete dialog_;
}

void RemoteRunController::connectNews() {
    connect(&remote_, &RemoteRuns::begun, this, [this](const QString& asked, const QString& program) {
        if (dialogWaits(asked)) dialog_->finish();
        remember(asked, program);
    });
    connect(&remote_, &RemoteRuns::startFailed, this,
            [this](const QString& asked, const QString& message, const QString& hint) {
                const Failure failure{withOptionTitles(message), withOptionTitles(hint)};
                if (!dialogWaits(asked)) {
                    messages_->showLatest(MessageBar::Kind::Error, kRemoteTopic, failure.message, failure.hint);
                    return;
                }
                messages_->withdraw(kRemoteTopic);
                dialog_->fail(failure);
            });
    connect(&remote_, &RemoteRuns::started, this, [this](const QString& place) {
        messages_->showNews(kRemoteTopic, tr("The run has begun on %1.").arg(hostIn(place)),
                            tr("It goes on there when this window is closed; the next one follows it."));
    });
    connect(&remote_, &RemoteRuns::takenUp, this, [this](int count) {
        messages_->showPassing(kRemoteTopic,
                               count == 1 ? tr("What was followed on another machine is followed again")
                                          : tr("%1 runs and sweeps on other machines are followed again").arg(count),
                               {});
    });
    connect(&remote_, &RemoteRuns::noted, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Note, message, hint);
    });
    connect(&remote_, &RemoteRuns::arrived, this, [this](const QString& folder) {
        arrived_.append(RunSet::idOf(folder.toStdString(), 0));
        state_.library.touch(folder);
    });
    connect(&remote_, &RemoteRuns::broken, this, [this](const QString& place, const QString& message) {
        messages_->showLatest(MessageBar::Kind::Note, place, message,
                              tr("The work in %1 goes on. Copying is tried again by itself.").arg(place));
    });
    connect(&remote_, &RemoteRuns::paused, this, [this](const QString& place, const QString& message) {
        if (message.isEmpty())
            messages_->withdraw(place);
        else
            messages_->showLatest(MessageBar::Kind::Note, place, message, tr("Nothing is lost: %1.").arg(place));
    });
    connect(&remote_, &RemoteRuns::back, this, [this](const QString& place) { messages_->withdraw(place); });
    connect(&remote_, &RemoteRuns::standingChanged, this, [this](const QString& folder) {
        const QString id = RunSet::idOf(folder.toStdString(), 0);
        const std::optional<RemoteRuns::Standing> standing = remote_.standing(folder);
        const bool lost = standing && standing->broken && !standing->full;
        panel_->model()->setLost(id, lost ? std::optional(standing->seen) : std::nullopt);
        panel_->model()->setPaused(id, standing && !standing->broken ? standing->message : QString());
        // Whatever it was taken for meanwhile, it is read anew, and grows.
        if (standing && !standing->broken && state_.library.row(id)) state_.library.touch(folder);
    });
    connect(&remote_, &RemoteRuns::ended, this, [this](const QString& place, const QString& folder) {
        state_.library.touch(folder);
        messages_->withdraw(place);
        messages_->showPassing(kRemoteTopic, tr("The run on another machine has ended"), place);
    });
    connect(&remote_, &RemoteRuns::stopping, this, [this](const QString& place, bool running) {
        messages_->showPassing(kRemoteTopic,
                               running ? tr("The run there ends at its next batch and keeps what was learned")
                                       : tr("The run there no longer goes on"),
                               place);
    });
    connect(&remote_, &RemoteRuns::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showLatest(MessageBar::Kind::Error, kRemoteTopic, withOptionTitles(message), withOptionTitles(hint));
    });
}

void RemoteRunController::selectArrived() {
    for (qsizetype i = arrived_.size() - 1; i >= 0; --i) {
        if (!state_.library.row(arrived_[i])) continue;
        const QString id = arrived_.takeAt(i);
        panel_->model()->selectRun(id);
    }
}

void RemoteRunController::showDialog() {
    if (!allTaken()) return;
    if (!dialog_) {
        dialog_ = new RemoteRunDialog(window_);
        dialog_->setFields(remembered_);
        connect(dialog_, &RemoteRunDialog::startAsked, this, [this] { start(dialog_->fields()); });
    }
    dialog_->ask(QString::fromStdString(state_.controller.draft()->experiment().name));
}

bool RemoteRunController::dialogWaits(const QString& place) const {
    return dialog_ && dialog_->busy() && dialog_->place() == place;
}

void RemoteRunController::setRemembered(const QStringList& fields) {
    remembered_ = fields;
    fillMenu();
}

void RemoteRunController::fillMenu() {
    auto* around = qobject_cast<QMenu*>(there_->parent());
    if (remembered_.value(0).isEmpty() || !around) return;
    if (!menu_) {
        menu_ = new QMenu(tr("Run on"), around);
        menu_->setObjectName(QStringLiteral("runOn"));
        menu_->setIcon(there_->icon());
        const qsizetype at = around->actions().indexOf(there_);
        around->insertMenu(around->actions().value(at + 1), menu_);
        connect(menu_, &QMenu::aboutToShow, this,
                [this] { menu_->actions().constFirst()->setEnabled(here_->isEnabled()); });
    }
    menu_->clear();
    QAction* here = menu_->addAction(tr("This computer"));
    here->setObjectName(QStringLiteral("runOnHere"));
    connect(here, &QAction::triggered, here_, &QAction::trigger);
    menu_->addSeparator();
    QList<QStringList> places;
    for (qsizetype i = 0; i < remembered_.size(); i += kPlaceFields)
        if (!remembered_[i].isEmpty()) places.append(remembered_.mid(i, kPlaceFields));
    for (qsizetype i = 0; i < places.size(); ++i) {
        const QStringList& fields = places[i];
        const QFontMetrics letters = menu_->fontMetrics();
        const auto shortened = [&](const QString& text) {
            return letters.elidedText(text, Qt::ElideMiddle, letters.averageCharWidth() * kWidestEntry);
        };
        const QString program = fields.value(2).isEmpty() ? tr("palimpsest-cli found by itself") : fields.value(2);
        QString title = shortened(tr("%1, in %2").arg(fields.value(0), folderIn(fields)));
        // What differs of two that would read alike.
        if (std::ranges::count_if(places, [&](const QStringList& one) { return sameFolder(one, fields); }) > 1)
            title = tr("%1, with %2").arg(title, shortened(program));
        QAction* place = menu_->addAction(title.replace('&', QLatin1String("&&")));
        place->setObjectName(QStringLiteral("runOn%1").arg(i));
        connect(place, &QAction::triggered, this, [this, fields] { start(fields); });
    }
}

bool RemoteRunController::allTaken() {
    const auto untaken = state_.controller.draft()->notTaken(tr("Not started"));
    if (!untaken) return true;
    if (dialog_ && dialog_->busy())
        dialog_->fail(*untaken);
    else
        messages_->showLatest(MessageBar::Kind::Note, kRemoteTopic, untaken->message, untaken->hint);
    return false;
}

void RemoteRunController::remember(const QString& place, const QString& program) {
    const auto begun = std::ranges::find_if(
        asked_, [&](const QStringList& fields) { return placeIn(fields) == place && fields.value(2) == program; });
    if (begun == asked_.end()) return;
    const QStringList fields = *begun;
    asked_.erase(begun);
    QStringList places = fields;
    for (qsizetype i = 0; i < remembered_.size() && places.size() < kMostPlaces * kPlaceFields; i += kPlaceFields)
        if (const QStringList older = remembered_.mid(i, kPlaceFields);
            older.size() == kPlaceFields && !samePlace(older, fields))
            places += older;
    remembered_ = places;
    Q_EMIT remembered(remembered_);
    fillMenu();
}

void RemoteRunController::start(const QStringList& given) {
    // An entry of the menu may be what asks for it.
    takeOverTyped();
    if (!allTaken()) return;
    QStringList fields = given;
    fields.resize(kPlaceFields);
    if (!asked_.contains(fields)) asked_.append(fields);
    messages_->showLatest(
        MessageBar::Kind::Info, kRemoteTopic,
        tr("Starting “%1” on %2 …")
            .arg(QString::fromStdString(state_.controller.draft()->experiment().name), fields.value(0)));
    remote_.start(state_.controller.draft()->experiment(), placeIn(fields), fields.value(2));
}

}  // namespace palimpsest
