// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/library/run_row.h"
#include "engine/record/run_folder.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

namespace palimpsest {

class OptionTable;

/// The two kinds of a run's points.
enum class CurveKind { Anytime, Retention };

/// Facts that are known when a run begins or its folder is read, and that do not change while its points come.
struct ShownRunFacts {
    QString name;                              ///< of the experiment
    Experiment experiment;                     ///< as it began, before any changes
    ClassNames class_names;                    ///< by raw label
    PromptLengths prompt_lengths;              ///< empty: it has no prompts, or they are not known
    std::int64_t total_samples = 0;            ///< of the stream
    std::vector<std::int64_t> session_starts;  ///< samples seen when each session begins
    std::string fingerprint;                   ///< of its stream; empty: not known
    std::string started;                       ///< ISO 8601, UTC; empty: not known
    QString parent;                            ///< id of the run it branched off, which may not be here; else empty
    std::int64_t forked_at = 0;                ///< samples seen there
    std::string dataset;                       ///< of an imported run in its program's words; empty: not known
    bool measures_area = true;                 ///< false: imported from a program that has no A_AUC
    bool imported = false;                     ///< results of another program: of its settings only the name is known

    std::int64_t sessions() const;
};

/// Points of a run, which are only ever appended. Accuracies are fractions.
class RunPoints {
public:
    /// The record of A_AUC, in order of samples seen.
    const std::vector<AnytimePoint>& anytime() const { return anytime_; }
    /// Early looks, which no number counts.
    const std::vector<AnytimePoint>& early() const { return early_; }
    /// Evaluations at the end of a session; not part of A_AUC.
    const std::vector<AnytimePoint>& sessionEnds() const { return session_ends_; }
    /// Accuracy on each session after it and after later ones, by session; without those that have no test data.
    const std::map<std::int64_t, std::vector<RetentionPoint>>& retention() const { return retention_; }
    /// The same of one session, in the order in which the points came; empty without test data.
    const std::vector<RetentionPoint>& retentionOf(std::int64_t session) const;
    /// Images seen at the last evaluation.
    std::int64_t samplesSeen() const { return samples_seen_; }
    /// Images learned; as many as samplesSeen() or more.
    std::int64_t learned() const { return learned_; }
    /// Mean of the anytime accuracies up to `samples` seen images; absent without any.
    std::optional<double> areaUpTo(std::int64_t samples) const;
    /// Number of evaluations of both kinds.
    std::size_t evaluations() const { return anytime_.size() + session_ends_.size(); }
    /// Number of a record's retention points that were appended, those without test data included.
    std::size_t retentionRead() const { return retention_read_; }

    void addEvaluation(EvaluationKind kind, const AnytimePoint& point);
    void addEarlyLook(const AnytimePoint& point);
    void addRetention(const RetentionPoint& point);
    void addSeen(std::int64_t samples);
    void addLearned(std::int64_t samples);
    /// Appends what a longer record of the same run adds. False, and nothing done, if the record has fewer points.
    bool append(const RunRecord& record);

private:
    std::vector<AnytimePoint> anytime_, session_ends_, early_;
    std::map<std::int64_t, std::vector<RetentionPoint>> retention_;
    std::int64_t samples_seen_ = 0, learned_ = 0;
    std::size_t retention_read_ = 0;
    mutable std::vector<double> area_sums_;  ///< of the first anytime accuracies, as far as areaUpTo() needed them
};

/// Appearance of a run in the plots and in the list of runs. It outlives the run's points.
struct RunDisplay {
    bool visible = false;
    bool selected = false;  ///< drawn solid and thick; one run at most
    bool chosen = false;    ///< made visible by the user, not only because it was started
    bool ticked = false;    ///< likewise, and with others that are shown: by its dot in the list
    int style = 0;          ///< index of dash and marker (curve_style.h); stays the run's own
    int hue = 0;            ///< of a compared run (curve_style.h): that of its group of seeds, while any is visible
    QColor colour;          ///< chosen by the user; not valid: the usual one
};

/// A run that is, or was, shown in the plots.
struct ShownRun {
    QString id;     ///< the run's folder, or "run-3" when it has none
    QString label;  ///< see RunSet::label()
    std::shared_ptr<const ShownRunFacts> facts = std::make_shared<const ShownRunFacts>();
    std::vector<LiveChange> changes;     ///< made while it went on, in order of samples seen
    std::vector<PlateauPoint> plateaus;  ///< of its loss, in order of samples seen
    std::string seed_group;              ///< the same for runs that differ in nothing but the seed
    RunPoints points;
    RunDisplay display;
    bool live = false;      ///< its events still come in
    bool paused = false;    ///< live, and waiting for the user
    bool growing = false;   ///< another program still writes its folder
    bool finished = false;  ///< learned its whole stream
    int generation = 0;     ///< increased when the points begin anew under the same id
    /// The whole record while it is played back; else null. Then it is live, but nothing learns.
    std::shared_ptr<const RunRecord> replayed;
    RunRowPtr row;  ///< as its folder was read last; null: its events came in, or nothing was read

    /// Images that the evaluations reach: all of the stream once no further one is due.
    std::int64_t reach() const;
    /// Changes that its experiment does not contain: that of a fork contains those before it.
    std::vector<LiveChange> changesOfItsOwn() const { return changesSince(changes, facts->forked_at); }
    bool inProgress() const { return live || growing; }
    /// True while it learns in this program.
    bool learns() const { return live && !replayed; }
    /// A_AUC does not change any more.
    bool areaIsFinal() const { return finished || hasWholeArea(); }

private:
    bool hasWholeArea() const;
};

/// The settings that held while the batch behind `begin` images was learned. Of a fork, only from where it was made.
Experiment settingsAt(const OptionTable& table, const ShownRun& run, std::int64_t begin);

}  // namespace palimpsest
