// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace palimpsest {

// Plain values of one experiment. Names, ranges, defaults, help and sources of every field stand in
// the *_options.cpp beside it, the only places that declare them; the initialisers below are overwritten from there.

struct StreamOptions {
    std::string dataset;
    std::string root;              ///< folder of the data set's files; empty: the catalogue's own places
    std::int64_t classes = 0;      ///< procedural data sets only; 0: the data set's own number
    std::int64_t first_class = 0;  ///< fractals only: so many classes are passed over
    std::int64_t sessions = 0;
    std::int64_t disjoint_percent = 0;
    std::int64_t blurry_percent = 0;
    std::string partition;         ///< "stochastic", "uniform", "ordered", "one-class" or "imported"
    std::string sampler;           ///< "current" or "older"
    std::string index_list;        ///< file of an imported stream; relative: to the experiment file's folder
    std::string edits;             ///< changes to the planned stream, see editList(); empty: none
    std::int64_t train_limit = 0;  ///< 0: all
    std::int64_t test_limit = 0;   ///< 0: all
    std::int64_t cache = 0;        ///< megabytes of the disk for pictures kept from run to run; 0: none
};

struct BackboneOptions {
    std::string name;
    std::string weights;              ///< "embedded", "random" or a file of weights
    std::int64_t image_size = 0;      ///< pixels a side; 0: the weights' own
    std::int64_t heads = 0;           ///< 0: as the weights say, or width / 64
    std::string activation = "auto";  ///< "auto", "gelu" or "quick-gelu"
};

struct MethodOptions {
    std::string name;
    std::string prompt_selection;  ///< "full-pool", "session-slice" or "as-published" (the official code's slice)
    std::int64_t pool_size = 0;
    std::int64_t g_length = 0;                     ///< prompt tokens a block
    std::int64_t e_length = 0;                     ///< prompt tokens a block
    std::string g_blocks = "0,1";                  ///< rising, or "none"; see blockList()
    std::string e_blocks = "2,3,4";                ///< rising, or "none"; see blockList()
    std::string prompt_form = "tuning";            ///< or "prefix"
    bool shift_and_scale = false;                  ///< the general prompt is scaled and shifted, too
    double lwf_weight = 0.2;                       ///< LwF
    double lwf_temperature = 2;                    ///< LwF
    double derpp_logit_weight = 0.2;               ///< DER++: alpha
    double derpp_replay_weight = 0.5;              ///< DER++: beta
    bool ewc_train_backbone = true;                ///< EWC++, online EWC
    double ewcpp_strength = 100;                   ///< EWC++: lambda
    std::string ewcpp_gradients = "separate";      ///< EWC++: "separate" or "added-up" (as published)
    double ewc_strength = 25;                      ///< online EWC: lambda
    double ewc_decay = 1;                          ///< online EWC: gamma
    std::int64_t rainbow_epochs = 256;             ///< Rainbow Memory: passes over the memory after a session
    std::string rainbow_evaluation = "after";      ///< Rainbow Memory: "after" or "before" those passes
    std::string clib_importance = "as-published";  ///< CLIB: "as-published" (always 0) or "measured"
    double clib_rate_step = 0.95;                  ///< CLIB: ratio of the two learning rates
    std::int64_t clib_rate_period = 10;            ///< CLIB: updates at one of them
    std::int64_t clib_rate_length = 10;            ///< CLIB: periods of each that are compared
    std::int64_t l2p_length = 5;                   ///< tokens of each prompt of the pool
    std::int64_t l2p_selected = 5;                 ///< prompts an image takes
    double l2p_key_weight = 0.5;                   ///< of the mean key distance in the loss; 0: keys do not learn
    bool mvp_mask = true, mvp_contrastive = true, mvp_scaling = true;
    std::string mvp_reinforcement = "batch";  ///< "none", "batch" (as published) or "sample"
    double mvp_alpha = 0.5, mvp_gamma = 2, mvp_margin = 0.5;
    std::int64_t prompt_blocks = 5;      ///< of SinglePrompt, FlyPrompt and CODA-Prompt: the first blocks
    std::int64_t prompt_length = 20;     ///< likewise, tokens a block
    std::string single_head = "cosine";  ///< or "linear"
    double single_temperature = 0.1;
    std::int64_t random_features = 10000;  ///< of FlyPrompt and the analytic head; 0: the features as they are
    std::int64_t fly_experts = 5;
    double fly_ridge = 1e4;
    std::string fly_ensemble = "max";        ///< "max", "mean", "entropy" or "online"
    bool coda_published = false;             ///< prompts learn in the first session only
    std::string analytic_readout = "ridge";  ///< "ridge", "ncm" or "lda"
    double analytic_ridge = 1e5;
    std::string calibration = "none";  ///< "none", "exact" or "as-published"
    std::string calibration_file{};    ///< .safetensors with "covariance" [D, D]
    double calibration_share = 0.5;    ///< of the calibrated feature in the one that the head gets
};

struct MaskOptions {
    std::string name;                      ///< "none", "seen", "batch", "session" or "learnable"
    std::string evaluation;                ///< "auto" (what the method's official code does), "none" or "seen"
    std::string session_scope = "so-far";  ///< or "whole": which classes the session mask shows
    std::string form = "additive";         ///< or "multiplicative": what hiding a class does to its logit
};

struct InitialSessionOptions {
    std::string prompts;        ///< "none", "naive", "sam", "fam" (those made that way) or a file of prompts
    std::string load = "both";  ///< "both", "general" or "expert": which of its prompts a run begins with
    // How prompts are made; "other" classes are those out of distribution, which FAM alone needs.
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
};

struct EvaluationOptions {
    std::int64_t every_samples = 0;  ///< 0: only at the end of each session
    std::string session_data;        ///< "first-exposed" or "disjoint": which test classes belong to a session
    std::int64_t checkpoints = 0;    ///< MB they may take in the run's folder; 0: none are kept
};

struct Experiment {
    std::string name;
    std::int64_t seed = 0;
    std::string device;        ///< "auto", "cpu", "cuda:0", ...
    std::string precision;     ///< "auto", "float32" or "bfloat16"
    std::int64_t threads = 0;  ///< 0: all cores
    StreamOptions stream;
    BackboneOptions backbone;
    MethodOptions method;
    MaskOptions mask;
    InitialSessionOptions initial_session;
    MemoryOptions memory;
    TrainingOptions training;
    EvaluationOptions evaluation;
};

/// The memory with the images that an update really draws from it: as many as arrive in a whole batch, unless the
/// experiment says how many.
inline MemoryOptions resolvedMemory(const Experiment& experiment) {
    MemoryOptions memory = experiment.memory;
    if (memory.batch_size == 0) memory.batch_size = experiment.training.batch_size;
    return memory;
}

}  // namespace palimpsest
