// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api.h"

#include <ATen/Context.h>
#include <ATen/Version.h>
#include <torch/csrc/api/include/torch/version.h>

#include <list>
#include <mutex>
#include <thread>

#include "datasets/image_dataset.h"
#include "engine/mask/mask_policy.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// Labels of the few data sets looked at last, so that moving a slider reads no file.
class LabelCache {
public:
    std::shared_ptr<const DatasetLabels> get(const Experiment& experiment) {
        const StreamOptions& s = experiment.stream;
        const std::string key = s.dataset + '\n' + s.root + '\n' + std::to_string(s.classes) + '\n' +
                                std::to_string(s.train_limit) + '\n' + std::to_string(s.test_limit);
        const std::lock_guard lock(mutex_);
        for (const auto& [known, labels] : entries_)
            if (known == key) return labels;
        auto labels = experimentLabels(experiment);
        entries_.emplace_front(key, labels);
        if (entries_.size() > kKept) entries_.pop_back();
        return labels;
    }

private:
    static constexpr std::size_t kKept = 8;
    std::mutex mutex_;
    std::list<std::pair<std::string, std::shared_ptr<const DatasetLabels>>> entries_;
};

}  // namespace

Catalogue engineCatalogue() {
    Catalogue catalogue;
    for (const auto& entry : methodList()) catalogue.methods.push_back(entry.choice);
    catalogue.masks = maskChoices();
    for (const auto& info : datasetCatalogue()) catalogue.datasets.push_back({info.name, info.title, info.summary});
    catalogue.backbones = {{"palimpsest-vit", "Palimpsest ViT", "Vision transformer; its weights decide its size."}};
    return catalogue;
}

Laboratory makeLaboratory(const std::filesystem::path& runs) {
    Laboratory laboratory;
    laboratory.catalogue = engineCatalogue();
    laboratory.run = [runs](std::int64_t run, const Experiment& experiment, RunControl& control,
                            RunObserver& observer) {
        runExperiment(run, experiment, {runs, {}}, control, observer);
    };
    laboratory.labels = [cache = std::make_shared<LabelCache>()](const Experiment& experiment) {
        return cache->get(experiment);
    };
    laboratory.datasets = makeDatasetService();
    laboratory.version = PALIMPSEST_VERSION;
    laboratory.device = deviceText();
    return laboratory;
}

std::string deviceText() {
    if (at::hasCUDA())
        return "CUDA, " + std::to_string(at::detail::getCUDAHooks().getNumGPUs()) + " GPU" +
               (at::detail::getCUDAHooks().getNumGPUs() == 1 ? "" : "s");
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    return "CPU, " + std::to_string(cores) + (cores == 1 ? " thread" : " threads");
}

std::string libtorchVersion() { return TORCH_VERSION; }

}  // namespace palimpsest
