// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <QString>
#include <QTimer>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/metrics/mean_card.h"
#include "ui/runs/run_lines.h"
#include "ui/runs/run_list_change.h"
#include "ui/state/background.h"
#include "ui/state/comparability.h"
#include "ui/state/run_library.h"

namespace palimpsest {

class RunSet;
struct ShownRun;

/// One row a run: those on disk and those that go on now, newest first, or as a person sorts, searches and groups them.
/// Ticking a run shows it in the plots. Long lists are arranged on another thread.
class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    // Plain numbers, as Qt counts columns.
    enum Column {
        Shown = static_cast<int>(RunColumn::Shown),
        Name = static_cast<int>(RunColumn::Name),
        Data = static_cast<int>(RunColumn::Data),
        Method = static_cast<int>(RunColumn::Method),
        Mask = static_cast<int>(RunColumn::Mask),
        Prompts = static_cast<int>(RunColumn::Prompts),
        Memory = static_cast<int>(RunColumn::Memory),
        Images = static_cast<int>(RunColumn::Images),
        Seed = static_cast<int>(RunColumn::Seed),
        AreaUnderCurve = static_cast<int>(RunColumn::AreaUnderCurve),
        DeltaArea = static_cast<int>(RunColumn::DeltaArea),
        LastAccuracy = static_cast<int>(RunColumn::LastAccuracy),
        DeltaLast = static_cast<int>(RunColumn::DeltaLast),
        LastForgetting = static_cast<int>(RunColumn::LastForgetting),
        DeltaForgetting = static_cast<int>(RunColumn::DeltaForgetting),
        Tags = static_cast<int>(RunColumn::Tags),
        Note = static_cast<int>(RunColumn::Note),
        When = static_cast<int>(RunColumn::When),
        kColumns
    };
    enum Role {
        IdRole = Qt::UserRole,  ///< of a heading: its family's key
        SortRole,               ///< numbers and times as such
        PrimaryRole,
        VisibleRole,
        LookRole,      ///< see curve_look.h
        StateRole,     ///< "running", "paused", "finished", "stopped", "failed", "crashed", "imported"
        SoFarRole,     ///< the number may still change, or would have, had the run gone on
        ColourRole,    ///< of a person's choice; not valid: the usual one
        FamilyRole,    ///< how many runs a heading stands for; 0: a run
        OpenRole,      ///< of a heading: its runs are listed
        BelowRole,     ///< stands below a heading
        BetterRole,    ///< of a difference: 1 better, -1 worse, 0 neither
        BaselineRole,  ///< 1: the baseline, 2: one of the runs whose mean it is, 0: neither
        DoubtRole      ///< of a difference: why it is not the method's alone, "other seeds"; else empty
    };
    /// The data of a drag: ids of runs, a line each.
    static constexpr const char* kMimeType = "application/x-palimpsest-runs";
    /// Longer lists are arranged on another thread.
    static constexpr std::size_t kAtOnce = 400;

    RunTableModel(RunSet* store, RunLibrary* library, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
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
    /// A heading stands for its runs.
    QStringList runsAt(const QModelIndex& index) const;
    /// Each once.
    QStringList runsAt(const QModelIndexList& indexes) const;
    RunRowPtr runAt(const QModelIndex& index) const;

    void setQuery(const QString& text);
    void setGrouped(bool grouped);
    bool grouped() const { return order_.grouped; }
    void setHiddenShown(bool shown);
    bool hiddenShown() const { return order_.hidden; }
    /// Lists the runs of a heading, or no longer.
    void toggle(const QString& family);
    /// A run, or the mean of a heading; empty: none.
    void setBaseline(const QString& id);
    const QString& baseline() const { return baseline_; }
    /// Of a heading: the numbers its mean in this column of a metric is of. Else empty.
    SeedNumbers numbersAt(const QModelIndex& index) const;
    /// Of the baseline, in a column of a metric; empty without one.
    SeedNumbers baselineNumbers(int column) const;
    /// A cell of a difference is not of another stream than the baseline's.
    bool comparable(const QModelIndex& index) const;
    /// As it was left when the program was closed: taken up once it is listed, and given up where a look at all folders
    /// has not brought it.
    void restoreBaseline(const QString& id);
    /// What to restore next time.
    const QString& keptBaseline() const { return awaited_baseline_.isEmpty() ? baseline_ : awaited_baseline_; }
    /// Runs that match, and those that would with an empty search.
    int matching() const { return list_->matching; }
    int offered() const { return list_->offered; }
    const std::vector<RunRowPtr>& rows() const { return list_->rows; }

    /// Shows or hides a run; one that is only on disk is handed to the store first.
    void setShown(const QString& id, bool shown);
    void makePrimary(const QString& id);
    /// The same, but such a run gives way when many are shown.
    void showForNow(const QString& id);

Q_SIGNALS:
    /// The list is as asked for, whether it changed or not.
    void arranged();
    void baselineChanged();
    void groupedChanged(bool grouped);

private:
    using Arrangement = std::shared_ptr<const RunArrangement>;
    struct Baseline {
        std::array<std::optional<double>, 3> numbers;   ///< A_AUC, A_Last, F_Last, each of whole streams alone
        QStringList runs;                               ///< ids
        std::array<std::vector<StreamKey>, 3> streams;  ///< of the runs behind each number
        std::array<std::vector<double>, 3> values;      ///< theirs
        std::string kind;                               ///< see kindOf()
        bool operator==(const Baseline&) const = default;
    };

    std::vector<RunRowPtr> allRows() const;
    void rearrange();
    void take(Arrangement fresh, const RunListChange& change);
    void changeFew(Arrangement fresh, const RunListChange& change);
    void refreshAll();
    void refreshRow(const QString& id);
    void withStored(const QString& id, const std::function<void()>& then);
    void takeColours();
    /// Nothing: it is not among these rows.
    std::optional<Baseline> baselineIn(const std::vector<RunRowPtr>& rows, const QString& id) const;
    void updateBaseline();
    void giveUpBaseline();

    const RunLine& lineAt(const QModelIndex& index) const { return lines_[static_cast<std::size_t>(index.row())]; }
    static QString keyOf(const RunLine& line) {
        return QString::fromUtf8(line.key.data(), static_cast<qsizetype>(line.key.size()));
    }
    const RunRowPtr& rowAt(const RunLine& line) const { return list_->rows[static_cast<std::size_t>(line.run)]; }
    const RunFamily& familyAt(const RunLine& line) const {
        return list_->families[static_cast<std::size_t>(line.family)];
    }
    const ShownRun* curvesOf(const RunRow& row) const;
    QString text(const RunLine& line, int column) const;
    QString headingText(const RunFamily& family, int column) const;
    QVariant look(const RunLine& line, int role) const;
    std::optional<double> number(const RunLine& line, int column) const;
    std::optional<double> difference(const RunLine& line, int column) const;
    bool isWhole(const RunLine& line, int column) const;
    /// Of the runs behind a number.
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
    QString awaited_baseline_;  ///< one that is not listed yet
    Baseline known_baseline_;
    QHash<QString, std::function<void()>> waiting_;  ///< what is done once a run is read whole
    QTimer minute_;
    Background background_;
};

}  // namespace palimpsest
