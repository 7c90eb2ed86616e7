// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_data.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/files/dataset_places.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/train/run_setup.h"

namespace palimpsest {
namespace {

bool isCatalogued(const std::string& name) {
    return std::ranges::any_of(datasetCatalogue(), [&](const DatasetInfo& info) { return info.name == name; });
}

void check(const InitialSessionOptions& options) {
    if (options.dataset.empty())
        throw inputError("initial_session.dataset is empty.", "Name a data set or a folder of images.");
    if (options.classes < 1)
        throw inputError(
            "initial_session.classes is " + std::to_string(options.classes) + ", but there must be a class to learn.",
            "Use 1 or more.");
    if (options.other_classes < 1 && options.prompts == "fam")
        throw inputError("initial_session.other_classes is " + std::to_string(options.other_classes) +
                             ", but forgetting-aware minimisation needs other classes.",
                         "Use 1 or more, or choose naive or sam.");
}

DatasetRequest requestOf(const Experiment& experiment, std::int64_t side) {
    const InitialSessionOptions& options = experiment.initial_session;
    DatasetRequest request;
    if (!isCatalogued(options.dataset)) {
        std::error_code unreadable;
        const bool folder = std::filesystem::is_directory(options.dataset, unreadable);
        // Throws an error that lists the catalogue, if the name is neither.
        if (!folder) catalogueEntry(options.dataset);
        request.name = "folder";
        request.root = options.dataset;
        return request;
    }
    request.name = options.dataset;
    if (options.dataset == experiment.stream.dataset) request.root = experiment.stream.root;
    const DatasetInfo& info = catalogueEntry(options.dataset);
    if (info.procedural) {
        request.classes = std::min(options.classes + options.other_classes, info.most_classes);
        request.train_each = options.images_per_class;
        request.side = static_cast<int>(side);
    }
    return request;
}

/// Opens a data set; advice about stream.root is removed from errors where that option does not apply.
ImageDataset opened(const DatasetRequest& request, const Experiment& experiment) {
    try {
        return openDataset(request);
    } catch (const Error& error) {
        if (experiment.initial_session.dataset == experiment.stream.dataset) throw;
        throw Error(error.kind(), error.what(), withoutRootAdvice(error.hint()));
    }
}

/// Data set that provides the out-of-distribution classes of one that was published without them; empty: it has its
/// own.
std::string companionOf(const std::string& name) {
    if (name == "cub175") return "cub25";
    const bool part =
        name == "imagenet100" || name == "imagenet900" || name == "imagenet900-code" || name == "imagenet611";
    return part ? "imagenet-last100" : "";
}

/// Warning that the stream shows classes that the adaptation learns; empty: it does not.
std::string seenBeforeNote(const DatasetRequest& request, const StreamOptions& stream) {
    if (!isCatalogued(stream.dataset)) return {};
    const DatasetInfo& learned = catalogueEntry(request.name);
    const DatasetInfo& shown = catalogueEntry(stream.dataset);
    // A stream of drawn images may skip the classes that are learned here. In a mixed set only every second class comes
    // from the other set, whether it is the set that is learned or the one that is shown.
    const std::int64_t passed = learned.name == shown.name   ? request.classes
                                : learned.classes_of.empty() ? 2 * request.classes
                                                             : (request.classes + 1) / 2;
    if (shown.procedural && stream.first_class >= passed) return {};
    if (learned.name == shown.name)
        return request.name == "folder" && request.root != stream.root
                   ? ""
                   : "The stream takes its images from " + learned.title +
                         ", too, so prompts that are made from it have seen its classes before.";
    const auto origin = [](const DatasetInfo& info) { return info.classes_of.empty() ? info.name : info.classes_of; };
    if (origin(learned) != origin(shown)) return {};
    return "The stream's data set, " + shown.title + ", has classes of " + learned.title +
           ", so prompts that are made from it have seen them before.";
}

/// Samples of each label; the first `most` of each, 0: all.
AdaptationData::Samples byClass(const ImageTable& table, std::int64_t classes, std::int64_t most) {
    AdaptationData::Samples lists(static_cast<std::size_t>(classes));
    const std::span<const std::int32_t> labels = table.labels();
    for (std::size_t i = 0; i < labels.size(); ++i) {
        std::vector<std::int64_t>& list = lists[static_cast<std::size_t>(labels[i])];
        if (most == 0 || static_cast<std::int64_t>(list.size()) < most) list.push_back(static_cast<std::int64_t>(i));
    }
    return lists;
}

/// Adds the companion's classes. Classes that both data sets have are recognised by the name of their first image.
void addCompanion(AdaptationData& data, const std::string& name, const std::filesystem::path& root,
                  const Experiment& experiment) {
    const std::int64_t most = experiment.initial_session.other_classes;
    std::set<std::string> learned;
    for (const auto& list : data.samples)
        if (!list.empty()) learned.insert(data.dataset.train->name(list.front()));
    DatasetRequest request;
    request.name = name;
    request.root = root;
    const ImageDataset companion = opened(request, experiment);
    data.other_table = companion.train;
    for (auto& list : byClass(*companion.train, static_cast<std::int64_t>(companion.class_names.size()), 0)) {
        const bool wanted = static_cast<std::int64_t>(data.others.size()) < most && !list.empty();
        if (wanted && !learned.contains(companion.train->name(list.front()))) data.others.push_back(std::move(list));
    }
}

std::string fewerNote(const std::string& title, std::int64_t present, const InitialSessionOptions& asked,
                      const ClassSplit& split) {
    return title + " has " + counted(present, "class", "classes") + ", fewer than the " + grouped(asked.classes) +
           " to learn and " + counted(asked.other_classes, "other", "others") + " that were asked for, so " +
           grouped(split.classes) + (split.classes == 1 ? " is" : " are") + " learned and " + grouped(split.others) +
           (split.others == 1 ? " stands" : " stand") + " for the others.";
}

}  // namespace

ClassSplit splitClasses(const std::string& dataset, std::int64_t present, std::int64_t classes, std::int64_t others) {
    if (classes + others <= present) return {classes, others};
    if (dataset == "cub200" && present == 200 && others > 0) return {175, 25};
    const double share = static_cast<double>(others) / static_cast<double>(classes + others);
    const std::int64_t kept = others == 0 ? 0
                                          : std::clamp<std::int64_t>(std::llround(share * static_cast<double>(present)),
                                                                     1, std::max<std::int64_t>(1, present - 1));
    return {present - kept, kept};
}

std::string AdaptationData::text() const {
    return dataset.title + ": " + counted(classes, "class", "classes") + " to learn, " +
           counted(static_cast<std::int64_t>(others.size()), "other", "others");
}

AdaptationData openAdaptationData(const Experiment& experiment, std::int64_t side) {
    const InitialSessionOptions& options = experiment.initial_session;
    check(options);
    const bool fam = options.prompts == "fam";
    const DatasetRequest request = requestOf(experiment, side);
    AdaptationData data;
    data.dataset = opened(request, experiment);
    data.other_table = data.dataset.train;
    data.place = request.root.empty() ? data.dataset.title : request.root.string();
    const auto present = static_cast<std::int64_t>(data.dataset.class_names.size());
    const std::string companion = companionOf(request.name);
    // The companion has the other classes, so all classes can be learned.
    const ClassSplit split = companion.empty()
                                 ? splitClasses(request.name, present, options.classes, options.other_classes)
                                 : ClassSplit{std::min(present, options.classes), 0};
    if (split.classes < 1 || (fam && companion.empty() && split.others < 1))
        throw inputError(data.dataset.title + " has " + counted(present, "class", "classes") +
                             ", too few to learn some and keep others apart.",
                         "Choose another data set (initial_session.dataset).");
    data.classes = split.classes;
    if (companion.empty() && split.classes + split.others < options.classes + options.other_classes)
        data.warnings.push_back(fewerNote(data.dataset.title, present, options, split));
    std::string seenBefore = seenBeforeNote(request, experiment.stream);
    if (!seenBefore.empty()) data.warnings.push_back(std::move(seenBefore));

    // Only drawn data sets limit the images of a class.
    const std::int64_t most = catalogueEntry(request.name).procedural ? options.images_per_class : 0;
    AdaptationData::Samples all = byClass(*data.dataset.train, std::max(present, split.classes + split.others), most);
    const auto border = all.begin() + split.classes;
    data.samples.assign(all.begin(), border);
    if (companion.empty()) data.others.assign(border, border + split.others);
    if (!companion.empty() && fam) addCompanion(data, companion, request.root, experiment);
    std::erase_if(data.others, [](const auto& list) { return list.empty(); });
    if (fam && data.others.empty())
        throw inputError("None of the other classes of " + data.dataset.title + " has a training image.",
                         "Choose another data set, or fewer classes to learn (initial_session.classes).");
    const auto drawable = static_cast<std::int64_t>(data.others.size());
    if (fam && drawable < options.other_drawn)
        data.warnings.push_back("initial_session.other_drawn is " + grouped(options.other_drawn) +
                                ", but there are only " + counted(drawable, "other class", "other classes") +
                                ", so each draw takes all of them.");
    return data;
}

StreamPlan planAdaptation(const AdaptationData& data, std::int64_t sessions, std::uint64_t seed) {
    std::vector<std::int64_t> kept;
    for (const auto& list : data.samples) kept.insert(kept.end(), list.begin(), list.end());
    if (kept.empty())
        throw inputError("The classes to learn of " + data.dataset.title + " have no training image.",
                         "Choose another data set (initial_session.dataset).");
    std::ranges::sort(kept);
    const std::span<const std::int32_t> all = data.dataset.train->labels();
    std::vector<std::int32_t> labels;
    labels.reserve(kept.size());
    for (const std::int64_t sample : kept) labels.push_back(all[static_cast<std::size_t>(sample)]);
    StreamSettings settings;
    settings.classes = data.classes;
    settings.sessions = sessions;
    settings.partition = Partition::Ordered;
    settings.seed = seed;
    StreamPlan plan = planStream(labels, settings);
    for (std::vector<std::int64_t>& session : plan.sessions)
        for (std::int64_t& sample : session) sample = kept[static_cast<std::size_t>(sample)];
    return plan;
}

AdaptationSources openAdaptationSources(const Experiment& experiment, const AdaptationData& data,
                                        std::shared_ptr<const StreamPlan> plan, const Compute& compute,
                                        const AdaptationSources::Wanted& wanted) {
    const InitialSessionOptions& options = experiment.initial_session;
    const auto seed = static_cast<std::uint64_t>(experiment.seed);
    AdaptationSources sources;
    const PictureSettings pictures = pictureSettings(experiment, data.dataset, data.place, wanted.side, compute);
    TrainingOptions training = experiment.training;
    training.augment = options.augment;
    const Augment augment = augmentOf(training, data.dataset.augment_policy);
    StreamSource::Settings streamed{withCache(pictures, experiment, *data.dataset.train, true)};
    streamed.batch_size = options.batch_size;
    streamed.augment = augment;
    streamed.passes = options.epochs;
    streamed.passed_over = wanted.passed_over;
    sources.train = std::make_unique<StreamSource>(data.dataset.train, std::move(plan), streamed);
    if (!wanted.others) return sources;
    const OodDraws draws(
        data.others,
        {.seed = seed, .drawn = options.other_drawn, .batch_size = options.batch_size, .resample = options.resample});
    sources.drawn_at_once = static_cast<std::int64_t>(draws.drawn().size());
    sources.other = std::make_unique<OodSource>(data.other_table, draws,
                                                withCache(pictures, experiment, *data.other_table, true), augment);
    if (wanted.others_from) sources.other->restore(*wanted.others_from);
    return sources;
}

}  // namespace palimpsest
