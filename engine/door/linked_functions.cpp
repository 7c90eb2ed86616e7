// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of the engine for programs: each loads the module and calls its own of the same name. Tests link the
// engine itself in place of this file. The module is linked so that it keeps to its own (-Bsymbolic-functions).
#include <memory>
#include <utility>

#include "engine/door/engine_module.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

RunEnded failedRun(std::int64_t run, const Error& error) {
    RunEnded ended;
    ended.run = run;
    ended.how = RunEnd::Failed;
    ended.error = error.what();
    ended.hint = error.hint();
    ended.kind = error.kind();
    return ended;
}

/// The cards are known without LibTorch, and the window shows them as it opens.
class LoadedBackbones : public BackboneService {
public:
    std::vector<BackboneCard> cards() const override { return backboneCards(); }
    BackboneFacts facts(const std::filesystem::path& file) const override {
        return engine().makeBackboneService()->facts(file);
    }
    bool fetch(const std::string& name, const FetchOrigin& source,
               const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const override {
        return engine().makeBackboneService()->fetch(name, source, progress, std::move(stop));
    }
};

}  // namespace

// These four throw nothing: a module that is not there ends them as any other failure does.
void runExperiment(std::int64_t run, const Experiment& experiment, const RunStart& start, RunControl& control,
                   RunObserver& observer) {
    const EngineTable* table = nullptr;
    try {
        table = &engine();
    } catch (const Error& error) {
        return observer.onEnded(failedRun(run, error));
    }
    table->runExperiment(run, experiment, start, control, observer);
}

void resumeRun(std::int64_t run, const std::filesystem::path& folder, RunControl& control, RunObserver& observer) {
    const EngineTable* table = nullptr;
    try {
        table = &engine();
    } catch (const Error& error) {
        return observer.onEnded(failedRun(run, error));
    }
    table->resumeRun(run, folder, control, observer);
}

void adaptPrompts(const Experiment& experiment, const AdaptationPlace& place, RunControl& control,
                  AdaptationObserver& observer) {
    const EngineTable* table = nullptr;
    try {
        table = &engine();
    } catch (const Error& error) {
        AdaptationEnded ended;
        ended.how = AdaptationEnded::How::Failed;
        ended.error = error.what();
        ended.hint = error.hint();
        ended.input_error = error.kind() == ErrorKind::Input;
        return observer.onEnded(ended);
    }
    table->adaptPrompts(experiment, place, control, observer);
}

void checkTrust(const TrustRequest& request, RunControl& control, TrustObserver& observer) {
    const EngineTable* table = nullptr;
    try {
        table = &engine();
    } catch (const Error& error) {
        TrustEnded ended;
        ended.how = TrustEnded::How::Failed;
        ended.error = error.what();
        ended.hint = error.hint();
        ended.kind = error.kind();
        return observer.onEnded(ended);
    }
    table->checkTrust(request, control, observer);
}

MaskLens maskLens(const OptionTable& table, const std::filesystem::path& run, std::optional<std::int64_t> at) {
    return engine().maskLens(table, run, at);
}

ImageAttention imageAttention(const OptionTable& table, const std::filesystem::path& run, std::int64_t image,
                              std::optional<std::int64_t> at) {
    return engine().imageAttention(table, run, image, at);
}

void requireNamedFiles(const OptionTable& table, const Experiment& experiment) {
    engine().requireNamedFiles(table, experiment);
}

bool learnsOnGpu(const Experiment& experiment) {
    return engine().learnsOnGpu(experiment);
}

std::int64_t learningMemory(const Experiment& experiment) {
    return engine().learningMemory(experiment);
}

std::unique_ptr<ExperimentCheck> experimentCheck(const OptionTable& table) {
    return engine().experimentCheck(table);
}

std::unique_ptr<BackboneService> makeBackboneService() {
    return std::make_unique<LoadedBackbones>();
}

BackboneFetchOutcome fetchBackbone(const BackboneCard& card, const BackboneFetchSettings& settings) {
    return engine().fetchBackbone(card, settings);
}

std::vector<PromptFacts> promptFacts(const std::filesystem::path& from, const std::filesystem::path& out) {
    return engine().promptFacts(from, out);
}

std::string deviceText() {
    return engine().deviceText();
}

std::string libtorchVersion() {
    return engine().libtorchVersion();
}

std::string gpuText() {
    return engine().gpuText();
}

EngineFacts engineFacts() {
    EngineFacts facts;
    try {
        facts = engine().engineFacts();
    } catch (const Error& error) {
        facts.problem = error.what();
        facts.hint = error.hint();
        facts.kind = error.kind();
        return facts;
    }
    facts.module = engineFile();
    return facts;
}

std::int64_t pretrain(const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
                      const std::function<bool()>& stopping) {
    return engine().pretrain(settings, report, stopping);
}

std::vector<ProbeRow> probeBackbones(const std::vector<std::string>& weights, bool test) {
    return engine().probeBackbones(weights, test);
}

void verifyGolden(const std::filesystem::path& folder, const CaseReport& report, const VerifyPlace& place) {
    engine().verifyGolden(folder, report, place);
}

std::vector<EngineBenchmark> engineBenchmarks() {
    return engine().engineBenchmarks();
}

SpeedMachine speedMachine(const SpeedSettings& settings) {
    return engine().speedMachine(settings);
}

std::vector<std::string> usualPrecisions(const SpeedSettings& settings) {
    return engine().usualPrecisions(settings);
}

Roof measuredRoof(const SpeedSettings& settings, const std::string& precision) {
    return engine().measuredRoof(settings, precision);
}

void requireBackbone(const std::string& backbone) {
    engine().requireBackbone(backbone);
}

void measureStages(const SpeedSettings& settings, const std::string& backbone, const std::string& precision,
                   const std::function<void(const StageSpeed&)>& onStage) {
    engine().measureStages(settings, backbone, precision, onStage);
}

}  // namespace palimpsest
