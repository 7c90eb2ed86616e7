// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/experiment_stream.h"

#include "engine/stream/edited_stream.h"
#include "engine/stream/index_list.h"
#include "engine/support/error.h"

namespace palimpsest {

StreamSettings streamSettings(const Experiment& experiment, std::int64_t classes) {
    StreamSettings settings;
    settings.classes = classes;
    settings.sessions = experiment.stream.sessions;
    settings.disjoint_percent = experiment.stream.disjoint_percent;
    settings.blurry_percent = experiment.stream.blurry_percent;
    settings.partition = kPartitions.at(experiment.stream.partition);
    settings.seed = static_cast<std::uint64_t>(experiment.seed);
    settings.sampler = kSamplers.at(experiment.stream.sampler);
    return settings;
}

StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                std::int64_t classes) {
    return planExperimentStream(experiment, labels, streamSettings(experiment, classes));
}

StreamPlan planExperimentStream(const Experiment& experiment, std::span<const std::int32_t> labels,
                                const StreamSettings& settings) {
    const auto drawn = [&] {
        if (settings.partition != Partition::Imported) return planStream(labels, settings);
        if (experiment.stream.index_list.empty())
            throw inputError("The partition is imported, but stream.index_list names no file.", "Name an index list.");
        return importStream(readIndexList(experiment.stream.index_list), labels, settings);
    };
    return editedStream(drawn(), labels, editList(experiment.stream.edits));
}

std::vector<std::string> lintExperimentStream(const Experiment& experiment, const StreamPlan& plan,
                                              std::span<const std::int32_t> labels,
                                              std::optional<std::span<const std::int32_t>> testLabels,
                                              std::span<const std::string> classNames) {
    std::vector<std::string> sentences = lintStream(plan, labels, testLabels, classNames);
    const std::int64_t every = experiment.evaluation.every_samples;
    const std::int64_t total = plan.totalSamples();
    // The loop evaluates just before the threshold is passed, so reaching it is not enough.
    if (every > 0 && total <= every) {
        sentences.push_back("evaluation.every_samples is " + std::to_string(every) + ", but only " +
                            std::to_string(total) + (total == 1 ? " image comes" : " images come") +
                            ", so nothing is evaluated on the way and there is no A_AUC.");
    }
    const std::int64_t places = experiment.memory.size;
    if (places > total)
        sentences.push_back("memory.size is " + std::to_string(places) + ", but only " + std::to_string(total) +
                            (total == 1 ? " image comes" : " images come") + ", so the memory keeps everything.");
    return sentences;
}

}  // namespace palimpsest
