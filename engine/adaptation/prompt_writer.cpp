// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/prompt_writer.h"

#include <utility>

#include "engine/network/compute.h"
#include "engine/network/safetensors.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {

WritePrompts promptsWriter(std::vector<NamedTensor> prompts, std::map<std::string, std::string> metadata,
                           std::int64_t step, const std::filesystem::path& place) {
    metadata["steps"] = std::to_string(step);
    metadata["version"] = PALIMPSEST_VERSION;
    metadata["libtorch"] = libtorchVersion();
    for (auto& [name, tensor] : prompts) {
        tensor = tensor.to(at::kCPU);
        if (!at::isfinite(tensor).all().item<bool>())
            throw runError("The adaptation diverged: " + name + " is no longer finite after step " + grouped(step) +
                               ", so " + place.string() + " was left as it was.",
                           "Lower the learning rate (initial_session.learning_rate) and start again.");
    }
    return [prompts = std::move(prompts), metadata = std::move(metadata)](const std::filesystem::path& file) {
        writeSafetensors(file, prompts, metadata);
    };
}

}  // namespace palimpsest
