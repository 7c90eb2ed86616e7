// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/learner/learner_permit.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

// Enough for every session to have some batches, few enough for a minute on two cores with the default preset.
constexpr StreamCut kQuick{320, 200};
constexpr StreamCut kUsual{3200, 1000};
/// Evaluations between session ends of a stream that is cut.
constexpr std::int64_t kLooks = 10;

}  // namespace

void TrustContext::checkEnd() const {
    if (setup_.control.ending()) throw GivenUp();
}

StreamCut TrustContext::shortCut() const {
    return setup_.quick ? kQuick : kUsual;
}

Experiment TrustContext::shortExperiment() const {
    Experiment experiment = setup_.experiment;
    experiment.evaluation.every_samples = std::max(experiment.training.batch_size, shortCut().train / kLooks);
    return experiment;
}

LearnedStream& TrustContext::trained() {
    if (trained_) return *trained_;
    if (no_state_) throw Undecided{*no_state_};
    try {
        StreamCut cut;
        if (setup_.quick) cut = setup_.run.empty() ? kQuick : StreamCut{0, kQuick.test};
        auto stream = std::make_unique<LearnedStream>(LearnedStream::Request{
            setup_.table, setup_.experiment, setup_.parts, setup_.control, cut, false, setup_.progress});
        if (setup_.run.empty())
            stream->learn();
        else
            stream->restore(setup_.run);
        trained_ = std::move(stream);
    } catch (const LearnerRefused&) {
        throw;
    } catch (const Error& error) {
        no_state_ = "There is no trained state to look at: " + error.sentence();
        throw Undecided{*no_state_};
    }
    return *trained_;
}

std::unique_ptr<LearnedStream> TrustContext::learnShort(const Experiment& experiment, const std::string& what,
                                                        bool permuted) const {
    const auto say = [this, what](const std::string& detail) { setup_.progress(what + ": " + detail); };
    auto stream = std::make_unique<LearnedStream>(
        LearnedStream::Request{setup_.table, experiment, setup_.parts, setup_.control, shortCut(), permuted, say});
    stream->learn();
    return stream;
}

}  // namespace palimpsest
