// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/run/service_thread.h"
#include "engine/support/error.h"

namespace palimpsest {

/// A check of whether the numbers of a run can be trusted, as it is offered.
struct TrustCheckInfo {
    const char* name;      ///< "batch-size"
    const char* title;     ///< "Test batch size"
    const char* question;  ///< what it asks, in a sentence
};
/// All checks, in the order in which they are carried out.
std::span<const TrustCheckInfo> trustChecks();
/// Throws Error(Input) with the known names.
const TrustCheckInfo& trustCheck(const std::string& name);

enum class TrustColour {
    Green,
    Amber,  ///< nothing is proved: it cannot be decided here, or a difference is worth knowing of
    Red     ///< the numbers must not be trusted
};
const char* toText(TrustColour colour);  ///< "green", "amber", "red"

/// One measured fact behind a verdict.
struct TrustEvidence {
    std::string what, value;  ///< "Images with another prediction", "0 of 2,000"
};

struct TrustVerdict {
    std::string check;  ///< its name
    TrustColour colour = TrustColour::Amber;
    std::string sentence;  ///< result and reason, in plain words; one or more whole sentences
    std::vector<TrustEvidence> evidence;
    std::string cut;     ///< what was left out to save time, in a sentence; empty: nothing
    double seconds = 0;  ///< that the check took
};

/// What to check: a run with its newest checkpoint, or an experiment, which is learned for it.
struct TrustRequest {
    std::filesystem::path run;        ///< empty: none
    Experiment experiment;            ///< where `run` is empty
    std::vector<std::string> checks;  ///< names; empty: all
    bool quick = false;               ///< cuts the stream and the test images of every check
};

struct TrustEnded {
    enum class How { Finished, Stopped, Failed };
    How how = How::Finished;
    std::int64_t green = 0, amber = 0, red = 0;
    std::string error, hint;          ///< Failed only
    ErrorKind kind = ErrorKind::Run;  ///< Failed only: whose fault; decides the exit code
    double seconds = 0;
};

/// Called on the checks' thread, in order; onEnded is the last.
class TrustObserver {
public:
    virtual ~TrustObserver() = default;
    virtual void onChecking(const TrustCheckInfo& /*check*/, std::int64_t /*number*/, std::int64_t /*total*/) {}
    /// The present step of the present check, such as "Learning 128 of 320 images"; a few times a second.
    virtual void onProgress(const std::string& /*detail*/) {}
    virtual void onVerdict(const TrustVerdict&) {}
    virtual void onEnded(const TrustEnded&) = 0;
};

/// A plain function: returns when all checks are done or it was stopped, reports everything to the observer and throws
/// nothing. Stop and abort both end it within a batch; verdicts given by then stand.
using TrustFunction = std::function<void(const TrustRequest&, RunControl&, TrustObserver&)>;

/// One round of checks at a time on a thread of its own.
class TrustService : public ServiceThread {
public:
    explicit TrustService(TrustFunction function) : ServiceThread("check"), function_(std::move(function)) {}

    /// The observer must outlive the checks; what its onEnded() throws is dropped. Only when not busy(); throws
    /// Error(Run) otherwise.
    void start(const TrustRequest& request, TrustObserver& observer);

private:
    TrustFunction function_;
};

}  // namespace palimpsest
