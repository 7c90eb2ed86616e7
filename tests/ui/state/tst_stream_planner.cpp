// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <latch>
#include <semaphore>
#include <thread>

#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/stream_planner.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_stream_planner {

class TestStreamPlanner : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

    Experiment withSeed(std::int64_t seed) const {
        Experiment experiment = table_.defaults();
        experiment.seed = seed;
        return experiment;
    }

    /// Labels whose reading never ends by itself.
    static std::shared_ptr<const DatasetLabels> endless() {
        for (;;) {
            StopScope::check();
            std::this_thread::yield();
        }
    }

private Q_SLOTS:
    void plansAsTheEngineDoes() {
        const ScriptedRun script;
        const Laboratory lab = script.laboratory();
        StreamPlanner planner(lab.labels);
        std::shared_ptr<const PlannedStream> got;
        connect(&planner, &StreamPlanner::planned, this, [&](const auto& stream) { got = stream; });
        planner.request(withSeed(3));
        QVERIFY(!got);
        QTRY_VERIFY(got);
        const auto labels = lab.labels(withSeed(3));
        const StreamPlan plan = planStream(labels->train, streamSettings(withSeed(3), 10));
        QCOMPARE(got->fingerprint, QString::fromStdString(plan.fingerprint()));
        QVERIFY(got->counts == countSamples(plan, labels->train));
    }

    void ofWaitingRequestsOnlyTheNewestIsPlanned() {
        const ScriptedRun script;
        std::counting_semaphore<100> gate(0);
        std::vector<std::int64_t> asked;
        const auto labels = script.laboratory().labels;
        StreamPlanner planner([&](const Experiment& experiment) {
            gate.acquire();
            asked.push_back(experiment.seed);
            return labels(experiment);
        });
        std::vector<std::uint64_t> seeds;
        connect(&planner, &StreamPlanner::planned, this,
                [&](const auto& s) { seeds.push_back(s->plan.settings.seed); });
        for (std::int64_t seed = 1; seed <= 5; ++seed) planner.request(withSeed(seed));
        gate.release(5);
        QTRY_VERIFY(!planner.busy() && !seeds.empty());
        QVERIFY((asked == std::vector<std::int64_t>{1, 5}));
        QVERIFY((seeds == std::vector<std::uint64_t>{1, 5}));
    }

    void aRefusalNamesTheProblem() {
        StreamPlanner planner([](const Experiment&) -> std::shared_ptr<const DatasetLabels> {
            throw inputError("The data set is missing.", "Install dataset-fashion-mnist.");
        });
        QSignalSpy failed(&planner, &StreamPlanner::failed);
        planner.request(withSeed(1));
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(failed[0][0].toString(), QString("The data set is missing."));
        QCOMPARE(failed[0][1].toString(), QString("Install dataset-fashion-mnist."));
    }

    void theRefusalOfAnOutdatedRequestIsNotTold() {
        const ScriptedRun script;
        std::binary_semaphore gate(0);
        const auto labels = script.laboratory().labels;
        StreamPlanner planner([&](const Experiment& experiment) {
            if (experiment.seed == 1) {
                gate.acquire();
                throw inputError("Too early.");
            }
            return labels(experiment);
        });
        QSignalSpy failed(&planner, &StreamPlanner::failed);
        QSignalSpy planned(&planner, &StreamPlanner::planned);
        planner.request(withSeed(1));
        planner.request(withSeed(2));
        gate.release();
        QTRY_COMPARE(planned.count(), 1);
        QCOMPARE(failed.count(), 0);
    }

    void labelsThatNobodyWantsAnyMoreAreGivenUp() {
        const ScriptedRun script;
        const auto labels = script.laboratory().labels;
        StreamPlanner planner([&](const Experiment& experiment) {
            return experiment.stream.dataset == "endless" ? endless() : labels(experiment);
        });
        QSignalSpy failed(&planner, &StreamPlanner::failed), planned(&planner, &StreamPlanner::planned);
        Experiment other = withSeed(1);
        other.stream.dataset = "endless";
        planner.request(other);
        planner.request(withSeed(1));
        QTRY_COMPARE(planned.count(), 1);
        QVERIFY(!planner.busy());
        QCOMPARE(failed.count(), 0);
    }

    void aPlannerThatGoesDoesNotWaitForLabels() {
        std::latch reading(1);
        auto planner = std::make_unique<StreamPlanner>([&](const Experiment&) {
            reading.count_down();
            return endless();
        });
        planner->request(withSeed(1));
        reading.wait();
        planner.reset();  // would wait for ever
        QCoreApplication::processEvents();
    }
};

PALIMPSEST_GUILESS_TEST(TestStreamPlanner)

}  // namespace tst_stream_planner

#include "tst_stream_planner.moc"
