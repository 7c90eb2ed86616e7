// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/calibration.h"
#include "engine/method/class_readout.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/prompts.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// CODA-Prompt (Smith et al., CVPR 2023) as FlyGCL uses it on general streams. A prompt is a weighted sum of the pool's
/// components, weight k = cos(query * attention_k, key_k), in each of the first blocks, appended to the tokens. Every
/// session brings new components, orthogonal to all others; earlier ones still act but learn no more. Loss:
/// cross-entropy; the weight of the orthogonality penalty is 0. It knows where sessions end.
class CodaPrompt : public FrozenBackboneMethod {
public:
    explicit CodaPrompt(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          blocks_(setup.method.of<BlockPromptOptions>().blocks),
          length_(fittedLength(setup.method.of<BlockPromptOptions>().length, kPublishedBlockLength,
                               vit_->shape().tokens())),
          per_session_(std::max<std::int64_t>(
              1, setup.method.of<PromptPoolOptions>().size / std::max<std::int64_t>(1, setup.sessions))),
          published_(setup.method.of<CodaPromptOptions>().published),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          calibration_(setup),
          readout_(setup),
          random_(setup.seed, purpose::kPrompts, 1) {
        requireBlocks(*vit_, blocks_, "CODA-Prompt");
        const std::int64_t pool = setup.method.of<PromptPoolOptions>().size, width = vit_->shape().width;
        requireRoom(pool, width, setup.sessions);
        const auto options = at::TensorOptions(at::kFloat).device(vit_->device());
        prompts_ = at::zeros({blocks_, pool, length_, width}, options);
        keys_ = at::zeros({blocks_, pool, width}, options);
        attention_ = at::zeros({blocks_, pool, width}, options);
        for (Tensor* part : parts()) part->requires_grad_(true);
        beginSession();
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor query = featuresOnce(input.images, input.views);
        const Tensor feature = calibration_.training(features(input.images, query));
        readout_.count(feature, input.units);
        ForwardResult result = plainForward(head_(feature), input);
        result.query = query;
        return result;
    }

    UpdateResult update(const UpdateInput& input) override {
        const UpdateResult result = Method::update(input);
        // One optimiser state serves all components, and its momentum would go on moving those that have learned.
        NoGradGuard guard;
        std::size_t place = 0;
        for (Tensor* part : parts()) part->narrow(1, 0, learning_from_).copy_(learned_[place++]);
        return result;
    }

    void endSession() override { beginSession(); }
    /// Components that are open, and those of them that learn.
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!calibration_.isOff() || !readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{active_, learning_from_, session_};
    }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Tensor feature = noteFeatures(calibration_.evaluation(features(images, frozen)));
        return readout_.isOff() ? head_(feature) : readout_.scores(feature);
    }
    Tensor headRows() const override { return readout_.isOff() ? head_.weight() : readout_.rows(); }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return true; }

    PromptLengths promptLengths() const override { return {{"method.prompt_length", length_}}; }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("");
        all.push_back({"prompts", prompts_});
        all.push_back({"keys", keys_});
        all.push_back({"attention", attention_});
        return all;
    }
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> all = calibration_.keptTensors();
        for (const NamedTensor& entry : readout_.keptTensors()) all.push_back(entry);
        return all;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("calibration", [&] { calibration_.keep(archive); });
        archive.within("readout", [&] { readout_.keep(archive); });
        archive("random", random_);
        archive("active", active_);
        archive("learning_from", learning_from_);
        archive("session", session_);
        archive("before", learned_);
    }

private:
    /// A component for each session, and for each component a direction of its own.
    static void requireRoom(std::int64_t pool, std::int64_t width, std::int64_t sessions) {
        const std::string given = "method.pool_size is " + std::to_string(pool) + ", but ";
        if (pool > width)
            throw inputError(given +
                                 "CODA-Prompt draws the components of its pool orthogonal to each other, and a "
                                 "backbone " +
                                 std::to_string(width) + " wide has room for " + std::to_string(width) + ".",
                             "Set method.pool_size to at most " + std::to_string(width) + ".");
        if (pool < sessions)
            throw inputError(given + "CODA-Prompt opens new components of its pool in each of " +
                                 std::to_string(sessions) + " sessions.",
                             "Set method.pool_size to at least " + std::to_string(sessions) + ".");
    }

    std::array<Tensor*, 3> parts() { return {&prompts_, &keys_, &attention_}; }

    /// Opens the session's components; in the sessions after the pool is used up the last ones go on learning.
    void beginSession() {
        ++session_;
        const std::int64_t pool = keys_.size(1);
        if (active_ == pool) return;
        NoGradGuard guard;
        const std::int64_t last = std::min(active_ + per_session_, pool);
        for (Tensor* part : parts())
            for (std::int64_t i = 0; i < blocks_; ++i) fillOrthogonal((*part)[i], active_, last);
        learning_from_ = active_;
        active_ = last;
        learned_.clear();
        for (Tensor* part : parts()) learned_.push_back(part->detach().narrow(1, 0, learning_from_).clone());
    }

    /// Draws rows first..last-1 of `rows` [pool, ...] normal, makes them orthogonal to all before, and of unit length.
    void fillOrthogonal(Tensor rows, std::int64_t first, std::int64_t last) {
        for (std::int64_t k = first; k < last; ++k) {
            Tensor row = at::zeros_like(rows[k]);
            fillNormal(row, random_);
            // Twice: what rounding leaves of the first time.
            for (int pass = 0; pass < 2; ++pass)
                for (std::int64_t j = 0; j < k; ++j) {
                    const Tensor other = rows[j];
                    const double square = other.square().sum().item<double>();
                    if (square > 0) row.sub_(other, (row * other).sum().item<double>() / square);
                }
            const double norm = row.norm().item<double>();
            rows[k].copy_(norm > 0 ? row / norm : row);
        }
    }

    /// The active rows of one block; those of earlier sessions without gradient.
    Tensor activeRows(const Tensor& rows) const {
        if (published_ && session_ > 1) return rows.narrow(0, 0, active_).detach();
        return at::cat(
            {rows.narrow(0, 0, learning_from_).detach(), rows.narrow(0, learning_from_, active_ - learning_from_)});
    }

    Tensor features(const Tensor& images, const Tensor& query) const {
        std::vector<Tensor> extra;
        for (std::int64_t i = 0; i < blocks_; ++i) {
            const Tensor seen = query.unsqueeze(1) * activeRows(attention_[i]).unsqueeze(0);  // [B, k, D]
            const Tensor weights = cosine(seen, activeRows(keys_[i]).unsqueeze(0), 2);
            const Tensor prompt = at::matmul(weights, activeRows(prompts_[i]).flatten(1))
                                      .reshape({images.size(0), length_, vit_->shape().width});
            extra.push_back(vit_->keysValues(i, prompt + vit_->classPosition()));
        }
        return vit_->features(images, extra);
    }

    std::int64_t blocks_, length_, per_session_;
    bool published_;
    LinearHead head_;
    Calibration calibration_;
    ClassReadout readout_;
    Random random_;
    Tensor prompts_;                  // [blocks, pool, length, D]
    Tensor keys_, attention_;         // [blocks, pool, D]
    std::int64_t active_ = 0;         // components in use
    std::int64_t learning_from_ = 0;  // the first of them that learns
    std::int64_t session_ = 0;        // from 1
    std::vector<Tensor> learned_;     // the components before it, as they stay
};

}  // namespace

std::unique_ptr<Method> makeCodaPrompt(const MethodSetup& setup) {
    return std::make_unique<CodaPrompt>(setup);
}

}  // namespace palimpsest
