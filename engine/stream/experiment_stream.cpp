// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/experiment_stream.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/stream/index_list.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

/// Purpose of these draws, which separates them from other uses of the seed.
constexpr std::uint64_t kEdits = 40;

std::size_t itemAt(std::int64_t index) {
    return static_cast<std::size_t>(index);
}

void checkEdit(const StreamEdit& edit, const StreamPlan& plan) {
    const std::string what = "stream.edits has \"" + toText(edit) + "\", but ";
    const auto sessions = std::ssize(plan.sessions);
    if (edit.label < 0 || edit.label >= plan.settings.classes)
        throw inputError(
            what + "there are only " + counted(plan.settings.classes, "class", "classes") + ", counted from 0.",
            "Correct or remove that edit.");
    if (edit.from < StreamEdit::kEverySession || edit.from >= sessions || edit.to < 0 || edit.to >= sessions)
        throw inputError(what + "there are only " + counted(sessions, "session", "sessions") + ".",
                         "Correct or remove that edit.");
}

/// A class that at least one edit names.
struct EditedClass {
    List counts;  ///< samples by the session they were drawn for
    List target;  ///< session they go to, by that session
};

class Editor {
public:
    Editor(StreamPlan& plan, std::span<const std::int32_t> labels) : plan_(plan), labels_(labels) {}

    void apply(const std::vector<StreamEdit>& edits) {
        for (const StreamEdit& edit : edits) {
            checkEdit(edit, plan_);
            EditedClass& changed = classes_[edit.label];
            if (!changed.target.empty()) continue;
            changed.counts.assign(plan_.sessions.size(), 0);
            changed.target.resize(plan_.sessions.size());
            std::iota(changed.target.begin(), changed.target.end(), std::int64_t{0});
        }
        count();
        const std::vector<ClassHome> homes = classHomes(plan_);
        for (const StreamEdit& edit : edits)
            plan_.edits.push_back({edit, retarget(edit), homes[itemAt(edit.label)].session});
        moveSamples();
        for (const auto& [label, changed] : classes_) moveHome(label, homes[itemAt(label)], changed);
    }

private:
    std::int64_t labelOf(std::int64_t sample) const { return labels_[itemAt(sample)]; }

    void count() {
        for (std::size_t j = 0; j < plan_.sessions.size(); ++j)
            for (const std::int64_t sample : plan_.sessions[j])
                if (const auto found = classes_.find(labelOf(sample)); found != classes_.end())
                    ++found->second.counts[j];
    }

    /// Applies one edit; returns the number of samples that change their session.
    std::int64_t retarget(const StreamEdit& edit) {
        EditedClass& changed = classes_[edit.label];
        std::int64_t moved = 0;
        for (std::size_t j = 0; j < changed.target.size(); ++j) {
            std::int64_t& target = changed.target[j];
            if (target == edit.to || (edit.from != StreamEdit::kEverySession && target != edit.from)) continue;
            target = edit.to;
            moved += changed.counts[j];
        }
        return moved;
    }

    void moveSamples() {
        Lists kept(plan_.sessions.size()), taken(plan_.sessions.size());
        for (std::size_t j = 0; j < plan_.sessions.size(); ++j)
            for (const std::int64_t sample : plan_.sessions[j]) {
                const auto found = classes_.find(labelOf(sample));
                const std::int64_t target = found == classes_.end() ? std::ssize(kept) : found->second.target[j];
                const bool stays = found == classes_.end() || itemAt(target) == j;
                (stays ? kept[j] : taken[itemAt(target)]).push_back(sample);
            }
        for (std::size_t j = 0; j < kept.size(); ++j) {
            plan_.moved += std::ssize(taken[j]);
            plan_.sessions[j] = mixed(kept[j], taken[j], j);
        }
    }

    List mixed(const List& kept, const List& taken, std::size_t session) const {
        if (taken.empty()) return kept;
        const std::uint64_t seed = plan_.settings.partition == Partition::Imported ? 0 : plan_.settings.seed;
        constexpr std::int64_t kFree = -1;
        List places(kept.size() + taken.size());
        std::iota(places.begin(), places.end(), std::int64_t{0});
        Random(seed, kEdits, session).shuffle(places);
        List list(places.size(), kFree);
        for (std::size_t i = 0; i < taken.size(); ++i) list[itemAt(places[i])] = taken[i];
        auto next = kept.begin();
        for (std::int64_t& sample : list)
            if (sample == kFree) sample = *next++;
        return list;
    }

    void moveHome(std::int64_t label, const ClassHome& home, const EditedClass& changed) {
        if (home.session < 0 || changed.target[itemAt(home.session)] == home.session) return;
        for (Lists* sets : {&plan_.disjoint_classes, &plan_.blurry_classes})
            for (List& set : *sets) std::erase(set, label);
        Lists& sets = home.blurry ? plan_.blurry_classes : plan_.disjoint_classes;
        sets[itemAt(changed.target[itemAt(home.session)])].push_back(label);
    }

    StreamPlan& plan_;
    std::span<const std::int32_t> labels_;
    std::map<std::int64_t, EditedClass> classes_;
};

/// The most images that the loop looks ahead to at the end of a batch: those seen, and as many as the batch had once
/// more. It evaluates where a multiple of evaluation.every_samples is less than that.
std::int64_t imagesLookedAheadTo(const StreamPlan& plan, std::int64_t batch) {
    batch = std::max<std::int64_t>(batch, 1);
    std::int64_t seen = 0, most = 0;
    for (const auto& session : plan.sessions) {
        const auto images = static_cast<std::int64_t>(session.size());
        const std::int64_t rest = images % batch, whole = images - rest;
        if (whole > 0) most = std::max(most, seen + whole + batch);
        if (rest > 0) most = std::max(most, seen + images + rest);
        seen += images;
    }
    return most;
}

}  // namespace

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

StreamPlan editedStream(StreamPlan plan, std::span<const std::int32_t> labels, const std::vector<StreamEdit>& edits) {
    if (!edits.empty()) Editor(plan, labels).apply(edits);
    return plan;
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
    if (every > 0 && imagesLookedAheadTo(plan, experiment.training.batch_size) <= every) {
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
