// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/learner/exchange_place.h"
#include "engine/learner/learner_messages.h"
#include "engine/learner/learner_permit.h"
#include "engine/learner/learner_process.h"
#include "engine/learner/learner_wait.h"

namespace palimpsest {

/// How a learner is started.
struct LearnerStart {
    std::string command;         ///< as method.external_command has it
    double timeout = 60;         ///< seconds for one answer
    std::int64_t memory_mb = 0;  ///< that each of its processes may take for its data; 0: no limit
    std::stop_token stop{};      ///< ends the wait for an answer, and the learner with it
    /// Result of learnerCommand() for `command`, where it is at hand: its files are then not read and hashed again.
    std::optional<LearnerCommand> found{};
    /// Told where an answer takes longer than two seconds; on the thread that waits. May be null.
    LearnerWaitListener waiting{};
    /// What sets the two limits, for sentences that advise to change them.
    std::string timeout_setting = "method.external_timeout", memory_setting = "method.external_memory";
    /// What to do about a learner that fails by itself.
    std::string advice = LearnerProcess::Limits().advice;
};

/// What a learner is told before the stream begins.
struct LearnerBegin {
    std::int64_t classes = 0;
    std::int64_t image_size = 0;  ///< pixels a side, three channels
    std::int64_t width = 0;       ///< of the frozen network's features
    std::int64_t batch_size = 0;  ///< of the stream
    double learning_rate = 0;
    std::uint64_t seed = 1;
    int threads = 1;
    /// Only where the experiment tells sessions.
    std::optional<std::int64_t> sessions{}, samples{};
    std::vector<std::pair<std::string, std::string>> options{};  ///< as learnerSettings() reads them
};

/// One tensor of a batch.
struct LearnerTensor {
    const char* name = "";  ///< "images", "features" or "labels"
    const char* type = "";  ///< "F32" or "I64"
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;  ///< little-endian, contiguous
};

/// What comes with a batch that is to be learned.
struct LearnerBatch {
    std::int64_t update = 0;                ///< from 0, of the same images
    std::int64_t streamed = 0;              ///< images of the stream; those behind them are of the memory
    std::int64_t seen = 0;                  ///< classes that have appeared so far
    std::vector<std::int64_t> visible{};    ///< classes that the mask lets compete, ascending
    std::string hidden = "additive";        ///< or "multiplicative": what hiding does to a logit
    std::optional<std::int64_t> session{};  ///< from 0; only where the experiment tells sessions
};

/// A learner at work: each call is one request and its answer. Throws Error(Run) with one sentence for whatever it does
/// wrong, Error(Input) where the user named or set something wrong, and GivenUp once the StopScope in which it was
/// started is asked to stop; the learner has been ended then. Used by one thread.
class LearnerLink {
public:
    /// Starts it and asks who it is. Throws Error(Input) where the user has not allowed the command.
    explicit LearnerLink(const LearnerStart& start);
    /// Dismisses it.
    ~LearnerLink();
    LearnerLink(const LearnerLink&) = delete;
    LearnerLink& operator=(const LearnerLink&) = delete;

    const LearnerHello& hello() const { return hello_; }
    const LearnerCommand& command() const { return command_; }

    void begin(const LearnerBegin& begin);
    LearnerObserved observe(std::span<const LearnerTensor> tensors, const LearnerBatch& batch);
    /// Fills `logits` [images, classes]; all are finite.
    void predict(std::span<const LearnerTensor> tensors, std::int64_t seen, std::span<float> logits);
    void endSession(std::int64_t session);
    std::string save();
    void load(std::string_view state);
    /// Dismisses it. False where it did not end by itself within five seconds and was killed.
    bool leave();

private:
    class Outbox;
    /// Sends a request and reads its answer, or ends the learner.
    Json ask(const Json& request, const std::string& doing);
    /// What it answers wrongly is a fault of the run, and the end of the learner.
    template <class Work>
    auto orEnd(const Work& work);
    /// The error with what is likely to mend it, where its words tell.
    Error explained(const Error& error) const;
    void readLogits(std::int64_t images, std::span<float> logits);

    LearnerCommand command_;
    std::string memory_advice_;  // empty: nothing limits its memory
    std::string who_;
    ExchangeFolder folder_;
    std::unique_ptr<LearnerProcess> process_;
    LearnerHello hello_;
    std::unique_ptr<Outbox> batches_, tests_;
    std::int64_t classes_ = 0;
};

}  // namespace palimpsest
