// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/engine_benchmarks.h"

#include <algorithm>
#include <iterator>

#include "engine/adaptation/prompt_adapter.h"
#include "engine/bench/bench_method.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/network/weights.h"
#include "engine/optim/output_units.h"
#include "engine/support/digest.h"
#include "engine/support/file_io.h"
#include "engine/support/scratch_folder.h"
#include "engine/train/evaluator.h"
#include "engine/train/push_totals.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kBatch = 32, kTestImages = 512;

/// Shape of the network of the paper's experiments.
constexpr VitShape kVitB16{224, 16, 3, 768, 12, 12, 4};

/// Random images: speed does not depend on what they show.
class NoiseTest : public TestSource {
public:
    explicit NoiseTest(std::int64_t count) : images_(noiseImages(count, 32)), labels_(static_cast<std::size_t>(count)) {
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % kBenchClasses);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> rows(samples.begin(), samples.end());
        return {images_.index_select(0, at::tensor(rows, at::kLong)), rows};
    }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

EngineBenchmark trainingStep(const std::string& title, const std::string& name, at::ScalarType type,
                             std::int64_t images = kBatch, const VitShape& shape = {}) {
    struct Step {
        std::shared_ptr<Method> method;
        UpdateInput input;
    };
    // Set up by the first call, since the list is also made just for its names.
    const auto step = std::make_shared<Step>();
    const auto body = [=](std::int64_t count) {
        prepareCompute("cpu", "float32", 0);
        if (!step->method) {
            step->method = benchMethod(name, benchVit(shape, type));
            step->input = noiseBatch(images, shape.image_size);
        }
        for (std::int64_t i = 0; i < count; ++i) step->method->update(step->input);
    };
    return {"training step, " + title, body, images};
}

/// Cost of the pushes of one training step.
EngineBenchmark pushes(std::int64_t images, std::int64_t classes) {
    const auto totals = std::make_shared<PushTotals>();
    const auto body = [=](std::int64_t count) {
        PushedLogits batch;
        batch.masked = at::zeros({images, classes});
        Random random(1);
        fillNormal(batch.masked, random);
        batch.units = at::arange(images) % classes;
        batch.mask = seenMask(classes, classes, at::kCPU);
        for (std::int64_t i = 0; i < count; ++i) totals->add(unitPushes(batch));
    };
    return {"pushes, " + std::to_string(images) + " images, " + std::to_string(classes) + " classes", body, images};
}

void evaluateOnce(std::int64_t count) {
    prepareCompute("cpu", "float32", 0);
    static const auto method = benchMethod("dualprompt", benchVit({}, at::kFloat));
    static NoiseTest source(kTestImages);
    static Evaluator evaluator(*method, source, kBenchClasses, true, 128, at::kCPU);
    ClassRegistry registry;
    registry.expose({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (std::int64_t i = 0; i < count; ++i) evaluator.evaluate(registry, [] { return false; });
}

constexpr std::int64_t kAdaptationBatch = 128, kUnits = 1000;

/// A batch of random images for an adaptation.
PromptAdapter::Batch adaptationBatch(std::int64_t side, std::uint64_t seed) {
    const Tensor images = noiseImages(kAdaptationBatch, side, seed);
    Random random(seed, 1);
    std::vector<std::int64_t> units(kAdaptationBatch);
    for (std::int64_t& unit : units) unit = static_cast<std::int64_t>(random.below(kUnits));
    return {images, at::tensor(units, at::kLong), seenMask(kUnits, kUnits, at::kCPU)};
}

EngineBenchmark adaptationStep(const std::string& name, AdapterSettings::Kind kind) {
    struct Learner {
        explicit Learner(AdapterSettings::Kind kind)
            : vit(loadBackbone({"palimpsest-vit", "embedded"}, 1, prepareCompute("cpu", "float32", 0))),
              adapter(vit, PromptLayout{}, {.kind = kind}, kUnits, 1),
              batch(adaptationBatch(vit.shape().image_size, 1)) {
            if (kind == AdapterSettings::Kind::Fam) other = adaptationBatch(vit.shape().image_size, 2);
        }
        Vit vit;
        PromptAdapter adapter;
        PromptAdapter::Batch batch;
        std::optional<PromptAdapter::Batch> other;
    };
    // Set up by the first call, since the list is also made just for its names.
    const auto learner = std::make_shared<std::unique_ptr<Learner>>();
    return {name,
            [=](std::int64_t count) {
                prepareCompute("cpu", "float32", 0);
                if (!*learner) *learner = std::make_unique<Learner>(kind);
                for (std::int64_t i = 0; i < count; ++i) (*learner)->adapter.step((*learner)->batch, (*learner)->other);
            },
            kAdaptationBatch};
}

/// A method that has learned one batch, so that its optimiser has moments to save.
struct Kept {
    std::shared_ptr<Method> method;
    ScratchFolder folder{"bench"};
    std::int64_t bytes = 0;
};

/// Cost of a checkpoint: hashing the state of a method and its optimiser, and writing it to disk.
EngineBenchmark checkpoint(const std::string& title, const std::string& name, const VitShape& shape = {}) {
    const auto kept = std::make_shared<std::unique_ptr<Kept>>();
    const auto body = [=](std::int64_t count) {
        prepareCompute("cpu", "float32", 0);
        if (!*kept) {
            *kept = std::make_unique<Kept>();
            (*kept)->method = benchMethod(name, benchVit(shape, at::kFloat));
            (*kept)->method->update(noiseBatch(2, shape.image_size));
        }
        const std::filesystem::path file = (*kept)->folder.path() / "state.safetensors";
        for (std::int64_t i = 0; i < count; ++i) {
            StateArchive archive;
            (*kept)->method->keep(archive);
            std::vector<NamedTensor> named;
            for (const auto& [key, tensor] : archive.tensors()) named.push_back({key, tensor});
            stateHash(archive.tensors());
            writeSafetensors(file, named, {}, FilePlace::Named, Keep::OnDisk);
            fileHash(file);
        }
        (*kept)->bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    };
    EngineBenchmark benchmark{"checkpoint, " + title, body};
    benchmark.bytes = [kept] { return *kept ? (*kept)->bytes : 0; };
    return benchmark;
}

}  // namespace

std::vector<EngineBenchmark> engineBenchmarks() {
    std::vector<EngineBenchmark> all = {
        trainingStep("DualPrompt, float32", "dualprompt", at::kFloat),
        trainingStep("DualPrompt, bfloat16", "dualprompt", at::kBFloat16),
        trainingStep("linear probe, float32", "linear-probe", at::kFloat),
        trainingStep("fine-tuning, float32", "finetune", at::kFloat),
        trainingStep("DualPrompt, ViT-B/16 on 4 images of 224, float32", "dualprompt", at::kFloat, 4, kVitB16),
        pushes(32, 10),
        pushes(64, 100),
        {"evaluation, DualPrompt, 512 images, float32", evaluateOnce, kTestImages},
        adaptationStep("isa/step_naive", AdapterSettings::Kind::Naive),
        adaptationStep("isa/step_sam", AdapterSettings::Kind::Sam),
        adaptationStep("isa/step_fam", AdapterSettings::Kind::Fam),
        checkpoint("DualPrompt", "dualprompt"),
        checkpoint("fine-tuning", "finetune"),
        checkpoint("DualPrompt, ViT-B/16", "dualprompt", kVitB16),
        checkpoint("fine-tuning, ViT-B/16", "finetune", kVitB16)};
    std::ranges::move(dataBenchmarks(), std::back_inserter(all));
    return all;
}

}  // namespace palimpsest
