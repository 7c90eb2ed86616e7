// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/library/run_row.h"
#include "engine/record/run_folder.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// Which of a run's points.
enum class CurveKind { Anytime, Retention };

/// Everything the plots know of one run. Accuracies are fractions.
struct ShownRun {
    QString id;                                ///< the run's folder, or "run-3" when it has none
    QString name;                              ///< of the experiment
    QString label;                             ///< see RunSet::label()
    Experiment experiment;                     ///< as it began, before any changes
    ClassNames words;                          ///< of its classes
    std::string seed_group;                    ///< the same for runs that differ in nothing but the seed
    std::string started;                       ///< ISO 8601, UTC; empty: not known
    std::int64_t total_samples = 0;            ///< of the stream
    std::vector<std::int64_t> session_starts;  ///< samples seen when each session begins
    std::string fingerprint;                   ///< of its stream; empty: not known
    QString parent;                            ///< id of the run it branched off, which may not be here; else empty
    std::int64_t forked_at = 0;                ///< samples seen there
    std::vector<LiveChange> changes;           ///< made while it went on, in order of samples seen
    std::vector<AnytimePoint> anytime;         ///< A_AUC's record, in order of samples seen
    std::vector<AnytimePoint> session_ends;    ///< evaluations at the end of a session; not part of A_AUC
    /// Accuracy on each session after it and after later ones, by session; without those that have no test data.
    std::map<std::int64_t, std::vector<RetentionPoint>> retention;
    std::int64_t samples_seen = 0;  ///< at the last evaluation
    std::int64_t learned = 0;       ///< images; as many or more
    bool live = false;              ///< its news still comes in
    bool paused = false;            ///< live, and waiting for a person
    bool growing = false;           ///< another program still writes its folder
    bool finished = false;          ///< learned its whole stream
    bool imported = false;          ///< results of another program: of its settings only the name is known
    /// The whole record while it is played back; else null. Then it is live, but nothing learns.
    std::shared_ptr<const RunRecord> replayed;
    QColor colour;  ///< of a person's choice; not valid: the usual one
    bool visible = false;
    bool selected = false;
    bool chosen = false;         ///< visible by a person's choice, not only because it was started
    int look = 0;                ///< chooses dash and marker (curve_look.h); stays the run's own
    int generation = 0;          ///< grows when the points begin anew under the same id
    std::size_t rows_taken = 0;  ///< of a record's retention
    RunRowPtr row;               ///< as its folder was read last; null: its news came in, or nothing was read
    mutable std::vector<double> area_sums;  ///< of the first anytime accuracies, as far as they were asked for

    /// Mean of the anytime accuracies up to `samples` seen images; absent without any.
    std::optional<double> areaUpTo(std::int64_t samples) const;
    /// Images that the evaluations reach: all of the stream once no further one is due.
    std::int64_t reach() const;
    /// Those from which its experiment differs: a fork's has what was changed before it.
    std::vector<LiveChange> changesOfItsOwn() const { return changesSince(changes, forked_at); }
    bool goesOn() const { return live || growing; }
    /// Learns in this program at this moment.
    bool learns() const { return live && !replayed; }
    /// Nothing more can come into A_AUC.
    bool areaIsFinal() const {
        return finished || (!goesOn() && areaIsWhole(anytime, total_samples, experiment.evaluation.every_samples));
    }
    /// Of one session, in the order in which they came; empty without test data.
    const std::vector<RetentionPoint>& retentionOf(std::int64_t session) const;
    void addRetention(const RetentionPoint& point);
    std::int64_t sessions() const;
};

/// The runs that are, or were, shown in the plots, and their points. No widgets. Points are only ever appended; a run
/// begins anew when its id is added again.
class RunSet : public QObject {
    Q_OBJECT
public:
    explicit RunSet(QObject* parent = nullptr);
    ~RunSet() override;

    /// Titles for methods and data sets in labels.
    void setCatalogue(const Catalogue& catalogue);
    const Catalogue& catalogue() const { return table_.catalogue(); }
    const OptionTable& table() const { return table_; }

    /// Adds a run read from its folder, hidden. News of a live run is never replaced by its half-written record; to a
    /// run that another program still writes, what is new is appended.
    void addRecord(const RunRecord& record);
    void remove(const QString& id);
    /// By a person's choice: what is shown stays until it is hidden again.
    void setVisible(const QString& id, bool visible);
    /// The run that is drawn in full colour, and whose numbers are shown; it becomes visible, by a person's choice. An
    /// unknown id is ignored.
    void select(const QString& id);
    /// The same, but such a run gives way when many are shown.
    void showForNow(const QString& id);
    /// Not valid: the usual one.
    void setColour(const QString& id, const QColor& colour);
    /// What these runs looked like before, for when they come; by id.
    void keepLooks(const QHash<QString, int>& looks) { looks_.insert(looks); }
    /// Of those that were started in this program and have not ended.
    void setPaused(bool paused);

    const ShownRun* find(const QString& id) const;
    const ShownRun* selected() const;
    /// The visible run the selected run is compared with: the one that was shown last. Null when there is none.
    const ShownRun* compared() const;
    /// All visible runs but the selected run, that which was shown last first.
    std::vector<const ShownRun*> others() const;
    /// What a person compares all runs with, in place of that: ids of one run, or of seeds whose mean it is. They need
    /// be neither visible nor known. Empty: nothing was chosen.
    void setBaseline(const QStringList& runs);
    const QStringList& baseline() const { return baseline_; }
    /// In the order in which they came.
    std::vector<const ShownRun*> runs() const;
    /// The selected run first, then in the order in which they came.
    std::vector<const ShownRun*> visibleRuns() const;
    /// What a run is called, told from the other visible ones; see runLabels().
    QString label(const QString& id) const;

    /// What a figure of one run says of itself, after the name of that run: "Batch mask · what is left of sessions".
    QString captionFor(const ShownRun* run, const QString& words) const;

    static QString idOf(const std::string& folder, std::int64_t run);

public Q_SLOTS:
    void onStarted(const palimpsest::RunStarted& event);
    void onProgress(const palimpsest::Progress& event);
    void onEvaluated(const palimpsest::Evaluated& event);
    void onSessionEnded(const palimpsest::SessionEnded& event);
    void onChange(const palimpsest::ChangeMade& event);
    void onEnded(const palimpsest::RunEnded& event);

Q_SIGNALS:
    /// Points were appended to a run.
    void changed(const QString& id, palimpsest::CurveKind kind);
    /// A run has learned more images.
    void progressed(const QString& id);
    /// Runs came or went, or visibility, selection, labels or live changes did.
    void runsChanged();

private:
    ShownRun* findMutable(const QString& id);
    ShownRun* live(std::int64_t run);
    ShownRun& insert(const QString& id);
    bool append(ShownRun& run, const RunRecord& record) const;
    void selectLastShown();
    void show(ShownRun& run);
    void hide(ShownRun& run);
    void markSelected(ShownRun& run);
    void hideOldStarted();
    void relabel();

    OptionTable table_{Catalogue()};
    std::vector<std::unique_ptr<ShownRun>> runs_;
    QHash<qint64, QString> live_ids_;
    QStringList shown_order_;
    QStringList baseline_;
    QString current_;            ///< id of the run that goes on in this program
    QHash<QString, int> looks_;  ///< of all that came, or will come again
};

}  // namespace palimpsest
