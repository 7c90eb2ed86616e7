// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QProcess>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/learner/learner_link.h"
#include "engine/learner/learner_permit.h"
#include "engine/network/tensor_file.h"
#include "engine/network/vit.h"
#include "engine/network/weights.h"
#include "engine/support/text.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_golden_learner {

namespace fs = std::filesystem;

namespace {

/// As `palimpsest-cli verify` compares methods within.
constexpr double kGoldenLoss = 1e-5, kGoldenLogits = 1e-4;

LearnerTensor sent(const char* name, const Tensor& values) {
    return {name,
            values.scalar_type() == at::kLong ? "I64" : "F32",
            {values.sizes().begin(), values.sizes().end()},
            {static_cast<const std::byte*>(values.data_ptr()), values.nbytes()}};
}

std::vector<std::int64_t> wholes(const Tensor& row) {
    const Tensor values = row.contiguous();
    return {values.data_ptr<std::int64_t>(), values.data_ptr<std::int64_t>() + values.numel()};
}

/// A recorded run of the published code, played to a learner.
class Played {
public:
    Played(const fs::path& golden, const std::string& name)
        : record_(readSafetensors(golden / "trajectories" / (name + ".safetensors"))),
          data_(readSafetensors(golden / "shared" / "data.safetensors")),
          config_(nlohmann::json::parse(record_.metadata.at("config"))) {
        const TensorFile weights = readSafetensors(golden / "shared" / "backbone.safetensors");
        Vit vit(inferShape(weights.tensors, weights.metadata, "the golden files"));
        vit.load(weights.tensors, "the golden files");
        NoGradGuard guard;
        features_ = vit.features(data_.at("images")).contiguous();
        width_ = vit.shape().width;
        updates_ = config_.at("updates_per_step").get<std::int64_t>();
        order_ = wholes(record_.at("exposed_classes"));
        by_session_ = config_.at("flags") == nlohmann::json::array({"--sessionmask"});
    }

    void play(const std::string& command) {
        LearnerLink link({command, 300, 0});
        LearnerBegin begin;
        begin.classes = record_.at("eval_logits").size(1);
        begin.image_size = data_.at("images").size(2);
        begin.width = width_;
        begin.batch_size = record_.at("stream_idx").size(1);
        begin.learning_rate = 5e-3;
        link.begin(begin);
        const std::vector<std::int64_t> sessions = wholes(record_.at("session_of_step"));
        std::vector<std::int64_t> opened;  // classes of the session
        std::int64_t seen = 0;
        for (std::size_t step = 0; step < sessions.size(); ++step) {
            if (step > 0 && sessions[step] != sessions[step - 1]) opened.clear();
            const auto row = static_cast<std::int64_t>(step);
            const std::vector<std::int64_t> stream = wholes(record_.at("stream_idx")[row]);
            for (const std::int64_t label : labelsOf(stream)) {
                seen = std::max(seen, label + 1);
                if (std::ranges::find(opened, label) == opened.end()) opened.push_back(label);
            }
            for (std::int64_t update = 0; update < updates_; ++update) {
                std::vector<std::int64_t> rows = stream;
                if (const Tensor* memory = record_.find("memory_idx"))
                    for (const std::int64_t each : wholes((*memory)[row][update]))
                        if (each >= 0) rows.push_back(each);
                LearnerBatch batch;
                batch.update = update;
                batch.streamed = std::ssize(stream);
                batch.seen = seen;
                for (std::int64_t unit = 0; unit < seen; ++unit)
                    if (!by_session_ || std::ranges::find(opened, unit) != opened.end()) batch.visible.push_back(unit);
                const Tensor labels = at::tensor(labelsOf(rows), at::kLong), features = featuresOf(rows);
                answers_.push_back(
                    link.observe(std::vector{sent("labels", labels), sent("features", features)}, batch));
            }
        }
        const Tensor tests = featuresOf(wholes(record_.at("eval_idx")));
        logits_ = at::empty_like(record_.at("eval_logits"));
        link.predict(std::vector{sent("features", tests)}, seen,
                     {logits_.data_ptr<float>(), static_cast<std::size_t>(logits_.numel())});
    }

    /// The largest differences from the record: of losses, of accuracies, of test images' logits.
    double losses() const { return largest("losses", &LearnerObserved::loss); }
    double accuracies() const { return largest("train_acc", &LearnerObserved::accuracy); }
    double logits() const { return (logits_ - record_.at("eval_logits")).abs().max().item<double>(); }
    std::int64_t count() const { return std::ssize(answers_); }
    std::int64_t recorded() const { return record_.at("losses").numel(); }

private:
    double largest(const char* name, double LearnerObserved::*field) const {
        const Tensor golden = record_.at(name).contiguous();
        double most = 0;
        for (std::size_t i = 0; i < answers_.size(); ++i)
            most = std::max(most, std::abs(answers_[i].*field - golden.data_ptr<double>()[i]));
        return most;
    }
    std::vector<std::int64_t> labelsOf(const std::vector<std::int64_t>& rows) const {
        const std::int64_t* const raw = data_.at("labels").data_ptr<std::int64_t>();
        std::vector<std::int64_t> labels;
        for (const std::int64_t row : rows) labels.push_back(std::ranges::find(order_, raw[row]) - order_.begin());
        return labels;
    }
    Tensor featuresOf(const std::vector<std::int64_t>& rows) const {
        return features_.index_select(0, at::tensor(rows, at::kLong)).contiguous();
    }

    TensorFile record_, data_;
    nlohmann::json config_;
    Tensor features_, logits_;
    std::int64_t width_ = 0, updates_ = 0;
    std::vector<std::int64_t> order_;  // classes as they appear
    bool by_session_ = false;
    std::vector<LearnerObserved> answers_;
};

}  // namespace

/// Numbers recorded from the published code, come by again by a program in Python on the other end of the protocol.
class TestGoldenLearner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const QString golden = qEnvironmentVariable("PALIMPSEST_GOLDEN");
        if (!fs::exists(fs::path(golden.toStdString()) / "trajectories"))
            QSKIP("PALIMPSEST_GOLDEN names no folder with trajectories");
        QProcess python;
        python.start("/usr/bin/python3", {"-c", "import torch"});
        if (!python.waitForFinished(300'000) || python.exitCode() != 0)
            QSKIP("Debian's python3-torch is not installed.");
        qputenv("PYTHONPATH", (qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/learners").toLocal8Bit());
        qputenv("PYTHONDONTWRITEBYTECODE", "1");
        allowAllLearners();
    }

    void aLearnerBesideComesByTheNumbersOfThePublishedCode_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"linearprobe_u1", "linearprobe_u3", "linearprobe_official_u8", "er_it1", "er_it3",
                                 "er_nomem_it3", "er_session_it3"})
            QTest::newRow(name) << name;
    }
    void aLearnerBesideComesByTheNumbersOfThePublishedCode() {
        QFETCH(QString, name);
        const fs::path golden = qEnvironmentVariable("PALIMPSEST_GOLDEN").toStdString();
        const std::string script =
            (qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/../tests/support/golden_learner.py").toStdString();
        QVERIFY(fs::exists(script));
        Played played(golden, name.toStdString());
        played.play("/usr/bin/python3 " + shellQuoted(script) + " " +
                    shellQuoted((golden / "shared" / "backbone.safetensors").string()));
        QCOMPARE(played.count(), played.recorded());
        QVERIFY2(played.losses() < kGoldenLoss, qPrintable(QString::number(played.losses())));
        QVERIFY2(played.accuracies() < 1e-6, qPrintable(QString::number(played.accuracies())));
        QVERIFY2(played.logits() < kGoldenLogits, qPrintable(QString::number(played.logits())));
    }
};

PALIMPSEST_GUILESS_TEST(TestGoldenLearner)

}  // namespace tst_golden_learner

#include "tst_golden_learner.moc"
