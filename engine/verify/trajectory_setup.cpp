// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/trajectory_setup.h"

#include <algorithm>

#include "engine/support/error.h"
#include "engine/verify/golden_optimizer.h"

namespace palimpsest {
namespace {

/// Optimiser of a case; in CLIB's, the part after "adaptive" belongs to the method itself.
OptimizerSettings optimizerOf(const nlohmann::json& config) {
    const auto words = config.at("optimizer").get<std::string>();
    return parseOptimizer(words.substr(0, words.find(" adaptive")));
}

/// The backbone's tensors that a case trains, if it names them.
std::optional<std::vector<std::string>> trainedBackbone(const TensorFile& golden) {
    if (golden.metadata.count("trainable") == 0) return std::nullopt;
    auto names = metadataJson(golden, "trainable").get<std::vector<std::string>>();
    std::erase_if(names, [](const std::string& name) { return name.rfind("head.", 0) == 0; });
    return names;
}

}  // namespace

GoldenSetup trajectorySetup(const std::filesystem::path& root, const TensorFile& golden, const std::string& method) {
    const auto config = metadataJson(golden, "config");
    const auto flags = config.value("flags", std::vector<std::string>{});
    GoldenSetup setup;
    setup.root = root;
    setup.method = method;
    setup.init_files = metadataJson(golden, "init_files").get<std::vector<std::string>>();
    const bool wholePool =
        std::find(flags.begin(), flags.end(), "--load_pt") != flags.end() && config.value("memory_size", 0) > 0;
    setup.as_published = !wholePool;
    setup.learnable_mask = std::find(flags.begin(), flags.end(), "--learnable_mask") != flags.end();
    setup.optimizer = optimizerOf(config);
    setup.trained = trainedBackbone(golden);
    setup.batch_size = config.value("batch", 0);
    setup.memory_batch = std::max<std::int64_t>(0, config.value("batchsize", 0) - setup.batch_size);
    setup.memory_epochs = config.value("memory_epoch", 0);
    if (method == "clib") setup.memory_size = config.at("memory_size").get<std::int64_t>();
    if (const auto schedule = config.value("scheduler", std::string("constant")); schedule != "constant")
        throw inputError("The learning rate's schedule \"" + schedule + "\" is not understood.",
                         "Use golden files of a version that this program understands.");
    setup.config = config;
    return setup;
}

}  // namespace palimpsest
