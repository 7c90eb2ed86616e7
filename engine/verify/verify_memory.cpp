// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/memory/balanced_memory.h"
#include "engine/memory/logit_memory.h"
#include "engine/memory/reservoir_memory.h"
#include "engine/optim/adaptive_rate.h"
#include "engine/optim/output_units.h"
#include "engine/verify/case_check.h"
#include "engine/verify/golden_file.h"
#include "engine/verify/verify_cases.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kLargestSize = 1'000'000;  // far beyond those of the files

using Numbers = std::vector<double>;
using Integers = std::vector<std::int64_t>;

/// Replays recorded draws [low, high, value] of one batch.
class Draws {
public:
    Draws(CaseCheck& check, const nlohmann::json& recorded, std::string batch)
        : check_(check), recorded_(recorded), batch_(std::move(batch)) {}

    SampleMemory::Draw draw() {
        return [this](std::int64_t n) -> std::int64_t {
            if (used_ >= recorded_.size()) {
                check_.fail(batch_ + " draws more numbers than the official code");
                return 0;
            }
            check_.same("upper end of a draw", n, recorded_[used_].at(1).get<std::int64_t>());
            const auto drawn = recorded_[used_++].at(2).get<std::int64_t>();
            if (drawn < 0 || drawn >= n) throw inputError("A draw of " + std::to_string(drawn) + " is out of range.");
            return drawn;
        };
    }
    void finish() {
        check_.same("number of draws", static_cast<std::int64_t>(used_), static_cast<std::int64_t>(recorded_.size()));
    }

private:
    CaseCheck& check_;
    const nlohmann::json& recorded_;
    std::string batch_;
    std::size_t used_ = 0;
};

std::string batchName(std::size_t batch) {
    return "batch " + std::to_string(batch + 1);
}

/// A number of samples, classes or updates.
std::int64_t sizeAt(const nlohmann::json& golden, const char* key) {
    return wholeAt(golden, key, 1, kLargestSize);
}

Integers samplesOf(const nlohmann::json& batch) {
    Integers samples;
    for (const auto& sample : batch) samples.push_back(sample.at(0).get<std::int64_t>());
    return samples;
}

VerifiedCase verifyReservoir(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    ReservoirMemory memory(sizeAt(golden, "memory_size"));
    const auto& batches = golden.at("batches");
    for (std::size_t b = 0; b < batches.size(); ++b) {
        Draws draws(check, golden.at("draws").at(b), batchName(b));
        memory.offer(samplesOf(batches[b]), draws.draw());
        draws.finish();
        check.require(memory.samples() == golden.at("states").at(b).at("indices").get<Integers>(),
                      "the memory differs after " + batchName(b));
    }
    return check.result();
}

/// Verifies a balanced memory. Ours must also work where the official code fails, for a class with a single image.
VerifiedCase verifyBalanced(const nlohmann::json& golden, const std::string& name, BalancedMemory::Leaves leaves) {
    CaseCheck check(name);
    BalancedMemory memory(sizeAt(golden, "memory_size"), leaves);
    ClassRegistry registry;
    const auto &batches = golden.at("batches"), &states = golden.at("states");
    if (!states.is_array() || states.empty()) throw inputError("The case has no states.");
    for (std::size_t b = 0; b < batches.size(); ++b) {
        std::vector<std::int32_t> labels;
        for (const auto& sample : batches[b]) labels.push_back(sample.at(1).get<std::int32_t>());
        registry.expose(labels);
        if (golden.contains("scores_before_batch")) {
            Numbers scores = golden.at("scores_before_batch").at(b).get<Numbers>();
            scores.resize(memory.samples().size());
            memory.setImportance(std::move(scores));
        }
        const Integers samples = samplesOf(batches[b]), units = registry.units(labels);
        if (b >= states.size()) {
            memory.offer(samples, units, [](std::int64_t) { return std::int64_t{0}; });
            check.require(memory.samples().size() == states.back().at("indices").size(),
                          "the memory changes its size in " + batchName(b));
            continue;
        }
        if (golden.contains("draws")) {
            Draws draws(check, golden.at("draws").at(b), batchName(b));
            memory.offer(samples, units, draws.draw());
            draws.finish();
        } else {
            memory.offer(samples, units, [](std::int64_t) { return std::int64_t{0}; });
        }
        check.require(memory.samples() == states[b].at("indices").get<Integers>(),
                      "the memory differs after " + batchName(b));
        check.require(memory.counts() == states[b].at("cls_count").get<Integers>(),
                      "the classes are counted otherwise after " + batchName(b));
    }
    return check.result();
}

VerifiedCase verifyLogitReservoir(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    LogitMemory memory(sizeAt(golden, "buffer_size"), 1);
    constexpr std::int64_t kBatch = 4;  // "5 batches of 4 samples numbered 0..19"
    const auto& states = golden.at("states");
    for (std::size_t b = 0; b < states.size(); ++b) {
        Integers samples(static_cast<std::size_t>(kBatch));
        for (std::int64_t i = 0; i < kBatch; ++i)
            samples[static_cast<std::size_t>(i)] = static_cast<std::int64_t>(b) * kBatch + i;
        Draws draws(check, states[b].at("draws"), batchName(b));
        memory.offer(samples, Integers(samples.size(), 0), draws.draw());
        draws.finish();
        check.require(memory.samples() == states[b].at("content").get<Integers>(),
                      "the memory differs after " + batchName(b));
    }
    return check.result();
}

VerifiedCase verifyImportance(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    for (const auto& call : golden.at("calls")) {
        Numbers importance = call.at("before").get<Numbers>();
        const Integers replayed = call.at("previous_idx").get<Integers>();
        for (const std::int64_t slot : replayed)
            if (slot < 0 || slot >= std::ssize(importance))
                throw inputError("Slot " + std::to_string(slot) + " is not among those before the call.");
        updateImportance(importance, call.at("prev_loss").get<Numbers>(), call.at("loss").get<Numbers>(), replayed,
                         call.at("dropped_idx").get<Integers>());
        const Numbers expected = call.at("after").get<Numbers>();
        check.same("number of slots", static_cast<std::int64_t>(importance.size()),
                   static_cast<std::int64_t>(expected.size()));
        for (std::size_t i = 0; i < std::min(importance.size(), expected.size()); ++i)
            check.near("importance of slot " + std::to_string(i + 1), importance[i], expected[i], 1e-6);
    }
    return check.result();
}

VerifiedCase verifyRate(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    AdaptiveRate rate({.start = golden.at("lr_after").at(0).get<double>(),
                       .step = golden.at("lr_step").get<double>(),
                       .period = sizeAt(golden, "lr_period"),
                       .length = sizeAt(golden, "lr_length")});
    const auto& losses = golden.at("losses");
    constexpr double kRates = 1e-12;
    for (std::size_t i = 0; i < losses.size(); ++i) {
        const std::string which = " after update " + std::to_string(i + 1);
        check.near("rate" + which, rate.next(losses[i].get<Numbers>(), {}), golden.at("lr_after").at(i).get<double>(),
                   kRates);
        const Numbers both = golden.at("high_low_after").at(i).get<Numbers>();
        check.near("higher rate" + which, rate.high(), both.at(0), kRates);
        check.near("lower rate" + which, rate.low(), both.at(1), kRates);
    }
    return check.result();
}

VerifiedCase verifyUncertaintyChoice(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    std::vector<UncertainSample> candidates;
    std::vector<std::string> names, chosen;
    for (const auto& sample : golden.at("samples")) {
        candidates.push_back({static_cast<std::int64_t>(names.size()), sample.at("label").get<std::int64_t>(),
                              sample.at("uncertainty").get<double>()});
        names.push_back(sample.at("file_name").get<std::string>());
    }
    const auto choice =
        spreadByUncertainty(candidates, sizeAt(golden, "memory_size"), sizeAt(golden, "num_class"), [&](std::int64_t) {
            check.fail("a number is drawn although every class has enough images");
            return std::int64_t{0};
        });
    for (const std::int64_t position : choice) chosen.push_back(names[static_cast<std::size_t>(position)]);
    check.require(chosen == golden.at("selected").get<std::vector<std::string>>(), "other images are chosen");
    return check.result();
}

VerifiedCase verifyVotes(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    for (const auto& call : golden.at("calls")) {
        // Vectors hold 1 - logit, so the vote is the lowest.
        Integers votes;
        for (const auto& view : call.at("uncert")) {
            const Numbers values = view.get<Numbers>();
            votes.push_back(std::min_element(values.begin(), values.end()) - values.begin());
        }
        check.near("uncertainty", voteUncertainty(votes), call.at("uncertainty").get<double>(), 1e-6);
    }
    return check.result();
}

VerifiedCase verifyMemoryCase(const nlohmann::json& golden, const std::string& name) {
    const auto what = golden.at("case").get<std::string>();
    const auto begins = [&](const char* start) { return what.rfind(start, 0) == 0; };
    if (begins("er_reservoir")) return verifyReservoir(golden, name);
    if (begins("rm_update") || begins("rainbow_memory_single"))
        return verifyBalanced(golden, name, BalancedMemory::Leaves::Random);
    if (begins("clib_update_loss_history")) return verifyImportance(golden, name);
    if (begins("clib_update") || begins("clib_single"))
        return verifyBalanced(golden, name, BalancedMemory::Leaves::LeastImportant);
    if (begins("clib_adaptive_lr")) return verifyRate(golden, name);
    if (begins("derpp_reservoir")) return verifyLogitReservoir(golden, name);
    if (begins("rm_uncertainty_sampling")) return verifyUncertaintyChoice(golden, name);
    if (begins("rm_variance_ratio")) return verifyVotes(golden, name);
    return caseToDo(name);
}

}  // namespace

std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report) {
    return verifyEachCase(readGolden(json, "memory-decisions-v1"), json, "memory/", "case", report, verifyMemoryCase);
}

}  // namespace palimpsest
