// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adapt_prompts.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "engine/adaptation/adaptation_files.h"
#include "engine/adaptation/adaptation_learner.h"
#include "engine/method/prompt_files.h"
#include "engine/method_options/prompt_options.h"
#include "engine/network/explained_error.h"
#include "engine/network/weights.h"
#include "engine/support/clock.h"
#include "engine/support/format.h"
#include "engine/support/process.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/train/experiment_inputs.h"

namespace palimpsest {
namespace {

using Clock = RunClock::Clock;
constexpr std::chrono::milliseconds kReportEvery{250};
constexpr std::chrono::minutes kSaveEvery{3};

/// True for options that decide the result. The file of weights counts by its digest, wherever it lies; the prompts
/// that a run loads have no influence on how they are made.
bool decides(const Option& option) {
    return (option.section() == "initial_session" && option.key != "initial_session.load") || option.key == "seed" ||
           option.key == "training.augment_scope" ||
           (option.section() == "backbone" && option.key != "backbone.weights");
}

/// True for those options, and for the ones that choose the device and the network.
bool belongsToCommand(const Option& option, const Experiment& experiment) {
    const bool sharesFiles = experiment.initial_session.dataset == experiment.stream.dataset;
    return decides(option) || option.section() == "backbone" || option.section() == "method" ||
           option.key == "device" || option.key == "precision" || option.key == "threads" ||
           option.key == "stream.normalise" ||
           (sharesFiles && (option.key == "stream.dataset" || option.key == "stream.root"));
}

/// The text quoted as one word of a shell, if it needs it.
std::string word(const std::string& text) {
    constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    return shellQuoted(text);
}

/// Throws Error(Input) if initial_session.prompts is likely misspelt: neither a kind of adaptation nor a path of
/// prompts.
void checkAdaptationKind(const std::string& prompts) {
    const std::vector<std::string> words = {"naive", "sam", "fam", "none"};
    if (std::ranges::find(words, prompts) != words.end()) return;
    const std::filesystem::path place = prompts;
    std::error_code unreadable;
    if (place.has_parent_path() || place.has_extension() || std::filesystem::exists(place, unreadable)) return;
    const std::string near = nearestWord(prompts, words);
    throw inputError("initial_session.prompts is \"" + plainLine(prompts) + "\", which is no way to adapt prompts.",
                     near.empty() ? "Write naive, sam or fam." : "Did you mean " + near + "?");
}

/// The experiment with the kind of adaptation that PromptAdapter uses: FAM if the prompts are "none" or a file.
Experiment withAdaptationKind(Experiment experiment) {
    std::string& prompts = experiment.initial_session.prompts;
    if (prompts != "naive" && prompts != "sam") prompts = "fam";
    return experiment;
}

/// Values of the options that an adaptation depends on, by their keys.
AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment) {
    AdaptationFacts facts;
    for (const Option& option : table.options())
        if (decides(option)) facts[option.key] = table.text(experiment, option);
    // States of earlier versions do not name it, so it counts only where it changes something.
    if (experiment.stream.normalise != "data-set") facts["stream.normalise"] = experiment.stream.normalise;
    return facts;
}

/// Command line that makes the same prompts again, with every option that differs from its default.
std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file) {
    const Experiment usual = table.defaults();
    std::string command = "palimpsest-cli isa default --out " + word(file.filename().string());
    for (const Option& option : table.options()) {
        const std::string value = table.text(experiment, option);
        if (belongsToCommand(option, experiment) && value != table.text(usual, option))
            command += " --set " + word(option.key + "=" + value);
    }
    return command;
}

/// One adaptation; the steps of its preparation are members in the order they are done.
class PromptAdaptation {
public:
    PromptAdaptation(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                     AdaptationObserver& observer)
        : requested_(experiment.initial_session.prompts),
          experiment_(withAdaptationKind(experiment)),
          options_(experiment_.initial_session),
          place_(place),
          control_(control),
          observer_(observer) {}

    AdaptationEnded run() {
        AdaptationEnded ended;
        try {
            ended.how = adaptUnlessGivenUp() ? AdaptationEnded::How::Finished : AdaptationEnded::How::Stopped;
            finish(ended);
        } catch (...) {
            const Error error = explainedError("the experiment file", on_cpu_);
            ended.how = AdaptationEnded::How::Failed;
            ended.file.clear();
            ended.error = error.what();
            ended.hint = error.hint();
            ended.input_error = error.kind() == ErrorKind::Input;
        }
        ended.seconds = clock_.active();
        ended.step = step_;
        ended.state_step = files_ ? files_->stateStep() : 0;
        ended.peak_memory_bytes = peakMemoryBytes();
        return ended;
    }

private:
    /// False when the user ended it early, also while its images were being found.
    bool adaptUnlessGivenUp() {
        try {
            return adapt();
        } catch (const GivenUp&) {
            return false;
        }
    }

    bool adapt() {
        const OptionTable table(engineCatalogue());
        checkInput(table);
        if (!prepares("Preparing the network")) return false;
        {
            const StopScope preparing(control_.endToken());
            prepareNetwork(table);
            if (!prepares("Reading the data set")) return false;
            prepareImages();
        }
        if (!prepares("Preparing the prompts")) return false;
        prepareLearner();
        reportStart();
        return learn();
    }

    bool prepares(const std::string& detail) {
        if (control_.ending()) return false;
        observer_.onPreparing(detail);
        return true;
    }

    void checkInput(const OptionTable& table) {
        checkAdaptationKind(requested_);
        requirePromptMethod(table, experiment_);
        requireNoProblems(table, experiment_);
        settings_ = adapterSettings(options_);
        files_.emplace(place_, observer_);
        if (place_.resume) saved_ = readAdaptationState(files_->stateFile());
    }

    void prepareNetwork(const OptionTable& table) {
        compute_ = prepareCompute(experiment_.device, experiment_.precision, experiment_.threads);
        on_cpu_ = compute_.device.is_cpu();
        vit_.emplace(loadBackbone(experiment_.backbone, seed(), compute_));
        MethodOptions method = experiment_.method;
        // The other methods know no other form, and do not show the option.
        if (method.name != "dualprompt") method.of<PromptOptions>().form = "tuning";
        layout_ = promptLayout(method, vit_->shape());
        facts_ = adaptationOptions(table, experiment_);
        Experiment used = experiment_;
        used.initial_session.rho = settings_.rho;
        rho_ = table.text(used, *table.find("initial_session.rho"));
        facts_[kPromptBackboneKey] = backboneDigest(experiment_.backbone, seed());
        facts_[kPromptLayoutKey] = layoutText(layout_);
        facts_["the device"] = on_cpu_ ? "cpu" : "cuda";
        facts_["the precision"] = compute_.precisionName();
        if (compute_.type == at::kBFloat16 && on_cpu_) facts_["the computation in bfloat16"] = bfloat16Kernels();
        command_ = plainLine(adaptationCommand(table, experiment_, place_.file));
    }

    void prepareImages() {
        data_ = openAdaptationData(experiment_, vit_->shape().image_size);
        if (options_.sessions > data_.classes)
            throw inputError("initial_session.sessions is " + grouped(options_.sessions) + ", but only " +
                                 counted(data_.classes, "class is", "classes are") + " learned.",
                             "Use at most as many sessions as classes.");
        plan_ = std::make_shared<const StreamPlan>(planAdaptation(data_, options_.sessions, seed()));
        facts_["data"] = data_.text() + ", stream " + plan_->fingerprint();
        schedule_.emplace(*plan_, options_.epochs, options_.batch_size, options_.updates_per_batch);
        // Classes that fall into no session may be the only ones with images.
        if (schedule_->steps() == 0)
            throw inputError("No class with images is left to learn.",
                             "Use fewer sessions (initial_session.sessions).");
        if (saved_) resumeFrom(*saved_);

        sources_ = openAdaptationSources(experiment_, data_, plan_, compute_,
                                         {.side = vit_->shape().image_size,
                                          .passed_over = schedule_->at(step_).batch - 1,
                                          .others = settings_.kind == AdapterSettings::Kind::Fam,
                                          .others_from = saved_ ? &saved_->other : nullptr});
    }

    void resumeFrom(const AdaptationState& saved) {
        requireSameAdaptation(files_->stateFile(), saved.facts, facts_);
        requireStepToCome(files_->stateFile(), saved.step, schedule_->steps());
        step_ = first_step_ = saved.step;
        files_->resumeFrom(saved.step);
        if (saved.threads != compute_.threads)
            data_.warnings.push_back("The adaptation began with " + counted(saved.threads, "thread", "threads") +
                                     " and goes on with " + grouped(compute_.threads) +
                                     ", so its last digits may differ from those of an unbroken one.");
    }

    void prepareLearner() {
        learner_ = std::make_unique<AdaptationLearner>(
            AdaptationLearner::Setup{data_, sources_, options_.other_units == "shared", compute_.device}, *vit_,
            layout_, settings_, seed());
        if (saved_) learner_->restore(*saved_);
        saved_.reset();
        const auto note = [this](const UnreadableImage& image) { observer_.onImageLeftOut(image.text()); };
        sources_.train->unreadable().listen(note);
        if (sources_.other) sources_.other->unreadable().listen(note);
    }

    void reportStart() {
        AdaptationStarted started;
        started.kind = options_.prompts;
        started.data = data_.text();
        started.total_steps = schedule_->steps();
        started.first_step = first_step_;
        for (const auto& [name, tensor] : learner_->adapter().trainable())
            started.trainable_parameters += tensor.numel();
        started.device = compute_.deviceName();
        started.precision = compute_.precisionName();
        started.warnings = data_.warnings;
        if (const std::int64_t left = data_.classes % options_.sessions; left > 0)
            started.warnings.push_back(counted(left, "class is", "classes are") +
                                       " left out: " + grouped(data_.classes) + " are not a multiple of " +
                                       counted(options_.sessions, "session.", "sessions."));
        for (const std::string& replaced : files_->replaced()) started.warnings.push_back(replaced);
        clock_ = RunClock();
        last_save_ = Clock::now();
        observer_.onStarted(started);
    }

    /// False when the user ended it early.
    bool learn() {
        while (step_ < schedule_->steps()) {
            Clock::time_point pause{};
            control_.atBatchBorder([&](bool paused) {
                if (paused)
                    pause = Clock::now();
                else
                    clock_.addPause(Clock::now() - pause);
                observer_.onPaused(paused);
            });
            if (control_.ending()) return false;
            const AdaptationSchedule::Position at = schedule_->at(step_);
            const bool learned = learner_->step(at);
            ++step_;
            const bool last = step_ == schedule_->steps();
            if (learned && (last || control_.stepping() || Clock::now() - last_report_ >= kReportEvery)) report(at);
            if (!last && (at.ends_epoch || Clock::now() - last_save_ >= kSaveEvery)) {
                last_save_ = Clock::now();
                files_->save([this] { return state(); });
            }
        }
        return control_.verdict() != RunControl::Verdict::Abort;
    }

    void report(const AdaptationSchedule::Position& at) {
        AdaptationProgress progress;
        progress.step = step_;
        progress.epoch = at.epoch + 1;
        progress.samples_seen = learner_->samplesSeen();
        progress.loss = learner_->last().loss;
        progress.other_loss = learner_->last().first_loss;
        progress.accuracy = learner_->last().accuracy;
        progress.steps_per_second = static_cast<double>(step_ - first_step_) / std::max(1e-9, clock_.active());
        observer_.onProgress(progress);
        last_report_ = Clock::now();
    }

    AdaptationState state() const {
        AdaptationState state;
        state.step = step_;
        state.threads = compute_.threads;
        learner_->keep(state);
        state.facts = facts_;
        return state;
    }

    /// Throws Error(Run) when the prompts are no longer finite.
    WritePrompts writer() const {
        std::map<std::string, std::string> metadata = facts_;
        // The used radius replaces 0, which stands for the default.
        if (settings_.kind != AdapterSettings::Kind::Naive) metadata["initial_session.rho"] = rho_;
        metadata["command"] = command_;
        metadata["kind"] = options_.prompts;
        metadata["samples_seen"] = std::to_string(learner_->samplesSeen());
        metadata["threads"] = std::to_string(compute_.threads);
        return promptsWriter(learner_->adapter().learnedPrompts(), std::move(metadata), step_, place_.file);
    }

    /// Writes what was learned, unless it is discarded or nothing was learned.
    void finish(AdaptationEnded& ended) {
        const bool finished = ended.how == AdaptationEnded::How::Finished;
        if (!finished && control_.verdict() == RunControl::Verdict::Abort) {
            if (files_) files_->restorePrevious();
            return;
        }
        if (!learner_ || step_ == 0) return;
        files_->keep(
            writer(), [this] { return state(); }, ended);
    }

    std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }

    const std::string requested_;  // initial_session.prompts
    const Experiment experiment_;
    const InitialSessionOptions& options_;
    const AdaptationPlace& place_;
    RunControl& control_;
    AdaptationObserver& observer_;

    std::optional<AdaptationFiles> files_;
    std::optional<AdaptationState> saved_;  // reset once it is restored
    AdapterSettings settings_;
    AdaptationFacts facts_;
    std::string rho_;  // text of the radius in use
    std::string command_;
    Compute compute_;
    bool on_cpu_ = true;
    std::optional<Vit> vit_;
    PromptLayout layout_;
    AdaptationData data_;
    std::shared_ptr<const StreamPlan> plan_;
    std::optional<AdaptationSchedule> schedule_;
    AdaptationSources sources_;
    std::unique_ptr<AdaptationLearner> learner_;

    std::int64_t step_ = 0, first_step_ = 0;
    RunClock clock_;
    Clock::time_point last_save_{}, last_report_{};
};

}  // namespace

void adaptPrompts(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                  AdaptationObserver& observer) {
    const AdaptationEnded ended = PromptAdaptation(experiment, place, control, observer).run();
    try {
        observer.onEnded(ended);
    } catch (...) {
        // The adaptation has ended, and there is no observer left to report to.
    }
}

}  // namespace palimpsest
