// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstring>
#include <stop_token>

#include "engine/checkpoint/state_archive.h"
#include "engine/learner/learner_link.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/external_options.h"
#include "engine/network/thread_count.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// Contiguous values in the processor's memory, of that type.
Tensor externalValues(const Tensor& tensor, at::ScalarType type) {
    return tensor.detach().to(at::kCPU, type).contiguous();
}

LearnerTensor externalTensor(const char* name, const Tensor& values) {
    return {name,
            values.scalar_type() == at::kLong ? "I64" : "F32",
            {values.sizes().begin(), values.sizes().end()},
            {static_cast<const std::byte*>(values.data_ptr()), values.nbytes()}};
}

Tensor bytesOf(std::string_view text) {
    Tensor bytes = at::empty({static_cast<std::int64_t>(text.size())}, at::kByte);
    if (!text.empty()) std::memcpy(bytes.data_ptr(), text.data(), text.size());
    return bytes;
}

std::string textOf(const Tensor& bytes) {
    if (!bytes.defined() || bytes.numel() == 0) return {};
    const Tensor host = externalValues(bytes, at::kByte);
    return {static_cast<const char*>(host.data_ptr()), static_cast<std::size_t>(host.numel())};
}

/// A process of somebody else's that speaks the learner protocol (engine/learner). Its state is a row of bytes, which
/// goes into checkpoints: so a run of it is resumed, forked and looked into like any other.
class External : public FrozenBackboneMethod {
public:
    explicit External(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          classes_(setup.classes),
          tells_sessions_(setup.method.of<ExternalOptions>().sessions),
          link_([&] {
              LearnerStart start = startOf(setup.method.of<ExternalOptions>(), setup.stop);
              start.waiting = [this](const std::optional<LearnerWait>& wait) { tellWait(wait); };
              return start;
          }()) {
        const auto& options = setup.method.of<ExternalOptions>();
        LearnerBegin begin;
        begin.classes = setup.classes;
        begin.image_size = vit_->shape().image_size;
        begin.width = vit_->shape().width;
        begin.batch_size = setup.batch_size;
        begin.learning_rate = setup.learning_rate;
        begin.seed = setup.seed;
        begin.threads = computingThreads();
        if (tells_sessions_) {
            begin.sessions = setup.sessions;
            if (setup.stream_samples > 0) begin.samples = setup.stream_samples;
        }
        begin.options = learnerSettings("method.external_options", options.options);
        link_.begin(begin);
    }

    void beginBatch(const StreamBatch& batch) override {
        streamed_ = batch.samples;
        std::ranges::sort(streamed_);
        update_ = 0;
    }

    UpdateResult update(const UpdateInput& input) override {
        const Tensor labels = externalValues(input.units, at::kLong);
        std::vector<Tensor> kept;
        std::vector<LearnerTensor> tensors = inputTensors(
            input.images, [&] { return featuresOnce(input.images, input.views); }, kept);
        // The widest numbers first, so that all are aligned.
        tensors.insert(tensors.begin(), externalTensor("labels", labels));

        LearnerBatch batch;
        batch.update = update_++;
        batch.streamed = streamedOf(input);
        batch.seen = seen_ = std::max(seen_, input.seen);
        const Tensor mask = externalValues(input.mask, at::kFloat);
        const float* const hides = mask.data_ptr<float>();
        for (std::int64_t unit = 0; unit < mask.numel(); ++unit)
            if (hides[unit] == 0) batch.visible.push_back(unit);
        if (input.form == MaskForm::Multiplicative) batch.hidden = "multiplicative";
        if (tells_sessions_) batch.session = session_;

        const LearnerObserved observed = link_.observe(tensors, batch);
        UpdateResult result;
        result.loss = observed.loss;
        result.accuracy = observed.accuracy;
        return result;
    }

    ForwardResult forward(const UpdateInput& input) override {
        NoGradGuard guard;
        seen_ = std::max(seen_, input.seen);
        return plainForward(
            logits(input.images, link_.hello().takes_features ? featuresOnce(input.images, input.views) : Tensor()),
            input);
    }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        std::vector<Tensor> kept;
        const std::vector<LearnerTensor> tensors = inputTensors(
            images, [&] { return frozen; }, kept);
        Tensor answer = at::empty({tensors.front().shape.front(), classes_}, at::kFloat);
        link_.predict(tensors, seen_, {answer.data_ptr<float>(), static_cast<std::size_t>(answer.numel())});
        return answer.to(vit_->device());
    }

    bool usesFrozenFeatures() const override { return link_.hello().takes_features; }
    bool needsImages() const override { return link_.hello().takes_images; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

    std::optional<ProgramIdentity> program() const override {
        return ProgramIdentity{link_.hello().name, link_.hello().version, link_.command().digest};
    }

    void endSession() override {
        if (tells_sessions_) link_.endSession(session_);
        ++session_;
    }

    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive("session", session_);
        archive("seen", seen_);
        const std::string own = link_.hello().name + "\n" + link_.hello().version;
        Tensor name = bytesOf(own), state = archive.restoring() ? Tensor() : bytesOf(link_.save());
        archive("name", name);
        archive("state", state);
        if (!archive.restoring()) return;
        if (const std::string saved = textOf(name); saved != own)
            throw inputError(
                "The saved state is of the learner " + calledBy(saved) + ", and this one is " + calledBy(own) + ".",
                "Name the program that it began with in method.external_command.");
        link_.load(textOf(state));
    }

private:
    static LearnerStart startOf(const ExternalOptions& options, const std::stop_token& stop) {
        return {options.command, options.timeout, options.memory, stop};
    }

    /// "NAME, version 2" of what keep() writes.
    static std::string calledBy(const std::string& own) {
        const std::size_t end = own.find('\n');
        const std::string version = end == std::string::npos ? "" : own.substr(end + 1);
        return own.substr(0, end) + (version.empty() ? "" : ", version " + version);
    }

    /// What the learner takes of a batch; `kept` holds the values.
    template <class Features>
    std::vector<LearnerTensor> inputTensors(const Tensor& images, const Features& features, std::vector<Tensor>& kept) {
        std::vector<LearnerTensor> tensors;
        if (link_.hello().takes_images) {
            kept.push_back(externalValues(images, at::kFloat));
            tensors.push_back(externalTensor("images", kept.back()));
        }
        if (link_.hello().takes_features) {
            kept.push_back(externalValues(features(), at::kFloat));
            tensors.push_back(externalTensor("features", kept.back()));
        }
        return tensors;
    }

    /// The stream's images come first.
    std::int64_t streamedOf(const UpdateInput& input) const {
        if (input.samples.empty()) return input.units.size(0);
        return std::ranges::find_if_not(
                   input.samples, [&](std::int64_t sample) { return std::ranges::binary_search(streamed_, sample); }) -
               input.samples.begin();
    }

    std::int64_t classes_;
    bool tells_sessions_;
    LearnerLink link_;
    std::vector<std::int64_t> streamed_;  // samples of the present batch, ascending
    std::int64_t update_ = 0;             // of the present batch
    std::int64_t session_ = 0, seen_ = 0;
};

}  // namespace

std::unique_ptr<Method> makeExternal(const MethodSetup& setup) {
    return std::make_unique<External>(setup);
}

}  // namespace palimpsest
