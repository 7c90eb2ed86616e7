// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/sweep_estimate.h"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/cli/sweep_needs.h"
#include "app/cli/sweep_printer.h"
#include "app/commands/memory_estimate.h"
#include "datasets/catalogue/catalogue.h"
#include "engine/adaptation/adapt_prompts.h"
#include "engine/data/image_rooms.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/method_options/head_method_options.h"
#include "engine/record/run_bytes.h"
#include "engine/run/run_control.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/process.h"
#include "engine/support/stop_scope.h"
#include "engine/train/evaluation_batch.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Width of a backbone from which on the processor measures a few images instead of a whole batch.
constexpr std::int64_t kWide = 384;
constexpr std::int64_t kFewImages = 4;
constexpr std::int64_t kBatches = 3;
/// The most images of a batch whose memory is measured, and the fewest of an evaluation; for each core, so that all of
/// them have work.
constexpr std::int64_t kMostMeasured = 256, kFewTested = 16, kTestedByCore = 4;
/// Classes where only a few images are learned, so that these meet all of them, and all test images with them.
constexpr std::int64_t kFewClasses = 2;
/// Bytes of one test image's guess in a run folder, at most.
constexpr std::int64_t kGuessBytes = 2;
constexpr std::int64_t kMegabyte = 1 << 20;
/// Bytes of a checkpoint for each trained number: itself, and two of the optimiser.
constexpr std::int64_t kStateBytes = 3 * sizeof(float);
/// Description and counters of a checkpoint, means of classes.
constexpr std::int64_t kCheckpointRest = 32 << 10;
/// Rows of the feature map at an evaluation, and the room that its file keeps to.
constexpr std::int64_t kFeatureRows = 210, kFeatureRoom = 24 * kMegabyte;
/// Bytes of a row of training.csv, and of the other tables at an evaluation.
constexpr std::int64_t kUpdateRow = 60, kEvaluationRows = 2048;

double secondsBetween(Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
}

/// A folder for the runs that are measured, removed with this object.
class ScratchRuns {
public:
    ScratchRuns() : path_(fs::temp_directory_path() / ("palimpsest-estimate-" + std::to_string(getpid()))) {
        fs::create_directories(path_);
    }
    ~ScratchRuns() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    ScratchRuns(const ScratchRuns&) = delete;
    ScratchRuns& operator=(const ScratchRuns&) = delete;
    fs::path fresh() { return path_ / std::to_string(++count_); }

private:
    fs::path path_;
    int count_ = 0;
};

/// Measured times of a method on a backbone.
struct Measured {
    std::int64_t images = 0;  ///< of the stream, in a batch
    double update = 0;        ///< seconds of one update on them and on as many replayed ones, where there is a memory
    double first_test = 0;    ///< seconds of a test image when it is first met
    double later_test = 0;    ///< and once what is kept of it is known
    std::int64_t parameters = 0;  ///< that are trained
};

/// Takes the times of a short run: updates, and the evaluations between them.
class Stopwatch : public RunObserver {
public:
    void onStarted(const RunStarted& event) override { parameters_ = event.trainable_parameters; }
    void onState(const StateChanged&) override { state_ = Clock::now(); }
    void onUpdate(const UpdateDone&) override {
        const auto now = Clock::now();
        // The first is slower: memory is taken, and nothing is replayed yet.
        if (idle_) updates_.push_back(secondsBetween(*idle_, now));
        idle_.reset();
    }
    void onEvaluated(const Evaluated& event) override {
        std::int64_t images = 0;
        for (const ClassCount& count : event.classes) images += count.samples;
        const auto now = Clock::now();
        if (images > 0) tests_.push_back(secondsBetween(state_, now) / static_cast<double>(images));
        idle_ = now;
    }
    void onEnded(const RunEnded& event) override { ended_ = event; }

    Measured measured(std::int64_t images) const {
        if (ended_.how == RunEnd::Failed) throw Error(ended_.kind, ended_.error, ended_.hint);
        if (updates_.empty() || tests_.empty()) throw GivenUp();
        return {images, *std::ranges::min_element(updates_), tests_.front(), tests_.back(), parameters_};
    }

private:
    Clock::time_point state_ = Clock::now();
    std::optional<Clock::time_point> idle_;
    std::vector<double> updates_, tests_;
    std::int64_t parameters_ = 0;
    RunEnded ended_;
};

/// Takes the peaks of memory of a short run that is evaluated once, at its end.
class PeakWatch : public RunObserver {
public:
    explicit PeakWatch(std::int64_t images) { peaks_.images = images; }
    void onStarted(const RunStarted&) override { take(peaks_.start); }
    void onUpdate(const UpdateDone&) override { take(peaks_.update); }
    void onEvaluated(const Evaluated& event) override {
        take(peaks_.evaluation);
        for (const ClassCount& count : event.classes) peaks_.tests += count.samples;
        peaks_.tests = std::min(peaks_.tests, evaluationBatch(peaks_.images));
    }
    void onEnded(const RunEnded& event) override { ended_ = event; }

    MemoryPeaks peaks() const {
        if (ended_.how == RunEnd::Failed) throw Error(ended_.kind, ended_.error, ended_.hint);
        if (peaks_.update == 0 || peaks_.evaluation == 0) throw GivenUp();
        return peaks_;
    }

private:
    static void take(std::int64_t& peak) {
        peak = std::max(peak, peakMemoryBytes());
        forgetPeakMemory();
    }

    MemoryPeaks peaks_;
    RunEnded ended_;
};

struct AdaptationWatch : AdaptationObserver {
    AdaptationEnded ended;
    void onEnded(const AdaptationEnded& event) override { ended = event; }
};

bool isSlow(const Experiment& experiment) {
    return !learnsOnGpu(experiment) && backboneKind(experiment.backbone.name).shape.width >= kWide;
}

std::int64_t fewImages(const Experiment& experiment, std::int64_t batch) {
    return isSlow(experiment) ? std::min(batch, kFewImages) : batch;
}

std::int64_t fewTested(const Experiment& experiment, std::int64_t batch) {
    return isSlow(experiment) ? std::clamp(kTestedByCore * availableCores(), kFewTested, batch) : batch;
}

/// The experiment on drawn images and with random weights of the same size, since speed depends on neither.
Experiment onDrawnImages(const OptionTable& table, Experiment e) {
    e.stream = table.defaults().stream;
    e.stream.dataset = "shapes";
    e.stream.sessions = 1;
    if (!e.backbone.isEmbedded()) e.backbone.weights = "random";
    e.evaluation.checkpoints = 0;
    return e;
}

/// Share of the sessions whose updates take two passes.
double sharpnessShare(const OptionTable& table, const Experiment& e) {
    if (!table.idleReason(e, *table.find("training.sam_sessions")).empty()) return 0;
    const std::int64_t sessions = std::max<std::int64_t>(1, e.stream.sessions);
    return static_cast<double>(std::min(e.training.sam_sessions, sessions)) / static_cast<double>(sessions);
}

/// Text of what decides how long an update takes.
std::string costKey(const OptionTable& table, const Experiment& e) {
    std::string key = std::to_string(e.training.batch_size) + (e.memory.size > 0 ? " memory " : " ") +
                      (e.mask.name == "learnable" ? e.mask.name : "") + e.device + e.precision +
                      std::to_string(e.threads);
    for (const Option& option : table.options())
        if (option.section() == "method" || (option.section() == "backbone" && option.key != "backbone.weights"))
            if (option.key != "method.prompt_selection") key += "\n" + table.text(e, option);
    return key;
}

/// A run of three batches with so many images of the stream and so many test images.
Experiment shortRun(const OptionTable& table, const Experiment& experiment, std::int64_t images, std::int64_t tests) {
    Experiment e = onDrawnImages(table, withoutPromptsToCome(experiment));
    e.training.batch_size = images;
    e.training.updates_per_batch = 1;
    e.stream.train_limit = kBatches * images;
    e.stream.test_limit = tests;
    e.evaluation.anytime_part = 0;
    e.memory.batch_size = 0;
    e.memory.size = std::min(e.memory.size, kBatches * images);
    if (e.method.name == "rainbow-memory") table.setText(e, "method.rainbow_epochs", "0");
    return e;
}

/// `images`: of the stream, in a batch.
Measured measure(const OptionTable& table, const Experiment& experiment, std::int64_t images, RunControl& control,
                 ScratchRuns& scratch) {
    Experiment e = shortRun(table, experiment, images, std::max<std::int64_t>(2 * images, 10));
    e.training.sam_sessions = 0;
    e.evaluation.every_samples = images;
    Stopwatch watch;
    runExperiment(1, e, FreshRun{{}, scratch.fresh()}, control, watch);
    return watch.measured(images);
}

MemoryPeaks measurePeaks(const OptionTable& table, const Experiment& experiment, std::int64_t images,
                         std::int64_t tests, RunControl& control, ScratchRuns& scratch) {
    Experiment e = shortRun(table, experiment, images, tests);
    if (isSlow(experiment)) e.stream.classes = kFewClasses;
    e.evaluation.every_samples = e.evaluation.early_look = 0;
    PeakWatch watch(images);
    forgetPeakMemory();
    runExperiment(1, e, FreshRun{{}, scratch.fresh()}, control, watch);
    return watch.peaks();
}

/// Images of the stream in a measured batch whose updates hold as many as those of the experiment, replayed ones
/// included.
std::int64_t wholeBatch(const Experiment& e) {
    if (e.memory.size == 0) return e.training.batch_size;
    return (e.training.batch_size + resolvedMemory(e).batch_size + 1) / 2;
}

/// Text of what decides how much memory it takes.
std::string memoryKey(const OptionTable& table, const Experiment& e) {
    return costKey(table, e) + "\n" + std::to_string(wholeBatch(e)) + " " +
           table.text(e, *table.find("training.optimizer")) + (sharpnessShare(table, e) > 0 ? " SAM" : "");
}

/// Peak memory of the program in a run with as many images in an update and in an evaluation as the experiment has,
/// bytes. What is too large to be measured is extended from two short runs.
std::int64_t peakMemory(const OptionTable& table, const Experiment& e, RunControl& control, ScratchRuns& scratch) {
    const std::int64_t whole = wholeBatch(e), tested = evaluationBatch(e.training.batch_size);
    const std::int64_t images = std::min(fewImages(e, whole), kMostMeasured), tests = fewTested(e, tested);
    const MemoryPeaks larger = measurePeaks(table, e, images, tests, control, scratch);
    if (larger.images >= whole && larger.tests >= tested) return wholePeak(larger, larger, whole, tested);
    const MemoryPeaks smaller = measurePeaks(table, e, 1, std::max<std::int64_t>(1, tests / 4), control, scratch);
    return wholePeak(larger, smaller, whole, tested);
}

/// Seconds of a step of the adaptation on one image.
double measureAdaptation(const OptionTable& table, const Experiment& session, RunControl& control,
                         ScratchRuns& scratch) {
    Experiment e = onDrawnImages(table, session);
    e.training.sam_sessions = 0;
    InitialSessionOptions& s = e.initial_session;
    s.batch_size = fewImages(session, s.batch_size);
    s.dataset = "shapes";
    s.classes = 4;
    s.other_classes = s.other_drawn = 2;
    s.images_per_class = s.batch_size;
    s.sessions = s.epochs = s.updates_per_batch = 1;
    AdaptationWatch watch;
    adaptPrompts(e, {scratch.fresh().replace_extension(".safetensors"), false}, control, watch);
    if (watch.ended.how == AdaptationEnded::How::Failed)
        throw Error(watch.ended.input_error ? ErrorKind::Input : ErrorKind::Run, watch.ended.error, watch.ended.hint);
    if (watch.ended.step == 0) throw GivenUp();
    return watch.ended.seconds / static_cast<double>(watch.ended.step * s.batch_size);
}

struct ImageCounts {
    std::int64_t train = 0, test = 0;
};

/// Images of a data set as its makers hand it out; a part of one has its share. 0: not known.
ImageCounts imagesOf(const std::string& name, const StreamOptions* stream) {
    const auto& all = datasetCatalogue();
    const auto known = std::ranges::find(all, name, &DatasetInfo::name);
    if (known == all.end()) return {};
    ImageCounts counts{known->train, known->test};
    if (!known->part_of.empty()) {
        const DatasetInfo& whole = catalogueEntry(known->part_of);
        if (counts.train == 0) counts.train = whole.train * known->classes / std::max<std::int64_t>(1, whole.classes);
        if (counts.test == 0) counts.test = whole.test * known->classes / std::max<std::int64_t>(1, whole.classes);
    }
    if (stream == nullptr) return counts;
    if (known->procedural && stream->classes > 0) {
        counts.train = counts.train / known->classes * stream->classes;
        counts.test = counts.test / known->classes * stream->classes;
    }
    if (stream->train_limit > 0) counts.train = std::min(counts.train, stream->train_limit);
    if (stream->test_limit > 0) counts.test = std::min(counts.test, stream->test_limit);
    return counts;
}

struct LineCost {
    double seconds = 0;  ///< of one run
    RunBytes bytes;
    std::int64_t batches = 0, updates = 0, evaluations = 0;
};

LineCost costOf(const OptionTable& table, const Experiment& e, const Measured& measured, const ImageCounts& images) {
    const auto times = [](std::int64_t count, double seconds) { return static_cast<double>(count) * seconds; };
    LineCost cost;
    cost.batches = (images.train + e.training.batch_size - 1) / e.training.batch_size;
    cost.updates = cost.batches * e.training.updates_per_batch;
    const double image = measured.update / static_cast<double>(measured.images);
    cost.seconds = times(cost.updates * e.training.batch_size, image) * (1 + sharpnessShare(table, e));
    const std::int64_t every = e.evaluation.every_samples;
    cost.evaluations = every > 0 ? images.train / every : 0;
    const std::int64_t part =
        e.evaluation.anytime_part > 0 ? std::min(e.evaluation.anytime_part, images.test) : images.test;
    const std::int64_t tested = cost.evaluations * part + e.stream.sessions * images.test;
    cost.seconds += times(images.test, measured.first_test) + times(tested, measured.later_test);
    if (e.method.name == "rainbow-memory") {
        const std::int64_t batch = e.training.batch_size + resolvedMemory(e).batch_size;
        const std::int64_t epochs = e.method.of<RainbowMemoryOptions>().epochs;
        for (std::int64_t session = 1; session <= e.stream.sessions; ++session) {
            const std::int64_t held = std::min(e.memory.size, images.train * session / e.stream.sessions);
            if (held == 0) continue;
            cost.updates += rainbowUpdates(epochs, held, batch);
            // The time of an image is that of one and a replayed one.
            cost.seconds += times(epochs * rainbowPasses(held, batch) * held, image / 2);
        }
    }
    // One at the beginning, at each evaluation and after each session, thinned out to their room; two always stay.
    const std::int64_t looks = cost.evaluations + e.stream.sessions;
    if (e.evaluation.checkpoints > 0) {
        const std::int64_t one = measured.parameters * kStateBytes + kCheckpointRest;
        const std::int64_t room = e.evaluation.checkpoints * kMegabyte / one;
        cost.bytes.checkpoints = std::min(looks + 1, std::max<std::int64_t>(2, room)) * one;
    }
    // Four letters hold three bytes of a number.
    const std::int64_t width = e.program.empty() ? backboneKind(e.backbone.name).shape.width : 0;
    const std::int64_t row = width * static_cast<std::int64_t>(sizeof(float)) * 4 / 3 + 20;
    if (width > 0) cost.bytes.features = std::min(kFeatureRoom, looks * kFeatureRows * row);
    // Classes come one after another: on average half of the test images are met.
    cost.bytes.predictions = (tested / 2 + images.test) * kGuessBytes;
    cost.bytes.tables = cost.updates * kUpdateRow + looks * kEvaluationRows;
    return cost;
}

/// Memory that grows with the number of images, which the short measurement hardly has: test pictures, their features
/// and those of images that come back; bytes.
std::int64_t keptImages(const Experiment& e, const ImageCounts& images) {
    if (!e.program.empty()) return 0;
    const VitShape shape = backboneKind(e.backbone.name).shape;
    const std::int64_t pictures = images.test * 3 * shape.image_size * shape.image_size;
    const std::int64_t row = shape.width * static_cast<std::int64_t>(sizeof(float));
    return (pictures <= kPicturesRoom ? pictures : 0) + images.test * row +
           (e.memory.size > 0 ? std::min(images.train * row, kFeaturesRoom) : 0);
}

double adaptationSeconds(const Experiment& session, double image) {
    const InitialSessionOptions& s = session.initial_session;
    std::int64_t images = imagesOf(s.dataset, nullptr).train;
    const auto& all = datasetCatalogue();
    const auto known = std::ranges::find(all, s.dataset, &DatasetInfo::name);
    if (known != all.end() && known->procedural) images = s.classes * s.images_per_class;
    if (known != all.end() && !known->procedural && known->classes > s.classes)
        images = images * s.classes / known->classes;
    return static_cast<double>(images * s.epochs * s.updates_per_batch) * image;
}

constexpr double kLoadOfOne = 1.5;  // of the processor, by the measurement alone, at most

const char* const kAssumptions[] = {
    "Measured one after the other, each with all the threads it is given; runs at once share the processor or the GPU.",
    "Images were drawn at the backbone's size: reading files goes on beside learning and is not in these times.",
    "An update takes time in proportion to its images; large backbones were measured on 4 images on a processor.",
    "Every evaluation is taken to see all test images, though the first ones see fewer, so it is an upper bound.",
    "Images of data sets are counted as their makers publish them, those of a part by its share of the classes.",
    "Disk is what runs usually keep: checkpoints at evaluations up to their room, features for the map, a guess for "
    "each tested image, and tables; data and weights come on top."};

const char* const kMeasuredMemory =
    "Memory is the peak of measured runs, while they learn and while they are tested, and the pictures and features "
    "that a whole run keeps; a data set that is read as a whole (CIFAR, MNIST) and a program of your own come on top. "
    "Batches that are too large to be measured are extended in proportion. On a GPU it is computed from the "
    "backbone's size and the batch.";
const char* const kComputedMemory =
    "Memory is computed from the backbone's size and the batch, since this system does not let a program measure its "
    "peak anew, with the pictures and features that a whole run keeps; it is often too much for methods whose network "
    "is frozen. A data set that is read as a whole (CIFAR, MNIST) and a program of your own come on top.";

int estimate(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places, bool json) {
    const SweepPrinter printer(plan, {}, json);
    const std::vector<SweepNeed> needs = missingInputs(table, plan, places);
    printer.missing(needs);
    RunControl control;
    const InterruptGuard guard([&](Interrupt) { control.abort(); });
    ScratchRuns scratch;
    const bool measuresMemory = forgetPeakMemory();
    std::map<std::string, Measured> known;
    std::map<std::string, std::int64_t> peaks;
    std::map<std::size_t, std::int64_t> runs;  // of each line
    std::map<std::size_t, std::size_t> first;
    std::set<std::size_t> sessions;
    for (const std::size_t place : places) {
        const SweepRun& run = plan.runs[place];
        ++runs[run.line];
        first.try_emplace(run.line, place);
        if (run.prompts && !promptsMade(run.experiment.initial_session.prompts)) sessions.insert(*run.prompts);
    }
    double total = 0;
    std::int64_t memory = 0, unknown = 0;
    RunBytes disk;
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::size_t one : sessions) {
        const SweepPrompts& prompts = plan.prompts[one];
        const double seconds =
            adaptationSeconds(prompts.experiment, measureAdaptation(table, prompts.experiment, control, scratch));
        total += seconds;
        if (json) printLine({{"event", "initial_session"}, {"name", prompts.name}, {"seconds", seconds}});
        rows.emplace_back("Initial session " + prompts.name, roughDuration(seconds));
    }
    for (const auto& [line, place] : first) {
        const Experiment& e = plan.runs[place].experiment;
        const std::string key = costKey(table, e);
        if (!known.contains(key)) {
            if (!json) std::cerr << "Measuring " << plan.lines[line].name << std::endl;
            known[key] = measure(table, e, fewImages(e, e.training.batch_size), control, scratch);
        }
        const ImageCounts images = imagesOf(e.stream.dataset, &e.stream);
        const LineCost cost = costOf(table, e, known[key], images);
        if (learnsOnGpu(e)) {
            memory = std::max(memory, learningMemory(e));
        } else {
            const auto [peak, fresh] = peaks.try_emplace(memoryKey(table, e), 0);
            if (fresh) peak->second = measuresMemory ? peakMemory(table, e, control, scratch) : learningMemory(e);
            memory = std::max(memory, peak->second + keptImages(e, images));
        }
        disk.add(cost.bytes, runs[line]);
        total += static_cast<double>(runs[line]) * cost.seconds;
        if (images.train == 0) ++unknown;
        if (json)
            printLine({{"event", "row"},
                       {"row", plan.lines[line].name},
                       {"runs", runs[line]},
                       {"seconds", images.train > 0 ? Json(cost.seconds) : Json(nullptr)},
                       {"batches", cost.batches},
                       {"updates", cost.updates},
                       {"evaluations", cost.evaluations},
                       {"bytes", cost.bytes.total()}});
        rows.emplace_back(plan.lines[line].name, counted(runs[line], "run", "runs") + " of " +
                                                     (images.train > 0 ? roughDuration(cost.seconds) : "unknown size"));
    }
    std::vector<std::string> assumptions(std::begin(kAssumptions), std::end(kAssumptions));
    assumptions.emplace_back(measuresMemory ? kMeasuredMemory : kComputedMemory);
    double load = 0;
    const bool shared = getloadavg(&load, 1) == 1 && load > kLoadOfOne;
    if (json) {
        printLine({{"event", "estimate"},
                   {"missing", needs.size()},
                   {"runs", places.size()},
                   {"measured", known.size()},
                   {"seconds", total},
                   {"memory_bytes", memory},
                   {"disk_bytes", disk.total()},
                   {"disk_parts", jsonOf(disk)},
                   {"shared_load", shared ? Json(load) : Json(nullptr)},
                   {"assumptions", assumptions}});
        return 0;
    }
    std::cout << twoColumns(rows) << "\nTogether " << counted(static_cast<std::int64_t>(places.size()), "run", "runs")
              << (sessions.empty() ? ""
                                   : " and " + counted(static_cast<std::int64_t>(sessions.size()), "initial session",
                                                       "initial sessions"))
              << ": about " << roughDuration(total) << " here, one after the other; memory " << byteCount(memory)
              << " a run, typically " << byteCount(disk.total()) << " on the disk, mostly " << disk.most() << ".";
    if (shared)
        std::cout << " Others used the processor meanwhile (load " << fixedText(load, 1)
                  << "); alone it may be faster.";
    if (unknown > 0) std::cout << " Rows of data sets whose size is not published are not in it.";
    std::cout << "\nAssumptions\n";
    for (const std::string& assumption : assumptions) std::cout << "  " << assumption << "\n";
    std::cout << std::flush;
    return 0;
}

}  // namespace

int estimateSweep(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places, bool json) {
    try {
        return estimate(table, plan, places, json);
    } catch (const GivenUp&) {
        std::cerr << "Stopped before everything was measured." << std::endl;
        return 1;
    }
}

}  // namespace palimpsest
