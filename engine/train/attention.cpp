// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/attention_record.h"
#include "engine/network/explained_error.h"
#include "engine/record/resumable.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/train/attention_passes.h"
#include "engine/train/recorded_learner.h"
#include "engine/train/run_checkpoints.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

using RecordedPass = std::vector<RecordedAttention>;

/// Ends a loop that only takes over a state.
class NeverLearn : public LoopListener {
public:
    bool mayContinue() override { return false; }
    bool ending() override { return true; }
};

/// `patches`: of the network's own image. Own tokens beyond them and the class token are prompts right behind that.
BlockAttention blockOf(const RecordedAttention& recorded, std::int64_t patches) {
    const Tensor shares = recorded.shares.select(0, 0).to(at::kCPU).to(at::kDouble).contiguous();
    const double* share = shares.data_ptr<double>();
    const std::int64_t between = recorded.own - 1 - patches, all = shares.size(0);
    BlockAttention block;
    block.own = share[0];
    block.prompt_tokens = between + all - recorded.own;
    for (std::int64_t i = 1; i <= between; ++i) block.prompts += share[i];
    for (std::int64_t i = recorded.own; i < all; ++i) block.prompts += share[i];
    for (std::int64_t i = 1 + between; i < recorded.own; ++i) block.patches.push_back(static_cast<float>(share[i]));
    return block;
}

std::vector<BlockAttention> blocksOf(const RecordedPass& pass, std::int64_t patches) {
    std::vector<BlockAttention> blocks;
    for (const RecordedAttention& recorded : pass) blocks.push_back(blockOf(recorded, patches));
    return blocks;
}

bool anyPrompts(const std::vector<BlockAttention>& blocks) {
    return std::ranges::any_of(blocks, [](const BlockAttention& block) { return block.prompt_tokens > 0; });
}

/// Bytes of an image as it was before it was normalised: [1, 3, S, S].
Thumbnail pictureOf(const Tensor& image, const PictureSettings& settings, std::int32_t label) {
    const auto perChannel = [](const std::array<float, 3>& values) {
        return at::tensor({values[0], values[1], values[2]}, at::kFloat).reshape({3, 1, 1});
    };
    const Tensor plain =
        image.select(0, 0).to(at::kCPU).to(at::kFloat) * perChannel(settings.deviation) + perChannel(settings.mean);
    const Tensor bytes = (plain * 255).round().clamp(0, 255).to(at::kByte).permute({1, 2, 0}).contiguous();
    Thumbnail picture;
    picture.size = static_cast<std::int32_t>(bytes.size(0));
    picture.label = label;
    const auto* first = bytes.data_ptr<std::uint8_t>();
    picture.rgb.assign(first, first + bytes.numel());
    return picture;
}

/// The learner of a look at one image.
class ImageLooker : public RecordedLearner {
public:
    using RecordedLearner::RecordedLearner;

    ImageAttention look(const Experiment& experiment, TensorsByName state, std::int64_t image) {
        ImageAttention attention;
        attention.image = image;
        attention.images = std::ssize(images_->test().labels());
        if (image < 0 || image >= attention.images)
            throw inputError("There is no test image " + grouped(image) + "; the data set of this run has " +
                                 counted(attention.images, "test image", "test images") + ", counted from 0.",
                             "Choose a number below " + grouped(attention.images) + ".");
        if (!learner_.setup.vit->shape().isPlain())
            throw inputError(
                "The attention of this run cannot be shown, as its backbone does not answer with a class token "
                "that attends to patches alone.",
                "Choose a run with a plain vision transformer.");
        Method& method = *learner_.method;
        const at::Device device = learner_.compute.device;
        Evaluator evaluator(method, images_->test(), classes_, false, batch_, device);
        NeverLearn never;
        OnlineLoop loop(settings_, method, images_->train(), evaluator, never);
        StateArchive archive(std::move(state), device);
        archive.within("loop", [&] { loop.keepLearned(archive); });
        StopScope::check();
        const std::int64_t wanted[] = {image};
        const ShownImages shown = images_->test().images(wanted);
        if (shown.samples.empty())
            throw inputError("Test image " + grouped(image) + " cannot be read.", "Choose another image.");
        attention.samples_seen = loop.samplesSeen();
        attention.label = images_->test().labels()[static_cast<std::size_t>(image)];
        attention.class_names = data_.class_names;
        attention.picture =
            pictureOf(shown.images,
                      pictureSettings(experiment, data_, {}, learner_.setup.vit->shape().image_size, learner_.compute),
                      attention.label);
        recordAttention(method, shown.images.to(device), attention);
        return attention;
    }
};

}  // namespace

void recordAttention(Method& method, const Tensor& image, ImageAttention& attention) {
    NoGradGuard guard;
    std::vector<RecordedPass> final_passes, query, answer;
    {
        AttentionRecord record;
        method.finalFeatures(image);
        final_passes = record.passes();
    }
    StopScope::check();
    Tensor frozen;
    if (method.usesFrozenFeatures()) {
        AttentionRecord record;
        frozen = method.frozenFeatures(image);
        query = record.passes();
    }
    StopScope::check();
    {
        AttentionRecord record;
        method.beginEvaluation({});
        method.logits(image, frozen);
        answer = record.passes();
    }
    const auto whole = [](const std::vector<RecordedPass>& passes) {
        return !passes.empty() && !passes.back().empty();
    };
    if (!whole(answer) && !whole(query))
        throw inputError("The method of this run answers from the pixels themselves, so no attention is paid.",
                         "Choose a run whose method uses a backbone.");
    const RecordedPass plain = whole(final_passes) ? final_passes.back() : RecordedPass();
    if (plain.empty())
        throw inputError("The method of this run has no pass without prompts.", "Choose a run of another method.");
    const std::int64_t patches = plain.front().own - 1;
    attention.side = std::llround(std::sqrt(static_cast<double>(patches)));
    attention.without = blocksOf(plain, patches);
    attention.with.clear();
    attention.chosen = method.lastSelection();
    if (!whole(answer)) return;
    std::vector<BlockAttention> answered = blocksOf(answer.back(), patches);
    if (anyPrompts(answered)) {
        // What stands among the tokens leaves the network, and its mean is what the head sees.
        attention.answers_from_prompts = answer.back().back().own > plain.back().own;
        attention.with = std::move(answered);
        return;
    }
    attention.learned = true;
    attention.without = std::move(answered);
}

ImageAttention imageAttention(const OptionTable& table, const fs::path& run, std::int64_t image,
                              std::optional<std::int64_t> at) {
    requireOwnWeights(run);
    const Experiment experiment = pinnedExperiment(table, run);
    bool onCpu = true;
    try {
        const CheckpointRecord record = checkpointUpTo(run, neededCheckpoints(run, at), at);
        ImageLooker looker(table, experiment, record.batches, requireSameFacts(run, record), onCpu);
        return looker.look(experiment, savedState(run, record), image);
    } catch (const GivenUp&) {
        throw;
    } catch (...) {
        throw explainedError("the run folder", onCpu);
    }
}

}  // namespace palimpsest
