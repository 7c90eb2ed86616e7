// SPDX-License-Identifier: GPL-3.0-or-later
// What the cells of a RunTableModel say and look like.
#include <QColor>
#include <algorithm>

#include "ui/runs/run_cell.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

QString unknownCell() {
    return QStringLiteral("–");
}

const Spread& spreadIn(const RunFamily& family, int column) {
    return column == RunTableModel::AreaUnderCurve ? family.a_auc
           : column == RunTableModel::LastAccuracy ? family.a_last
                                                   : family.f_last;
}

/// "N = 2 of 3"; "N = 2–3 of 4" where not all of them have every number. Runs that go on or stopped, and repeats of a
/// seed, are in no mean.
QString countsText(const RunFamily& family) {
    const auto runs = static_cast<qint64>(family.members.size());
    qint64 least = runs, most = 0;
    for (const Spread* spread : {&family.a_auc, &family.a_last, &family.f_last}) {
        if (spread->count == 0) continue;
        least = std::min<qint64>(least, spread->count);
        most = std::max<qint64>(most, spread->count);
    }
    if (most == 0 || least == runs) return RunTableModel::tr("%1 runs").arg(runs);
    return least == most ? RunTableModel::tr("N = %1 of %2").arg(most).arg(runs)
                         : RunTableModel::tr("N = %1–%2 of %3").arg(least).arg(most).arg(runs);
}

/// How many runs stand behind the number of a heading, and why not all.
QString headingTip(const RunFamily& family, int column) {
    const auto runs = static_cast<qint64>(family.members.size());
    QStringList lines{
        RunTableModel::tr("%1 runs of one experiment with several seeds. Click or Enter lists them.").arg(runs)};
    const QString count = RunTableModel::tr("%1: N = %2 of %3");
    const auto add = [&](const QString& metric, int of) {
        lines.append(count.arg(metric).arg(spreadIn(family, of).count).arg(runs));
    };
    const bool number = isMetricColumn(column) || isDifferenceColumn(column);
    const int metric = number ? metricOf(column) : column;
    if (!number || metric == RunTableModel::AreaUnderCurve) add(QStringLiteral("A_AUC"), RunTableModel::AreaUnderCurve);
    if (!number || metric == RunTableModel::LastAccuracy) add(QStringLiteral("A_Last"), RunTableModel::LastAccuracy);
    if (!number || metric == RunTableModel::LastForgetting)
        add(QStringLiteral("F_Last"), RunTableModel::LastForgetting);
    lines.append(
        RunTableModel::tr("Mean ± standard deviation over the N runs that have the number: of those that have "
                          "finished, a repeated seed once."));
    return lines.join('\n');
}

}  // namespace

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumns);
}

const ShownRun* RunTableModel::curvesOf(const RunRow& row) const {
    return store_->find(QString::fromStdString(row.folder.string()));
}

std::optional<double> RunTableModel::number(const RunLine& line, int column) const {
    if (line.run < 0) {
        const Spread& spread = spreadIn(familyAt(line), column);
        return spread.count > 0 ? std::optional(spread.mean) : std::nullopt;
    }
    const RunRow& row = *rowAt(line);
    return RunCell{row, curvesOf(row), store_->catalogue()}.number(column);
}

QString RunTableModel::headingText(const RunFamily& family, int column) const {
    if (isMetricColumn(column)) {
        const Spread& spread = spreadIn(family, column);
        if (spread.count == 0) return unknownCell();
        const QString mean = percentText(spread.mean);
        return spread.count < 2 ? mean : tr("%1 ± %2").arg(mean, percentText(spread.deviation));
    }
    if (column == Seed) return countsText(family);
    if (column == Tags || column == Note || column == When) return {};
    const RunRow& first = *list_->rows[family.members.front()];
    return RunCell{first, nullptr, store_->catalogue()}.text(column);
}

QString RunTableModel::text(const RunLine& line, int column) const {
    if (isDifferenceColumn(column)) {
        if (baseline_ == keyOf(line)) return tr("baseline");
        const std::optional<double> value = difference(line, column);
        return value ? signedPercentText(*value) : unknownCell();
    }
    if (line.run < 0) return headingText(familyAt(line), column);
    const RunRow& row = *rowAt(line);
    return RunCell{row, curvesOf(row), store_->catalogue()}.text(column);
}

/// Of a heading: those of its runs that are in the plots speak for it.
QVariant RunTableModel::look(const RunLine& line, int role) const {
    const ShownRun* run = nullptr;
    std::string colour;
    if (line.run >= 0) {
        const RunRow& row = *rowAt(line);
        run = curvesOf(row);
        colour = row.notes.colour;
    } else {
        for (const std::size_t place : familyAt(line).members) {
            const ShownRun* one = curvesOf(*list_->rows[place]);
            if (one && one->visible && (!run || one->selected)) run = one;
        }
    }
    if (role == ColourRole) return colour.empty() ? QColor() : QColor(QString::fromStdString(colour));
    if (role == SelectedRole) return run && run->selected;
    if (role == VisibleRole) return run && run->visible;
    return run ? run->look : 0;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const RunLine& line = lineAt(index);
    const int column = index.column();
    const RunRowPtr row = runAt(index);
    const auto cell = [&] { return RunCell{*row, curvesOf(*row), store_->catalogue()}; };
    QStringList lines;
    switch (role) {
        case Qt::DisplayRole:
        case Qt::EditRole:
            return text(line, column);
        case Qt::ToolTipRole:
            if (isDifferenceColumn(column)) lines.push_back(noDifferenceText(line, column));
            if (baselineRole(line) == 2) lines.push_back(tr("One of the runs whose mean is the baseline"));
            if (!row)
                lines.push_back(headingTip(familyAt(line), column));
            else
                lines.push_back(cell().tip(column, library_->find(keyOf(line))));
            lines.removeAll(QString());
            return lines.join('\n');
        case Qt::TextAlignmentRole:
            return QVariant::fromValue((isNumberColumn(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case Qt::CheckStateRole:
            if (column != Shown) return {};
            return static_cast<int>(look(line, VisibleRole).toBool() ? Qt::Checked : Qt::Unchecked);
        case Qt::AccessibleTextRole:
            if (column == Name && baselineRole(line) > 0)
                return (baselineRole(line) == 1 ? tr("%1, baseline") : tr("%1, in the baseline"))
                    .arg(text(line, column));
            if (const QString why = index.data(DoubtRole).toString(); !why.isEmpty())
                return tr("%1, %2").arg(text(line, column), why);
            if (column != Shown) return text(line, column);
            return tr("%1, %2").arg(text(line, Name), look(line, SelectedRole).toBool()  ? tr("in full colour")
                                                      : look(line, VisibleRole).toBool() ? tr("shown")
                                                                                         : tr("not shown"));
        case IdRole:
            return keyOf(line);
        case SortRole:
            return row ? cell().sortKey(column) : QVariant();
        case SelectedRole:
        case VisibleRole:
        case LookRole:
        case ColourRole:
            return look(line, role);
        case SoFarRole:
            return row && isMetricColumn(column) && !cell().isFinal(column);
        case StateRole:
            return row ? cell().state() : QString();
        case FamilyRole:
            return row ? 0 : static_cast<int>(familyAt(line).members.size());
        case OpenRole:
            return !row && order_.open.contains(keyOf(line));
        case BelowRole:
            return row && line.family >= 0;
        case BetterRole: {
            const std::optional<double> value = isDifferenceColumn(column) ? difference(line, column) : std::nullopt;
            if (value && doubt(line, column) != StreamDoubt::None) return 0;
            // Less forgetting is better. What the list writes as zero is neither.
            if (!value || std::abs(*value) < 0.0005) return 0;
            return (*value > 0) == (column != DeltaForgetting) ? 1 : -1;
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
        for (const QString& id : runsAt(index)) setShown(id, value.toInt() == Qt::Checked);
        return true;
    }
    const RunRowPtr row = runAt(index);
    if (role != Qt::EditRole || !row || (index.column() != Tags && index.column() != Note)) return false;
    const QString words = value.toString().trimmed();
    if (words == text(lineAt(index), index.column())) return false;
    const bool tags = index.column() == Tags;
    library_->editNotes({QString::fromStdString(row->folder.string())}, [words, tags](RunNotes& notes) {
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
    static const QStringList titles{QString(),
                                    tr("Name"),
                                    tr("Data"),
                                    tr("Method"),
                                    tr("Mask"),
                                    tr("Prompts"),
                                    tr("Memory"),
                                    tr("Images"),
                                    tr("Seed"),
                                    QStringLiteral("A_AUC"),
                                    QStringLiteral("Δ A_AUC"),
                                    QStringLiteral("A_Last"),
                                    QStringLiteral("Δ A_Last"),
                                    QStringLiteral("F_Last"),
                                    QStringLiteral("Δ F_Last"),
                                    tr("Tags"),
                                    tr("Note"),
                                    tr("When")};
    if (role == Qt::DisplayRole) return titles.value(section);
    if (role != Qt::ToolTipRole) return {};
    switch (section) {
        case Shown:
            return tr("Full dot: shown in the plots. Hollow dot: hidden. Click a dot to change that.");
        case Prompts:
            return tr("Initial prompts; none: random ones");
        case Memory:
            return tr("Images that the run may keep to replay");
        case Images:
            return tr("Training images in the stream");
        case AreaUnderCurve:
            return tr("Mean of the anytime accuracies, in %");
        case LastAccuracy:
            return tr("Mean accuracy over the sessions after the last one, in %");
        case LastForgetting:
            return tr("Mean drop of a session's accuracy from its best to its last, in points; less is better");
        case DeltaArea:
        case DeltaLast:
            return tr("Difference to the baseline, in points; more is better");
        case DeltaForgetting:
            return tr("Difference to the baseline, in points; less is better");
        case Tags:
            return tr("Words of your own; tag:word in the search finds them");
        case Note:
            return tr("What you want to remember of the run");
        default:
            return {};
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren | Qt::ItemIsDragEnabled;
    if (index.column() == Shown) return flags | Qt::ItemIsUserCheckable;
    const RunRowPtr row = runAt(index);
    const bool own = index.column() == Tags || index.column() == Note;
    if (own && row && library_->row(QString::fromStdString(row->folder.string()))) flags |= Qt::ItemIsEditable;
    return flags;
}

}  // namespace palimpsest
