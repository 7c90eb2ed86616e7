// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <thread>

#include "tests/support/test_program.h"
#include "ui/state/run_bridge.h"

using namespace palimpsest;

namespace tst_run_bridge {

class TestRunBridge : public QObject {
    Q_OBJECT
private:
    static Progress progress(std::int64_t run, std::int64_t seen) {
        Progress event;
        event.run = run;
        event.samples_seen = seen;
        return event;
    }
    static UpdateDone update(std::int64_t run, std::int64_t number) {
        UpdateDone event;
        event.run = run;
        event.update = number;
        return event;
    }
    static Evaluated evaluated(std::int64_t run, std::int64_t seen) {
        Evaluated event;
        event.run = run;
        event.samples_seen = seen;
        return event;
    }
    static RunEnded ended(std::int64_t run) {
        RunEnded event;
        event.run = run;
        return event;
    }

private Q_SLOTS:
    void deliversOnTheWindowsThread() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        QThread* where = nullptr;
        connect(&bridge, &RunBridge::evaluated, this, [&] { where = QThread::currentThread(); });
        std::thread([&] { bridge.onEvaluated(evaluated(1, 10)); }).join();
        QVERIFY(!where);
        QTRY_COMPARE(where, QThread::currentThread());
    }

    void losesNoMetricPoint() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        std::vector<std::int64_t> points, updates;
        bool over = false;
        connect(&bridge, &RunBridge::evaluated, this, [&](const Evaluated& e) { points.push_back(e.samples_seen); });
        connect(&bridge, &RunBridge::updatesDone, this, [&](const QVector<UpdateDone>& list) {
            for (const UpdateDone& u : list) updates.push_back(u.update);
        });
        connect(&bridge, &RunBridge::ended, this, [&] { over = true; });
        constexpr std::int64_t kMany = 20000;
        std::thread engine([&] {
            for (std::int64_t i = 1; i <= kMany; ++i) {
                bridge.onUpdate(update(1, i));
                bridge.onProgress(progress(1, i));
                if (i % 100 == 0) bridge.onEvaluated(evaluated(1, i));
            }
            bridge.onEnded(ended(1));
        });
        QTRY_VERIFY_WITH_TIMEOUT(over, 30000);
        engine.join();
        QCOMPARE(std::int64_t(updates.size()), kMany);
        QVERIFY(std::is_sorted(updates.begin(), updates.end()));
        QCOMPARE(std::int64_t(points.size()), kMany / 100);
        QVERIFY(std::is_sorted(points.begin(), points.end()));
    }

    void ofTheMemoryTheNewestWinsAndComesBeforeTheEvaluationBehindIt() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        QStringList received;
        connect(&bridge, &RunBridge::memoryHeld, this,
                [&](const MemoryHeld& held) { received.append(QString("memory %1").arg(held.samples_seen)); });
        connect(&bridge, &RunBridge::evaluated, this, [&] { received.append("evaluation"); });
        for (std::int64_t i = 1; i <= 50; ++i) {
            MemoryHeld held;
            held.run = 1;
            held.samples_seen = i;
            bridge.onMemory(held);
        }
        bridge.onEvaluated(evaluated(1, 50));
        MemoryHeld foreign;
        foreign.run = 2;
        bridge.onMemory(foreign);
        QTRY_COMPARE(received.size(), 2);
        QCOMPARE(received, (QStringList{"memory 50", "evaluation"}));
    }

    void changesAreToldInOrderWithTheOthers() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        QStringList received;
        connect(&bridge, &RunBridge::changed, this, [&](const ChangeMade& event) {
            received.append(QString::fromStdString(event.key + "=" + event.value));
        });
        connect(&bridge, &RunBridge::evaluated, this, [&] { received.append("evaluated"); });
        connect(&bridge, &RunBridge::ended, this, [&] { received.append("ended"); });
        std::thread([&] {
            bridge.onChange({1, 10, "mask.name", "none"});
            bridge.onEvaluated(evaluated(1, 10));
            bridge.onChange({1, 20, "mask.name", "seen"});
            bridge.onChange({2, 20, "mask.name", "batch"});
            bridge.onEnded(ended(1));
        }).join();
        QTRY_COMPARE(received.size(), 4);
        QCOMPARE(received, (QStringList{"mask.name=none", "evaluated", "mask.name=seen", "ended"}));
    }

    void ofProgressAndBatchesTheNewestWins() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        std::vector<std::int64_t> seen, batches;
        connect(&bridge, &RunBridge::progressed, this, [&](const Progress& p) { seen.push_back(p.samples_seen); });
        connect(&bridge, &RunBridge::batchLearned, this, [&](const BatchLearned& b) { batches.push_back(b.batch); });
        for (std::int64_t i = 1; i <= 50; ++i) {
            bridge.onProgress(progress(1, i));
            BatchLearned batch;
            batch.run = 1;
            batch.batch = i;
            bridge.onBatch(batch);
        }
        QTRY_VERIFY(!seen.empty());
        QVERIFY((seen == std::vector<std::int64_t>{50}));
        QVERIFY((batches == std::vector<std::int64_t>{50}));
    }

    void keepsTheOrderOfTheRun() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        QStringList order;
        connect(&bridge, &RunBridge::started, this, [&] { order << "started"; });
        connect(&bridge, &RunBridge::updatesDone, this, [&] { order << "updates"; });
        connect(&bridge, &RunBridge::progressed, this, [&] { order << "progress"; });
        connect(&bridge, &RunBridge::plateauFound, this, [&] { order << "plateau"; });
        connect(&bridge, &RunBridge::changed, this, [&] { order << "changed"; });
        connect(&bridge, &RunBridge::warned, this, [&] { order << "warned"; });
        connect(&bridge, &RunBridge::evaluated, this, [&] { order << "evaluated"; });
        connect(&bridge, &RunBridge::sessionEnded, this, [&] { order << "session"; });
        connect(&bridge, &RunBridge::ended, this, [&] { order << "ended"; });
        RunStarted started;
        started.run = 1;
        SessionEnded session;
        session.run = 1;
        bridge.onStarted(started);
        bridge.onProgress(progress(1, 1));
        bridge.onUpdate(update(1, 1));
        bridge.onPlateau({1, 1, 1, 0.5, 0.01});
        bridge.onChange({1, 1, "mask.name", "seen"});
        bridge.onWarned({1, 1, "The memory was short."});
        bridge.onEvaluated(evaluated(1, 1));
        bridge.onProgress(progress(1, 2));
        bridge.onSessionEnded(session);
        bridge.onEnded(ended(1));
        QTRY_VERIFY(order.contains("ended"));
        QCOMPARE(order, QStringList({"started", "updates", "plateau", "changed", "warned", "evaluated", "progress",
                                     "session", "ended"}));
    }

    void newsOfAnOlderRunIsDropped() {
        RunBridge bridge;
        bridge.setCurrentRun(1);
        QSignalSpy points(&bridge, &RunBridge::evaluated);
        QSignalSpy updates(&bridge, &RunBridge::updatesDone);
        bridge.onEvaluated(evaluated(1, 10));
        bridge.onUpdate(update(1, 1));
        bridge.onUpdate(update(2, 1));
        bridge.setCurrentRun(2);
        bridge.onEvaluated(evaluated(2, 20));
        QTRY_COMPARE(points.count(), 1);
        QCOMPARE(points[0][0].value<Evaluated>().samples_seen, 20);
        QCOMPARE(updates.count(), 1);
        QCOMPARE(updates[0][0].value<QVector<UpdateDone>>().front().run, 2);
    }

    void newsThatArrivesBeforeTheRunsNumberIsKnownIsKept() {
        RunBridge bridge;
        QSignalSpy points(&bridge, &RunBridge::evaluated);
        std::thread([&] { bridge.onEvaluated(evaluated(7, 10)); }).join();
        bridge.setCurrentRun(7);
        QTRY_COMPARE(points.count(), 1);
    }
};

PALIMPSEST_GUILESS_TEST(TestRunBridge)

}  // namespace tst_run_bridge

#include "tst_run_bridge.moc"
