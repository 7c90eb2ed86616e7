// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_start.h"

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/dataset_numbers.h"
#include "engine/config/experiment_differences.h"
#include "engine/record/resumable.h"
#include "engine/stream/experiment_stream.h"

namespace palimpsest {
namespace {

std::int64_t parameterCount(const Method& method) {
    std::int64_t count = 0;
    for (const auto& [name, tensor] : method.trainable()) count += tensor.numel();
    return count;
}

}  // namespace

RunStarted runStarted(const OptionTable& table, const Experiment& experiment, const ImageDataset& data,
                      const std::shared_ptr<const StreamPlan>& plan, const Compute& compute, const Method& method,
                      const std::string& promptsNote) {
    RunStarted started;
    started.plan = plan;
    started.class_names = data.class_names;
    started.fingerprint = plan->fingerprint();
    started.device = compute.deviceName();
    started.precision = compute.precisionName();
    started.threads = compute.threads;
    started.total_samples = plan->totalSamples();
    started.trainable_parameters = parameterCount(method);
    started.warnings =
        lintExperimentStream(experiment, *plan, data.train->labels(), data.test->labels(), data.class_names);
    // Limits choose from what is there, so only whole parts can be compared.
    const std::string numbers =
        numbersNote(catalogueEntry(data.name), experiment.stream.train_limit > 0 ? -1 : data.train->size(),
                    experiment.stream.test_limit > 0 ? -1 : data.test->size());
    if (!numbers.empty()) started.warnings.push_back(numbers);
    started.test_labels =
        std::make_shared<const std::vector<std::int32_t>>(data.test->labels().begin(), data.test->labels().end());
    if (!promptsNote.empty()) started.warnings.push_back(promptsNote);
    for (const std::string& note : table.idleNotes(experiment)) started.warnings.push_back(note);
    for (const std::string& note : table.methodNotes(experiment)) started.warnings.push_back(note);
    return started;
}

ForkFacts forkFacts(const OptionTable& table, const Experiment& experiment, const std::filesystem::path& parent,
                    const std::vector<LiveChange>& changed, std::int64_t at) {
    const Experiment begun = pinnedExperiment(table, parent);
    Experiment before = forkedExperiment(table, begun, changed, at);
    // These agree, or there were no fork; but one may say "auto" where the other names what that is.
    before.device = experiment.device;
    before.precision = experiment.precision;
    before.threads = experiment.threads;
    ForkFacts facts{begun.name, parent.string(), {}};
    for (const ExperimentDifference& each : experimentDifferences(table, before, experiment))
        facts.differences.push_back(each.text());
    return facts;
}

}  // namespace palimpsest
