// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_table.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("StreamTable", text);
}

const QString kNone = QStringLiteral("–");

QString number(double value, int digits) {
    return QString::number(value, 'f', digits);
}
QString number(const std::optional<double>& value, int digits) {
    return value ? number(*value, digits) : kNone;
}
QString percent(double share) {
    return percentText(share) + " %";
}
/// Sessions are counted from 1 on screen.
QString session(std::int64_t index) {
    return index < 0 ? kNone : QString::number(index + 1);
}
QString position(std::int64_t samples) {
    return samples < 0 ? kNone : countText(samples);
}

QString kind(const ClassHome& home) {
    return home.session < 0 ? tr("never appears") : home.blurry ? tr("blurry") : tr("disjoint");
}

/// Columns of one table, each for the first stream and, where there is one, for the second.
class Columns {
public:
    explicit Columns(bool two) : two_(two) {}

    void add(const QString& title, const QString& tip) {
        if (!two_) return single(title, tip);
        single(title + " A", tip);
        single(title + " B", tip);
    }
    void single(const QString& title, const QString& tip) {
        table.headers << title;
        table.tips << tip;
    }

    StreamTable table;

private:
    bool two_;
};

StreamTable sessionTable(const PlannedStream& first, const PlannedStream* second, const StreamComparison* comparison) {
    Columns columns(second != nullptr);
    columns.single(tr("Session"), tr("A part of the stream; all: the whole stream"));
    columns.add(tr("Images"), tr("Images in the session"));
    if (comparison) {
        columns.single(tr("Shared"), tr("Images in this session of both streams"));
        columns.single(tr("Jaccard"), tr("Shared images among all images of the two sessions: 1 is the same set"));
    }
    columns.add(tr("Classes"), tr("Classes with at least one image in the session"));
    columns.add(tr("Imbalance"), tr("Images of the session's commonest class for each of its rarest"));
    columns.add(tr("Evenness"),
                tr("Entropy of the class shares, divided by the most it could be: 1 is perfectly even"));
    columns.add(tr("Effective"), tr("So many classes of equal size would be as diverse: exp of the entropy"));
    columns.add(tr("Disjoint"), tr("Share of images whose class comes in this session only"));
    columns.add(tr("Blurry"), tr("Share of images whose class comes in several sessions"));
    StreamTable table = std::move(columns.table);

    const auto& a = first.statistics;
    const std::size_t sessions =
        std::max(a.sessions.size(), second ? second->statistics.sessions.size() : std::size_t{0});
    for (std::size_t j = 0; j <= sessions; ++j) {
        const bool all = j == sessions;
        QStringList row{all ? tr("all") : QString::number(j + 1)};
        const auto of = [&](const StreamStatistics& statistics) {
            return all ? statistics.whole : j < statistics.sessions.size() ? statistics.sessions[j] : Balance();
        };
        const Balance left = of(a), right = second ? of(second->statistics) : Balance();
        const auto add = [&](auto text) {
            row << text(left);
            if (second) row << text(right);
        };
        add([](const Balance& b) { return countText(b.samples); });
        if (comparison) {
            const Overlap& overlap = all ? comparison->samples : comparison->sessions[j];
            row << countText(overlap.shared) << number(overlap.jaccard(), 3);
        }
        add([](const Balance& b) { return QString::number(b.classes); });
        add([](const Balance& b) { return number(b.imbalance, 2); });
        add([](const Balance& b) { return number(b.evenness, 3); });
        add([](const Balance& b) { return number(b.effective_classes, 2); });
        add([](const Balance& b) { return percent(b.disjoint_share); });
        add([](const Balance& b) { return percent(b.blurry_share); });
        table.rows.push_back(std::move(row));
    }
    return table;
}

StreamTable classTable(const PlannedStream& first, const PlannedStream* second, bool comparable) {
    // Classes of another data set share nothing but their numbers.
    if (second && !comparable) second = nullptr;
    Columns columns(second != nullptr);
    columns.single(tr("Class"), tr("Number and name"));
    columns.add(tr("Kind"), tr("Disjoint: comes in one session only"));
    columns.add(tr("First after"), tr("Images of the stream before the first of the class"));
    if (second) columns.single(tr("Later by"), tr("So many images later the class first comes in B"));
    columns.add(tr("First in"), tr("The first session with the class"));
    columns.add(tr("Last in"), tr("The last session with the class"));
    columns.add(tr("Sessions"), tr("Sessions in which the class comes"));
    columns.add(tr("Images"), tr("Images of the class in the stream"));
    StreamTable table = std::move(columns.table);

    const auto& names = first.labels->class_names;
    for (std::size_t c = 0; c < first.statistics.classes.size(); ++c) {
        QStringList row{QString::number(c) + (c < names.size() ? "  " + QString::fromStdString(names[c]) : QString())};
        const ClassAppearance left = first.statistics.classes[c];
        const ClassAppearance right = second ? second->statistics.classes[c] : ClassAppearance();
        const auto add = [&](auto text) {
            row << text(left);
            if (second) row << text(right);
        };
        add([](const ClassAppearance& seen) { return kind(seen.home); });
        add([](const ClassAppearance& seen) { return position(seen.first_position); });
        if (second) {
            const bool both = left.first_position >= 0 && right.first_position >= 0;
            row << (both ? countText(right.first_position - left.first_position) : kNone);
        }
        add([](const ClassAppearance& seen) { return session(seen.first_session); });
        add([](const ClassAppearance& seen) { return session(seen.last_session); });
        add([](const ClassAppearance& seen) { return QString::number(seen.sessions); });
        add([](const ClassAppearance& seen) { return countText(seen.samples); });
        table.rows.push_back(std::move(row));
    }
    return table;
}

/// Finds the longest texts, so that the window's thread has no rows to measure.
void measure(StreamTable& table) {
    if (table.rows.empty()) return;
    table.longest.assign(static_cast<std::size_t>(table.headers.size()), 0);
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        for (std::size_t column = 0; column < table.longest.size(); ++column) {
            const auto lengthIn = [&](std::size_t r) { return table.rows[r][static_cast<qsizetype>(column)].size(); };
            int& longest = table.longest[column];
            if (lengthIn(row) > lengthIn(static_cast<std::size_t>(longest))) longest = static_cast<int>(row);
        }
}

/// Two streams of one data set in different folders are not compared by mistake.
std::string dataOf(const Experiment& experiment) {
    return experiment.stream.dataset + '\n' + experiment.stream.root;
}

}  // namespace

StreamNumbers numbersOf(const PlannedStream& first, const PlannedStream* second) {
    StreamNumbers numbers;
    if (second)
        numbers.comparison = compareStreams({dataOf(first.experiment), first.labels->train, first.plan},
                                            {dataOf(second->experiment), second->labels->train, second->plan});
    const bool comparable = numbers.comparison && numbers.comparison->sameness != Sameness::OtherData;
    numbers.sessions = sessionTable(first, second, comparable ? &*numbers.comparison : nullptr);
    numbers.classes = classTable(first, second, comparable);
    measure(numbers.sessions);
    measure(numbers.classes);
    return numbers;
}

QString balanceText(const StreamStatistics& statistics) {
    const std::optional<double> worst = statistics.worstImbalance();
    if (!worst) return {};
    return tr("%1 effective classes · %2 : 1")
        .arg(number(statistics.meanEffectiveClasses(), 1),
             *worst < 10 ? number(*worst, 1) : countText(static_cast<qint64>(*worst)));
}

QString balanceHelp() {
    return tr(
        "How even the stream is. Effective classes: so many classes of equal size would be as diverse as the mean "
        "session. The ratio is the imbalance: in the most uneven session, images of the commonest class for each of "
        "the rarest. Compare shows every session and class.");
}

void StreamTableModel::setTable(StreamTable table) {
    beginResetModel();
    table_ = std::move(table);
    endResetModel();
}

QModelIndex StreamTableModel::longestCell(int column) const {
    const auto place = static_cast<std::size_t>(column);
    return column >= 0 && place < table_.longest.size() ? index(table_.longest[place], column) : QModelIndex();
}

QString StreamTableModel::text(const QList<int>& rows) const {
    QStringList lines{table_.headers.join('\t')};
    const auto add = [&](int row) { lines << table_.rows[static_cast<std::size_t>(row)].join('\t'); };
    for (const int row : rows) add(row);
    for (int row = 0; rows.isEmpty() && row < rowCount(); ++row) add(row);
    return lines.join('\n') + '\n';
}

int StreamTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.rows.size());
}

int StreamTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(table_.headers.size());
}

QVariant StreamTableModel::data(const QModelIndex& index, int role) const {
    // Copying with the keyboard reads the current cell, also where there is none.
    if (!index.isValid()) return {};
    if (role == Qt::DisplayRole) return table_.rows[static_cast<std::size_t>(index.row())][index.column()];
    if (role == Qt::TextAlignmentRole)
        return QVariant((index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

QVariant StreamTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= table_.headers.size()) return {};
    if (role == Qt::DisplayRole) return table_.headers[section];
    if (role == Qt::ToolTipRole) return table_.tips[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant((section == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    return {};
}

}  // namespace palimpsest
