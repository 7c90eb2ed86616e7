// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/learner/learner_permit.h"
#include "engine/run/dataset_service.h"
#include "engine/run/engine_facts.h"
#include "engine/run/replay_stream.h"
#include "engine/run/run_service.h"

namespace palimpsest {

class BackboneService;
class CameraService;
struct ImageAttention;
struct MaskLens;

/// Labels and class names of a data set, without its images.
struct DatasetLabels {
    std::string name;   ///< "fashion-mnist"
    std::string title;  ///< "Fashion-MNIST"
    std::vector<std::string> class_names;
    std::vector<std::int32_t> train;
    std::vector<std::int32_t> test;
};

struct AdaptationPlace;
class AdaptationObserver;
struct TrustRequest;
class TrustObserver;

/// Functions and services of the engine that the window calls. The functions may block and may be called from any
/// thread.
struct Laboratory {
    Catalogue catalogue;
    RunFunction run;
    /// Resumes the run of a folder that ended early. May be null.
    std::function<void(std::int64_t run, const std::filesystem::path& folder, RunControl&, RunObserver&)> resume;
    /// Begins an experiment with the past of a run, up to its checkpoint at so many samples. May be null.
    std::function<void(std::int64_t run, const std::filesystem::path& parent, std::int64_t at, const Experiment&,
                       RunControl&, RunObserver&)>
        fork;
    /// Initial session adaptation (adaptation.h). May be null: then there is none.
    std::function<void(const Experiment&, const AdaptationPlace&, RunControl&, AdaptationObserver&)> adapt;
    /// Checks whether the numbers of a run or an experiment can be trusted (trust.h). May be null: then nothing is
    /// checked.
    std::function<void(const TrustRequest&, RunControl&, TrustObserver&)> trust;
    /// Reads (once, then remembers) the labels an experiment would stream, limits applied. Throws Error(Input).
    std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)> labels;
    /// What an experiment names beside its data set: throws Error(Input), as its start would, where weights, prompts or
    /// a program that learns are not there. Returns that program, where its method is one; whether it may be started
    /// is not asked. May be null: then nothing is looked for.
    std::function<std::optional<LearnerCommand>(const Experiment&)> inputs;
    /// Files may have changed: labels are read again when they are next asked for. May be null.
    std::function<void()> forget_labels;
    /// What the next batch would do under each mask (mask_lens.h), for a run's folder at its checkpoint at or before so
    /// many images, the newest with something left to learn where it is absent. Only reads. Throws Error(Input), and
    /// GivenUp once it is asked to stop. May be null: then there is no lens.
    std::function<std::shared_ptr<const MaskLens>(const std::filesystem::path& run, std::optional<std::int64_t> at,
                                                  std::stop_token stop)>
        mask_lens;
    /// How a run's network attends to a test image (attention.h), at its checkpoint at or before so many images, the
    /// newest where it is absent. As mask_lens otherwise. May be null: then attention cannot be seen.
    std::function<std::shared_ptr<const ImageAttention>(const std::filesystem::path& run, std::int64_t image,
                                                        std::optional<std::int64_t> at, std::stop_token stop)>
        attention;
    /// Images for the replay of a run. May be null: then it has none.
    ReplayStreamFinder replay_stream;
    /// May be null: then data sets are neither looked for nor fetched.
    std::shared_ptr<const DatasetService> datasets;
    /// May be null: then files of weights are not looked into.
    std::shared_ptr<const BackboneService> backbones;
    /// May be null: then pictures come from no camera.
    std::shared_ptr<const CameraService> cameras;
    std::string version;  ///< "0.1.0"
    /// What learns here. Takes seconds at first, since it loads what learns. May be null.
    std::function<EngineFacts()> engine;
};

}  // namespace palimpsest
