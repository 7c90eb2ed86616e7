// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_table_model.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "ui/curve_store.h"
#include "ui/run_cell.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMinuteMs = 60 * 1000;
constexpr std::ptrdiff_t kFew = 50;  // lines that come and go one by one, so that selection and scroll position stay

QString idOf(const RunRow& row) {
    return QString::fromStdString(row.folder.native());
}

/// Of a run that has no folder, or whose folder was not read yet.
RunRowPtr briefOf(const RunCurves& run) {
    RunRow row;
    const Experiment& experiment = run.experiment;
    row.folder = run.id.toStdString();
    row.name = experiment.name;
    row.method = experiment.method.name;
    row.mask = experiment.mask.name;
    row.prompts = experiment.initial_session.prompts;
    row.dataset = experiment.stream.dataset;
    row.memory = experiment.memory.size;
    row.seed = experiment.seed;
    row.sessions = run.sessions();
    row.batch_size = experiment.training.batch_size;
    row.updates_per_batch = experiment.training.updates_per_batch;
    row.state = run.goesOn() ? "running" : run.finished ? "finished" : "stopped";
    row.total_samples = run.total_samples;
    row.samples_seen = run.samples_seen;
    row.a_auc = run.areaUpTo(std::numeric_limits<std::int64_t>::max());
    return std::make_shared<const RunRow>(std::move(row));
}

}  // namespace

RunTableModel::RunTableModel(CurveStore* store, RunLibrary* library, QObject* parent)
    : QAbstractTableModel(parent), store_(store), library_(library) {
    pool_.setMaxThreadCount(1);
    connect(library_, &RunLibrary::changed, this, [this] {
        takeColours();
        rearrange();
    });
    connect(library_, &RunLibrary::loaded, this, [this](const QString& id) {
        const std::function<void()> then = waiting_.take(id);
        if (then && library_->find(id)) withStored(id, then);
    });
    connect(store_, &CurveStore::runsChanged, this, [this] {
        rearrange();
        refreshAll();
    });
    connect(store_, &CurveStore::changed, this, &RunTableModel::refreshRow);
    connect(&minute_, &QTimer::timeout, this, &RunTableModel::refreshAll);
    minute_.start(kMinuteMs);
    rearrange();
}

RunTableModel::~RunTableModel() {
    pool_.clear();
    pool_.waitForDone();
}

std::vector<RunRowPtr> RunTableModel::allRows() const {
    std::vector<RunRowPtr> rows;
    const std::vector<const RunCurves*> runs = store_->runs();
    rows.reserve(library_->rows().size() + runs.size());
    QHash<QString, const RunCurves*> live;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        if (!library_->row((*run)->id))
            rows.push_back(briefOf(**run));
        else if ((*run)->live)
            live.insert((*run)->id, *run);
    }
    if (live.isEmpty()) {
        rows.insert(rows.end(), library_->rows().begin(), library_->rows().end());
        return rows;
    }
    for (const RunRowPtr& row : library_->rows()) {
        const RunCurves* run = live.value(idOf(*row));
        if (!run) {
            rows.push_back(row);
            continue;
        }
        auto now = std::make_shared<RunRow>(*row);
        now->state = "running";
        now->a_auc = run->areaUpTo(std::numeric_limits<std::int64_t>::max());
        rows.push_back(std::move(now));
    }
    return rows;
}

void RunTableModel::rearrange() {
    const int generation = ++generation_;
    order_.shown.clear();
    for (const RunCurves* run : store_->runs())
        if (run->visible) order_.shown.insert(run->id, run->primary ? 2 : 1);
    std::vector<RunRowPtr> rows = allRows();
    if (rows.size() <= kAtOnce) {
        take(arrangeRuns(std::move(rows), order_));
        return;
    }
    // Of those that wait, only the last is still wanted.
    pool_.clear();
    pool_.start([this, generation, rows = std::move(rows), order = order_]() mutable {
        auto made = std::make_shared<RunArrangement>(arrangeRuns(std::move(rows), order));
        // The destructor waits for this thread, and takes undelivered calls with it.
        QMetaObject::invokeMethod(
            this,
            [this, generation, made] {
                if (generation == generation_) take(std::move(*made));
            },
            Qt::QueuedConnection);
    });
}

void RunTableModel::take(RunArrangement fresh) {
    replaceLines(std::move(fresh));
    updateBaseline();
    Q_EMIT arranged();
}

void RunTableModel::replaceLines(RunArrangement fresh) {
    const bool same = std::equal(list_.lines.begin(), list_.lines.end(), fresh.lines.begin(), fresh.lines.end(),
                                 [](const RunLine& a, const RunLine& b) { return a.key == b.key; });
    if (same) {
        const auto changed = [&](std::size_t i) {
            const RunLine &old = list_.lines[i], &now = fresh.lines[i];
            return old.run < 0 || old.family != now.family ||
                   list_.rows[static_cast<std::size_t>(old.run)] != fresh.rows[static_cast<std::size_t>(now.run)];
        };
        int first = -1, last = -1;
        for (std::size_t i = 0; i < fresh.lines.size(); ++i) {
            if (!changed(i)) continue;
            if (first < 0) first = static_cast<int>(i);
            last = static_cast<int>(i);
        }
        list_ = std::move(fresh);
        if (first >= 0) Q_EMIT dataChanged(index(first, 0), index(last, kColumns - 1));
        return;
    }
    if (!list_.lines.empty() && changeFew(fresh)) return;
    beginResetModel();
    list_ = std::move(fresh);
    endResetModel();
}

/// Lines come and go one by one, and the others stay or change their places. False, and nothing done, where too many
/// do.
bool RunTableModel::changeFew(RunArrangement& fresh) {
    if (std::abs(std::ssize(fresh.lines) - std::ssize(list_.lines)) > kFew) return false;
    std::unordered_map<std::string, std::size_t> wanted;
    for (std::size_t i = 0; i < fresh.lines.size(); ++i) wanted.emplace(fresh.lines[i].key, i);
    std::unordered_set<std::string> known;
    std::ptrdiff_t gone = 0;
    for (const RunLine& line : list_.lines) {
        known.insert(line.key);
        gone += wanted.contains(line.key) ? 0 : 1;
    }
    const std::ptrdiff_t came = std::ssize(fresh.lines) - (std::ssize(list_.lines) - gone);
    if (gone + came > kFew) return false;
    for (int i = rowCount() - 1; i >= 0; --i) {
        if (wanted.contains(list_.lines[static_cast<std::size_t>(i)].key)) continue;
        beginRemoveRows({}, i, i);
        list_.lines.erase(list_.lines.begin() + i);
        endRemoveRows();
    }
    // Those that stay, in their new order.
    std::vector<RunLine> stay;
    for (const RunLine& line : fresh.lines)
        if (known.contains(line.key)) stay.push_back(line);
    Q_EMIT layoutAboutToBeChanged();
    std::unordered_map<std::string, int> places;
    for (std::size_t i = 0; i < stay.size(); ++i) places.emplace(stay[i].key, static_cast<int>(i));
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& old : before)
        after.push_back(index(places.at(list_.lines[static_cast<std::size_t>(old.row())].key), old.column()));
    std::vector<RunLine> lines = std::move(fresh.lines);
    fresh.lines = std::move(stay);
    list_ = std::move(fresh);
    changePersistentIndexList(before, after);
    Q_EMIT layoutChanged();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i < list_.lines.size() && list_.lines[i].key == lines[i].key) continue;
        const int at = static_cast<int>(i);
        beginInsertRows({}, at, at);
        list_.lines.insert(list_.lines.begin() + at, lines[i]);
        endInsertRows();
    }
    return true;
}

void RunTableModel::refreshAll() {
    if (!list_.lines.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void RunTableModel::refreshRow(const QString& id) {
    const int row = rowOf(id);
    if (row >= 0) Q_EMIT dataChanged(index(row, AreaUnderCurve), index(row, When));
}

int RunTableModel::rowOf(const QString& id) const {
    const std::string key = id.toStdString();
    const auto found =
        std::find_if(list_.lines.begin(), list_.lines.end(), [&](const RunLine& line) { return line.key == key; });
    return found == list_.lines.end() ? -1 : static_cast<int>(found - list_.lines.begin());
}

RunRowPtr RunTableModel::runAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount() || lineAt(index).run < 0) return nullptr;
    return list_.rows[static_cast<std::size_t>(lineAt(index).run)];
}

QStringList RunTableModel::runsAt(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunLine& line = lineAt(index);
    if (line.run >= 0) return {QString::fromStdString(line.key)};
    QStringList ids;
    for (const std::size_t place : list_.families[static_cast<std::size_t>(line.family)].members)
        ids.push_back(idOf(*list_.rows[place]));
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
    for (const RunCurves* run : store_->runs())
        if (const RunRowPtr row = library_->row(run->id))
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
    order_.grouped = grouped;
    rearrange();
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
