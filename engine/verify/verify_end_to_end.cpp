// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_file.h"
#include "engine/verify/golden_optimizer.h"
#include "engine/verify/golden_place.h"
#include "engine/verify/verify_cases.h"

namespace palimpsest {
namespace {

constexpr double kRunLosses = 1e-5, kFractions = 1e-6;

/// Training images from the rows of a golden tensor, without a transform, as in the golden runs.
class GoldenTrain : public TrainSource {
public:
    GoldenTrain(Tensor images, std::vector<std::int32_t> labels)
        : images_(std::move(images)), labels_(std::move(labels)) {}
    std::int32_t label(std::int64_t sample) const override { return labels_[static_cast<std::size_t>(sample)]; }
    ShownImages images(std::int64_t, std::int64_t, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        std::vector<std::int64_t> rows(stream.begin(), stream.end());
        rows.insert(rows.end(), replay.begin(), replay.end());
        return {images_.index_select(0, at::tensor(rows, at::kLong)).to(GoldenPlace::device()), rows};
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
    const std::vector<std::int32_t>& labels() const { return labels_; }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

class GoldenTest : public TestSource {
public:
    GoldenTest(Tensor images, std::vector<std::int32_t> labels)
        : images_(std::move(images)), labels_(std::move(labels)) {}
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> rows(samples.begin(), samples.end());
        return {images_.index_select(0, at::tensor(rows, at::kLong)).to(GoldenPlace::device()), rows};
    }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

std::vector<std::int32_t> int32Labels(const Tensor& labels) {
    const auto values = indexVector(labels);
    return {values.begin(), values.end()};
}

/// Compares every loss and evaluation with the golden record as it happens.
class Comparing : public LoopListener {
public:
    Comparing(const nlohmann::json& golden, CaseCheck& check, std::int64_t classes)
        : golden_(golden), check_(check), classes_(static_cast<std::size_t>(classes)) {}
    void attach(const OnlineLoop& loop) { loop_ = &loop; }

    void updated(std::int64_t, const UpdateResult& result) override {
        const auto& losses = golden_.at("losses");
        if (losses_ < losses.size())
            check_.near("loss " + std::to_string(losses_ + 1), result.loss, losses[losses_].get<double>(), kRunLosses,
                        kRunLosses);
        ++losses_;
    }

    void evaluated(EvaluationKind kind, std::int64_t, const Evaluation& evaluation) override {
        const bool anytime = kind == EvaluationKind::Anytime;
        std::size_t& index = anytime ? anytime_ : session_ends_;
        const auto& list = golden_.at(anytime ? "anytime" : "session_end");
        std::vector<Hits> hits = evaluation.units;
        hits.resize(classes_);
        if (index < list.size()) compare(list[index], evaluation, hits);
        ++index;
        const auto& predictions = golden_.at("predictions");
        if (evaluations_ < predictions.size()) comparePredictions(predictions, evaluation);
        if (anytime)
            anytime_accuracies.push_back(evaluation.accuracy);
        else {
            session_accuracies.push_back(evaluation.accuracy);
            session_hits.push_back(hits);
        }
    }

    void finish() {
        check_.same("number of losses", static_cast<std::int64_t>(losses_), count("losses"));
        check_.same("number of anytime evaluations", static_cast<std::int64_t>(anytime_), count("anytime"));
        check_.same("number of session ends", static_cast<std::int64_t>(session_ends_), count("session_end"));
        check_.same("number of prediction batches", static_cast<std::int64_t>(evaluations_), count("predictions"));
    }

    std::vector<double> anytime_accuracies, session_accuracies;
    std::vector<std::vector<Hits>> session_hits;

private:
    std::int64_t count(const char* key) const { return static_cast<std::int64_t>(golden_.at(key).size()); }

    void compare(const nlohmann::json& expected, const Evaluation& evaluation, const std::vector<Hits>& hits) {
        check_.same("samples seen at an evaluation", loop_->samplesSeen(),
                    expected.at("samples_seen").get<std::int64_t>());
        check_.near("accuracy", evaluation.accuracy, expected.at("acc").get<double>(), kFractions);
        check_.near("evaluation loss", evaluation.loss, expected.at("loss").get<double>(), kRunLosses, kRunLosses);
        const auto& classes = expected.at("cls_acc");
        for (std::size_t k = 0; k < std::min(hits.size(), classes.size()); ++k)
            check_.near("class accuracy", classAccuracy(hits[k]), classes[k].get<double>(), kFractions);
    }

    /// Compares predictions, which the golden file has in test batches.
    void comparePredictions(const nlohmann::json& predictions, const Evaluation& evaluation) {
        std::size_t done = 0;
        while (done < evaluation.predictions.size() && evaluations_ < predictions.size()) {
            const auto& part = predictions[evaluations_++];
            for (std::size_t i = 0; i < part.size(); ++i, ++done)
                if (done < evaluation.predictions.size())
                    check_.same("prediction", evaluation.predictions[done], part[i].get<std::int64_t>());
        }
    }

    const nlohmann::json& golden_;
    CaseCheck& check_;
    std::size_t classes_;
    const OnlineLoop* loop_ = nullptr;
    std::size_t losses_ = 0, anytime_ = 0, session_ends_ = 0, evaluations_ = 0;
};

void compareMetric(CaseCheck& check, const nlohmann::json& expected, const char* key, std::optional<double> got) {
    const auto& value = expected.at(key);
    if (value.is_null())
        check.require(!got, std::string(key) + " is defined although it should not be");
    else if (!got)
        check.fail(std::string(key) + " is not defined");
    else
        check.near(key, *got, value.get<double>(), kFractions);
}

/// A size or a period, which must be positive: with 0 the loop would never end.
std::int64_t positive(const nlohmann::json& golden, const char* key) {
    const auto value = golden.at(key).get<std::int64_t>();
    if (value <= 0) throw inputError(std::string(key) + " is " + std::to_string(value) + ", but must be above 0.");
    return value;
}

class EndToEnd {
public:
    /// `cases`: all cases of the file, for values that this one lacks.
    EndToEnd(const std::filesystem::path& root, const nlohmann::json& cases, const nlohmann::json& golden,
             const std::string& method, const std::string& name)
        : root_(root), cases_(cases), golden_(golden), method_name_(method), check_(name) {}

    VerifiedCase verify() {
        const TensorFile data = readSafetensors(root_ / "shared" / "data.safetensors");
        const bool crash = golden_.value("result", "ok") == "crash";
        GoldenTrain train = makeTrain(data, valueOf("train_rows").get<std::vector<std::int64_t>>());
        const StreamPlan plan = makePlan(train, classesOf(data));
        if (crash) {
            // After an empty first session the official code divides by zero; this one does not evaluate.
            check_.require(plan.sessions.front().empty(), "the first session should be empty");
            return check_.result();
        }
        run(data, train, plan);
        return check_.result();
    }

private:
    /// Value of this case, or else of the first case of the file that has it: a crashed case has few, and all cases of
    /// a file are made from the same data.
    const nlohmann::json& valueOf(const char* key) const {
        if (golden_.contains(key)) return golden_.at(key);
        for (const auto& other : cases_)
            if (other.is_object() && other.contains(key)) return other.at(key);
        throw inputError(std::string("No case says its ") + key + ".", "Copy the golden files again.");
    }

    /// Length of the class list: the data may lack some of its classes, and the sessions some classes of the data.
    std::int64_t classesOf(const TensorFile& data) const {
        std::int64_t highest = data.at("labels").max().item<std::int64_t>();
        for (const char* key : {"disjoint_classes", "blurry_classes"})
            for (const auto& session : valueOf(key).get<std::vector<std::vector<std::int64_t>>>())
                for (const std::int64_t label : session) highest = std::max(highest, label);
        return highest + 1;
    }

    /// Optimiser of the file, if it names one; the official default is Adam.
    OptimizerSettings optimizer() const {
        std::string words = golden_.value("optimizer", "Adam");
        if (golden_.contains("lr")) words += " lr " + golden_.at("lr").get<std::string>();
        return parseOptimizer(words);
    }

    GoldenTrain makeTrain(const TensorFile& data, const std::vector<std::int64_t>& rows) const {
        return {data.at("images").slice(0, rows.at(0), rows.at(1)),
                int32Labels(data.at("labels").slice(0, rows.at(0), rows.at(1)))};
    }

    StreamPlan makePlan(const GoldenTrain& train, std::int64_t classes) const {
        StreamSettings settings;
        settings.classes = classes;
        settings.sessions = golden_.at("num_tasks").get<std::int64_t>();
        settings.disjoint_percent = golden_.at("n").get<std::int64_t>();
        settings.blurry_percent = golden_.at("m").get<std::int64_t>();
        settings.seed = golden_.at("seed").get<std::uint64_t>();
        settings.partition = golden_.value("varying", true) ? Partition::Stochastic : Partition::Uniform;
        return planStream(train.labels(), settings);
    }

    void run(const TensorFile& data, GoldenTrain& train, const StreamPlan& plan) {
        const auto& sessions = golden_.at("sessions");
        for (std::size_t s = 0; s < plan.sessions.size(); ++s)
            check_.require(sessions.at(s).get<std::vector<std::int64_t>>() == plan.sessions[s],
                           "session " + std::to_string(s + 1) + " has other samples");
        const auto testRows = golden_.at("test_rows").get<std::vector<std::int64_t>>();
        GoldenTest test(data.at("images").slice(0, testRows.at(0), testRows.at(1)),
                        int32Labels(data.at("labels").slice(0, testRows.at(0), testRows.at(1))));

        GoldenSetup setup;
        setup.root = root_;
        setup.method = method_name_;
        setup.as_published = true;
        setup.config["flags"] = golden_.value("flags", std::vector<std::string>{});
        setup.init_files = golden_.at("init_files").get<std::vector<std::string>>();
        setup.optimizer = optimizer();
        std::int64_t classes = 0;
        const auto method = makeGoldenMethod(setup, classes);
        LoopSettings loopSettings;
        loopSettings.classes = classes;
        loopSettings.batch_size = positive(golden_, "stream_batch");
        loopSettings.updates_per_batch = positive(golden_, "online_iter");
        loopSettings.every_samples = positive(golden_, "eval_period");
        loopSettings.mask = maskOfCase(golden_.at("method").get<std::string>() + "_", method_name_,
                                       golden_.value("flags", std::vector<std::string>{}));
        Evaluator evaluator(*method, test, classes, method->evaluatesSeenOnly(), 2 * positive(golden_, "batchsize"),
                            GoldenPlace::device());
        Comparing comparing(golden_, check_, classes);
        OnlineLoop loop(loopSettings, *method, train, evaluator, comparing);
        comparing.attach(loop);
        loop.run(plan);
        comparing.finish();

        const std::vector<std::int64_t> exposed(loop.registry().exposed().begin(), loop.registry().exposed().end());
        check_.require(exposed == golden_.at("exposed_classes").get<std::vector<std::int64_t>>(),
                       "the classes appear in another order");
        const auto& expected = golden_.at("expected");
        compareMetric(check_, expected, "A_AUC", areaUnderCurve(comparing.anytime_accuracies));
        compareMetric(check_, expected, "A_avg", averageAccuracy(comparing.session_accuracies));
        compareMetric(
            check_, expected, "A_Last",
            comparing.session_accuracies.empty() ? std::optional<double>() : comparing.session_accuracies.back());
        compareMetric(check_, expected, "F_Last", classwiseForgetting(comparing.session_hits));
    }

    std::filesystem::path root_;
    const nlohmann::json& cases_;
    const nlohmann::json& golden_;
    std::string method_name_;
    CaseCheck check_;
};

}  // namespace

std::size_t verifyEndToEnd(const std::filesystem::path& root, const std::filesystem::path& json,
                           const CaseReport& report) {
    const nlohmann::json golden = readGolden(json, "end-to-end-v1");
    const auto verify = [&](const nlohmann::json& one, const std::string& name) {
        const auto method = methodOfCase(one.at("method").get<std::string>());
        return method ? EndToEnd(root, golden.at("cases"), one, *method, name).verify() : caseToDo(name);
    };
    return verifyEachCase(golden, json, "end_to_end/", "case", report, verify);
}

}  // namespace palimpsest
