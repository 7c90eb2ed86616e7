// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "datasets/table/image_dataset.h"
#include "engine/adaptation/ood_source.h"
#include "engine/config/experiment.h"
#include "engine/data/stream_source.h"
#include "engine/network/compute.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Images of an initial session adaptation: classes 0..classes - 1 of a data set are learned (in-distribution), the
/// next ones, or those of its companion data set, are the others (out-of-distribution). Samples are chosen by their
/// labels, so no image is ever in both (the official code filters the labels but not the images; MISA,
/// datasets/Imagenet.py).
struct AdaptationData {
    using Samples = std::vector<std::vector<std::int64_t>>;
    ImageDataset dataset;
    std::string place;  ///< the folder or data set, for messages
    std::int64_t classes = 0;
    Samples samples;                                ///< of `dataset.train`: one list for each class to learn, ascending
    std::shared_ptr<const ImageTable> other_table;  ///< table of the others; usually `dataset.train`
    Samples others;                                 ///< of `other_table`: one list for each class, none of them empty
    std::vector<std::string> warnings;

    std::string text() const;  ///< text such as "Fractals: 900 classes to learn, 100 others"
};

/// Numbers of learned classes and of others among `present` classes: the requested ones if there are enough, else in
/// the same proportion (175 and 25 for the 200 of CUB-200, as published), at least one of each that was requested.
struct ClassSplit {
    std::int64_t classes = 0, others = 0;
};
ClassSplit splitClasses(const std::string& dataset, std::int64_t present, std::int64_t classes, std::int64_t others);

/// Opens the data set that the options name: one of the catalogue (from stream.root if it is also the stream's), or a
/// folder of images. Drawn sets are drawn with `side` pixels, in as many classes as requested and available. Parts of
/// ImageNet use its last 100 classes as the others, except those that they contain themselves, and CUB-175 uses CUB-25
/// (MISA, methods/fam.py). Throws Error(Input).
AdaptationData openAdaptationData(const Experiment& experiment, std::int64_t side);

/// The in-distribution stream over samples of `data.dataset.train`: the official sampler with all classes disjoint, in
/// their numbered order, over `sessions` sessions (n = 101, m = 0; MISA, scripts/misa_fam.sh). Throws Error(Input).
StreamPlan planAdaptation(const AdaptationData& data, std::int64_t sessions, std::uint64_t seed);

/// Sources of the images of an adaptation.
struct AdaptationSources {
    struct Wanted {
        std::int64_t side = 0;                            ///< pixels of the network's images
        std::int64_t passed_over = 0;                     ///< batches at the start that are skipped
        bool others = false;                              ///< also open a source of out-of-distribution images
        const OodDraws::Position* others_from = nullptr;  ///< null: from the beginning
    };
    std::unique_ptr<StreamSource> train;
    std::unique_ptr<OodSource> other;  ///< null unless wanted
    std::int64_t drawn_at_once = 0;    ///< number of out-of-distribution classes in one draw
};

/// Opens the sources that the options of the initial session ask for.
AdaptationSources openAdaptationSources(const Experiment& experiment, const AdaptationData& data,
                                        std::shared_ptr<const StreamPlan> plan, const Compute& compute,
                                        const AdaptationSources::Wanted& wanted);

}  // namespace palimpsest
