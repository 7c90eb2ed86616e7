// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/run/service_thread.h"

namespace palimpsest {

class OptionTable;

/// Before the first step of an initial session adaptation.
struct AdaptationStarted {
    std::string kind;              ///< "naive", "sam" or "fam"
    std::string data;              ///< "Fractals: 900 classes to learn, 100 others"
    std::int64_t total_steps = 0;  ///< optimiser steps of the whole adaptation
    std::int64_t first_step = 0;   ///< above 0 when it resumes an earlier one
    std::int64_t trainable_parameters = 0;
    std::string device, precision;  ///< as in run.json
    std::vector<std::string> warnings;
};

/// About four times a second, and for the last step.
struct AdaptationProgress {
    std::int64_t step = 0;   ///< 1 after the first
    std::int64_t epoch = 0;  ///< over the present session of the adaptation, from 1
    std::int64_t samples_seen = 0;
    double loss = 0;              ///< of the present step
    double other_loss = 0;        ///< of the perturbing pass; SAM and FAM
    double accuracy = 0;          ///< 0..1, of the present batch
    double steps_per_second = 0;  ///< since the start
};

struct AdaptationEnded {
    enum class How { Finished, Stopped, Failed };
    How how = How::Finished;
    std::filesystem::path file;  ///< the prompts; empty when none were kept: it failed, was aborted or
                                 ///< stopped before its first step
    std::string error, hint;     ///< when it failed
    bool input_error = false;    ///< it failed since its input was wrong
    double seconds = 0;
    std::int64_t step = 0;               ///< steps that are done
    std::int64_t state_step = 0;         ///< step in FILE.state, from which it can resume; 0: none. Below
                                         ///< `step` where a later state could not be saved
    std::int64_t peak_memory_bytes = 0;  ///< of the program; 0: not known
    /// Writes the prompts to another place, where they are done but could not be written to the one that was asked for;
    /// else empty. Takes FILE.state away where they are finished. May be called on any thread, by one at a time.
    /// Throws Error when that fails as well.
    std::function<void(const std::filesystem::path&)> keep_at;
};

/// Called on the adaptation's thread, in order; onEnded is the last.
class AdaptationObserver {
public:
    virtual ~AdaptationObserver() = default;
    virtual void onPreparing(const std::string& /*detail*/) {}
    virtual void onStarted(const AdaptationStarted&) {}
    virtual void onProgress(const AdaptationProgress&) {}
    virtual void onPaused(bool /*paused*/) {}
    /// An image that cannot be read, in a sentence; each is reported once.
    virtual void onImageLeftOut(const std::string& /*text*/) {}
    /// A problem that does not end the adaptation, in whole sentences.
    virtual void onWarning(const std::string& /*text*/) {}
    virtual void onEnded(const AdaptationEnded&) = 0;
};

/// Files of an adaptation, and whether it is resumed.
struct AdaptationPlace {
    std::filesystem::path file;  ///< prompts, .safetensors; beside it FILE.state while it is not finished
    bool resume = false;         ///< resume from FILE.state
};

/// Throws Error(Input) for an experiment whose method takes no prompts.
void requirePromptMethod(const OptionTable& table, const Experiment& experiment);

/// A plain function: returns when it has ended, reports everything to the observer and throws nothing. Stop keeps the
/// prompts as they are and FILE.state to resume from; abort leaves what was there before.
using AdaptFunction = std::function<void(const Experiment&, const AdaptationPlace&, RunControl&, AdaptationObserver&)>;

/// One initial session adaptation at a time on a thread of its own. A step is one more optimiser step.
class AdaptationService : public ServiceThread {
public:
    explicit AdaptationService(AdaptFunction function) : ServiceThread("adaptation"), function_(std::move(function)) {}

    /// The observer must outlive the adaptation; what its onEnded() throws is dropped. Only when not busy(); throws
    /// Error(Run) otherwise.
    void start(const Experiment& experiment, const AdaptationPlace& place, AdaptationObserver& observer);

private:
    AdaptFunction function_;
};

}  // namespace palimpsest
