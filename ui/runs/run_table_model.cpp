// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_table_model.h"

#include <QColor>
#include <QMimeData>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/metrics/metric_catalogue.h"
#include "ui/runs/run_cell.h"
#include "ui/state/run_set.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMinuteMs = 60 * 1000;

QString rowId(const RunRow& row) {
    return QString::fromStdString(row.folder.native());
}

StreamKey streamOf(const RunRow& row) {
    return {row.seed, row.total_samples, row.fingerprint, row.dataset, row.imported()};
}

/// Settings of the stream that a row knows, without the seed.
std::string kindOf(const RunRow& row) {
    return row.dataset + '\n' + std::to_string(row.sessions);
}

/// Calls `visit` with each run that a mean is of, and its number.
void forEachNumber(const std::vector<RunRowPtr>& rows, const RunFamily& family, std::size_t metric, const auto& visit) {
    for (const std::size_t place : family.counting) {
        const RunRow& row = *rows[place];
        const std::optional<double>& number = row.*kListedMetrics[metric].value;
        if (number && isFinal(row, metric)) visit(row, *number);
    }
}

std::vector<StreamKey> streamsBehind(const std::vector<RunRowPtr>& rows, const RunFamily& family, std::size_t metric) {
    std::vector<StreamKey> streams;
    forEachNumber(rows, family, metric, [&](const RunRow& row, double) { streams.push_back(streamOf(row)); });
    return streams;
}

}  // namespace

RunTableModel::RunTableModel(RunSet* store, RunLibrary* library, QObject* parent)
    : QAbstractTableModel(parent), store_(store), library_(library) {
    connect(library_, &RunLibrary::changed, this, [this] {
        updateColours();
        rearrange();
    });
    connect(library_, &RunLibrary::loaded, this, [this](const QString& id) {
        const std::function<void()> then = waiting_.take(id);
        if (then && library_->find(id)) withStored(id, then);
    });
    connect(library_, &RunLibrary::scanned, this, &RunTableModel::dropAwaitedBaseline);
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
            rows.push_back(briefRow(**run));
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
        now->a_auc = run->points.areaUpTo(std::numeric_limits<std::int64_t>::max());
        if (place != rows.end()) *place = std::move(now);
    }
    return rows;
}

void RunTableModel::rearrange() {
    background_.cancelNewest();
    order_.shown.clear();
    for (const ShownRun* run : store_->runs())
        if (run->display.visible) order_.shown.insert(run->id, run->display.selected ? 2 : 1);
    std::vector<RunRowPtr> rows = allRows();
    if (rows.size() <= kAtOnce) {
        auto made = std::make_shared<const RunArrangement>(arrangeRuns(std::move(rows), order_));
        const RunListChange change = changeOf(*list_, *made);
        setArrangement(std::move(made), change);
        return;
    }
    background_.runNewest(
        [before = list_, rows = std::move(rows), order = order_]() mutable {
            auto made = std::make_shared<const RunArrangement>(arrangeRuns(std::move(rows), order));
            RunListChange change = changeOf(*before, *made);
            return std::pair(std::move(made), std::move(change));
        },
        [this](const std::pair<Arrangement, RunListChange>& made) { setArrangement(made.first, made.second); });
}

/// `change`: from the present list.
void RunTableModel::setArrangement(Arrangement fresh, const RunListChange& change) {
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
    // After those who hear of it, since it changes the list again.
    if (!shown_families_.isEmpty()) QMetaObject::invokeMethod(this, &RunTableModel::showJoined, Qt::QueuedConnection);
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

QStringList RunTableModel::runsAt(const QModelIndexList& indexes) const {
    QSet<QString> known;
    QStringList ids;
    for (const QModelIndex& index : indexes) {
        for (const QString& id : runsAt(index)) {
            if (known.contains(id)) continue;
            known.insert(id);
            ids.push_back(id);
        }
    }
    return ids;
}

QStringList RunTableModel::mimeTypes() const {
    return {QString::fromLatin1(kMimeType)};
}

QMimeData* RunTableModel::mimeData(const QModelIndexList& indexes) const {
    const QStringList ids = runsAt(indexes);
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(kMimeType), ids.join('\n').toUtf8());
    return data;
}

QStringList RunTableModel::idsIn(const QMimeData& data) {
    return QString::fromUtf8(data.data(QString::fromLatin1(kMimeType))).split('\n', Qt::SkipEmptyParts);
}

void RunTableModel::withStored(const QString& id, const std::function<void()>& then) {
    if (!store_->find(id)) {
        const RunLibrary::Record record = library_->find(id);
        if (!record) {
            if (library_->row(id) && !std::exchange(waiting_[id], then)) library_->load(id);
            return;
        }
        store_->addRecord(*record);
        updateColours();
    }
    then();
}

void RunTableModel::updateColours() {
    for (const ShownRun* run : store_->runs())
        if (const RunRowPtr row = library_->row(run->id); row && (!run->live || !row->notes.colour.empty()))
            store_->setColour(run->id, QColor(QString::fromStdString(row->notes.colour)));
}

void RunTableModel::setShown(const QString& id, bool shown) {
    withStored(id, [this, id, shown] { store_->setVisible(id, shown); });
}

void RunTableModel::showForComparison(const QString& id) {
    withStored(id, [this, id] { store_->showAgain(id); });
}

void RunTableModel::setShownAt(const QModelIndex& index, bool shown) {
    const QStringList ids = runsAt(index);
    if (ids.isEmpty()) return;
    const RunLine& line = lineAt(index);
    if (line.family >= 0) {
        const QString family = QString::fromStdString(list_->headings[static_cast<std::size_t>(line.family)]);
        if (line.run < 0 && shown) {
            shown_families_.insert(family);
            for (const RunRowPtr& row : allRows()) before_.insert(rowId(*row));
        } else if (!shown) {
            shown_families_.remove(family);
        }
    }
    for (const QString& id : ids) setShown(id, shown);
}

void RunTableModel::selectRun(const QString& id) {
    withStored(id, [this, id] { store_->select(id); });
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
    order_.column = static_cast<Column>(column);
    order_.order = order;
    rearrange();
}

const ShownRun* RunTableModel::shownRun(const RunRow& row) const {
    return store_->find(rowId(row));
}

RunCell RunTableModel::cellOf(const RunRow& row) const {
    RunCell cell{row, shownRun(row), store_->catalogue()};
    if (const auto found = lost_.constFind(rowId(row)); found != lost_.cend()) cell.lost = *found;
    cell.paused = paused_.value(rowId(row));
    return cell;
}

void RunTableModel::setLost(const QString& id, const std::optional<QDateTime>& lost) {
    if (lost)
        lost_.insert(id, *lost);
    else if (lost_.remove(id) == 0)
        return;
    refreshRow(id);
}

void RunTableModel::setPaused(const QString& id, const QString& why) {
    if (paused_.value(id) == why) return;
    if (why.isEmpty())
        paused_.remove(id);
    else
        paused_.insert(id, why);
    refreshRow(id);
}

HeadingCell RunTableModel::headingOf(const RunLine& line) const {
    const RunFamily& family = familyAt(line);
    return {family, *list_->rows[family.members.front()], store_->catalogue()};
}

std::optional<double> RunTableModel::number(const RunLine& line, int column) const {
    if (line.run < 0) {
        const Spread& spread = headingOf(line).spread(column);
        return spread.count > 0 ? std::optional(spread.mean) : std::nullopt;
    }
    return cellOf(*rowAt(line)).number(column);
}

QString RunTableModel::text(const RunLine& line, int column) const {
    if (isDifferenceColumn(column)) {
        if (baseline_ == keyOf(line)) return tr("baseline");
        const std::optional<double> value = difference(line, column);
        return value ? signedPercentText(*value) : unknownText();
    }
    if (line.run < 0) return headingOf(line).text(column);
    return cellOf(*rowAt(line)).text(column);
}

/// Look of a line; a heading looks like its runs that are in the plots.
QVariant RunTableModel::styleData(const RunLine& line, int role) const {
    const ShownRun* run = nullptr;
    std::string colour;
    if (line.run >= 0) {
        const RunRow& row = *rowAt(line);
        run = shownRun(row);
        colour = row.notes.colour;
    } else {
        for (const std::size_t place : familyAt(line).members) {
            const ShownRun* one = shownRun(*list_->rows[place]);
            if (one && one->display.visible && (!run || one->display.selected)) run = one;
        }
    }
    if (role == ColourRole) return colour.empty() ? QColor() : QColor(QString::fromStdString(colour));
    if (role == SelectedRole) return run && run->display.selected;
    if (role == VisibleRole) return run && run->display.visible;
    if (role == HueRole) return run && run->display.visible ? run->display.hue : kNoHue;
    return run ? run->display.style : 0;
}

bool RunTableModel::isPartlyShown(const RunLine& line) const {
    if (line.run >= 0) return false;
    bool shown = false, hidden = false;
    for (const std::size_t place : familyAt(line).members) {
        const ShownRun* run = shownRun(*list_->rows[place]);
        (run && run->display.visible ? shown : hidden) = true;
    }
    return shown && hidden;
}

void RunTableModel::showJoined() {
    if (!order_.grouped || shown_families_.isEmpty()) return;
    QStringList fresh;
    for (std::size_t i = 0; i < list_->families.size(); ++i) {
        const QString family = QString::fromStdString(list_->headings[i]);
        if (!shown_families_.contains(family)) continue;
        QStringList joined;
        for (const std::size_t place : list_->families[i].members) {
            const QString id = rowId(*list_->rows[place]);
            const ShownRun* run = store_->find(id);
            if ((run && run->display.visible) || waiting_.contains(id)) continue;
            if (!before_.contains(id)) {
                joined.append(id);
                continue;
            }
            // It was taken out of the figures, in whatever way, or a search had kept it out.
            shown_families_.remove(family);
            joined.clear();
            break;
        }
        fresh += joined;
    }
    for (const QString& id : fresh) {
        before_.insert(id);
        setShown(id, true);
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunLine& line = lineAt(index);
    const int column = index.column();
    const RunRowPtr row = runAt(index);
    QStringList lines;
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(line, column);
        case Qt::ToolTipRole:
            if (isDifferenceColumn(column)) lines.push_back(noDifferenceText(line, column));
            if (baselineRole(line) == 2) lines.push_back(tr("One of the runs whose mean is the baseline"));
            if (!row)
                lines.push_back(headingOf(line).tip(column));
            else
                lines.push_back(cellOf(*row).tip(column, library_->find(keyOf(line))));
            lines.removeAll(QString());
            return lines.join('\n');
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::CheckStateRole:
            if (column != Shown) return {};
            return static_cast<int>(isPartlyShown(line)                     ? Qt::PartiallyChecked
                                    : styleData(line, VisibleRole).toBool() ? Qt::Checked
                                                                            : Qt::Unchecked);
        case Qt::AccessibleTextRole:
            if (column == Name && baselineRole(line) > 0)
                return (baselineRole(line) == 1 ? tr("%1, baseline") : tr("%1, in the baseline"))
                    .arg(text(line, column));
            if (const QString why = index.data(DoubtRole).toString(); !why.isEmpty())
                return tr("%1, %2").arg(text(line, column), why);
            if (column != Shown) return text(line, column);
            return tr("%1, %2").arg(text(line, Name), isPartlyShown(line)                      ? tr("partly shown")
                                                      : styleData(line, SelectedRole).toBool() ? tr("selected")
                                                      : styleData(line, VisibleRole).toBool()  ? tr("shown")
                                                                                               : tr("not shown"));
        case IdRole:
            return keyOf(line);
        case SelectedRole:
        case VisibleRole:
        case StyleRole:
        case HueRole:
        case ColourRole:
            return styleData(line, role);
        case PartlyRole:
            return isPartlyShown(line);
        case SoFarRole:
            return row && isMetricColumn(column) && !cellOf(*row).isFinal(column);
        case StateRole:
            return row ? cellOf(*row).state() : QString();
        case FamilyRole:
            return row ? 0 : static_cast<int>(familyAt(line).members.size());
        case OpenRole:
            return !row && order_.open.contains(keyOf(line));
        case BelowRole:
            return row && line.family >= 0;
        case BetterRole: {
            const std::optional<double> value = isDifferenceColumn(column) ? difference(line, column) : std::nullopt;
            // Neither colour for a difference that the list writes as zero, or that other seeds may turn round.
            if (!value || std::abs(*value) < 0.0005) return 0;
            const std::optional<PairedEvidence> known = evidence(line, column);
            if (!known || !known->distinguishable()) return 0;
            return (*value > 0) == findMetric(kListedMetrics[listedMetric(column)].key)->higher_is_better ? 1 : -1;
        }
        case BaselineRole:
            return baselineRole(line);
        case DoubtRole:
            if (isDifferenceColumn(column) && doubt(line, column) != StreamDoubt::OtherStream &&
                !difference(line, column))
                return QString();
            return doubtText(doubt(line, column));
        default:
            return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.row() >= rowCount()) return false;
    if (index.column() == Shown && role == Qt::CheckStateRole) {
        setShownAt(index, value.toInt() == Qt::Checked);
        return true;
    }
    const RunRowPtr row = runAt(index);
    if (role != Qt::EditRole || !row || (index.column() != Tags && index.column() != Note)) return false;
    const QString words = value.toString().trimmed();
    if (words == text(lineAt(index), index.column())) return false;
    const bool tags = index.column() == Tags;
    library_->editNotes({rowId(*row)}, [words, tags](RunNotes& notes) {
        if (tags)
            notes.tags = tagsIn(words.toStdString());
        else
            notes.note = words.toStdString();
    });
    return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumberColumn(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (section < 0 || section >= kColumns) return {};
    const auto& [title, tip] = columnText(section);
    if (role == Qt::DisplayRole) return title;
    return role == Qt::ToolTipRole && !tip.isEmpty() ? QVariant(tip) : QVariant();
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren | Qt::ItemIsDragEnabled;
    if (index.column() == Shown) return flags | Qt::ItemIsUserCheckable;
    const RunRowPtr row = runAt(index);
    const bool own = index.column() == Tags || index.column() == Note;
    if (own && row && library_->row(rowId(*row))) flags |= Qt::ItemIsEditable;
    return flags;
}

std::optional<RunTableModel::Baseline> RunTableModel::baselineIn(const std::vector<RunRowPtr>& rows,
                                                                 const QString& id) const {
    const std::string key = id.toStdString(), heading = familyKey({});
    Baseline found;
    if (!key.starts_with(heading)) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const RunRowPtr& each) { return each->folder.native() == key; });
        if (row == rows.end()) return std::nullopt;
        const RunCell cell = cellOf(**row);
        for (std::size_t i = 0; i < kListedMetrics.size(); ++i)
            if (cell.isFinal(metricColumn(i))) found.numbers[i] = cell.number(metricColumn(i));
        found.streams.fill({streamOf(**row)});
        for (std::size_t i = 0; i < kListedMetrics.size(); ++i)
            if (found.numbers[i]) found.values[i] = {*found.numbers[i]};
        found.kind = kindOf(**row);
        found.runs = QStringList{id};
        return found;
    }
    const std::string family = key.substr(heading.size());
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i]->family == family && (order_.hidden || !rows[i]->notes.hidden)) members.push_back(i);
    if (members.empty()) return std::nullopt;
    const RunFamily whole = familiesOf(rows, members).front();
    for (std::size_t i = 0; i < whole.spreads.size(); ++i) {
        if (whole.spreads[i].count > 0) found.numbers[i] = whole.spreads[i].mean;
        found.streams[i] = streamsBehind(rows, whole, i);
        forEachNumber(rows, whole, i, [&](const RunRow&, double value) { found.values[i].push_back(value); });
    }
    found.kind = kindOf(*rows[members.front()]);
    for (const std::size_t place : members) found.runs.push_back(rowId(*rows[place]));
    return found;
}

void RunTableModel::setBaseline(const QString& id) {
    baseline_ = id;
    awaited_baseline_.clear();
    known_baseline_ = {};
    store_->setBaseline({});
    updateBaseline();
    refreshAll();
    Q_EMIT baselineChanged();
}

void RunTableModel::restoreBaseline(const QString& id) {
    awaited_baseline_ = id;
    updateBaseline();
}

/// A run that lies elsewhere comes by another way, if it comes.
void RunTableModel::dropAwaitedBaseline() {
    if (awaited_baseline_.isEmpty() || !library_->complete() || baselineIn(allRows(), awaited_baseline_)) return;
    const std::string key = awaited_baseline_.toStdString();
    const bool here =
        key.starts_with(familyKey({})) || std::filesystem::path(key).parent_path() == wholePath(library_->folder());
    if (!here) return;
    awaited_baseline_.clear();
    Q_EMIT baselineChanged();
}

/// A baseline that the search leaves out keeps its numbers; one that is gone is none.
void RunTableModel::updateBaseline() {
    if (!awaited_baseline_.isEmpty() && baselineIn(list_->rows, awaited_baseline_))
        return setBaseline(QString(awaited_baseline_));
    std::optional<Baseline> now = baselineIn(list_->rows, baseline_);
    if (!now && !baseline_.isEmpty()) {
        if (!library_->row(baseline_) && !store_->find(baseline_)) setBaseline({});
        return;
    }
    const Baseline fresh = now.value_or(Baseline());
    if (std::exchange(known_baseline_, fresh) == fresh) return;
    refreshAll();
    // Figures compare curve by curve, and need all of a run.
    for (const QString& run : fresh.runs)
        if (!store_->find(run) && !waiting_.contains(run)) withStored(run, [] {});
    store_->setBaseline(fresh.runs);
}

std::vector<StreamKey> RunTableModel::streamsOf(const RunLine& line, int column) const {
    if (line.run >= 0) return {streamOf(*rowAt(line))};
    return streamsBehind(list_->rows, familyAt(line), listedMetric(column));
}

SeedNumbers RunTableModel::numbersAt(const QModelIndex& index) const {
    SeedNumbers numbers;
    if (!index.isValid() || index.row() >= rowCount() || !isMetricColumn(index.column())) return numbers;
    const RunLine& line = lineAt(index);
    if (line.run >= 0) return numbers;
    numbers.name = text(line, Name).toStdString();
    forEachNumber(list_->rows, familyAt(line), listedMetric(index.column()), [&](const RunRow& row, double value) {
        numbers.runs.push_back({row.seed, value});
    });
    return numbers;
}

SeedNumbers RunTableModel::baselineNumbers(int column) const {
    SeedNumbers numbers{tr("the baseline").toStdString(), {}};
    if (baseline_.isEmpty() || !isMetricColumn(column)) return numbers;
    const std::size_t place = listedMetric(column);
    const std::vector<double>& values = known_baseline_.values[place];
    for (std::size_t i = 0; i < values.size(); ++i)
        numbers.runs.push_back({known_baseline_.streams[place][i].seed, values[i]});
    return numbers;
}

bool RunTableModel::comparable(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() &&
           doubt(lineAt(index), index.column()) != StreamDoubt::OtherStream;
}

StreamDoubt RunTableModel::doubt(const RunLine& line, int column) const {
    if (baseline_.isEmpty() || !isDifferenceColumn(column) || baseline_ == keyOf(line)) return StreamDoubt::None;
    const std::size_t first = line.run >= 0 ? static_cast<std::size_t>(line.run) : familyAt(line).members.front();
    return streamDoubt(streamsOf(line, column), known_baseline_.streams[listedMetric(column)],
                       [&] { return kindOf(*list_->rows[first]) != known_baseline_.kind; });
}

int RunTableModel::baselineRole(const RunLine& line) const {
    if (baseline_.isEmpty()) return 0;
    if (baseline_ == keyOf(line)) return 1;
    return line.run >= 0 && known_baseline_.runs.contains(keyOf(line)) ? 2 : 0;
}

/// Half a stream cannot be compared with a whole one, nor one stream with another.
std::optional<double> RunTableModel::difference(const RunLine& line, int column) const {
    const std::optional<double>& base = known_baseline_.numbers[listedMetric(column)];
    const std::optional<double> own =
        base && isWhole(line, metricOf(column)) && doubt(line, column) != StreamDoubt::OtherStream
            ? number(line, metricOf(column))
            : std::nullopt;
    return own ? std::optional(shownDifference(*own, *base)) : std::nullopt;
}

std::optional<PairedEvidence> RunTableModel::evidence(const RunLine& line, int column) const {
    const std::optional<double> own = difference(line, column) ? number(line, metricOf(column)) : std::nullopt;
    if (!own || doubt(line, column) != StreamDoubt::None) return std::nullopt;
    SeedNumbers numbers;
    if (line.run >= 0)
        numbers.runs.push_back({rowAt(line)->seed, *own});
    else
        forEachNumber(list_->rows, familyAt(line), listedMetric(column), [&](const RunRow& row, double value) {
            numbers.runs.push_back({row.seed, value});
        });
    return pairedEvidence(numbers, baselineNumbers(metricOf(column)));
}

/// Headings show means of whole streams alone.
bool RunTableModel::isWhole(const RunLine& line, int column) const {
    return line.run < 0 || cellOf(*rowAt(line)).isFinal(column);
}

QString RunTableModel::noDifferenceText(const RunLine& line, int column) const {
    if (baseline_.isEmpty() || baseline_ == keyOf(line)) return {};
    const StreamDoubt why = doubt(line, column);
    if (const std::optional<PairedEvidence> known = evidence(line, column)) return evidenceTip(*known);
    if (why == StreamDoubt::OtherStream || difference(line, column)) return doubtTip(why, tr("The baseline"));
    if (line.run < 0) return {};
    const RunCell cell = cellOf(*rowAt(line));
    if (cell.goesOn()) return tr("The difference comes when the run has finished");
    if (!cell.isFinal(metricOf(column))) return tr("No difference: the run did not learn its whole stream");
    if (!known_baseline_.numbers[listedMetric(column)])
        return tr("No difference: the baseline has no such number of a whole stream");
    return {};
}

}  // namespace palimpsest
