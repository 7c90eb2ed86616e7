// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/experiment_inputs.h"

#include <algorithm>
#include <set>
#include <string>

#include "engine/config/experiment_file.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/method/calibration.h"
#include "engine/method/initial_prompts.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/train/evaluation_batch.h"
#include "engine/train/run_setup.h"

namespace palimpsest {
namespace {

/// Number of classes for the check; network and prompts fit or not whatever it is.
constexpr std::int64_t kSomeClasses = 2;

/// True if the method puts prompts into blocks, or loads some.
bool hasPrompts(const OptionTable& table, const std::string& method) {
    return std::ranges::any_of(
        std::initializer_list<const char*>{"method.g_blocks", "method.prompt_blocks", "initial_session.prompts"},
        [&](const char* key) { return table.find(key)->isReadBy(method); });
}

MethodSetup setupOf(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit) {
    MethodSetup setup = methodSetup(table, experiment, std::move(vit), kSomeClasses);
    // Random features fill memory and fit any network.
    setup.method.of<RandomFeatureOptions>().count = 0;
    return setup;
}

/// Works on the processor, and keeps the last network.
class CheckOnProcessor : public ExperimentCheck {
public:
    explicit CheckOnProcessor(const OptionTable& table) : table_(table) {}

    void check(const Experiment& experiment) override {
        StopScope::check();
        requireNamedFiles(table_, experiment);
        Experiment part = table_.defaults();
        part.backbone = experiment.backbone;
        const std::string backbone = formatExperiment(table_, part);
        if (!vit_ || backbone_ != backbone) {
            // The old network goes first: two large ones may not fit into memory.
            vit_.reset();
            methods_.clear();
            vit_ = std::make_shared<Vit>(
                loadBackbone(experiment.backbone, static_cast<std::uint64_t>(experiment.seed), Compute{}));
            backbone_ = backbone;
        }
        if (!hasPrompts(table_, experiment.method.name)) return;
        // All but the seed and the name, which decide nothing here.
        part = experiment;
        part.seed = 0;
        part.name = table_.defaults().name;
        if (methods_.insert(formatExperiment(table_, part)).second) makeMethod(setupOf(table_, experiment, vit_));
    }

private:
    const OptionTable& table_;
    std::string backbone_;           ///< its options, as an experiment file has them
    std::shared_ptr<Vit> vit_;       ///< made of them
    std::set<std::string> methods_;  ///< found to fit it, likewise
};

}  // namespace

void requireNamedFiles(const OptionTable& table, const Experiment& experiment) {
    requireBackboneFile(experiment.backbone);
    if (readsOption(table, experiment, "initial_session.prompts"))
        initialPrompts(experiment.initial_session, experiment.backbone);
    if (readsOption(table, experiment, "method.calibration_file"))
        requireCalibrationFile(experiment.method.of<CalibrationOptions>());
}

bool learnsOnGpu(const Experiment& experiment) {
    return experiment.device != "cpu" && at::hasCUDA();
}

std::int64_t learningMemory(const Experiment& experiment) {
    // LibTorch and the images read ahead.
    constexpr std::int64_t kProgram = 600'000'000;
    // Floats for a token's way through a block that the gradient needs, in widths of the network; those of its MLP are
    // the most of them.
    constexpr std::int64_t kWidths = 20;
    const VitShape shape = backboneKind(experiment.backbone.name).shape;
    const std::int64_t images = experiment.training.batch_size + resolvedMemory(experiment).batch_size;
    const std::int64_t token = kWidths * shape.width + shape.heads * shape.tokens();
    // An evaluation has its own batch of pictures, of which it keeps one block at a time.
    const std::int64_t tested = evaluationBatch(experiment.training.batch_size);
    const std::int64_t pictures = tested * 3 * shape.image_size * shape.image_size;
    const std::int64_t passes =
        std::max(images * shape.depth * shape.tokens() * token, tested * shape.tokens() * token + pictures);
    // Weights, gradients and the optimiser's two moments, of about 12 D^2 a block.
    const std::int64_t weights = 4 * 12 * shape.depth * shape.width * shape.width;
    return kProgram + 4 * (passes + weights);
}

std::unique_ptr<ExperimentCheck> experimentCheck(const OptionTable& table) {
    return std::make_unique<CheckOnProcessor>(table);
}

}  // namespace palimpsest
