// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

#include "datasets/folder_lock.h"
#include "engine/api.h"
#include "engine/config/nearest_word.h"
#include "engine/data/stream_source.h"
#include "engine/isa/adaptation_data.h"
#include "engine/isa/adaptation_facts.h"
#include "engine/isa/adaptation_schedule.h"
#include "engine/isa/other_source.h"
#include "engine/isa/prompt_adapter.h"
#include "engine/method/prompt_files.h"
#include "engine/network/safetensors.h"
#include "engine/network/weights.h"
#include "engine/support/grouped.h"
#include "engine/support/peak_memory.h"
#include "engine/support/stop_scope.h"
#include "engine/support/utf8.h"
#include "engine/train/class_registry.h"
#include "engine/train/explained_error.h"
#include "engine/train/logit_mask.h"

namespace palimpsest {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportEvery{250};
constexpr std::chrono::minutes kSaveEvery{3};

double seconds(Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

/// A word that is no kind is a slip of the pen, unless it can be a place of prompts.
void checkKind(const std::string& prompts) {
    const std::vector<std::string> words = {"naive", "sam", "fam", "none"};
    if (std::ranges::find(words, prompts) != words.end()) return;
    const std::filesystem::path place = prompts;
    std::error_code unreadable;
    if (place.has_parent_path() || place.has_extension() || std::filesystem::exists(place, unreadable)) return;
    const std::string near = nearestWord(prompts, words);
    throw inputError("initial_session.prompts is \"" + plainLine(prompts) + "\", which is no way to adapt prompts.",
                     near.empty() ? "Write naive, sam or fam." : "Did you mean " + near + "?");
}

/// With the kind of adaptation that PromptAdapter takes it for: FAM, where the prompts are none or a file.
Experiment withKind(Experiment experiment) {
    std::string& prompts = experiment.initial_session.prompts;
    if (prompts != "naive" && prompts != "sam") prompts = "fam";
    return experiment;
}

std::filesystem::path stateOf(const std::filesystem::path& file) {
    std::filesystem::path state = file;
    state += ".state";
    return state;
}

/// Everything of one adaptation, in the order it is made.
class PromptAdaptation {
public:
    PromptAdaptation(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                     AdaptationObserver& observer)
        : asked_(experiment.initial_session.prompts),
          experiment_(withKind(experiment)),
          options_(experiment_.initial_session),
          place_(place),
          control_(control),
          observer_(observer) {}

    AdaptationEnded go() {
        AdaptationEnded ended;
        try {
            ended.how = adaptUnlessGivenUp() ? AdaptationEnded::How::Finished : AdaptationEnded::How::Stopped;
            settle(ended);
        } catch (...) {
            const Error error = explainedError("the experiment file", on_cpu_);
            ended.how = AdaptationEnded::How::Failed;
            ended.file.clear();
            ended.error = error.what();
            ended.hint = error.hint();
            ended.input_error = error.kind() == ErrorKind::Input;
        }
        ended.seconds = activeSeconds();
        ended.step = step_;
        ended.state_step = own_state_step_;
        ended.peak_memory_bytes = peakMemoryBytes();
        return ended;
    }

private:
    /// False when the person ended it early, also while its images were being found.
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
        tellStart();
        return learn();
    }

    bool prepares(const std::string& detail) {
        if (control_.ending()) return false;
        observer_.onPreparing(detail);
        return true;
    }

    void checkInput(const OptionTable& table) {
        checkKind(asked_);
        requirePromptMethod(table, experiment_);
        std::string all;
        for (const std::string& problem : table.problems(experiment_)) all += (all.empty() ? "" : " ") + problem;
        if (!all.empty()) throw inputError(all);
        settings_ = adapterSettings(options_);
        if (place_.file.extension() != ".safetensors")
            throw inputError("The prompts cannot be written as \"" + plainLine(place_.file.string()) + "\".",
                             "Give the file a name that ends in .safetensors.");
        // First of all: even the look whether it can be written would disturb another that is writing.
        claim();
        checkWritable(place_.file);
        state_file_.emplace(stateOf(place_.file));
        if (!place_.resume) return;
        saved_ = readAdaptationState(state_file_->file());
    }

    /// One at a time writes to a file. The claim goes with its holder, also when that is killed.
    void claim() {
        const std::filesystem::path folder = std::filesystem::absolute(place_.file).parent_path();
        std::error_code unreadable;
        // What stands in the way of writing is told by checkWritable().
        if (!std::filesystem::is_directory(folder, unreadable)) return;
        std::stop_source taken;
        try {
            claim_.emplace(folder, [&] { taken.request_stop(); }, taken.get_token(),
                           "." + place_.file.filename().string() + ".lock");
        } catch (const Error&) {
            return;
        }
        if (!claim_->held())
            throw inputError("Another adaptation is writing to " + place_.file.string() + ".",
                             "Wait for its end, or name another file.");
    }

    void prepareNetwork(const OptionTable& table) {
        compute_ = prepareCompute(experiment_.device, experiment_.precision, experiment_.threads);
        on_cpu_ = compute_.device.is_cpu();
        vit_.emplace(loadBackbone(experiment_.backbone, seed(), compute_));
        MethodOptions method = experiment_.method;
        // The other methods know no other form, and do not show the option.
        if (method.name != "dualprompt") method.prompt_form = "tuning";
        layout_ = promptLayout(method, vit_->shape().depth);
        facts_ = adaptationOptions(table, experiment_);
        Experiment used = experiment_;
        used.initial_session.rho = settings_.rho;
        rho_ = table.text(used, *table.find("initial_session.rho"));
        facts_[kPromptBackboneKey] = backboneDigest(experiment_.backbone, seed());
        facts_[kPromptLayoutKey] = layoutText(layout_);
        facts_["the device"] = on_cpu_ ? "cpu" : "cuda";
        facts_["the precision"] = compute_.precisionName();
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
        // Classes that no session takes may be the only ones with images.
        if (schedule_->steps() == 0)
            throw inputError("No class with images is left to learn.",
                             "Use fewer sessions (initial_session.sessions).");
        if (saved_) takeUp(*saved_);

        PictureSettings pictures{.image_size = vit_->shape().image_size,
                                 .seed = seed(),
                                 .device = compute_.device,
                                 .mean = data_.dataset.mean,
                                 .deviation = data_.dataset.deviation,
                                 .load_shape = data_.dataset.load_shape,
                                 .place = data_.place,
                                 .pool = std::make_shared<ReadPool>(readingThreads(compute_.threads, !on_cpu_)),
                                 .cache = nullptr};
        pictures.cache = pictureCacheOf(*data_.dataset.train, pictures.load_shape, pictures.image_size, true,
                                        experiment_.stream.cache << 20);
        TrainingOptions training = experiment_.training;
        training.augment = options_.augment;
        const Augment augment = augmentOf(training, data_.dataset.augment_policy);
        StreamSource::Settings streamed{pictures};
        streamed.batch_size = options_.batch_size;
        streamed.augment = augment;
        streamed.passes = options_.epochs;
        streamed.passed_over = schedule_->at(step_).batch - 1;
        train_ = std::make_unique<StreamSource>(data_.dataset.train, plan_, streamed);
        if (settings_.kind != AdapterSettings::Kind::Fam) return;
        const OtherDraws draws(data_.others, {.seed = seed(),
                                              .drawn = options_.other_drawn,
                                              .batch_size = options_.batch_size,
                                              .resample = options_.resample});
        drawn_at_once_ = static_cast<std::int64_t>(draws.drawn().size());
        pictures.cache = pictureCacheOf(*data_.other_table, pictures.load_shape, pictures.image_size, true,
                                        experiment_.stream.cache << 20);
        other_ = std::make_unique<OtherSource>(data_.other_table, draws, pictures, augment);
        if (saved_) other_->restore(saved_->other);
    }

    void takeUp(const AdaptationState& saved) {
        requireSameAdaptation(state_file_->file(), saved.facts, facts_);
        if (saved.step < 1 || saved.step >= schedule_->steps())
            throw inputError("The state " + state_file_->file().string() + " was saved after step " +
                                 grouped(saved.step) + " of " + grouped(schedule_->steps()) + ".",
                             "Start anew, without resuming.");
        step_ = first_step_ = own_state_step_ = saved.step;
        samples_seen_ = saved.samples_seen;
        registry_.expose({saved.exposed.begin(), saved.exposed.end()});
        if (saved.threads != compute_.threads)
            data_.warnings.push_back("The adaptation began with " + counted(saved.threads, "thread", "threads") +
                                     " and goes on with " + grouped(compute_.threads) +
                                     ", so its last digits may differ from those of an unbroken one.");
    }

    /// Outputs of the head.
    std::int64_t units() const {
        if (settings_.kind != AdapterSettings::Kind::Fam) return data_.classes;
        return sharedUnits() ? std::max(data_.classes, drawn_at_once_)
                             : data_.classes + static_cast<std::int64_t>(data_.others.size());
    }

    bool sharedUnits() const { return options_.other_units == "shared"; }

    void prepareLearner() {
        adapter_ = std::make_unique<PromptAdapter>(*vit_, layout_, settings_, units(), seed());
        if (saved_) adapter_->restore(saved_->learner);
        saved_.reset();
        train_->unreadable().listen([this](const UnreadableImage& image) { noteUnreadable(image); });
        if (other_) other_->unreadable().listen([this](const UnreadableImage& image) { noteUnreadable(image); });
    }

    void tellStart() {
        AdaptationStarted started;
        started.kind = options_.prompts;
        started.data = data_.text();
        started.total_steps = schedule_->steps();
        started.first_step = first_step_;
        for (const auto& [name, tensor] : adapter_->trainable()) started.trainable_parameters += tensor.numel();
        started.device = compute_.deviceName();
        started.precision = compute_.precisionName();
        started.warnings = data_.warnings;
        if (const std::int64_t left = data_.classes % options_.sessions; left > 0)
            started.warnings.push_back(counted(left, "class is", "classes are") +
                                       " left out: " + grouped(data_.classes) + " are not a multiple of " +
                                       counted(options_.sessions, "session.", "sessions."));
        std::error_code unreadable;
        if (!place_.resume && std::filesystem::exists(place_.file, unreadable))
            started.warnings.push_back(place_.file.string() +
                                       " is there already and will be replaced, also when this adaptation is stopped.");
        if (!place_.resume && state_file_->wasThere())
            started.warnings.push_back(
                state_file_->file().string() +
                " holds an adaptation that was stopped; this one starts anew and will replace it.");
        start_ = last_save_ = Clock::now();
        paused_ = {};
        observer_.onStarted(started);
    }

    /// False when the person ended it early.
    bool learn() {
        while (step_ < schedule_->steps()) {
            Clock::time_point pause{};
            control_.atBatchBorder([&](bool paused) {
                if (paused)
                    pause = Clock::now();
                else
                    paused_ += Clock::now() - pause;
                observer_.onPaused(paused);
            });
            if (control_.ending()) return false;
            const AdaptationSchedule::Position at = schedule_->at(step_);
            learnStep(at);
            ++step_;
            const bool last = step_ == schedule_->steps();
            if (learned_ && (last || control_.stepping() || Clock::now() - last_report_ >= kReportEvery)) report(at);
            if (!last && (at.ends_epoch || Clock::now() - last_save_ >= kSaveEvery)) saveOrWarn();
        }
        return control_.verdict() != RunControl::Verdict::Abort;
    }

    void learnStep(const AdaptationSchedule::Position& at) {
        learned_ = false;
        if (open_batch_ != at.batch) {
            batch_ = train_->open(at.batch, at.samples);
            open_batch_ = at.batch;
            labels_.clear();
            for (const std::int64_t sample : batch_) labels_.push_back(train_->label(sample));
            registry_.expose(labels_);
        }
        // Nothing of it can be read.
        if (batch_.empty()) return;
        if (at.update == 0) samples_seen_ += static_cast<std::int64_t>(batch_.size());
        // What is seen by now counts for both kinds of images, so the others come first (MISA, methods/fam.py).
        std::optional<OtherSource::Batch> drawn;
        std::vector<std::int32_t> otherLabels;
        if (other_) {
            drawn = other_->next();
            // Shared: the drawn classes count from 0, as the first classes to learn do (MISA, methods/fam.py).
            for (const std::int64_t label : sharedUnits() ? drawn->places : drawn->classes)
                otherLabels.push_back(static_cast<std::int32_t>(sharedUnits() ? label : data_.classes + label));
            registry_.expose(otherLabels);
        }
        const Tensor mask = seenMask(registry_.count(), units(), compute_.device);
        std::optional<PromptAdapter::Batch> other;
        if (drawn) other = PromptAdapter::Batch{drawn->images, unitsOf(otherLabels), mask};
        const ShownImages shown = train_->images(at.batch, at.update, batch_, {});
        last_ = adapter_->step({shown.images, unitsOf(labels_), mask}, other);
        learned_ = true;
    }

    Tensor unitsOf(const std::vector<std::int32_t>& labels) const {
        return at::tensor(registry_.units(labels), at::kLong).to(compute_.device);
    }

    void report(const AdaptationSchedule::Position& at) {
        AdaptationProgress progress;
        progress.step = step_;
        progress.epoch = at.epoch + 1;
        progress.samples_seen = samples_seen_;
        progress.loss = last_.loss;
        progress.other_loss = last_.first_loss;
        progress.accuracy = last_.accuracy;
        progress.steps_per_second = static_cast<double>(step_ - first_step_) / std::max(1e-9, activeSeconds());
        observer_.onProgress(progress);
        last_report_ = Clock::now();
    }

    void noteUnreadable(const UnreadableImage& image) { observer_.onImageLeftOut(image.text()); }

    double activeSeconds() const { return seconds(Clock::now() - start_ - paused_); }

    void save() {
        AdaptationState state;
        state.step = step_;
        state.samples_seen = samples_seen_;
        state.threads = compute_.threads;
        if (other_) state.other = other_->position();
        state.exposed.assign(registry_.exposed().begin(), registry_.exposed().end());
        for (const auto& [name, tensor] : adapter_->state()) state.learner[name] = tensor;
        state.facts = facts_;
        state_file_->write(state);
        own_state_step_ = step_;
    }

    /// A state that cannot be saved, as on a full disk, is no reason to give up what was learned.
    void saveOrWarn() {
        last_save_ = Clock::now();
        try {
            save();
            warned_ = false;
        } catch (const Error& error) {
            if (!std::exchange(warned_, true))
                observer_.onWarning(std::string(error.what()) +
                                    " The adaptation itself is not harmed, but cannot be gone on with from here. " +
                                    error.hint());
        }
    }

    /// What writes the prompts to a file. Throws Error(Run) where they are no numbers any more.
    std::function<void(const std::filesystem::path&)> promptsWriter() const {
        std::map<std::string, std::string> metadata = facts_;
        // 0 stands for the usual one.
        if (settings_.kind != AdapterSettings::Kind::Naive) metadata["initial_session.rho"] = rho_;
        metadata["command"] = command_;
        metadata["kind"] = options_.prompts;
        metadata["steps"] = std::to_string(step_);
        metadata["samples_seen"] = std::to_string(samples_seen_);
        metadata["threads"] = std::to_string(compute_.threads);
        metadata["version"] = PALIMPSEST_VERSION;
        metadata["libtorch"] = libtorchVersion();
        std::vector<NamedTensor> prompts = adapter_->learnedPrompts();
        for (auto& [name, tensor] : prompts) {
            tensor = tensor.to(at::kCPU);
            if (!at::isfinite(tensor).all().item<bool>())
                throw runError("The adaptation diverged: " + name + " is no longer finite after step " +
                                   grouped(step_) + ", so " + place_.file.string() + " was left as it was.",
                               "Lower the learning rate (initial_session.learning_rate) and start again.");
        }
        return [prompts = std::move(prompts), metadata = std::move(metadata)](const std::filesystem::path& file) {
            writeSafetensors(file, prompts, metadata);
        };
    }

    /// What was learned is kept, unless it is thrown away or nothing was learned.
    void settle(AdaptationEnded& ended) {
        const bool finished = ended.how == AdaptationEnded::How::Finished;
        if (!finished && control_.verdict() == RunControl::Verdict::Abort) {
            if (state_file_) state_file_->takeBack();
            own_state_step_ = first_step_;
            return;
        }
        if (!adapter_ || step_ == 0) return;
        const auto write = promptsWriter();
        try {
            write(place_.file);
        } catch (const Error& error) {
            // There may be room for the way to go on, all the same.
            if (!finished) saveOrWarn();
            ended.keep_at = finished ? withoutState(write) : write;
            if (own_state_step_ == 0) throw;
            throw Error(error.kind(), error.what(),
                        error.hint() + " Then go on from " + state_file_->file().string() + ".");
        }
        ended.file = place_.file;
        // The prompts first: they are smaller, and worth more than the way to go on.
        if (!finished) return saveOrWarn();
        state_file_->remove();
        own_state_step_ = 0;
    }

    /// What is finished elsewhere cannot go on here. What another adaptation left is none of its business.
    std::function<void(const std::filesystem::path&)> withoutState(
        std::function<void(const std::filesystem::path&)> write) const {
        if (own_state_step_ == 0) return write;
        return [write = std::move(write), state = state_file_->file()](const std::filesystem::path& file) {
            write(file);
            std::error_code gone;
            std::filesystem::remove(state, gone);
        };
    }

    std::uint64_t seed() const { return static_cast<std::uint64_t>(experiment_.seed); }

    const std::string asked_;  // initial_session.prompts
    const Experiment experiment_;
    const InitialSessionOptions& options_;
    const AdaptationPlace& place_;
    RunControl& control_;
    AdaptationObserver& observer_;

    std::optional<FolderLock> claim_;
    std::optional<AdaptationStateFile> state_file_;
    std::optional<AdaptationState> saved_;  // until it is taken up
    AdapterSettings settings_;
    AdaptationFacts facts_;
    std::string rho_;  // the one that is used
    std::string command_;
    Compute compute_;
    bool on_cpu_ = true;
    std::optional<Vit> vit_;
    PromptLayout layout_;
    AdaptationData data_;
    std::shared_ptr<const StreamPlan> plan_;
    std::optional<AdaptationSchedule> schedule_;
    std::unique_ptr<StreamSource> train_;
    std::unique_ptr<OtherSource> other_;  // FAM's
    std::int64_t drawn_at_once_ = 0;
    std::unique_ptr<PromptAdapter> adapter_;
    ClassRegistry registry_;

    std::int64_t step_ = 0, first_step_ = 0, samples_seen_ = 0;
    std::int64_t open_batch_ = 0;
    std::vector<std::int64_t> batch_;   // samples of the open batch that can be read
    std::vector<std::int32_t> labels_;  // theirs
    PromptAdapter::Step last_;
    bool learned_ = false;             // did the last step do anything?
    std::int64_t own_state_step_ = 0;  // that the state holds of this adaptation; 0: none
    bool warned_ = false;              // of a state that could not be saved
    Clock::time_point start_ = Clock::now(), last_save_{}, last_report_{};
    Clock::duration paused_{};
};

}  // namespace

void adaptPrompts(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                  AdaptationObserver& observer) {
    const AdaptationEnded ended = PromptAdaptation(experiment, place, control, observer).go();
    try {
        observer.onEnded(ended);
    } catch (...) {
        // It is over, and nobody is left who could be told.
    }
}

}  // namespace palimpsest
