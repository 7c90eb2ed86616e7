// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <fstream>

#include "engine/api.h"
#include "engine/record/feature_map.h"
#include "engine/record/predictions.h"
#include "engine/record/run_check.h"
#include "engine/train/evaluator.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_feature_recording {

namespace fs = std::filesystem;

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

Experiment quickRun(const QString& settings) {
    Experiment e = table().defaults();
    e.name = "Features";
    e.stream.dataset = "shapes";
    e.stream.train_limit = 200;
    e.stream.test_limit = 60;
    e.stream.sessions = 2;
    e.backbone.weights = "random";
    e.precision = "float32";
    e.threads = 1;
    e.evaluation.every_samples = 64;
    for (const QString& setting : settings.split(' ', Qt::SkipEmptyParts)) {
        const QStringList parts = setting.split('=');
        table().setText(e, parts[0].toStdString(), parts[1].toStdString());
    }
    return e;
}

std::string textOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestFeatureRecording : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int runs_ = 0;

    fs::path run(const QString& settings) {
        const fs::path place = fs::path(folder_.path().toStdString()) / std::to_string(++runs_);
        struct Ended : RunObserver {
            RunEnded end;
            void onEnded(const RunEnded& event) override { end = event; }
        } watcher;
        RunControl control;
        runExperiment(7, quickRun(settings), FreshRun{{}, place}, control, watcher);
        if (watcher.end.how != RunEnd::Finished) qFatal("%s", watcher.end.error.c_str());
        return place;
    }

private Q_SLOTS:
    void theSameImagesOfEachClassEvenlySpread() {
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 300; ++i) labels.push_back(i % 3);
        labels.push_back(9);
        std::vector<bool> part(labels.size(), true);
        for (std::size_t i = 0; i < 300; i += 3) part[i] = i % 2 == 0;  // half of class 0
        const std::vector<bool> mapped = mappedPart(labels, part);
        for (const std::int32_t label : {0, 1, 2, 9}) {
            std::vector<std::size_t> places;
            for (std::size_t i = 0; i < labels.size(); ++i)
                if (labels[i] == label && mapped[i]) places.push_back(i);
            QCOMPARE(std::ssize(places), label == 9 ? std::ptrdiff_t{1} : std::ptrdiff_t{kFeatureImages});
            for (std::size_t i = 0; i < places.size(); ++i) {
                QVERIFY(part[places[i]]);
                if (i > 0) QVERIFY(places[i] - places[i - 1] <= 18);
            }
        }
    }

    /// Forgetting sits in the head.
    void withAFrozenBackbonePointsStandStillAndArrowsTurn_data() {
        QTest::addColumn<QString>("method");
        for (const char* method : {"linear-probe", "er", "clib", "lwf", "er-ace"})
            QTest::newRow(method) << QStringLiteral("method.name=%1 memory.size=20 memory.batch_size=8").arg(method);
    }
    void withAFrozenBackbonePointsStandStillAndArrowsTurn() {
        QFETCH(QString, method);
        const fs::path place = run(method.contains("linear-probe") ? "method.name=linear-probe" : method);
        const FeatureMap map = readFeatureMap(place);
        QVERIFY(map.warnings.empty());
        QVERIFY(map.moments.size() >= 3);
        QCOMPARE(map.moments.back(), std::int64_t{200});
        std::size_t rows = 0;
        for (std::size_t moment = 0; moment < map.moments.size(); ++moment)
            for (std::size_t i = 0; i < map.features[moment].size(); ++i)
                if (moment > 0 && i < map.features[moment - 1].size() && map.features[moment - 1][i] >= 0)
                    QCOMPARE(map.features[moment][i], map.features[moment - 1][i]);  // the very row
                else
                    rows += map.features[moment][i] >= 0;
        QCOMPARE(rows, map.points.size());
        const std::vector<FeatureChange> changes = pictureOf(map).changes;
        QCOMPARE(changes.back().moved, 0.0);
        QVERIFY2(changes.back().turned > 0.1, QByteArray::number(changes.back().turned));
        // What it says of them is what the run recorded.
        const auto truth = readClassList(trueClassesFile(place));
        for (const FeatureMap::Point& point : map.points)
            QCOMPARE(point.label, truth[static_cast<std::size_t>(point.image)]);
        QVERIFY(checkRun(table(), place).damage.empty());
    }

    void wherePromptsOrTheBackboneLearnPointsMove_data() {
        QTest::addColumn<QString>("method");
        for (const char* method : {"dualprompt", "l2p", "mvp method.mvp_mask=false", "single-prompt", "coda-prompt",
                                   "fly-prompt", "finetune", "ewcpp", "online-lora"})
            QTest::newRow(method) << QStringLiteral("method.name=") + method;
        QTest::newRow("read-out") << QStringLiteral("method.name=dualprompt method.readout=ncm");
    }
    void wherePromptsOrTheBackboneLearnPointsMove() {
        QFETCH(QString, method);
        const FeatureMap map = readFeatureMap(run(method + " method.random_features=64"));
        QVERIFY(map.warnings.empty());
        QVERIFY(map.moments.size() >= 3 && map.points.size() >= 20 && map.hasHeads());
        const std::vector<FeatureChange> changes = pictureOf(map).changes;
        QVERIFY2(changes.back().moved > 1e-4, QByteArray::number(changes.back().moved));
        QVERIFY(changes.back().arrows > 1);
    }

    /// An arrow shows what decides, or there is none.
    void scoresThatEachImageWeightsHaveNoArrows() {
        for (const char* readout : {"head", "ncm"}) {
            const FeatureMap map = readFeatureMap(run(QStringLiteral("method.name=mvp method.readout=") + readout));
            QVERIFY(map.warnings.empty() && map.points.size() >= 20);
            QCOMPARE(map.hasHeads(), readout == std::string("ncm"));
        }
    }

    void aHeadInAnotherSpaceHasNoArrows_data() {
        QTest::addColumn<QString>("readout");
        QTest::addColumn<bool>("arrows");
        QTest::newRow("random features") << "ridge" << false;
        QTest::newRow("class means") << "ncm" << true;
        QTest::newRow("discriminant") << "lda" << true;
    }
    void aHeadInAnotherSpaceHasNoArrows() {
        QFETCH(QString, readout);
        QFETCH(bool, arrows);
        const FeatureMap map = readFeatureMap(
            run("method.name=analytic-head method.random_features=64 method.analytic_readout=" + readout));
        QVERIFY(map.points.size() >= 20);
        QCOMPARE(map.hasHeads(), arrows);
        QCOMPARE(pictureOf(map).changes.back().moved, 0.0);
    }

    /// However often they are looked at: a look draws nothing and changes nothing.
    void whatIsLearnedDoesNotDependOnIt() {
        const fs::path often = run("method.name=dualprompt evaluation.every_samples=16");
        const fs::path seldom = run("method.name=dualprompt evaluation.every_samples=1000");
        QVERIFY(readFeatureMap(often).moments.size() > readFeatureMap(seldom).moments.size());
        QCOMPARE(textOf(often / "training.csv"), textOf(seldom / "training.csv"));
        const fs::path again = run("method.name=dualprompt evaluation.every_samples=16");
        QCOMPARE(textOf(often / kFeatureFile), textOf(again / kFeatureFile));
    }
};

PALIMPSEST_APPLESS_TEST(TestFeatureRecording)

}  // namespace tst_feature_recording

#include "tst_feature_recording.moc"
