// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/experiment_check.h"

#include <algorithm>
#include <set>
#include <string>

#include "engine/config/experiment_file.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/network/weights.h"
#include "engine/support/stop_scope.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/method_setup.h"

namespace palimpsest {
namespace {

/// Number of classes for the check; network and prompts fit or not whatever it is.
constexpr std::int64_t kSomeClasses = 2;

/// Does the method put prompts into blocks, or load some?
bool hasPrompts(const OptionTable& table, const std::string& method) {
    return std::ranges::any_of(
        std::initializer_list<const char*>{"method.g_blocks", "method.prompt_blocks", "initial_session.prompts"},
        [&](const char* key) { return table.find(key)->isReadBy(method); });
}

MethodSetup setupOf(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit) {
    MethodSetup setup = methodSetup(table, experiment, std::move(vit), kSomeClasses);
    // Sums of them fill memory and fit any network.
    setup.method.of<RandomFeatureOptions>().count = 0;
    return setup;
}

}  // namespace

struct RunTrial::Known {
    std::string backbone;           ///< its options, as an experiment file has them
    std::shared_ptr<Vit> vit;       ///< made of them
    std::set<std::string> methods;  ///< found to fit it, likewise
};

RunTrial::RunTrial(const OptionTable& table) : table_(table), known_(std::make_unique<Known>()) {}

RunTrial::~RunTrial() = default;

void RunTrial::check(const Experiment& experiment) {
    StopScope::check();
    requireNamedFiles(table_, experiment);
    Experiment part = table_.defaults();
    part.backbone = experiment.backbone;
    const std::string backbone = formatExperiment(table_, part);
    if (!known_->vit || known_->backbone != backbone) {
        // The old network goes first: two large ones may not fit into memory.
        *known_ = {};
        known_->vit = std::make_shared<Vit>(
            loadBackbone(experiment.backbone, static_cast<std::uint64_t>(experiment.seed), Compute{}));
        known_->backbone = backbone;
    }
    if (!hasPrompts(table_, experiment.method.name)) return;
    // All but the seed and the name, which decide nothing here.
    part = experiment;
    part.seed = 0;
    part.name = table_.defaults().name;
    if (known_->methods.insert(formatExperiment(table_, part)).second)
        makeMethod(setupOf(table_, experiment, known_->vit));
}

}  // namespace palimpsest
