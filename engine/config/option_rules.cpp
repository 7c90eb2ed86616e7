// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/method_declaration.h"
#include "engine/config/normalisation.h"
#include "engine/config/stream_edit.h"
#include "engine/support/error.h"
#include "engine/support/own_drawings.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

/// Only FAM draws images of other classes.
bool usesOtherClasses(const InitialSessionOptions& session) {
    return session.prompts != "naive" && session.prompts != "sam";
}

bool isDevice(const std::string& device) {
    if (device == "auto" || device == "cpu" || device == "cuda") return true;
    const std::string prefix = "cuda:";
    return device.starts_with(prefix) && device.size() > prefix.size() && device.size() <= prefix.size() + 3 &&
           device.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

void checkEdits(const StreamOptions& stream, std::vector<std::string>& problems) {
    try {
        for (const StreamEdit& edit : editList(stream.edits)) {
            // An imported list has a number of sessions of its own.
            if (std::max(edit.from, edit.to) < stream.sessions || stream.isImported()) continue;
            problems.push_back("stream.edits has \"" + toText(edit) + "\", but there are only " +
                               std::to_string(stream.sessions) + " sessions (stream.sessions).");
            return;
        }
    } catch (const Error& error) {
        problems.push_back(error.sentence());
    }
}

void checkNormalisation(const StreamOptions& stream, std::vector<std::string>& problems) {
    try {
        normalisationOf(stream.normalise);
    } catch (const Error& error) {
        problems.emplace_back(error.what());
    }
}

void checkStream(const StreamOptions& stream, std::vector<std::string>& problems) {
    checkEdits(stream, problems);
    checkNormalisation(stream, problems);
    if (stream.isImported()) {
        // The list alone says how many sessions and which images there are.
        if (stream.index_list.empty()) {
            problems.push_back("stream.partition is imported, but stream.index_list names no file.");
        }
        return;
    }
    if (stream.train_limit > 0 && stream.train_limit < stream.sessions) {
        problems.push_back("stream.train_limit is " + std::to_string(stream.train_limit) + ", too few images for " +
                           std::to_string(stream.sessions) + " sessions.");
    }
    if (kSamplers.find(stream.sampler) != Sampler::Older) return;
    if (kPartitions.find(stream.partition) != Partition::Stochastic) {
        problems.push_back("stream.partition is " + stream.partition +
                           ", but stream.sampler is older, which knows only stochastic.");
    } else if (stream.disjoint_percent > 100 || stream.blurry_percent > 100) {
        problems.push_back(
            std::string(stream.disjoint_percent > 100 ? "stream.disjoint_percent" : "stream.blurry_percent") +
            " is above 100, but stream.sampler is older, which knows only shares up to 100 %.");
    }
}

void checkBackbone(const BackboneOptions& backbone, std::vector<std::string>& problems) {
    if (backbone.weights.empty()) {
        problems.push_back("backbone.weights is empty; write embedded, random or the path of a file of weights.");
    }
    if (backbone.isEmbedded() && !isEmbeddedBackbone(backbone.name) && backbone.name != "any") {
        problems.push_back("backbone.weights is embedded, but those weights are of " +
                           std::string(kEmbeddedBackbones[0]) + " and " + std::string(kEmbeddedBackbones[1]) +
                           ", not of " + backbone.name + "; write its name or the path of its file, or random.");
    }
    if (backbone.isRandom() && backbone.name == "any") {
        problems.push_back(
            "backbone.name is any, so backbone.weights must be a file that says how large the network "
            "is.");
    }
}

/// Titles of the methods with a property, in a sentence.
template <class Property>
std::string titlesWith(const std::vector<MethodDeclaration>& methods, Property property) {
    std::vector<std::string> titles;
    for (const MethodDeclaration& method : methods)
        if (property(method)) titles.push_back(method.choice.title);
    return enumeration(titles);
}

/// Options that some methods alone can do with.
class MethodChecks {
public:
    MethodChecks(const std::vector<MethodDeclaration>& all, const MethodDeclaration& method,
                 const Experiment& experiment)
        : all_(all), method_(method), experiment_(experiment) {
        if (method.problems) method.problems(experiment, own_);
    }

    void addMemory(std::vector<std::string>& problems) const {
        add(own_.memory, problems);
        if (experiment_.memory.kind != "uncertainty" || method_.knows_uncertainty) return;
        std::vector<std::string> able;
        for (const MethodDeclaration& method : all_)
            if (method.knows_uncertainty)
                able.push_back(method.choice.title + " (method.name " + method.choice.value + ")");
        problems.push_back("memory.kind is uncertainty, which only " + enumeration(able) +
                           " can do; choose auto, reservoir or balanced.");
    }

    void addStream(std::vector<std::string>& problems) const { add(own_.stream, problems); }

    /// Values that cannot be read hide the problems that would follow from them.
    void addOptions(std::vector<std::string>& problems) const {
        const std::vector<std::string> malformed = malformedValues();
        add(malformed, problems);
        if (malformed.empty()) {
            add(own_.initial_prompts, problems);
            addMask(problems);
        }
        add(own_.options, problems);
        for (const SharedOptions* shared : sharedOptionsOf(method_))
            if (shared->problems) add(shared->problems(experiment_), problems);
    }

private:
    static void add(const std::vector<std::string>& some, std::vector<std::string>& problems) {
        problems.insert(problems.end(), some.begin(), some.end());
    }

    std::vector<std::string> malformedValues() const {
        std::vector<std::string> malformed;
        std::set<const SharedOptions*> checked;
        for (const MethodDeclaration& method : all_)
            for (const SharedOptions* shared : sharedOptionsOf(method))
                if (shared->malformed && checked.insert(shared).second) add(shared->malformed(experiment_), malformed);
        return malformed;
    }

    void addMask(std::vector<std::string>& problems) const {
        if (experiment_.mask.kind() != MaskKind::Learnable || method_.learns_mask) return;
        problems.push_back("mask.name is learnable, but method.name is " + experiment_.method.name + ", and only " +
                           titlesWith(all_, [](const MethodDeclaration& method) { return method.learns_mask; }) +
                           " learns it" + method_.learnable_mask_hint + ".");
    }

    const std::vector<MethodDeclaration>& all_;
    const MethodDeclaration& method_;
    const Experiment& experiment_;
    MethodProblems own_;
};

void checkInitialSession(const InitialSessionOptions& session, std::vector<std::string>& problems) {
    if (session.prompts.empty()) {
        problems.push_back(
            "initial_session.prompts is empty; write none, naive, sam, fam or the path of a file of prompts.");
    }
    if (session.dataset.empty()) {
        problems.push_back(
            "initial_session.dataset is empty; write the name of a data set or the path of a folder of images.");
    }
    if (session.sessions > session.classes) {
        problems.push_back("initial_session.sessions is " + std::to_string(session.sessions) + ", but there are only " +
                           std::to_string(session.classes) + " classes to share out (initial_session.classes).");
    }
    // FAM draws all other classes where there are fewer than other_drawn.
    if (usesOtherClasses(session) && session.other_classes == 0) {
        problems.push_back(
            "initial_session.other_classes is 0, but FAM takes its perturbation from other classes; keep at least one "
            "apart.");
    }
}

/// The reason that an option of the mask changes nothing with the others as they are.
std::string idleMaskReason(const MethodDeclaration& method, const MaskOptions& mask, const std::string& leaf) {
    if (leaf == "evaluation") return {};
    if (!method.no_mask.empty()) return method.no_mask;
    const bool form = leaf == "form";
    if (!method.own_mask.empty()) return form ? "" : method.own_mask;
    if (leaf == "session_scope" && mask.kind() != MaskKind::Session) return "Only the session mask reads it.";
    return form && mask.kind() == MaskKind::None ? "Without a mask nothing is hidden." : "";
}

/// The same of an option that the method reads.
std::string idleMethodReason(const MethodDeclaration& method, const Experiment& experiment, const std::string& key) {
    for (const SharedOptions* shared : sharedOptionsOf(method)) {
        if (!shared->idleReason) continue;
        if (const std::string reason = shared->idleReason(experiment, key); !reason.empty()) return reason;
    }
    return method.idleReason ? method.idleReason(experiment, key) : "";
}

/// The same, for a run, of an option that initial session adaptation reads. The form leaves such options open.
std::string idleInRunReason(const MethodDeclaration& method, const Experiment& experiment, const std::string& key) {
    return method.idleInRunReason ? method.idleInRunReason(experiment, key) : "";
}

/// The same of an option of the memory.
std::string idleMemoryReason(const MethodDeclaration& method, const MemoryOptions& memory, const std::string& leaf) {
    if (leaf == "size") return {};
    if (memory.size == 0) return "Nothing is kept: memory.size is 0.";
    return leaf == "kind" && method.own_memory ? "The method brings a memory of its own." : "";
}

/// A reason that an option of the stream or of the adaptation changes nothing with the others as they are.
struct IdleRule {
    std::vector<std::string_view> keys;
    bool (*applies)(const Experiment&);
    const char* reason;
};

/// The rules in the order in which they are asked.
const std::vector<IdleRule>& idleRules() {
    static const std::vector<IdleRule> rules{
        {{"stream.disjoint_percent", "stream.blurry_percent", "stream.sessions", "stream.sampler"},
         [](const Experiment& e) { return e.stream.isImported(); },
         "The imported list already says which image comes in which session."},
        {{"stream.index_list"},
         [](const Experiment& e) { return !e.stream.isImported(); },
         "Only the imported partition reads a list."},
        {{"stream.disjoint_percent", "stream.blurry_percent"},
         [](const Experiment& e) { return kPartitions.find(e.stream.partition) == Partition::Ordered; },
         "In the ordered partition every class is disjoint and comes in one session."},
        {{"stream.disjoint_percent", "stream.blurry_percent"},
         [](const Experiment& e) { return kPartitions.find(e.stream.partition) == Partition::OneClass; },
         "With one class at a time, every class is blurry and its last quarter is scattered."},
        {{"initial_session.load"},
         [](const Experiment& e) { return !e.initial_session.hasPrompts(); },
         "There are no initial prompts to load."},
        {{"initial_session.rho", "initial_session.sign", "initial_session.perturb"},
         [](const Experiment& e) { return e.initial_session.prompts == "naive"; },
         "Naive adaptation perturbs nothing."},
        // The other classes are kept apart for every kind, so that kinds can be compared.
        {{"initial_session.resample", "initial_session.other_drawn", "initial_session.other_units"},
         [](const Experiment& e) { return !usesOtherClasses(e.initial_session); },
         "Only FAM draws images of other classes."},
    };
    return rules;
}

std::string idleRuleReason(const Experiment& experiment, const std::string& key) {
    for (const IdleRule& rule : idleRules())
        if (std::ranges::count(rule.keys, key) > 0 && rule.applies(experiment)) return rule.reason;
    return {};
}

/// Options that some data sets alone read.
bool isOfSomeDataSets(const Option& option) {
    return option.key == "stream.first_class" || option.key == "stream.classes" || option.key == "stream.test_crop";
}

/// Empty for a data set that the catalogue does not know.
std::string idleDataSetReason(const std::vector<Choice>& datasets, const std::string& name, const std::string& leaf) {
    const auto known =
        std::find_if(datasets.begin(), datasets.end(), [&](const Choice& dataset) { return dataset.value == name; });
    if (known == datasets.end()) return {};
    if (leaf == "test_crop") return known->crops_test ? "" : "Test images of this data set are shown whole.";
    if (known->drawn || (leaf == "classes" && name == kOwnDrawings)) return {};
    return leaf == "first_class"
               ? "Only drawn data sets pass over classes, and this one is made of files."
               : "Only drawn data sets make as many classes as are asked for, and this one is made of files.";
}

/// The options of initial session adaptation that a run reads too.
bool isPromptsOption(const Option& option) {
    return option.key == "initial_session.prompts" || option.key == "initial_session.load";
}

/// Sections whose idle options are noted.
constexpr std::array<std::string_view, 4> kNotedSections{"method", "mask", "memory", "training"};

}  // namespace

std::vector<std::string> OptionTable::problems(const Experiment& experiment) const {
    std::vector<std::string> problems;
    if (experiment.name.find_first_not_of(' ') == std::string::npos) {
        problems.push_back("name is empty; give the experiment a name.");
    }
    if (!isDevice(experiment.device)) {
        problems.push_back("device is \"" + experiment.device + "\", but must be auto, cpu, cuda or cuda:N.");
    }
    const MethodChecks checks(*methods_, method(experiment.method.name), experiment);
    checkStream(experiment.stream, problems);
    checks.addMemory(problems);
    checks.addStream(problems);
    if (experiment.training.cutmix && experiment.training.batch_size == 1 && experiment.memory.size == 0 &&
        idleReason(experiment, *find("training.cutmix")).empty()) {
        problems.push_back(
            "training.cutmix is true, but with training.batch_size 1 and no memory there is no other "
            "image to mix with.");
    }
    checks.addOptions(problems);
    checkBackbone(experiment.backbone, problems);
    checkInitialSession(experiment.initial_session, problems);
    return problems;
}

std::string OptionTable::idleReason(const Experiment& experiment, const Option& option) const {
    const MethodDeclaration& declared = method(experiment.method.name);
    if (isOfSomeDataSets(option))
        return idleDataSetReason(catalogue_.datasets, experiment.stream.dataset, option.leaf());
    if (const std::string reason = idleRuleReason(experiment, option.key); !reason.empty()) return reason;
    if (option.section() == "stream") return {};
    if (option.section() == "memory") return idleMemoryReason(declared, experiment.memory, option.leaf());
    const bool mixes = experiment.training.cutmix && option.key == "training.augment_scope" &&
                       idleReason(experiment, *find("training.cutmix")).empty();
    if (option.key == "training.augment_scope" && experiment.training.augment == "none" && !mixes) {
        return "Images stay as they are, so nothing is drawn.";
    }
    if (option.key == "training.sam_rho" && declared.knows_sam && experiment.training.sam_sessions == 0)
        return "No session learns with SAM.";
    if (option.section() == "mask") return idleMaskReason(declared, experiment.mask, option.leaf());
    if (option.isReadBy(experiment.method.name)) return idleMethodReason(declared, experiment, option.key);
    std::vector<std::string> readers;
    for (const std::string& reader : option.only_methods) {
        const auto known =
            std::ranges::find_if(catalogue_.methods, [&](const Choice& choice) { return choice.value == reader; });
        readers.push_back(known == catalogue_.methods.end() ? reader : known->title);
    }
    return "Only " + enumeration(readers) + (readers.size() == 1 ? " reads it." : " read it.");
}

bool OptionTable::concernsRun(const std::string& name, const Option& option) const {
    if (!option.isReadBy(name)) return false;
    if (option.section() == "initial_session") return isPromptsOption(option);
    Experiment usual = defaults();
    usual.method.name = name;
    return idleInRunReason(method(name), usual, option.key).empty();
}

std::vector<std::string> OptionTable::idleNotes(const Experiment& experiment) const {
    const Experiment usual = defaults();
    std::vector<std::string> notes;
    for (const Option& option : options()) {
        const bool concerned = std::ranges::count(kNotedSections, option.section()) > 0 ||
                               option.key == "stream.first_class" || option.key == "stream.test_crop" ||
                               isPromptsOption(option);
        if (!concerned || text(experiment, option) == text(usual, option)) continue;
        std::string reason = idleReason(experiment, option);
        if (reason.empty()) reason = idleInRunReason(method(experiment.method.name), experiment, option.key);
        if (!reason.empty())
            notes.push_back(option.key + " is " + text(experiment, option) + ", which changes nothing here. " + reason);
    }
    return notes;
}

std::vector<std::string> OptionTable::methodNotes(const Experiment& experiment) const {
    const MethodDeclaration& declared = method(experiment.method.name);
    return declared.notes ? declared.notes(experiment) : std::vector<std::string>();
}

}  // namespace palimpsest
