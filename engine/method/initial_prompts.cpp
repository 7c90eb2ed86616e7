// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/initial_prompts.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "engine/method/prompt_files.h"
#include "engine/network/weights.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

bool mayExist(const std::filesystem::path& path) {
    std::error_code unreadable;
    return std::filesystem::exists(path, unreadable) || unreadable;
}

std::string shippedPrompts(const std::string& kind, const BackboneOptions& backbone) {
    const bool other = !isEmbeddedBackbone(backbone.name);
    if (other || !backbone.isEmbedded())
        throw inputError(
            "The prompts \"" + kind + "\" belong to the embedded weights of " + std::string(kEmbeddedBackbones[0]) +
                " or " + std::string(kEmbeddedBackbones[1]) + ", but " +
                (other ? "backbone.name is " + backbone.name : "backbone.weights is " + backbone.weights) + ".",
            "Make prompts for this backbone with `palimpsest-cli isa`, and name their file.");
    const std::filesystem::path file = resourceFolder() / "prompts" / (backbone.name + "-" + kind + ".safetensors");
    if (!mayExist(file))
        throw inputError("The prompts \"" + kind + "\" should lie at " + file.string() + ", but are not there.",
                         "Install the program again, or make prompts with `palimpsest-cli isa` and name their file.");
    return file.string();
}

}  // namespace

std::string initialPrompts(const InitialSessionOptions& options, const BackboneOptions& backbone) {
    const std::string& prompts = options.prompts;
    const std::vector<std::string> words = {"none", "naive", "sam", "fam"};
    if (prompts == words[0]) return prompts;
    if (std::find(words.begin(), words.end(), prompts) != words.end()) return shippedPrompts(prompts, backbone);
    if (mayExist(prompts)) return prompts;
    const std::string near = nearestWord(prompts, words);
    throw inputError("There are no prompts " + prompts + ".",
                     near.empty()
                         ? "Write none, naive, sam, fam or the place of prompts; `palimpsest-cli isa` makes some."
                         : "Did you mean " + near + "?");
}

std::string otherBackboneNote(const std::string& prompts, const BackboneOptions& backbone, std::uint64_t seed) {
    if (prompts == "none") return {};
    const TensorFile file = readPrompts(prompts);
    const auto made = file.metadata.find(kPromptBackboneKey);
    if (made == file.metadata.end() || made->second == backboneDigest(backbone, seed)) return {};
    return "The prompts " + prompts + " were made for other backbone weights than those of this run (" + made->second +
           "), so they may help less than random ones.";
}

std::vector<PromptFacts> promptFacts(const std::filesystem::path& from, const std::filesystem::path& out) {
    const TensorFile file = readPrompts(from);
    std::vector<PromptFacts> all;
    for (const auto& [name, tensor] : file.tensors) {
        PromptFacts facts;
        facts.name = name;
        facts.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
        const Tensor values = tensor.to(at::kDouble);
        const auto count = static_cast<double>(values.numel());
        facts.mean = values.mean().item<double>();
        if (count > 1) facts.deviation = std::sqrt((values - facts.mean).square().sum().item<double>() / (count - 1));
        facts.minimum = values.min().item<double>();
        facts.maximum = values.max().item<double>();
        const Tensor bits = tensor.view(at::kInt);
        Sha256 digest;
        digest.add(std::span(bits.data_ptr<std::int32_t>(), static_cast<std::size_t>(bits.numel())));
        facts.sha256 = digest.hex();
        all.push_back(facts);
    }
    if (!out.empty()) {
        checkWritable(out);
        writeSafetensors(out, file.tensors, file.metadata);
    }
    return all;
}

}  // namespace palimpsest
