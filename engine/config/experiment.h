// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <any>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <typeindex>

#include "engine/config/choices.h"

namespace palimpsest {

// Plain values of one experiment. Names, ranges, defaults, help and sources of every field stand in the *_options.cpp
// beside it, those of a method's options in engine/method_options; the initial values here are overwritten from there.

struct StreamOptions {
    std::string dataset;
    std::string root;              ///< folder of the data set's files; empty: the catalogue's own places
    std::int64_t classes = 0;      ///< procedural data sets only; 0: the data set's own number
    std::int64_t first_class = 0;  ///< fractals only: so many classes are passed over
    std::int64_t sessions = 0;
    std::int64_t disjoint_percent = 0;
    std::int64_t blurry_percent = 0;
    std::string partition;               ///< one of kPartitions
    std::string sampler;                 ///< one of kSamplers
    std::string index_list;              ///< file of an imported stream; relative: to the experiment file's folder
    std::string edits;                   ///< changes to the planned stream, see editList(); empty: none
    std::int64_t train_limit = 0;        ///< 0: all
    std::int64_t test_limit = 0;         ///< 0: all
    std::string normalise = "data-set";  ///< what images are normalised with, see normalisationOf()
    std::string test_crop;   ///< "centre" or "published" (at random), where the published code crops test images
    std::int64_t cache = 0;  ///< megabytes of the disk for pictures kept from run to run; 0: none

    bool isImported() const { return kPartitions.find(partition) == Partition::Imported; }
};

/// Networks whose pretrained weights come with the program; the default first.
inline constexpr std::array<const char*, 2> kEmbeddedBackbones{"palimpsest-stem-vit", "palimpsest-vit"};
inline bool isEmbeddedBackbone(std::string_view name) {
    return std::find(kEmbeddedBackbones.begin(), kEmbeddedBackbones.end(), name) != kEmbeddedBackbones.end();
}

struct BackboneOptions {
    std::string name;
    std::string weights;              ///< "embedded", "random" or a file of weights
    std::int64_t image_size = 0;      ///< pixels a side; 0: the weights' own
    std::int64_t heads = 0;           ///< 0: as the weights say, or width / 64
    std::string activation = "auto";  ///< "auto", "gelu" or "quick-gelu"

    bool isEmbedded() const { return weights == "embedded"; }
    bool isRandom() const { return weights == "random"; }
};

/// The method, and the values of every method's options: one plain struct for each method or for several that share it,
/// declared with its rows in engine/method_options.
class MethodOptions {
public:
    std::string name;

    /// Made with its initial values where nothing was set.
    template <class Options>
    Options& of() {
        std::any& values = values_[typeid(Options)];
        if (!values.has_value()) values = Options{};
        return *std::any_cast<Options>(&values);
    }
    template <class Options>
    const Options& of() const {
        static const Options initial{};
        const auto found = values_.find(typeid(Options));
        return found == values_.end() ? initial : *std::any_cast<Options>(&found->second);
    }

private:
    std::map<std::type_index, std::any> values_;
};

struct MaskOptions {
    std::string name;                      ///< one of kMaskKinds
    std::string evaluation;                ///< "auto" (what the method's official code does), "none" or "seen"
    std::string session_scope = "so-far";  ///< or "whole": which classes the session mask shows
    std::string form = "additive";         ///< one of kMaskForms: what hiding a class does to its logit

    /// Absent for an unknown mask.
    std::optional<MaskKind> kind() const { return kMaskKinds.find(name); }
};

struct InitialSessionOptions {
    std::string prompts;        ///< "none", "naive", "sam", "fam" (those made that way) or a file of prompts
    std::string load = "both";  ///< "both", "general" or "expert": which of its prompts a run begins with
    // Adaptation of the prompts; "other" classes are those out of distribution, which FAM alone needs.
    std::string dataset;  ///< name of one, or a folder of images
    std::int64_t classes = 0;
    std::int64_t other_classes = 0;
    std::int64_t images_per_class = 0;  ///< procedural data sets only
    std::int64_t epochs = 0;
    std::int64_t batch_size = 0;
    std::int64_t updates_per_batch = 0;
    double learning_rate = 0;
    double rho = 0;                ///< 0: FAM 0.1, SAM 0.05
    std::string sign;              ///< "plus" (as published) or "minus" (as in the paper)
    std::string perturb;           ///< "all" or "prompts"
    std::int64_t other_drawn = 0;  ///< other classes at a time
    double resample = 0;           ///< 0..1, chance of new other classes once the present ones are used up
    std::string other_units;       ///< "separate" or "shared"
    std::int64_t sessions = 0;     ///< 1: joint
    std::string augment_prompts;   ///< "both", "expert", "general" or "none"
    std::string augment;           ///< as TrainingOptions::augment

    /// The run begins with prompts that were learned before.
    bool hasPrompts() const { return prompts != "none"; }
};

struct MemoryOptions {
    std::int64_t size = 0;
    std::int64_t batch_size = 0;  ///< 0: as many as arrive, see resolvedMemory
    std::string kind = "auto";    ///< "auto", "reservoir", "balanced" or "uncertainty"
};

struct TrainingOptions {
    std::int64_t batch_size = 0;
    std::int64_t updates_per_batch = 0;
    std::string optimizer;  ///< "adam" or "sgd"
    double learning_rate = 0;
    std::string augment;        ///< "auto", "none", "crop-flip" or "autoaugment"
    std::string augment_scope;  ///< "batch" or "image"
    bool cutmix = false;
    std::int64_t sam_sessions = 0;  ///< that learn with SAM, from the first on
    double sam_rho = 0.05;          ///< how far SAM moves the parameters before it takes the gradient
};

struct EvaluationOptions {
    std::int64_t every_samples = 0;  ///< 0: only at the end of each session
    std::int64_t early_look = 0;     ///< images before the early look; 0: none
    std::int64_t anytime_part = 0;   ///< test images of an evaluation between session ends; 0: all
    std::string session_data;        ///< "first-exposed" or "disjoint": which test classes belong to a session
    std::int64_t checkpoints = 0;    ///< MB they may take in the run's folder; 0: none are kept
};

/// How a run uses a GPU. None of it changes what is computed on the processor.
struct GpuOptions {
    bool graph = false;      ///< replays recorded updates
    std::string adam;        ///< "fused", "foreach" or "plain"
    bool read_late = false;  ///< reads an update's numbers when the next one has been launched
};

struct Experiment {
    std::string name;
    /// Name that an external learner gave itself, as a run has recorded it: no option, and never written.
    std::string program;
    std::int64_t seed = 0;
    std::string device;        ///< "auto", "cpu", "cuda:0", ...
    std::string precision;     ///< "auto", "float32", "tf32" or "bfloat16"
    std::int64_t threads = 0;  ///< 0: all cores
    StreamOptions stream;
    BackboneOptions backbone;
    MethodOptions method;
    MaskOptions mask;
    InitialSessionOptions initial_session;
    MemoryOptions memory;
    TrainingOptions training;
    EvaluationOptions evaluation;
    GpuOptions gpu;
};

/// The memory with the images that an update really draws from it: as many as arrive in a whole batch, unless the
/// experiment says how many.
inline MemoryOptions resolvedMemory(const Experiment& experiment) {
    MemoryOptions memory = experiment.memory;
    if (memory.batch_size == 0) memory.batch_size = experiment.training.batch_size;
    return memory;
}

}  // namespace palimpsest
