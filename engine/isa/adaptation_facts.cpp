// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/isa/adaptation_facts.h"

#include "datasets/checksum.h"
#include "engine/network/weights.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

/// The file of weights counts by its digest, wherever it lies.
bool decides(const Option& option) {
    return option.section() == "initial_session" || option.key == "seed" || option.key == "training.augment_scope" ||
           (option.section() == "backbone" && option.key != "backbone.weights");
}

/// Also what says where to compute, and what makes the network.
bool belongsToCommand(const Option& option, const Experiment& experiment) {
    const bool sharesFiles = experiment.initial_session.dataset == experiment.stream.dataset;
    return decides(option) || option.section() == "backbone" || option.section() == "method" ||
           option.key == "device" || option.key == "precision" || option.key == "threads" ||
           (sharesFiles && (option.key == "stream.dataset" || option.key == "stream.root"));
}

std::string blocksText(const std::vector<std::int64_t>& blocks) {
    std::string text = blocks.size() == 1 ? "in block" : "in blocks";
    for (const std::int64_t block : blocks) text += " " + std::to_string(block);
    return text;
}

/// As a shell takes it for one word.
std::string word(const std::string& text) {
    constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment) {
    AdaptationFacts facts;
    for (const Option& option : table.options())
        if (decides(option)) facts[option.key] = table.text(experiment, option);
    return facts;
}

std::string layoutText(const PromptLayout& layout) {
    std::string text;
    if (!layout.general_blocks.empty())
        text += std::to_string(layout.general_length) + " general tokens " + blocksText(layout.general_blocks) + "; ";
    if (!layout.expert_blocks.empty())
        text += std::to_string(layout.pool_size) + " prompts of " + std::to_string(layout.expert_length) +
                " expert tokens " + blocksText(layout.expert_blocks) + "; ";
    return text + (layout.form == PromptLayout::Form::Prefix ? "prefix tuning" : "prompt tuning");
}

std::string backboneDigest(const BackboneOptions& options, std::uint64_t seed) {
    if (options.weights == "random") return "random, seed " + std::to_string(seed);
    const std::filesystem::path file =
        options.weights == "embedded" ? embeddedBackboneFile() : std::filesystem::path(options.weights);
    const auto checksum = fileChecksum(file, DigestKind::Sha256, {}, StopScope::token());
    if (!checksum) throw GivenUp();
    return checksum->text();
}

std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file) {
    const Experiment usual = table.defaults();
    std::string command = "palimpsest-cli isa default --out " + word(file.filename().string());
    for (const Option& option : table.options()) {
        const std::string value = table.text(experiment, option);
        if (belongsToCommand(option, experiment) && value != table.text(usual, option))
            command += " --set " + word(option.key + "=" + value);
    }
    return command;
}

}  // namespace palimpsest
