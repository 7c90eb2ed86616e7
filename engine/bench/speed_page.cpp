// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/speed_page.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "engine/bench/bench_method.h"
#include "engine/bench/operation_counts.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/kernels/dense.h"
#include "engine/kernels/tile_product.h"
#include "engine/method/dual_prompts.h"
#include "engine/network/compute.h"
#include "engine/network/device_copies.h"
#include "engine/network/device_graph.h"
#include "engine/support/share_work.h"
#include "engine/train/evaluator.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kUsualBatch = 32, kFewImages = 8;
/// Operations of an update that a processor should not be asked for, since a repetition would take many seconds.
constexpr std::int64_t kManyOperations = 1'000'000'000'000;

Compute computeFor(const SpeedSettings& settings, const std::string& precision) {
    return prepareCompute(settings.device, precision, settings.threads);
}

/// Waits for a GPU's work: its results come in the order in which they were asked for.
void waitFor(at::Device device) {
    if (!device.is_cpu()) at::zeros({1}, at::TensorOptions(at::kFloat).device(device)).item<float>();
}

struct Repeats {
    std::size_t least;
    double seconds;        ///< goes on until this much was measured
    double patience = 12;  ///< ends after this much, however few
};

Repeats repeatsFor(const SpeedSettings& settings) {
    return settings.quick ? Repeats{2, 0} : Repeats{5, 1.5};
}

/// Seconds of each repetition, in ascending order, after one that does not count; `prepare` is not measured.
std::vector<double> timed(const Repeats& repeats, at::Device device, const std::function<void()>& prepare,
                          const std::function<void()>& body) {
    std::vector<double> all;
    double sum = 0;
    for (bool first = true; first || all.size() < repeats.least || sum < repeats.seconds; first = false) {
        prepare();
        waitFor(device);
        const auto start = std::chrono::steady_clock::now();
        body();
        waitFor(device);
        const double taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (!first) all.push_back(taken);
        sum += taken;
        if (!all.empty() && sum > repeats.patience) break;
    }
    std::ranges::sort(all);
    return all;
}

void nothing() {}

/// The prompts' passes and the method that learns, on one backbone.
class Stages {
public:
    Stages(const SpeedSettings& settings, const VitShape& shape, const Compute& compute)
        : settings_(settings),
          shape_(shape),
          compute_(compute),
          stream_(compute.device),
          vit_(benchVit(shape, compute.type, compute.device)),
          method_(benchMethod("dualprompt", vit_, settings.adam)),
          prompts_(*vit_, layout_, 1),
          extras_(static_cast<std::size_t>(shape.depth)) {
        if (settings.graph) method_->recordUpdates([device = compute.device] { return makeDeviceGraph(device); });
        for (const std::int64_t i : layout_.general_blocks)
            extras_[static_cast<std::size_t>(i)] += layout_.general_length;
        for (const std::int64_t i : layout_.expert_blocks)
            extras_[static_cast<std::size_t>(i)] += layout_.expert_length;
        const bool large = compute.device.is_cpu() && kUsualBatch * updateOperations(1) > kManyOperations;
        batch_ = settings.batch > 0 ? settings.batch
                 : large            ? std::clamp<std::int64_t>(4 * compute.threads, kFewImages, kUsualBatch)
                                    : kUsualBatch;
        test_images_ = large ? batch_ : evaluationBatch(batch_);
    }

    void measure(const std::function<void(const StageSpeed&)>& onStage) {
        const UpdateInput input = noiseBatch(batch_, shape_.image_size, compute_.device);
        const Tensor index = prompts_.pool().select(method_->frozenFeatures(input.images)).index;
        const auto tell = [&](const char* stage, std::int64_t images, std::int64_t operations,
                              const std::function<void()>& prepare, const std::function<void()>& body) {
            const std::vector<double> times = timed(repeatsFor(settings_), compute_.device, prepare, body);
            onStage({stage, images, operations, static_cast<std::int64_t>(times.size()), times[times.size() / 2],
                     times.front(), times.back()});
        };
        tell("query", batch_, batch_ * forwardOperations(shape_).total(), nothing,
             [&] { method_->frozenFeatures(input.images); });
        Tensor features;
        const auto forward = [&] { features = prompts_.features(input.images, index); };
        tell(
            "forward", batch_, forwardPass(batch_), [&] { features = Tensor(); }, forward);
        const Tensor gradient = at::ones({batch_, shape_.width}, features.options().requires_grad(false));
        tell("backward", batch_, backwardPass(batch_), forward, [&] { features.backward(gradient); });
        features = Tensor();
        {
            NoGradGuard guard;
            const Tensor images = noiseImages(test_images_, shape_.image_size, 2).to(compute_.device);
            const Tensor queries = method_->frozenFeatures(images);
            tell("evaluation", test_images_, forwardPass(test_images_) + test_images_ * head(), nothing,
                 [&] { method_->logits(images, queries); });
        }
        tell("update", batch_, updateOperations(batch_), nothing, [&] { method_->update(input); });
    }

private:
    /// Keys and values of the general prompt and of the pool, once a batch; of a pool larger than the batch, of what
    /// was chosen.
    std::int64_t promptOperations(std::int64_t images) const {
        const auto blocks = [](const std::vector<std::int64_t>& list) {
            return static_cast<std::int64_t>(list.size());
        };
        return keysValuesOperations(
            shape_, blocks(layout_.general_blocks) * layout_.general_length +
                        blocks(layout_.expert_blocks) * layout_.expert_length * std::min(layout_.pool_size, images));
    }
    std::int64_t forwardPass(std::int64_t images) const {
        return images * forwardOperations(shape_, extras_).total() + promptOperations(images);
    }
    std::int64_t backwardPass(std::int64_t images) const {
        return images * backwardOperations(shape_, extras_).total() + promptOperations(images);
    }
    std::int64_t head() const { return headOperations(shape_, kBenchClasses); }
    /// The head's way back has two products: the gradients of its weights and of its input.
    std::int64_t updateOperations(std::int64_t images) const {
        return images * (forwardOperations(shape_).total() + 3 * head()) + forwardPass(images) + backwardPass(images);
    }

    SpeedSettings settings_;
    VitShape shape_;
    Compute compute_;
    ComputeStream stream_;
    PromptLayout layout_;
    std::shared_ptr<Vit> vit_;
    std::shared_ptr<Method> method_;
    DualPrompts prompts_;
    std::vector<std::int64_t> extras_;
    std::int64_t batch_ = 0, test_images_ = 0;
};

}  // namespace

SpeedMachine speedMachine(const SpeedSettings& settings) {
    const Compute compute = computeFor(settings, "float32");
    SpeedMachine machine{{}, compute.deviceName(), compute.threads, libtorchVersion()};
    getloadavg(&machine.load, 1);
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; machine.processor.empty() && std::getline(file, line);)
        if (line.starts_with("model name") && line.find(": ") != std::string::npos)
            machine.processor = line.substr(line.find(": ") + 2);
    return machine;
}

std::vector<std::string> usualPrecisions(const SpeedSettings& settings) {
    const Compute compute = computeFor(settings, "auto");
    if (compute.type == at::kFloat) return {"float32"};
    if (compute.device.is_cuda()) return {"float32", "tf32", "bfloat16"};
    return {"float32", "bfloat16"};
}

Roof measuredRoof(const SpeedSettings& settings, const std::string& precision) {
    constexpr std::int64_t kSmallSide = 512, kLargeSide = 2048, kRows = 64;  // kRows: of a part
    /// Operations a second below which large products would take too long.
    constexpr double kSlow = 1e10;
    const Compute compute = computeFor(settings, precision);
    NoGradGuard guard;
    Roof roof{precision};
    const auto measure = [&](std::int64_t side) {
        const auto raise = [&](double& speed, const std::function<void()>& body) {
            const double seconds = timed(repeatsFor(settings), compute.device, nothing, body).front();
            const double edge = static_cast<double>(side);
            speed = std::max(speed, 2 * edge * edge * edge / seconds);
        };
        const auto factor = [&](std::uint64_t seed) {
            Tensor matrix = at::zeros({side, side});
            Random random(seed);
            fillUniform(matrix, random, -1, 1);
            return matrix.to(compute.device, compute.type);
        };
        const Tensor a = factor(1), b = factor(2);
        Tensor c;
        raise(roof.libtorch, [&] { c = at::mm(a, b); });
        if (!compute.device.is_cpu()) return;
        const auto raiseOwn = [&](const std::function<void(std::int64_t place)>& multiply) {
            raise(roof.own, [&] {
                shareWork(static_cast<std::size_t>(side / kRows), at::get_num_threads(),
                          [&](std::size_t part) { multiply(static_cast<std::int64_t>(part) * kRows * side); });
            });
        };
        if (compute.type == at::kFloat) {
            PackedFactor own(side, side);
            own.pack(b.data_ptr<float>(), false, 0, own.panels());
            raiseOwn([&](std::int64_t place) {
                own.multiply(a.data_ptr<float>() + place, kRows, nullptr, c.data_ptr<float>() + place);
            });
        } else if (hasTileProducts()) {
            const Tensor left = a.to(at::kFloat), right = b.to(at::kFloat);
            Tensor out = at::empty_like(left);
            const auto edge = static_cast<std::size_t>(side);
            const TileFactor own(edge, edge, [&, numbers = right.data_ptr<float>()](std::size_t k, std::size_t n) {
                return numbers[k * edge + n];
            });
            raiseOwn([&](std::int64_t place) {
                own.multiply(kRows, left.data_ptr<float>() + place, edge, out.data_ptr<float>() + place, edge, nullptr,
                             false);
            });
        }
    };
    measure(kSmallSide);
    if (!settings.quick && roof.libtorch > kSlow) measure(kLargeSide);
    return roof;
}

void requireBackbone(const std::string& backbone) {
    backboneKind(backbone);
}

void measureStages(const SpeedSettings& settings, const std::string& backbone, const std::string& precision,
                   const std::function<void(const StageSpeed&)>& onStage) {
    const VitShape& shape = backboneKind(backbone).shape;
    Stages(settings, shape, computeFor(settings, precision)).measure(onStage);
}

}  // namespace palimpsest
