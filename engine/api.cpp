// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api.h"

#include <condition_variable>
#include <list>
#include <mutex>
#include <utility>

#include "engine/inputs/opencv_threads.h"
#include "engine/inputs/replay_stream.h"
#include "engine/method_options/external_options.h"
#include "engine/support/calm_threads.h"
#include "engine/support/stop_scope.h"
#include "engine/train/attention.h"
#include "engine/train/mask_lens.h"

namespace palimpsest {
namespace {

/// Labels of the few data sets looked at last, so that moving a slider reads no file. One thread reads at a time; those
/// that wait for it, and the reading itself, end with their StopScope.
class LabelCache {
public:
    std::shared_ptr<const DatasetLabels> get(const Experiment& experiment) {
        const std::string key = trainingSetKey(experiment) + '\n' + std::to_string(experiment.stream.test_limit);
        std::unique_lock lock(mutex_);
        std::shared_ptr<const DatasetLabels> kept;
        const auto mayGoOn = [&] {
            kept = find(key);
            return kept || !reading_;
        };
        if (!wake_.wait(lock, StopScope::token(), mayGoOn)) throw GivenUp();
        if (kept) return kept;
        const int forgotten = forgotten_;
        const Turn turn(*this, lock);
        auto labels = experimentLabels(experiment);
        lock.lock();
        if (forgotten == forgotten_) entries_.emplace_front(key, labels);
        if (entries_.size() > kKept) entries_.pop_back();
        return labels;
    }

    void forget() {
        const std::lock_guard lock(mutex_);
        ++forgotten_;
        entries_.clear();
    }

private:
    std::shared_ptr<const DatasetLabels> find(const std::string& key) const {
        for (const auto& [known, labels] : entries_)
            if (known == key) return labels;
        return nullptr;
    }

    /// Reads with the lock open, and lets the next one in, whatever happens.
    class Turn {
    public:
        Turn(LabelCache& cache, std::unique_lock<std::mutex>& lock) : cache_(cache), lock_(lock) {
            cache_.reading_ = true;
            lock_.unlock();
        }
        ~Turn() {
            if (!lock_.owns_lock()) lock_.lock();
            cache_.reading_ = false;
            cache_.wake_.notify_all();
        }
        Turn(const Turn&) = delete;
        Turn& operator=(const Turn&) = delete;

    private:
        LabelCache& cache_;
        std::unique_lock<std::mutex>& lock_;
    };

    static constexpr std::size_t kKept = 8;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool reading_ = false;
    int forgotten_ = 0;  // how often; what was read before is not kept
    std::list<std::pair<std::string, std::shared_ptr<const DatasetLabels>>> entries_;
};

}  // namespace

void prepareProgram() {
    fixCublasWorkspace();
    keepOpenCvToItsCaller();
}

Laboratory makeLaboratory(const std::filesystem::path& runs) {
    Laboratory laboratory;
    laboratory.catalogue = engineCatalogue();
    laboratory.run = [runs](std::int64_t run, const Experiment& experiment, RunControl& control,
                            RunObserver& observer) {
        runExperiment(run, experiment, FreshRun{runs}, control, observer);
    };
    laboratory.resume = resumeRun;
    laboratory.fork = [runs](std::int64_t run, const std::filesystem::path& parent, std::int64_t at,
                             const Experiment& experiment, RunControl& control, RunObserver& observer) {
        runExperiment(run, experiment, ForkedRun{runs, {}, parent, at}, control, observer);
    };
    laboratory.adapt = adaptPrompts;
    laboratory.trust = [](const TrustRequest& request, RunControl& control, TrustObserver& observer) {
        checkTrust(request, control, observer);
    };
    const auto cache = std::make_shared<LabelCache>();
    laboratory.labels = [cache](const Experiment& experiment) { return cache->get(experiment); };
    laboratory.inputs = [](const Experiment& experiment) {
        const OptionTable table(engineCatalogue());
        requireNamedFiles(table, experiment);
        return namedLearner(table, experiment);
    };
    laboratory.forget_labels = [cache] { cache->forget(); };
    laboratory.mask_lens = [](const std::filesystem::path& run, std::optional<std::int64_t> at, std::stop_token stop) {
        const StopScope scope(std::move(stop));
        const OptionTable table(engineCatalogue());
        return std::make_shared<const MaskLens>(maskLens(table, run, at));
    };
    laboratory.attention = [](const std::filesystem::path& run, std::int64_t image, std::optional<std::int64_t> at,
                              std::stop_token stop) {
        const StopScope scope(std::move(stop));
        const OptionTable table(engineCatalogue());
        return std::make_shared<const ImageAttention>(imageAttention(table, run, image, at));
    };
    laboratory.replay_stream = replayStream;
    laboratory.datasets = makeDatasetService();
    laboratory.backbones = makeBackboneService();
    laboratory.version = PALIMPSEST_VERSION;
    laboratory.engine = engineFacts;
    return laboratory;
}

}  // namespace palimpsest
