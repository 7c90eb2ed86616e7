// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trust/check_trust.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "engine/learner/learner_permit.h"
#include "engine/network/explained_error.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/train/experiment_inputs.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

using Clock = std::chrono::steady_clock;

/// In the order of trustChecks().
constexpr std::array kFunctions = {checkBatchSize, checkOrder,   checkLabels,   checkLooking,
                                   checkSeeds,     checkOverlap, checkPrecision};

double secondsSince(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Positions of the wanted checks, in their usual order. Throws Error(Input) for an unknown one.
std::vector<std::size_t> wantedChecks(const std::vector<std::string>& names) {
    for (const std::string& name : names) trustCheck(name);
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < trustChecks().size(); ++i)
        if (names.empty() || std::find(names.begin(), names.end(), trustChecks()[i].name) != names.end())
            wanted.push_back(i);
    return wanted;
}

/// One verdict. Throws GivenUp, and LearnerRefused: what is not allowed is no fault of the numbers.
TrustVerdict verdictOf(std::size_t check, TrustContext& context) {
    const Clock::time_point begin = Clock::now();
    TrustVerdict verdict;
    try {
        verdict = kFunctions[check](context);
    } catch (const GivenUp&) {
        throw;
    } catch (const LearnerRefused&) {
        throw;
    } catch (const Undecided& undecided) {
        verdict.sentence = undecided.why;
    } catch (...) {
        const Error error = explainedError("the experiment", !learnsOnGpu(context.experiment()));
        verdict.sentence = "It could not be carried out: " + error.sentence();
    }
    verdict.check = trustChecks()[check].name;
    verdict.seconds = secondsSince(begin);
    return verdict;
}

void carryOut(const TrustRequest& request, const TrustParts& parts, RunControl& control, TrustObserver& observer,
              TrustEnded& ended) {
    const OptionTable table(engineCatalogue());
    const std::vector<std::size_t> wanted = wantedChecks(request.checks);
    if (!request.run.empty() && readRunState(request.run) == RecordedState::Imported)
        throw inputError(request.run.string() + " holds the results of another program, which cannot be learned anew.",
                         "Choose a run of this program, or an experiment.");
    const Experiment experiment = request.run.empty() ? request.experiment : pinnedExperiment(table, request.run);
    requireNoProblems(table, experiment);
    TrustContext context({table, experiment, request.run, request.quick, parts, control,
                          [&](const std::string& detail) { observer.onProgress(detail); }});
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        context.checkEnd();
        observer.onChecking(trustChecks()[wanted[i]], static_cast<std::int64_t>(i) + 1, std::ssize(wanted));
        const TrustVerdict verdict = verdictOf(wanted[i], context);
        ++(verdict.colour == TrustColour::Green ? ended.green
           : verdict.colour == TrustColour::Red ? ended.red
                                                : ended.amber);
        observer.onVerdict(verdict);
    }
}

}  // namespace

void checkTrust(const TrustRequest& request, const TrustParts& parts, RunControl& control, TrustObserver& observer) {
    static_assert(kFunctions.size() == 7);
    const Clock::time_point begin = Clock::now();
    TrustEnded ended;
    try {
        carryOut(request, parts, control, observer, ended);
    } catch (const GivenUp&) {
        ended.how = TrustEnded::How::Stopped;
    } catch (...) {
        const Error error = explainedError("the experiment", true);
        ended.how = TrustEnded::How::Failed;
        ended.error = error.what();
        ended.hint = error.hint();
        ended.kind = error.kind();
    }
    ended.seconds = secondsSince(begin);
    observer.onEnded(ended);
}

void checkTrust(const TrustRequest& request, RunControl& control, TrustObserver& observer) {
    checkTrust(request, TrustParts(), control, observer);
}

}  // namespace palimpsest
