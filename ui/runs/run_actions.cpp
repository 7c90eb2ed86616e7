// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_actions.h"

#include <QClipboard>
#include <QColorDialog>
#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPixmap>
#include <QPushButton>
#include <QTableView>
#include <QUrl>
#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/record/copy_mark.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"
#include "ui/runs/run_columns.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

struct NamedColour {
    const char* name;
    const char* value;
};
/// Colours of Okabe and Ito, 2008, distinguishable with every kind of colour vision.
constexpr std::array<NamedColour, 7> kColours = {{{QT_TRANSLATE_NOOP("RunActions", "Orange"), "#e69f00"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Sky blue"), "#56b4e9"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Green"), "#009e73"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Yellow"), "#f0e442"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Blue"), "#0072b2"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Vermilion"), "#d55e00"},
                                                  {QT_TRANSLATE_NOOP("RunActions", "Purple"), "#cc79a7"}}};

QIcon swatch(const QColor& colour) {
    QPixmap pixmap(12, 12);
    pixmap.fill(colour);
    return QIcon(pixmap);
}

constexpr std::size_t kMostOffered = 25;
constexpr int kMostShownAtOnce = 10;  ///< imported runs

QString termOf(const QString& field, const QString& value) {
    return value.contains(' ') ? QStringLiteral("%1:\"%2\"").arg(field, value)
                               : QStringLiteral("%1:%2").arg(field, value);
}

void flip(QLineEdit* search, const QString& field, const QString& term) {
    // Two methods at once no run has; two tags many.
    QStringList words = search->text().split(' ', Qt::SkipEmptyParts);
    const bool there = words.removeAll(term) > 0;
    if (!there && field != QLatin1String("tag"))
        words.erase(std::remove_if(words.begin(), words.end(),
                                   [&](const QString& word) { return word.startsWith(field + ':'); }),
                    words.end());
    if (!there) words.push_back(term);
    search->setText(words.join(' '));
}

/// A menu of the filter for one field; disabled as long as it offers nothing.
QMenu* addField(QMenu* menu, const QString& field, const QString& title) {
    QMenu* group = menu->addMenu(title);
    group->setObjectName("runsFilter-" + field);
    group->setEnabled(false);
    return group;
}

void offer(QMenu* group, QLineEdit* search, const QString& field, const QString& value, const QString& title) {
    const QString term = termOf(field, value);
    QAction* action = group->addAction(title);
    action->setObjectName(term);
    action->setCheckable(true);
    action->setChecked(search->text().split(' ', Qt::SkipEmptyParts).contains(term));
    group->setEnabled(true);
    QObject::connect(action, &QAction::triggered, search, [search, field, term] { flip(search, field, term); });
}

void addSeeds(QMenu* menu, const RunTableModel& model, QLineEdit* search) {
    QMenu* group = addField(menu, QStringLiteral("seed"), RunTableModel::tr("Seed"));
    std::set<std::int64_t> seeds;
    for (const RunRowPtr& row : model.rows()) seeds.insert(row->seed);
    std::size_t offered = 0;
    for (const std::int64_t seed : seeds)
        if (++offered <= kMostOffered)
            offer(group, search, QStringLiteral("seed"), QString::number(seed), QString::number(seed));
}

void addDays(QMenu* menu, QLineEdit* search) {
    QMenu* group = addField(menu, QStringLiteral("date"), RunTableModel::tr("Date"));
    const QDate today = QDate::currentDate();
    const auto day = [&](int back) { return today.addDays(-back).toString(Qt::ISODate); };
    const QString field = QStringLiteral("date");
    offer(group, search, field, day(0), RunTableModel::tr("Today"));
    offer(group, search, field, day(1), RunTableModel::tr("Yesterday"));
    offer(group, search, field, ">=" + day(6), RunTableModel::tr("The last 7 days"));
    offer(group, search, field, ">=" + day(29), RunTableModel::tr("The last 30 days"));
    offer(group, search, field, QString::number(today.year()), QString::number(today.year()));
    offer(group, search, field, "<" + QString::number(today.year()), RunTableModel::tr("Earlier years"));
}

/// Steps of ten points between the worst and the best run.
void addAreas(QMenu* menu, const RunTableModel& model, QLineEdit* search) {
    QMenu* group = addField(menu, QStringLiteral("a_auc"), QStringLiteral("A_AUC"));
    double worst = 1, best = 0;
    for (const RunRowPtr& row : model.rows())
        if (row->a_auc) {
            worst = std::min(worst, *row->a_auc);
            best = std::max(best, *row->a_auc);
        }
    for (int step = 10; step < 100; step += 10)
        if (step > 100 * worst && step <= 100 * best)
            offer(group, search, QStringLiteral("a_auc"), QStringLiteral(">=%1").arg(step),
                  RunTableModel::tr("%1 % or more").arg(step));
}

}  // namespace

RunActions::RunActions(RunSet* store, RunLibrary* library, RunTableModel* model, QTableView* view, RunColumns* columns)
    : QObject(view), store_(store), library_(library), model_(model), view_(view), columns_(columns) {
    connectLibrary();
    connect(model_, &RunTableModel::baselineChanged, this,
            [this] { columns_->setDifferencesShown(!model_->baseline().isEmpty()); });
}

void RunActions::connectLibrary() {
    connect(library_, &RunLibrary::removed, this,
            [this](const QStringList& ids, const QStringList& names, const QStringList& trashed) {
                saveRoles(ids, trashed);
                for (const QString& id : ids) store_->remove(id);
                deletions_.append(trashed.first());
                Q_EMIT doneRequested(
                    names.size() == 1 ? tr("Deleted %1").arg(names.first()) : tr("Deleted %1 runs").arg(names.size()),
                    tr("In the trash of the list until you empty it"),
                    [library = library_, trashed] { library->restore(trashed); }, trashed.first());
            });
    connect(library_, &RunLibrary::restored, this, [this](const QStringList& trashed, const QStringList& ids) {
        for (qsizetype i = 0; i < ids.size(); ++i) restoreRole(trashed[i], ids[i]);
        for (const QString& folder : trashed)
            if (deletions_.removeAll(folder) > 0) Q_EMIT outdated(folder);
    });
    connect(library_, &RunLibrary::imported, this,
            [this](const QStringList& ids, const QStringList& names, const QString& notes) {
                for (const QString& id : ids.first(std::min<qsizetype>(ids.size(), kMostShownAtOnce)))
                    model_->showForComparison(id);
                const bool one = ids.size() == 1;
                const QString where = one ? tr("It is shown in the plots and in the list of runs.")
                                          : tr("They are in the list of runs; up to %1 of them are shown in the plots.")
                                                .arg(kMostShownAtOnce);
                Q_EMIT doneRequested(
                    one ? tr("Imported %1").arg(names.first()) : tr("Imported %1 runs").arg(ids.size()),
                    notes.isEmpty() ? where : where + ' ' + notes, {}, {});
            });
    connect(library_, &RunLibrary::rebuilt, this, [this](int runs) {
        Q_EMIT doneRequested(tr("The index was made anew"), tr("%1 runs were read from their folders.").arg(runs), {},
                             {});
    });
    connect(library_, &RunLibrary::trashEmptied, this, [this](int runs) {
        for (const QString& topic : std::exchange(deletions_, {})) Q_EMIT outdated(topic);
        Q_EMIT doneRequested(tr("The trash is empty"), tr("Runs deleted for good: %1").arg(runs), {}, {});
    });
    connect(library_, &RunLibrary::failed, this, &RunActions::messageRequested);
}

void RunActions::saveRoles(const QStringList& ids, const QStringList& trashed) {
    for (qsizetype i = 0; i < ids.size(); ++i) {
        const ShownRun* run = store_->find(ids[i]);
        const Role role{run && run->display.visible, run && run->display.selected, model_->baseline() == ids[i]};
        if (role.visible || role.selected || role.baseline) roles_.insert(trashed[i], role);
    }
}

void RunActions::restoreRole(const QString& trashed, const QString& id) {
    const auto found = roles_.constFind(trashed);
    if (found == roles_.constEnd()) return;
    const Role role = *found;
    roles_.erase(found);
    if (role.visible) model_->setShown(id, true);
    if (role.selected) model_->selectRun(id);
    // Another one chosen meanwhile stays.
    if (role.baseline && model_->baseline().isEmpty()) model_->setBaseline(id);
}

QString RunActions::commandLine(const QString& folder) {
    return QStringLiteral("palimpsest-cli run ") +
           QString::fromStdString(shellQuoted(QDir(folder).filePath(QStringLiteral("experiment.toml")).toStdString()));
}

QStringList RunActions::selected() const {
    return model_->runsAt(view_->selectionModel()->selectedRows());
}

void RunActions::removeSelected() {
    QStringList ids;
    for (const QString& id : selected())
        if (library_->row(id)) ids.push_back(id);
    if (!ids.isEmpty()) library_->remove(ids);
}

void RunActions::edit(int column) {
    const QModelIndex index = view_->currentIndex();
    if (!index.isValid()) return;
    columns_->setShown(column, true);
    const QModelIndex cell = index.siblingAtColumn(column);
    if (!(model_->flags(cell) & Qt::ItemIsEditable)) return;
    const QPersistentModelIndex kept(cell);
    view_->scrollTo(cell);
    view_->setCurrentIndex(cell);
    openEditor(kept);
}

void RunActions::openEditor(const QModelIndex& cell) {
    // Text that was being typed in another cell is saved now, which may have arranged the list anew.
    if (!cell.isValid()) return;
    if (QWidget* open = view_->indexWidget(cell))
        open->setFocus();
    else
        view_->edit(cell);
}

void RunActions::setColour(const QStringList& ids, const QString& colour) {
    library_->editNotes(ids, [colour = colour.toStdString()](RunNotes& notes) { notes.colour = colour; });
}

void RunActions::fillColours(QMenu* menu, const QStringList& ids) {
    menu->setObjectName(QStringLiteral("runColours"));
    menu->addAction(tr("The usual one"), this, [this, ids] { setColour(ids, {}); });
    for (const NamedColour& colour : kColours)
        menu->addAction(swatch(QColor(QLatin1String(colour.value))), tr(colour.name), this,
                        [this, ids, value = QString::fromLatin1(colour.value)] { setColour(ids, value); });
    menu->addAction(tr("Another …"), this, [this, ids] {
        auto* dialog = new QColorDialog(view_);
        dialog->setObjectName(QStringLiteral("runColourDialog"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QColorDialog::colorSelected, this,
                [this, ids](const QColor& colour) { setColour(ids, colour.name()); });
        dialog->open();
    });
}

void RunActions::fillMenu(QMenu* menu, const QModelIndex& index) {
    const QStringList ids = selected();
    const QString key = index.data(RunTableModel::IdRole).toString();
    const RunRowPtr row = model_->runAt(index);
    // Show, in the menu of a group that is partly shown, shows the rest of it.
    const bool shown = index.siblingAtColumn(RunTableModel::Shown).data(Qt::CheckStateRole).toInt() == Qt::Checked;
    const bool onDisk = row && library_->row(key);
    const bool allOnDisk =
        std::all_of(ids.begin(), ids.end(), [this](const QString& id) { return library_->row(id) != nullptr; });
    const auto add = [&](const QString& name, const QString& sign, const QString& text, bool enabled, auto action) {
        QAction* item = menu->addAction(icon(sign), text, this, action);
        item->setObjectName(name);
        item->setEnabled(enabled);
        return item;
    };
    add("runPrimary", "curves", tr("Select this run\tEnter"), row && !index.data(RunTableModel::SelectedRole).toBool(),
        [this, key] { model_->selectRun(key); });
    add("runShown", shown ? "hidden" : "shown",
        shown ? tr("Remove from plots\tShift+Enter") : tr("Show in plots\tShift+Enter"), true,
        [this, ids, shown, only = QPersistentModelIndex(index)] {
            if (only.isValid() && model_->runsAt(QModelIndex(only)) == ids) return model_->setShownAt(only, !shown);
            for (const QString& id : ids) model_->setShown(id, !shown);
        });
    const bool base = model_->baseline() == key;
    add("runBaseline", "compare", base ? tr("No longer the baseline") : tr("Compare with this as baseline"), true,
        [this, key, base] { model_->setBaseline(base ? QString() : key); });
    menu->addSeparator();
    add("runTags", "tag", tr("Edit tags"), onDisk, [this] { edit(RunTableModel::Tags); });
    add("runNote", "note", tr("Edit note\tF2"), onDisk, [this] { edit(RunTableModel::Note); });
    QMenu* colours = menu->addMenu(icon("colour"), tr("Colour"));
    colours->setEnabled(allOnDisk);
    fillColours(colours, ids);
    const bool hidden = row && row->notes.hidden;
    add("runHidden", hidden ? "restore" : "remove", hidden ? tr("Show in the list again") : tr("Hide from the list"),
        allOnDisk,
        [this, ids, hidden] { library_->editNotes(ids, [hidden](RunNotes& notes) { notes.hidden = !hidden; }); });
    menu->addSeparator();
    add("runOpen", "open", tr("Open with its settings"), onDisk && !row->imported(),
        [this, key] { Q_EMIT openRequested(key); });
    const bool early = row && (row->state == RecordedState::Crashed || row->state == RecordedState::Stopped ||
                               row->state == RecordedState::Failed);
    add("runGoOn", "play", tr("Resume this run"), onDisk && early, [this, key] { Q_EMIT resumeRequested(key); });
    add("runStopThere", "stop", tr("Stop it on its machine"), onDisk && row->state == RecordedState::Running,
        [this, key] { Q_EMIT stopThereRequested(key); });
    add("runBring", "import", tr("Bring checkpoints here"),
        onDisk && isPlainFile(std::filesystem::path(key.toStdString()) / kCopyMark),
        [this, key] { Q_EMIT checkpointsRequested(key); });
    add("runFork", "branch", tr("Fork this run …"), onDisk && !row->imported(),
        [this, key] { Q_EMIT forkRequested(key); });
    add("runBranches", "branch", tr("Branches …"), onDisk, [this, key] { Q_EMIT branchesRequested(key); });
    add("runTrust", "check", tr("Can this be trusted? …"), onDisk && !row->imported(),
        [this, key] { Q_EMIT trustRequested(key); });
    add("runDiff", "compare", tr("Why do they differ? …"), ids.size() == 2 && allOnDisk,
        [this, ids] { Q_EMIT diffRequested(ids.first(), ids.last()); });
    add("runReplay", "replay", tr("Replay this run"), onDisk && row->state != RecordedState::Running,
        [this, key] { Q_EMIT replayRequested(key); });
    add("runFolder", "folder", tr("Open folder"), onDisk, [this, key] { openFolder(key); });
    add("runCommand", "copy", tr("Copy command line"), onDisk && !row->imported(),
        [key] { QGuiApplication::clipboard()->setText(commandLine(key)); });
    menu->addSeparator();
    add("runDelete", "trash", ids.size() > 1 ? tr("Delete %1 runs\tDel").arg(ids.size()) : tr("Delete\tDel"), allOnDisk,
        [this] { removeSelected(); });
}

void RunActions::fillListMenu(QMenu* menu) {
    emptyMenu(menu);
    const auto add = [&](const QString& name, const QString& sign, const QString& text, auto action) {
        QAction* item = menu->addAction(icon(sign), text, this, action);
        item->setObjectName(name);
        return item;
    };
    QMenu* columns = menu->addMenu(icon("table"), tr("Columns"));
    columns->setObjectName(QStringLiteral("runsColumns"));
    columns_->fillMenu(columns);
    QAction* grouped = menu->addAction(icon("group"), tr("Group seeds"));
    grouped->setObjectName(QStringLiteral("runsGroupSeeds"));
    grouped->setToolTip(tr("One line for runs that differ in the seed alone, with mean ± standard deviation"));
    grouped->setCheckable(true);
    grouped->setChecked(model_->grouped());
    connect(grouped, &QAction::toggled, model_, &RunTableModel::setGrouped);
    QAction* hidden = menu->addAction(tr("Hidden runs, too"));
    hidden->setObjectName(QStringLiteral("runsHidden"));
    hidden->setCheckable(true);
    hidden->setChecked(model_->hiddenShown());
    connect(hidden, &QAction::toggled, model_, &RunTableModel::setHiddenShown);
    QAction* noBaseline = add("runsNoBaseline", "compare", tr("No baseline"), [this] { model_->setBaseline({}); });
    noBaseline->setEnabled(!model_->baseline().isEmpty());
    menu->addSeparator();
    add("runsImport", "import", tr("Import results …"), [this] { askForImport(); });
    add("runsRebuild", "restore", tr("Rebuild index"), [this] { library_->rebuild(); });
    QAction* trash = add("runsEmptyTrash", "trash", tr("Empty trash …"), [this] { askToEmptyTrash(); });
    trash->setEnabled(library_->trashed() > 0);
}

void RunActions::openFolder(const QString& id) {
    if (!QDir(id).exists())
        Q_EMIT messageRequested(tr("The folder %1 is gone.").arg(id), tr("It may have been moved or deleted."));
    else if (!QDesktopServices::openUrl(QUrl::fromLocalFile(id)))
        Q_EMIT messageRequested(tr("The folder %1 could not be opened.").arg(id),
                                tr("No file manager answered; open it by hand."));
}

void RunActions::askForImport() {
    auto* dialog = new QFileDialog(view_, tr("Import results"), import_folder_,
                                   tr("Results (*.csv *.tsv *.npy *.pyd *.log *.txt *.out);;All files (*)"));
    dialog->setObjectName(QStringLiteral("importDialog"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    connect(dialog, &QFileDialog::filesSelected, this, &RunActions::importFiles);
    dialog->open();
}

void RunActions::importFiles(const QStringList& files) {
    for (const QString& file : files) {
        import_folder_ = QFileInfo(file).absolutePath();
        ImportRequest request;
        request.file = file.toStdString();
        request.out = library_->folder();
        library_->importFile(request);
    }
}

void RunActions::askToEmptyTrash() {
    auto* question = new QMessageBox(QMessageBox::Question, tr("Empty trash"),
                                     library_->trashed() == 1
                                         ? tr("Delete the one run in the trash for good?")
                                         : tr("Delete the %1 runs in the trash for good?").arg(library_->trashed()),
                                     QMessageBox::NoButton, view_);
    question->setObjectName(QStringLiteral("emptyTrashQuestion"));
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("Their folders cannot be brought back."));
    QPushButton* yes = question->addButton(tr("Delete for good"), QMessageBox::DestructiveRole);
    yes->setObjectName(QStringLiteral("emptyTrashYes"));
    question->setDefaultButton(question->addButton(tr("Keep them"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, library_, &RunLibrary::emptyTrash);
    question->open();
}

void emptyMenu(QMenu* menu) {
    qDeleteAll(menu->findChildren<QMenu*>(QString(), Qt::FindDirectChildrenOnly));
    menu->clear();
}

void fillFilterMenu(QMenu* menu, const RunTableModel& model, QLineEdit* search) {
    emptyMenu(menu);
    struct Group {
        QString field, title;
        std::string (*text)(const RunRow&);  // null: the tags
        std::set<std::string> values{};
    };
    std::array<Group, 5> groups{
        {{"method", RunTableModel::tr("Method"), [](const RunRow& row) { return row.method; }},
         {"mask", RunTableModel::tr("Mask"), [](const RunRow& row) { return row.mask; }},
         {"data", RunTableModel::tr("Data"), [](const RunRow& row) { return row.dataset; }},
         {"state", RunTableModel::tr("State"), [](const RunRow& row) { return std::string(toText(row.state)); }},
         {"tag", RunTableModel::tr("Tag"), nullptr}}};
    for (const RunRowPtr& row : model.rows()) {
        for (Group& group : groups) {
            if (!group.text)
                group.values.insert(row->notes.tags.begin(), row->notes.tags.end());
            else if (const std::string text = group.text(*row); !text.empty())
                group.values.insert(text);
        }
    }
    for (const auto& [field, title, text, values] : groups) {
        QMenu* group = addField(menu, field, title);
        std::size_t offered = 0;
        for (const std::string& value : values)
            if (++offered <= kMostOffered)
                offer(group, search, field, QString::fromStdString(value), QString::fromStdString(value));
    }
    menu->addSeparator();
    addSeeds(menu, model, search);
    addDays(menu, search);
    addAreas(menu, model, search);
    menu->addSeparator();
    QAction* none = menu->addAction(RunTableModel::tr("All runs"), search, &QLineEdit::clear);
    none->setObjectName("runsFilterNone");
    none->setEnabled(!search->text().isEmpty());
}

}  // namespace palimpsest
