// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Events that a run sent while it learned, as far as its folder recorded them: batch by batch, in their order. The
/// folder does not record the images of a batch, its mask, and which images a memory kept.
class RecordedEvents {
public:
    /// Reads the folder of a run, and writes nothing. `run`: the number that the events bear. Throws Error(Input) when
    /// it is not a run, is still running, or recorded nothing.
    RecordedEvents(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run);

    const RunRecord& record() const { return *record_; }
    /// Sent before all others.
    RunStarted started() const;
    /// Samples seen at each moment that has events, ascending, each once.
    const std::vector<std::int64_t>& moments() const { return moments_; }
    /// Session from 0.
    std::int64_t sessionAt(std::int64_t samplesSeen) const;
    /// Sends all events of a moment. Predictions that cannot be read any more are left out.
    void send(std::size_t moment, RunObserver& observer) const;

private:
    /// Kinds in the order in which a run sends them.
    enum class Kind { Update, Plateau, EarlyLook, Memory, Evaluated, SessionEnded, Change };
    struct Item {
        std::int64_t seen;
        Kind kind;
        std::size_t place;  ///< in the list of its kind
    };
    struct Counts {
        std::int64_t samples_seen = 0;
        std::vector<ClassCount> classes;
    };

    void readUpdates();
    void readPlateaus();
    void readCounts();
    void readEvaluations();
    /// An evaluation with all that is known of its moment.
    void addEvaluation(EvaluationKind kind, const AnytimePoint& point);
    void readSessions();
    void readChanges();
    void arrange();
    const Counts* countsAt(std::int64_t samplesSeen) const;
    MemoryHeld heldAt(const MemoryBalance& balance) const;
    TestClasses predictionsAt(std::int64_t samplesSeen) const;

    std::int64_t run_;
    std::shared_ptr<const RunRecord> record_;
    RunHistory history_;
    RunRecord timed_;  ///< the record, with as many samples as were really seen
    std::vector<Counts> counts_;
    std::vector<UpdateDone> updates_;
    std::vector<PlateauFound> plateaus_;
    std::vector<EarlyLook> early_looks_;
    std::vector<Evaluated> evaluations_;
    std::vector<SessionEnded> sessions_;
    std::vector<ChangeMade> changes_;
    std::vector<Item> items_;
    std::vector<std::int64_t> moments_;
    std::vector<std::size_t> firsts_;  ///< of each moment, in items_
};

}  // namespace palimpsest
