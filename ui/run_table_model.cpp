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
    return column >= RunTableModel::Images && column <= RunTableModel::LastForgetting;
}

bool isMetric(int column) {
    return column >= RunTableModel::AreaUnderCurve && column <= RunTableModel::LastForgetting;
}

bool goesOn(const QString& state) {
    return state == QLatin1String("running") || state == QLatin1String("paused");
}

std::int64_t sessionsOf(const RunRecord& run) {
    return run.session_starts.empty() ? run.experiment.stream.sessions : std::ssize(run.session_starts);
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
    connect(store_, &CurveStore::runsChanged, this, [this] {
        rebuild();
        refreshAll();
    });
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
            if (rows_[i].record == fresh[i].record) continue;
            rows_[i].record = fresh[i].record;
            const int row = static_cast<int>(i);
            Q_EMIT dataChanged(index(row, 0), index(row, kColumns - 1));
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

void RunTableModel::showForNow(const QString& id) {
    if (ensureStored(id)) store_->showForNow(id);
}

const Experiment& RunTableModel::experimentOf(const Row& row) const {
    static const Experiment none;
    if (row.record) return row.record->experiment;
    const RunCurves* run = store_->find(row.id);
    return run ? run->experiment : none;
}

QString RunTableModel::stateOf(const Row& row) const {
    const RunCurves* run = store_->find(row.id);
    if (run && run->live) return run->paused ? QStringLiteral("paused") : QStringLiteral("running");
    if (row.record) return QString::fromStdString(row.record->state);
    return run && run->growing    ? QStringLiteral("running")
           : run && run->finished ? QStringLiteral("finished")
                                  : QStringLiteral("stopped");
}

std::int64_t RunTableModel::imagesOf(const Row& row) const {
    if (row.record && row.record->total_samples > 0) return row.record->total_samples;
    const RunCurves* run = store_->find(row.id);
    return run ? run->total_samples : 0;
}

bool RunTableModel::isFinal(const Row& row, int column) const {
    const QString state = stateOf(row);
    if (state == QLatin1String("finished")) return true;
    if (goesOn(state) || !row.record) return false;
    const RunRecord& run = *row.record;
    // The last session may be cut short after its last anytime evaluation.
    return run.summary.sessions_ended >= sessionsOf(run) ||
           (column == AreaUnderCurve &&
            areaIsWhole(run.anytime, run.total_samples, run.experiment.evaluation.every_samples));
}

std::optional<double> RunTableModel::metric(const Row& row, int column) const {
    const RunCurves* run = store_->find(row.id);
    const bool live = run && run->live;
    if (column == AreaUnderCurve && (live || !row.record || !row.record->summary.a_auc))
        return run ? run->areaUpTo(std::numeric_limits<std::int64_t>::max()) : std::nullopt;
    if (!row.record || live || (column != AreaUnderCurve && !isFinal(row, column))) return std::nullopt;
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
        case Images: {
            const std::int64_t images = imagesOf(row);
            return images > 0 ? countText(images) : QStringLiteral("–");
        }
        case Seed:
            return QString::number(experiment.seed);
        case AreaUnderCurve:
        case LastAccuracy:
        case LastForgetting: {
            const std::optional<double> value = metric(row, column);
            if (!value) return goesOn(stateOf(row)) ? QStringLiteral("…") : QStringLiteral("–");
            return isFinal(row, column) ? percentText(*value) : tr("so far %1").arg(percentText(*value));
        }
        case When: {
            const QString state = stateOf(row);
            if (goesOn(state)) return state;
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
    if (column == Images) return static_cast<qlonglong>(imagesOf(row));
    if (column == Seed) return static_cast<qlonglong>(experimentOf(row).seed);
    if (isNumber(column)) return metric(row, column).value_or(-1);
    if (column == When) {
        // A run that goes on, or has no folder, is the newest.
        if (!row.record || goesOn(stateOf(row))) return QStringLiteral("~");
        return QString::fromStdString(row.record->started);
    }
    return text(row, column);
}

QString RunTableModel::numberTip(const Row& row, int column) const {
    if (isFinal(row, column)) return {};
    const RunCurves* run = store_->find(row.id);
    const auto seen = [&]() -> std::int64_t {
        if (run) return run->samples_seen;
        return row.record && !row.record->anytime.empty() ? row.record->anytime.back().samples_seen : 0;
    };
    if (column == AreaUnderCurve)
        return tr("So far: measured up to %1 of %2 images").arg(countText(seen()), countText(imagesOf(row)));
    QString text = tr("Known once the last session has ended");
    if (!row.record || goesOn(stateOf(row))) return text;
    const Summary& summary = row.record->summary;
    const std::optional<double>& value = column == LastAccuracy ? summary.a_last : summary.f_last;
    if (!value) return text;
    return text + '\n' +
           tr("After %1 of %2 sessions: %3")
               .arg(summary.sessions_ended)
               .arg(sessionsOf(*row.record))
               .arg(percentText(*value));
}

QString RunTableModel::tip(const Row& row, int column) const {
    if (column == Shown) {
        const RunCurves* run = store_->find(row.id);
        return run && run->primary ? tr("Full dot: shown in the plots, in full colour. Click to hide the run.")
               : run && run->visible
                   ? tr("Full dot: shown in the plots beside the run in full colour. Click to hide the run.")
                   : tr("Hollow dot: not in the plots. Click to show the run there.");
    }
    QStringList lines;
    if (isMetric(column)) lines.push_back(numberTip(row, column));
    lines.removeAll(QString());
    const Experiment& experiment = experimentOf(row);
    lines.push_back(tr("%1. Click to show it in full colour").arg(QString::fromStdString(experiment.name)));
    lines.push_back(detailsText(experiment));
    if (stateOf(row) == QLatin1String("crashed"))
        lines.push_back(tr("The program that wrote this run is gone, and the run did not end. Its numbers are kept."));
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
        case SoFarRole:
            return isMetric(index.column()) && !isFinal(row, index.column());
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
                                    tr("Prompts"),
                                    tr("Images"),
                                    tr("Seed"),
                                    QStringLiteral("A_AUC"),
                                    QStringLiteral("A_Last"),
                                    QStringLiteral("F_Last"),
                                    tr("When")};
    if (role == Qt::DisplayRole) return titles.value(section);
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
        case Shown:
            return tr("Full dot: shown in the plots. Hollow dot: hidden. Click a dot to change that.");
        case Prompts:
            return tr("Initial prompts; none: random ones");
        case Images:
            return tr("Training images in the stream");
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
