// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QHash>
#include <QString>
#include <QTimer>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/metrics/metric_card.h"
#include "ui/runs/run_arrangement.h"
#include "ui/state/background.h"
#include "ui/state/comparability.h"
#include "ui/state/run_library.h"

namespace palimpsest {

class RunSet;
struct HeadingCell;
struct RunCell;
struct ShownRun;

/// Rows for the runs on disk and those that go on now, newest first, or as the user sorts, searches and groups them.
/// Checking a run shows it in the plots. Long lists are arranged on another thread.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using Column = RunColumn::Index;
    using enum RunColumn::Index;
    enum Role {
        IdRole = Qt::UserRole,  ///< of a heading: its family's key
        SelectedRole,
        VisibleRole,
        PartlyRole,    ///< of a heading: some of its runs are visible, others are not
        StyleRole,     ///< see curve_style.h
        HueRole,       ///< likewise
        StateRole,     ///< "running", "paused", "finished", "stopped", "failed", "crashed", "imported"
        SoFarRole,     ///< the number may still change, or would have, had the run gone on
        ColourRole,    ///< chosen by the user; not valid: the usual one
        FamilyRole,    ///< how many runs a heading stands for; 0: a run
        OpenRole,      ///< of a heading: its runs are listed
        BelowRole,     ///< stands below a heading
        BetterRole,    ///< of a difference: 1 better, -1 worse, 0 neither, or too few seeds to tell
        BaselineRole,  ///< 1: the baseline, 2: one of the runs whose mean it is, 0: neither
        DoubtRole      ///< of a difference: why it is not the method's alone, "other seeds"; else empty
    };
    /// MIME type of a drag: ids of runs, a line each.
    static constexpr const char* kMimeType = "application/x-palimpsest-runs";
    /// Longer lists are arranged on another thread.
    static constexpr std::size_t kAtOnce = 400;

    RunTableModel(RunSet* store, RunLibrary* library, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(lines_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(kColumns);
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    void sort(int column, Qt::SortOrder order) override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }
    static QStringList idsIn(const QMimeData& data);

    int rowOf(const QString& id) const;
    /// Id of a run, or those of all runs of a heading.
    QStringList runsAt(const QModelIndex& index) const;
    /// Ids of the runs at all these indexes, each once.
    QStringList runsAt(const QModelIndexList& indexes) const;
    RunRowPtr runAt(const QModelIndex& index) const;

    void setQuery(const QString& text);
    void setGrouped(bool grouped);
    bool grouped() const { return order_.grouped; }
    void setHiddenShown(bool shown);
    bool hiddenShown() const { return order_.hidden; }
    /// Opens or closes a heading.
    void toggle(const QString& family);
    /// Sets the baseline: a run, or the mean of a heading; empty: none.
    void setBaseline(const QString& id);
    const QString& baseline() const { return baseline_; }
    /// Numbers behind the mean of a heading in a column of a metric; empty for a run.
    SeedNumbers numbersAt(const QModelIndex& index) const;
    /// Numbers of the baseline in a column of a metric; empty without one.
    SeedNumbers baselineNumbers(int column) const;
    /// False for a difference to a baseline of another stream.
    bool comparable(const QModelIndex& index) const;
    /// Restores the baseline of the last session: set once it is listed, and dropped if a scan of all folders has not
    /// found it.
    void restoreBaseline(const QString& id);
    /// The id for restoreBaseline() next time.
    const QString& keptBaseline() const { return awaited_baseline_.isEmpty() ? baseline_ : awaited_baseline_; }
    /// Runs that match, and those that would with an empty search.
    int matching() const { return list_->matching; }
    int offered() const { return list_->offered; }
    const std::vector<RunRowPtr>& rows() const { return list_->rows; }

    /// Shows or hides a run; one that is only on disk is added to the run set first.
    void setShown(const QString& id, bool shown);
    /// Shows a run, as RunSet::showAgain() does: it leaves for a new one on another stream.
    void showForComparison(const QString& id);
    /// The same for a line: a heading shows all its runs, and those that come later as long as none of them is hidden.
    void setShownAt(const QModelIndex& index, bool shown);
    void selectRun(const QString& id);
    /// Has a run that goes on say that its machine is not reached; see RunCell::lost.
    void setLost(const QString& id, const std::optional<QDateTime>& lost);
    /// Has it say why it waits there, or no longer; see RunCell::paused.
    void setPaused(const QString& id, const QString& why);
    /// The same, but such a run gives way when many are shown.
    void showForNow(const QString& id);

Q_SIGNALS:
    /// The list is arranged as asked for, changed or not.
    void arranged();
    void baselineChanged();
    void groupedChanged(bool grouped);

private:
    using Arrangement = std::shared_ptr<const RunArrangement>;
    struct Baseline {
        template <class Value>
        using Each = std::array<Value, kListedMetrics.size()>;
        Each<std::optional<double>> numbers;   ///< of the listed metrics, each of whole streams alone
        QStringList runs;                      ///< ids
        Each<std::vector<StreamKey>> streams;  ///< of the runs behind each number
        Each<std::vector<double>> values;      ///< theirs
        std::string kind;                      ///< see kindOf()
        bool operator==(const Baseline&) const = default;
    };

    std::vector<RunRowPtr> allRows() const;
    void rearrange();
    void setArrangement(Arrangement fresh, const RunListChange& change);
    void changeFew(Arrangement fresh, const RunListChange& change);
    void refreshAll();
    void refreshRow(const QString& id);
    void withStored(const QString& id, const std::function<void()>& then);
    void updateColours();
    /// Shows what has joined the families that the user shows.
    void showJoined();
    /// The baseline of an id; absent if it is not among these rows.
    std::optional<Baseline> baselineIn(const std::vector<RunRowPtr>& rows, const QString& id) const;
    void updateBaseline();
    void dropAwaitedBaseline();

    const RunLine& lineAt(const QModelIndex& index) const { return lines_[static_cast<std::size_t>(index.row())]; }
    static QString keyOf(const RunLine& line) {
        return QString::fromUtf8(line.key.data(), static_cast<qsizetype>(line.key.size()));
    }
    const RunRowPtr& rowAt(const RunLine& line) const { return list_->rows[static_cast<std::size_t>(line.run)]; }
    const RunFamily& familyAt(const RunLine& line) const {
        return list_->families[static_cast<std::size_t>(line.family)];
    }
    const ShownRun* shownRun(const RunRow& row) const;
    RunCell cellOf(const RunRow& row) const;
    HeadingCell headingOf(const RunLine& line) const;
    QString text(const RunLine& line, int column) const;
    QVariant styleData(const RunLine& line, int role) const;
    bool isPartlyShown(const RunLine& line) const;
    std::optional<double> number(const RunLine& line, int column) const;
    std::optional<double> difference(const RunLine& line, int column) const;
    /// Evidence for a difference to the baseline, seed by seed; nothing where the streams are not the same.
    std::optional<PairedEvidence> evidence(const RunLine& line, int column) const;
    bool isWhole(const RunLine& line, int column) const;
    /// Streams of the runs behind a number.
    std::vector<StreamKey> streamsOf(const RunLine& line, int column) const;
    StreamDoubt doubt(const RunLine& line, int column) const;
    int baselineRole(const RunLine& line) const;
    /// Why there is no difference, or why it must be read with care; empty: it goes without saying.
    QString noDifferenceText(const RunLine& line, int column) const;

    RunSet* store_;
    RunLibrary* library_;
    RunOrder order_;
    Arrangement list_ = std::make_shared<const RunArrangement>();
    std::vector<RunLine> lines_;  ///< of the list; fewer while they come and go one by one
    QString baseline_;
    QString awaited_baseline_;  ///< a restored one that is not listed yet
    Baseline known_baseline_;
    QSet<QString> shown_families_;  ///< keys of headings that the user shows, with all runs that will join them
    QSet<QString> before_;          ///< ids of runs that were there when one of these was shown, or have joined since
    QHash<QString, std::function<void()>> waiting_;  ///< calls that wait until a run is read whole, by id
    QHash<QString, QString> paused_;                 ///< RunCell::paused, by id
    QHash<QString, QDateTime> lost_;                 ///< RunCell::lost, by id
    QTimer minute_;
    Background background_;
};

}  // namespace palimpsest
