// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_state.h"

#include <array>
#include <charconv>

#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

constexpr const char* kMark = "palimpsest-adaptation-state";
constexpr const char* kVersion = "1";
constexpr const char* kFact = "fact: ";
constexpr const char* kExposed = "adaptation.exposed";
constexpr const char* kLearner = "learner.";

struct Counter {
    const char* name;
    std::int64_t& (*field)(AdaptationState&);
};
constexpr std::array<Counter, 7> kCounters = {{
    {"step", [](AdaptationState& s) -> std::int64_t& { return s.step; }},
    {"samples_seen", [](AdaptationState& s) -> std::int64_t& { return s.samples_seen; }},
    {"threads", [](AdaptationState& s) -> std::int64_t& { return s.threads; }},
    {"other.draw", [](AdaptationState& s) -> std::int64_t& { return s.other.draw; }},
    {"other.passes", [](AdaptationState& s) -> std::int64_t& { return s.other.passes; }},
    {"other.next", [](AdaptationState& s) -> std::int64_t& { return s.other.next; }},
    {"other.batches", [](AdaptationState& s) -> std::int64_t& { return s.other.batches; }},
}};

Error noState(const std::filesystem::path& file) {
    return inputError("The file " + file.string() + " is no state of an adaptation that can be resumed.",
                      "Start anew, without resuming.");
}

bool readCounter(const std::string& text, std::int64_t& value) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end && value >= 0;
}

std::string valueIn(const AdaptationFacts& facts, const std::string& key) {
    const auto found = facts.find(key);
    return found == facts.end() ? "not there" : found->second.empty() ? "empty" : found->second;
}

}  // namespace

void writeAdaptationState(const std::filesystem::path& file, const AdaptationState& state) {
    std::map<std::string, std::string> metadata = {{kMark, kVersion}};
    AdaptationState copy = state;
    for (const Counter& counter : kCounters) metadata[counter.name] = std::to_string(counter.field(copy));
    for (const auto& [key, value] : state.facts) metadata[kFact + key] = value;
    std::vector<NamedTensor> tensors = {{kExposed, at::tensor(state.exposed, at::kLong)}};
    for (const auto& [name, tensor] : state.learner) tensors.push_back({kLearner + name, tensor});
    writeSafetensors(file, tensors, metadata);
}

AdaptationState readAdaptationState(const std::filesystem::path& file) {
    std::error_code unreadable;
    if (!std::filesystem::exists(file, unreadable))
        throw inputError("There is no " + file.string() + " to go on from.", "Start without resuming.");
    const TensorFile content = [&] {
        try {
            return readSafetensors(file);
        } catch (const Error& error) {
            // Replaces the reader's advice to download the file, which is not available for download.
            throw Error(error.kind(), error.what(), "Start anew, without resuming.");
        }
    }();
    const auto mark = content.metadata.find(kMark);
    const Tensor* const exposed = content.find(kExposed);
    if (mark == content.metadata.end() || mark->second != kVersion || !exposed || exposed->dim() != 1 ||
        exposed->scalar_type() != at::kLong)
        throw noState(file);
    AdaptationState state;
    for (const Counter& counter : kCounters) {
        const auto found = content.metadata.find(counter.name);
        if (found == content.metadata.end() || !readCounter(found->second, counter.field(state))) throw noState(file);
    }
    const std::string fact = kFact, learner = kLearner;
    for (const auto& [key, value] : content.metadata)
        if (key.starts_with(fact)) state.facts[key.substr(fact.size())] = value;
    state.exposed.assign(exposed->data_ptr<std::int64_t>(), exposed->data_ptr<std::int64_t>() + exposed->numel());
    for (const auto& [name, tensor] : content.tensors)
        if (name.starts_with(learner)) state.learner[name.substr(learner.size())] = tensor;
    return state;
}

void requireSameAdaptation(const std::filesystem::path& file, const AdaptationFacts& saved,
                           const AdaptationFacts& now) {
    AdaptationFacts keys = saved;
    keys.insert(now.begin(), now.end());
    std::string differences;
    for (const auto& [key, ignored] : keys) {
        const std::string there = valueIn(saved, key), here = valueIn(now, key);
        if (there != here) differences += (differences.empty() ? "" : "; ") + key + " was " + there + " and is " + here;
    }
    if (!differences.empty())
        throw inputError("The state " + file.string() + " belongs to another adaptation: " + differences + ".",
                         "Give the same experiment, or start anew without resuming.");
}

void requireStepToCome(const std::filesystem::path& file, std::int64_t step, std::int64_t steps) {
    if (step < 1 || step >= steps)
        throw inputError(
            "The state " + file.string() + " was saved after step " + grouped(step) + " of " + grouped(steps) + ".",
            "Start anew, without resuming.");
}

AdaptationStateFile::AdaptationStateFile(std::filesystem::path file) : file_(std::move(file)) {
    checkWritable(file_);
    std::error_code unreadable;
    if (std::filesystem::exists(file_, unreadable)) before_ = readTextFile(file_);
}

void AdaptationStateFile::write(const AdaptationState& state) {
    writeAdaptationState(file_, state);
    written_ = true;
}

void AdaptationStateFile::restorePrevious() {
    if (!std::exchange(written_, false)) return;
    if (before_)
        replaceTextFile(file_, *before_, Keep::OnDiskWithName);
    else
        remove();
}

void AdaptationStateFile::remove() {
    std::error_code gone;
    std::filesystem::remove(file_, gone);
}

}  // namespace palimpsest
