// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <vector>

#include "engine/config/experiment_differences.h"
#include "ui/state/experiment_draft.h"

namespace palimpsest {

/// "Logit mask: batch → none", "2 differences: Logit mask: batch → none; Memory: none → 500 images"; empty without any.
QString differencesText(const std::vector<ExperimentDifference>& differences);

/// The experiment of lane B: that of lane A with the user's changes. A change in A changes B as well,
/// unless B has a value of its own there. Stream, seed and evaluation are always those of A. Whether the two are
/// compared, and what was changed, are steps of A's history.
class LaneDraft : public ExperimentDraft {
    Q_OBJECT
public:
    using Changes = std::map<std::string, OptionValue>;  ///< by key
    struct State {
        bool on = false;  ///< the lanes are compared
        Changes changes;
        bool operator==(const State&) const = default;
    };

    explicit LaneDraft(ExperimentDraft* first, QObject* parent = nullptr);

    /// True for an option that is always the same in both lanes.
    static bool isShared(const QString& key);

    bool on() const { return state_.on; }
    void setOn(bool on);
    /// Begins a comparison with these changes and no others, in one step of the history.
    void begin(const Changes& changes);
    /// A shared option changes in both lanes.
    bool set(const QString& key, const OptionValue& value, int gesture = 0) override;

    const State& state() const { return state_; }
    /// Restores a state without a step of the history. Shared and unknown options are left out.
    void restore(const State& state);

    const ExperimentDraft& first() const { return *first_; }
    const std::vector<ExperimentDifference>& differences() const { return differences_; }
    bool differs(const std::string& key) const;

Q_SIGNALS:
    void onChanged(bool on);
    /// Emitted after the experiment of either lane changed.
    void differencesChanged();

private:
    /// Makes this change with a step of lane A's history.
    void push(const State& after, const QString& what, const QString& key, int gesture);
    void apply(const State& state);
    void rebuild(const QString& key);

    ExperimentDraft* first_;
    State state_;
    std::vector<ExperimentDifference> differences_;
};

}  // namespace palimpsest
