// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/experiment_stream.h"

#include "engine/stream/index_list.h"
#include "engine/support/error.h"

namespace palimpsest {

Partition partitionCalled(std::string_view word) {
    if (word == "stochastic") return Partition::Stochastic;
    if (word == "uniform") return Partition::Uniform;
    if (word == "ordered") return Partition::Ordered;
    if (word == "one-class") return Partition::OneClass;
    if (word == "imported") return Partition::Imported;
    throw inputError("There is no partition called \"" + std::string(word) + "\".",
                     "Choose stochastic, uniform, ordered, one-class or imported.");
}

Sampler samplerCalled(std::string_view word) {
    if (word == "current") return Sampler::Current;
    if (word == "older") return Sampler::Older;
    throw inputError("There is no sampler called \"" + std::string(word) + "\".", "Choose current or older.");
}

StreamSettings streamSettings(const Experiment& experiment, std::int64_t classes) {
    StreamSettings settings;
    settings.classes = classes;
    settings.sessions = experiment.stream.sessions;
    settings.disjoint_percent = experiment.stream.disjoint_percent;
    settings.blurry_percent = experiment.stream.blurry_percent;
    settings.partition = partitionCalled(experiment.stream.partition);
    settings.seed = static_cast<std::uint64_t>(experiment.seed);
    settings.sampler = samplerCalled(experiment.stream.sampler);
    return settings;
}

StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                std::int64_t classes) {
    const StreamSettings settings = streamSettings(experiment, classes);
    if (settings.partition != Partition::Imported) return planStream(labels, settings);
    if (experiment.stream.index_list.empty())
        throw inputError("The partition is imported, but stream.index_list names no file.", "Name an index list.");
    return importStream(readIndexList(experiment.stream.index_list), labels, settings);
}

}  // namespace palimpsest
