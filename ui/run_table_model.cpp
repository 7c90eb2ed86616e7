// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_table_model.h"

#include <QDateTime>
#include <QLocale>
#include <QSet>
#include <limits>

#include "ui/curve_store.h"
#include "ui/run_label.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMinuteMs = 60 * 1000;

bool isNumber(int column) {
    return column >= RunTableModel::Seed && column <= RunTableModel::LastForgetting;
}

}  // namespace

QString momentText(const QString& isoUtc, const QDateTime& now) {
    QDateTime then = QDateTime::fromString(isoUtc, Qt::ISODate);
    if (!then.isValid()) return {};
    then = then.toLocalTime();
    const qint64 seconds = then.secsTo(now), days = then.date().daysTo(now.date());
    if (seconds < 60) return RunTableModel::tr("just now");
    if (seconds < 3600) return RunTableModel::tr("%1 min ago").arg(seconds / 60);
    if (days == 0) return RunTableModel::tr("today %1").arg(then.time().toString(QStringLiteral("HH:mm")));
    if (days == 1) return RunTableModel::tr("yesterday");
    const QLocale english(QLocale::English, QLocale::UnitedKingdom);
    return english.toString(
        then.date(), then.date().year() == now.date().year() ? QStringLiteral("d MMM") : QStringLiteral("d MMM yyyy"));
}

RunTableModel::RunTableModel(CurveStore* store, RunLibrary* library, QObject* parent)
    : QAbstractTableModel(parent), store_(store), library_(library) {
    connect(library_, &RunLibrary::changed, this, &RunTableModel::rebuild);
    connect(store_, &CurveStore::runsChanged, this, &RunTableModel::rebuild);
    connect(store_, &CurveStore::changed, this, &RunTableModel::refreshRow);
    connect(&minute_, &QTimer::timeout, this, &RunTableModel::refreshAll);
    minute_.start(kMinuteMs);
    rebuild();
}

/// Keeps selection and scroll position: rows are taken out and put in one by one.
void RunTableModel::rebuild() {
    std::vector<Row> fresh;
    for (const RunCurves* run : store_->runs())
        if (!library_->find(run->id)) fresh.insert(fresh.begin(), {run->id, nullptr});
    for (const RunLibrary::Record& record : library_->records())
        fresh.push_back({CurveStore::idOf(record->folder.string(), 0), record});

    const auto idsOf = [](const std::vector<Row>& rows) {
        QSet<QString> ids;
        for (const Row& row : rows) ids.insert(row.id);
        return ids;
    };
    const QSet<QString> known = idsOf(rows_), wanted = idsOf(fresh);
    if (known.isEmpty()) {
        beginResetModel();
        rows_ = std::move(fresh);
        endResetModel();
        return;
    }
    for (int i = rowCount() - 1; i >= 0; --i) {
        if (wanted.contains(rows_[static_cast<std::size_t>(i)].id)) continue;
        beginRemoveRows({}, i, i);
        rows_.erase(rows_.begin() + i);
        endRemoveRows();
    }
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (i < rows_.size() && rows_[i].id == fresh[i].id) {
            rows_[i].record = fresh[i].record;
            continue;
        }
        if (known.contains(fresh[i].id)) {
            // The order among known runs changed.
            beginResetModel();
            rows_ = std::move(fresh);
            endResetModel();
            return;
        }
        const int at = static_cast<int>(i);
        beginInsertRows({}, at, at);
        rows_.insert(rows_.begin() + at, fresh[i]);
        endInsertRows();
    }
    refreshAll();
}

void RunTableModel::refreshAll() {
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

void RunTableModel::refreshRow(const QString& id) {
    const int row = rowOf(id);
    if (row >= 0) Q_EMIT dataChanged(index(row, AreaUnderCurve), index(row, When));
}

int RunTableModel::rowOf(const QString& id) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
        if (rows_[i].id == id) return static_cast<int>(i);
    return -1;
}

bool RunTableModel::ensureStored(const QString& id) {
    if (store_->find(id)) return true;
    const RunLibrary::Record record = library_->find(id);
    if (record) store_->addRecord(*record);
    return record != nullptr;
}

void RunTableModel::setShown(const QString& id, bool shown) {
    if (ensureStored(id)) store_->setVisible(id, shown);
}

void RunTableModel::makePrimary(const QString& id) {
    if (ensureStored(id)) store_->setPrimary(id);
}

const Experiment& RunTableModel::experimentOf(const Row& row) const {
    static const Experiment none;
    if (row.record) return row.record->experiment;
    const RunCurves* run = store_->find(row.id);
    return run ? run->experiment : none;
}

QString RunTableModel::stateOf(const Row& row) const {
    const RunCurves* run = store_->find(row.id);
    if (run && run->live) return QStringLiteral("running");
    return row.record ? QString::fromStdString(row.record->state) : QStringLiteral("finished");
}

std::optional<double> RunTableModel::metric(const Row& row, int column) const {
    const RunCurves* run = store_->find(row.id);
    const bool live = run && run->live;
    if (column == AreaUnderCurve && (live || !row.record || !row.record->summary.a_auc))
        return run ? run->areaUpTo(std::numeric_limits<std::int64_t>::max()) : std::nullopt;
    if (!row.record || live) return std::nullopt;
    const Summary& summary = row.record->summary;
    return column == AreaUnderCurve ? summary.a_auc : column == LastAccuracy ? summary.a_last : summary.f_last;
}

QString RunTableModel::text(const Row& row, int column) const {
    const Experiment& experiment = experimentOf(row);
    const Catalogue& catalogue = store_->catalogue();
    switch (column) {
        case Name:
            return QString::fromStdString(experiment.name);
        case Data:
            return datasetText(catalogue, experiment);
        case Method:
            return methodText(catalogue, experiment);
        case Mask:
            return QString::fromStdString(experiment.mask.name);
        case Prompts:
            return promptsText(experiment);
        case Seed:
            return QString::number(experiment.seed);
        case AreaUnderCurve:
        case LastAccuracy:
        case LastForgetting: {
            const std::optional<double> value = metric(row, column);
            return value                                      ? percentText(*value)
                   : stateOf(row) == QLatin1String("running") ? QStringLiteral("…")
                                                              : QStringLiteral("–");
        }
        case When: {
            const QString state = stateOf(row);
            if (state == QLatin1String("running")) return tr("running");
            const QString when =
                row.record ? momentText(QString::fromStdString(row.record->started), QDateTime::currentDateTime())
                           : QString();
            if (state == QLatin1String("finished")) return when.isEmpty() ? tr("finished") : when;
            return when.isEmpty() ? state : tr("%1, %2").arg(state, when);
        }
        default:
            return {};
    }
}

QVariant RunTableModel::sortKey(const Row& row, int column) const {
    if (column == Shown) {
        const RunCurves* run = store_->find(row.id);
        return run ? (run->primary ? 2 : run->visible ? 1 : 0) : 0;
    }
    if (column == Seed) return static_cast<qlonglong>(experimentOf(row).seed);
    if (isNumber(column)) return metric(row, column).value_or(-1);
    if (column == When) {
        // A run that goes on, or has no folder, is the newest.
        if (!row.record || stateOf(row) == QLatin1String("running")) return QStringLiteral("~");
        return QString::fromStdString(row.record->started);
    }
    return text(row, column);
}

QString RunTableModel::tip(const Row& row, int column) const {
    if (column == Shown) return tr("Tick to show this run in the plots");
    QStringList lines{tr("Double click: make this the run in full colour")};
    if (row.record) {
        lines.push_back(QString::fromStdString(row.record->folder.string()));
        if (!row.record->error.empty()) lines.push_back(QString::fromStdString(row.record->error));
        for (const std::string& warning : row.record->warnings) lines.push_back(QString::fromStdString(warning));
    }
    return lines.join('\n');
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    const RunCurves* run = store_->find(row.id);
    switch (role) {
        case Qt::DisplayRole:
            return text(row, index.column());
        case Qt::ToolTipRole:
            return tip(row, index.column());
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::CheckStateRole:
            if (index.column() != Shown) return {};
            return static_cast<int>(run && run->visible ? Qt::Checked : Qt::Unchecked);
        case Qt::AccessibleTextRole:
            if (index.column() == Shown)
                return tr("%1, %2").arg(text(row, Name), run && run->primary   ? tr("in full colour")
                                                         : run && run->visible ? tr("shown")
                                                                               : tr("not shown"));
            return text(row, index.column());
        case IdRole:
            return row.id;
        case SortRole:
            return sortKey(row, index.column());
        case PrimaryRole:
            return run && run->primary;
        case VisibleRole:
            return run && run->visible;
        case LookRole:
            return run ? run->look : 0;
        case StateRole:
            return stateOf(row);
        default:
            return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!index.isValid() || index.column() != Shown || role != Qt::CheckStateRole) return false;
    setShown(rows_[static_cast<std::size_t>(index.row())].id, value.toInt() == Qt::Checked);
    return true;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    static const QStringList titles{QString(),
                                    tr("Name"),
                                    tr("Data"),
                                    tr("Method"),
                                    tr("Mask"),
                                    tr("Initial prompts"),
                                    tr("Seed"),
                                    QStringLiteral("A_AUC"),
                                    QStringLiteral("A_Last"),
                                    QStringLiteral("F_Last"),
                                    tr("When")};
    if (role == Qt::DisplayRole) return titles.value(section);
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
        case AreaUnderCurve:
            return tr("Mean of the anytime accuracies, in %");
        case LastAccuracy:
            return tr("Mean accuracy over the sessions after the last one, in %");
        case LastForgetting:
            return tr("Mean drop of a session's accuracy from its best to its last, in points; less is better");
        default:
            return {};
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    return index.column() == Shown ? flags | Qt::ItemIsUserCheckable : flags;
}

}  // namespace palimpsest
