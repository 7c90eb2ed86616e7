// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The engine as programs see it. Nothing here, nor in any header it includes, needs LibTorch, OpenCV or Qt.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/method/prompt_facts.h"
#include "engine/run/adaptation.h"
#include "engine/run/backbone_service.h"
#include "engine/run/dataset_service.h"
#include "engine/run/run_service.h"

namespace palimpsest {

/// Methods, masks, data sets and backbones there are.
Catalogue engineCatalogue();
/// Everything the window needs; runs are written below `runs`.
Laboratory makeLaboratory(const std::filesystem::path& runs);

struct RunPlace {
    std::filesystem::path parent;  ///< a fresh folder is made below
    std::filesystem::path exact;   ///< or exactly this one, when not empty
    /// Or goes on in this one, with its resumableExperiment(), from its newest checkpoint that is whole.
    std::filesystem::path resume{};
    /// Or begins as a fork of another run: with its past, up to the checkpoint at so many samples. The experiment may
    /// differ in mask, memory, evaluation and options of its method and training.
    std::filesystem::path fork{};
    std::int64_t fork_at = 0;
};
/// Runs one experiment on the calling thread: writes the run folder, reports to `observer`, throws nothing.
void runExperiment(std::int64_t run, const Experiment& experiment, const RunPlace& place, RunControl& control,
                   RunObserver& observer);

/// Goes on with the run of a folder, likewise; throws nothing.
void goOnWithRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer);

/// Initial session adaptation: makes the prompts that the experiment's initial_session asks for (an AdaptFunction).
void adaptPrompts(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                  AdaptationObserver& observer);

std::shared_ptr<const DatasetLabels> experimentLabels(const Experiment& experiment);
/// Throws Error(Input) when weights, prompts or a covariance that the experiment names, and that its method reads, are
/// not there. Opens no file.
void requireNamedFiles(const OptionTable& table, const Experiment& experiment);

/// The catalogue's data sets: what is there, how to get the rest, and small pictures of what is there.
std::unique_ptr<DatasetService> makeDatasetService();

/// Backbones that people use, and what a file of weights is.
std::unique_ptr<BackboneService> makeBackboneService();

/// "CPU, 2 threads" or "CUDA, 1 GPU".
std::string deviceText();
std::string libtorchVersion();

enum class CaseResult { Ok, Fail, Todo };
struct VerifiedCase {
    std::string name;
    CaseResult result = CaseResult::Fail;
    double max_abs_error = 0;
    double max_rel_error = 0;
    std::string detail;       ///< why it failed, or which method is still to come
    double of_tolerance = 0;  ///< the largest error as a share of what it may be; above 1: failed
};
/// Number for number against a folder of golden files. Throws Error(Input) when the folder is not understood.
void verifyGolden(const std::filesystem::path& folder, const std::function<void(const VerifiedCase&)>& report);

struct PretrainSettings {
    std::int64_t classes = 300;  ///< fractals
    std::int64_t contour_classes = 500;
    std::int64_t instances = 150;  ///< rendered images a class
    std::int64_t steps = 8000;
    std::int64_t batch_size = 128;
    double learning_rate = 1e-3;
    std::uint64_t seed = 1;
    std::string precision = "auto";
    std::int64_t threads = 0;
    double patch_keep = 0.5;          ///< share of patches kept in each training image
    double augmentation = 1.0;        ///< strength of the affine maps; 0: none, 1: turns up to 20 degrees and the like
    std::filesystem::path from;       ///< weights to go on from; empty: from scratch
    std::int64_t probe_every = 2000;  ///< steps between writing the weights, probed each time; 0: at the end only
    std::int64_t probe_train = 10'000;  ///< Fashion-MNIST images of the linear probe; 0: no probe
    std::int64_t probe_test = 5'000;
    std::filesystem::path out;  ///< .safetensors
};
struct PretrainReport {
    std::int64_t step = 0;
    double loss = 0;
    double accuracy = 0;
    double images_per_second = 0;
    double probe_accuracy = -1;  ///< < 0: not probed at this step
};
/// Formula-driven supervised pretraining of the embedded backbone. `stopping` is asked after every step and, by any
/// thread, while images are rendered; true ends it and keeps what was learned. Returns the steps learned; with 0
/// nothing was written. Throws Error before the training when the place to write or the probe's data set is missing,
/// and in it when the loss is not finite; weights in `out` are never replaced by such ones.
std::int64_t pretrain(
    const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
    const std::function<bool()>& stopping = [] { return false; });
/// Linear probe of backbone weights on Fashion-MNIST (10,000 train, 5,000 test images, standardised features).
double probeBackbone(const std::string& weights);

/// Initial state of the benchmark suite's engine cases: name and a function that runs it `count` times.
struct EngineBenchmark {
    std::string name;
    std::function<void(std::int64_t count)> body;
    std::int64_t images = 0;                   ///< that one of these runs is about; 0: the case does not count images
    std::function<std::int64_t()> bytes = {};  ///< that the last call wrote; not set: it writes nothing
};
std::vector<EngineBenchmark> engineBenchmarks();

}  // namespace palimpsest
