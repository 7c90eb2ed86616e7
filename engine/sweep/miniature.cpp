// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/miniature.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr std::int64_t kSide = 16, kTrain = 40, kTest = 40, kBatch = 24, kRemembered = 16, kUpdates = 2,
                       kMostSessions = 8;
// One batch of adaptation an epoch or two, so that other classes are drawn anew.
constexpr std::int64_t kLearned = 4, kOthers = 4, kDrawn = 2, kSessionBatch = 5, kImagesOfAClass = 2;

void set(const OptionTable& table, Experiment& experiment, const char* key, const char* value) {
    if (table.find(key)) table.setText(experiment, key, value);
}

void makeSmall(const OptionTable& table, Experiment& e) {
    e.device = "cpu";
    e.precision = "float32";
    e.threads = 1;
    e.backbone = table.defaults().backbone;
    e.backbone.name = "palimpsest-vit";
    e.backbone.weights = "random";
    e.backbone.image_size = kSide;
    e.stream.root.clear();
    // With one class a session, each class must have an image, and classes beyond the sessions do not come.
    const bool oneClassEach = e.stream.partition == "one-class" || e.stream.blurry_percent > 100;
    e.stream.sessions = std::min(e.stream.sessions, kMostSessions);
    e.stream.train_limit = oneClassEach ? 0 : kTrain;
    e.stream.test_limit = kTest;
    e.stream.cache = 0;
    e.training.batch_size = std::min(e.training.batch_size, kBatch);
    e.training.updates_per_batch = std::min(e.training.updates_per_batch, kUpdates);
    e.memory.size = std::min(e.memory.size, kRemembered);
    e.evaluation.every_samples = std::min(e.evaluation.every_samples, kBatch);
    e.evaluation.checkpoints = 0;
    set(table, e, "method.rainbow_epochs", "1");
    set(table, e, "method.random_features", "64");
    InitialSessionOptions& session = e.initial_session;
    session.classes = std::min(session.classes, kLearned);
    session.other_classes = std::min(session.other_classes, kOthers);
    session.other_drawn = std::min(session.other_drawn, kDrawn);
    session.sessions = std::min(session.sessions, kLearned);
    session.batch_size = std::min(session.batch_size, kSessionBatch);
    session.images_per_class = kImagesOfAClass;
}

}  // namespace

void makeMiniature(const OptionTable& table, SweepPlan& plan) {
    // Its tables must never be taken for real ones.
    plan.title = "Miniature on made images, whose numbers mean nothing: " + plan.title;
    for (SweepRun& run : plan.runs) makeSmall(table, run.experiment);
    for (SweepPrompts& prompts : plan.prompts) makeSmall(table, prompts.experiment);
}

std::set<std::string> datasetsOf(const SweepPlan& plan) {
    std::set<std::string> names;
    for (const SweepRun& run : plan.runs) names.insert(run.experiment.stream.dataset);
    for (const SweepPrompts& prompts : plan.prompts) names.insert(prompts.experiment.initial_session.dataset);
    return names;
}

}  // namespace palimpsest
