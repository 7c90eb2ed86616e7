// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_model.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ui/runs/run_cell.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMinuteMs = 60 * 1000;

QString rowId(const RunRow& row) {
    return QString::fromStdString(row.folder.native());
}

/// Of a run that the library does not hold: it lies elsewhere, has no folder, or its folder was not read yet.
RunRowPtr briefOf(const ShownRun& run) {
    RunRow row;
    if (run.row) {
        row = *run.row;
        row.folder = run.id.toStdString();
        return std::make_shared<const RunRow>(std::move(row));
    }
    const Experiment& experiment = run.experiment;
    row.folder = run.id.toStdString();
    row.name = experiment.name;
    row.method = experiment.method.name;
    row.mask = experiment.mask.name;
    row.changes = run.changesOfItsOwn();
    row.prompts = experiment.initial_session.prompts;
    row.dataset = experiment.stream.dataset;
    row.memory = experiment.memory.size;
    row.seed = experiment.seed;
    row.sessions = run.sessions();
    row.batch_size = experiment.training.batch_size;
    row.updates_per_batch = experiment.training.updates_per_batch;
    row.state = run.replayed   ? run.replayed->state
                : run.goesOn() ? RecordedState::Running
                : run.finished ? RecordedState::Finished
                               : RecordedState::Stopped;
    row.total_samples = run.total_samples;
    row.samples_seen = run.samples_seen;
    row.fingerprint = run.fingerprint;
    row.a_auc = run.areaUpTo(std::numeric_limits<std::int64_t>::max());
    return std::make_shared<const RunRow>(std::move(row));
}

}  // namespace

RunTableModel::RunTableModel(RunSet* store, RunLibrary* library, QObject* parent)
    : QAbstractTableModel(parent), store_(store), library_(library) {
    connect(library_, &RunLibrary::changed, this, [this] {
        takeColours();
        rearrange();
    });
    connect(library_, &RunLibrary::loaded, this, [this](const QString& id) {
        const std::function<void()> then = waiting_.take(id);
        if (then && library_->find(id)) withStored(id, then);
    });
    connect(library_, &RunLibrary::scanned, this, &RunTableModel::giveUpBaseline);
    connect(store_, &RunSet::runsChanged, this, [this] {
        rearrange();
        refreshAll();
    });
    connect(store_, &RunSet::changed, this, &RunTableModel::refreshRow);
    connect(&minute_, &QTimer::timeout, this, &RunTableModel::refreshAll);
    minute_.start(kMinuteMs);
    rearrange();
}

std::vector<RunRowPtr> RunTableModel::allRows() const {
    std::vector<RunRowPtr> rows;
    const std::vector<const ShownRun*> runs = store_->runs();
    rows.reserve(library_->rows().size() + runs.size());
    std::vector<std::pair<RunRowPtr, const ShownRun*>> live;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const RunRowPtr row = library_->row((*run)->id);
        if (!row)
            rows.push_back(briefOf(**run));
        else if ((*run)->learns())
            live.emplace_back(row, *run);
    }
    const std::size_t brief = rows.size();
    rows.insert(rows.end(), library_->rows().begin(), library_->rows().end());
    for (const auto& [row, run] : live) {
        const auto place = std::find(rows.begin() + static_cast<std::ptrdiff_t>(brief), rows.end(), row);
        auto now = std::make_shared<RunRow>(*row);
        now->state = RecordedState::Running;
        // Its folder may have been read before them, and they make it a run of another experiment.
        if (std::vector<LiveChange> changes = run->changesOfItsOwn(); changes != now->changes) {
            now->changes = std::move(changes);
            now->family = familyOf(run->seed_group);
        }
        now->a_auc = run->areaUpTo(std::numeric_limits<std::int64_t>::max());
        if (place != rows.end()) *place = std::move(now);
    }
    return rows;
}

void RunTableModel::rearrange() {
    background_.cancelNewest();
    order_.shown.clear();
    for (const ShownRun* run : store_->runs())
        if (run->visible) order_.shown.insert(run->id, run->primary ? 2 : 1);
    std::vector<RunRowPtr> rows = allRows();
    if (rows.size() <= kAtOnce) {
        auto made = std::make_shared<const RunArrangement>(arrangeRuns(std::move(rows), order_));
        const RunListChange change = changeOf(*list_, *made);
        take(std::move(made), change);
        return;
    }
    background_.runNewest(
        [before = list_, rows = std::move(rows), order = order_]() mutable {
            auto made = std::make_shared<const RunArrangement>(arrangeRuns(std::move(rows), order));
            RunListChange change = changeOf(*before, *made);
            return std::pair(std::move(made), std::move(change));
        },
        [this](const std::pair<Arrangement, RunListChange>& made) { take(made.first, made.second); });
}

/// `change`: from the present list.
void RunTableModel::take(Arrangement fresh, const RunListChange& change) {
    switch (change.kind) {
        case RunListChange::Kind::Same:
            list_ = std::move(fresh);
            lines_ = list_->lines;
            if (change.first >= 0) Q_EMIT dataChanged(index(change.first, 0), index(change.last, kColumns - 1));
            break;
        case RunListChange::Kind::Few:
            changeFew(std::move(fresh), change);
            break;
        case RunListChange::Kind::All:
            beginResetModel();
            list_ = std::move(fresh);
            lines_ = list_->lines;
            endResetModel();
            break;
    }
    updateBaseline();
    Q_EMIT arranged();
}

/// Lines come and go one by one, and the others stay or change their places.
void RunTableModel::changeFew(Arrangement fresh, const RunListChange& change) {
    for (auto gone = change.gone.rbegin(); gone != change.gone.rend(); ++gone) {
        beginRemoveRows({}, *gone, *gone);
        lines_.erase(lines_.begin() + *gone);
        endRemoveRows();
    }
    std::vector<RunLine> stay;
    stay.reserve(lines_.size());
    auto came = change.came.begin();
    for (int i = 0; i < static_cast<int>(fresh->lines.size()); ++i)
        if (came != change.came.end() && *came == i)
            ++came;
        else
            stay.push_back(fresh->lines[static_cast<std::size_t>(i)]);
    if (change.moved) {
        Q_EMIT layoutAboutToBeChanged({}, VerticalSortHint);
        const QModelIndexList before = persistentIndexList();
        QModelIndexList after;
        for (const QModelIndex& old : before)
            after.push_back(index(change.places[static_cast<std::size_t>(old.row())], old.column()));
        list_ = std::move(fresh);
        lines_ = std::move(stay);
        changePersistentIndexList(before, after);
        Q_EMIT layoutChanged({}, VerticalSortHint);
    } else {
        list_ = std::move(fresh);
        lines_ = std::move(stay);
        refreshAll();
    }
    for (const int at : change.came) {
        beginInsertRows({}, at, at);
        lines_.insert(lines_.begin() + at, list_->lines[static_cast<std::size_t>(at)]);
        endInsertRows();
    }
}

void RunTableModel::refreshAll() {
    if (!lines_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void RunTableModel::refreshRow(const QString& id) {
    const int row = rowOf(id);
    if (row >= 0) Q_EMIT dataChanged(index(row, AreaUnderCurve), index(row, When));
}

int RunTableModel::rowOf(const QString& id) const {
    const std::string key = id.toStdString();
    const auto found = std::find_if(lines_.begin(), lines_.end(), [&](const RunLine& line) { return line.key == key; });
    return found == lines_.end() ? -1 : static_cast<int>(found - lines_.begin());
}

RunRowPtr RunTableModel::runAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount() || lineAt(index).run < 0) return nullptr;
    return rowAt(lineAt(index));
}

QStringList RunTableModel::runsAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunLine& line = lineAt(index);
    if (line.run >= 0) return {keyOf(line)};
    QStringList ids;
    for (const std::size_t place : familyAt(line).members) ids.push_back(rowId(*list_->rows[place]));
    return ids;
}

void RunTableModel::withStored(const QString& id, const std::function<void()>& then) {
    if (!store_->find(id)) {
        const RunLibrary::Record record = library_->find(id);
        if (!record) {
            if (library_->row(id) && !std::exchange(waiting_[id], then)) library_->load(id);
            return;
        }
        store_->addRecord(*record);
        takeColours();
    }
    then();
}

void RunTableModel::takeColours() {
    for (const ShownRun* run : store_->runs())
        if (const RunRowPtr row = library_->row(run->id); row && (!run->live || !row->notes.colour.empty()))
            store_->setColour(run->id, QColor(QString::fromStdString(row->notes.colour)));
}

void RunTableModel::setShown(const QString& id, bool shown) {
    withStored(id, [this, id, shown] { store_->setVisible(id, shown); });
}

void RunTableModel::makePrimary(const QString& id) {
    withStored(id, [this, id] { store_->setPrimary(id); });
}

void RunTableModel::showForNow(const QString& id) {
    withStored(id, [this, id] { store_->showForNow(id); });
}

void RunTableModel::setQuery(const QString& text) {
    order_.query = RunQuery(text.toStdString());
    rearrange();
}

void RunTableModel::setGrouped(bool grouped) {
    if (std::exchange(order_.grouped, grouped) == grouped) return;
    rearrange();
    Q_EMIT groupedChanged(grouped);
}

void RunTableModel::setHiddenShown(bool shown) {
    order_.hidden = shown;
    rearrange();
}

void RunTableModel::toggle(const QString& family) {
    if (!order_.open.remove(family)) order_.open.insert(family);
    refreshRow(family);
    rearrange();
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kColumns) return;
    order_.column = static_cast<RunColumn>(column);
    order_.order = order;
    rearrange();
}

}  // namespace palimpsest
