// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <memory>
#include <thread>

#include "tests/support/test_program.h"
#include "ui/pretrained/adaptation_job.h"

using namespace palimpsest;

namespace tst_adaptation_bridge {

namespace {

AdaptationProgress at(std::int64_t step) {
    AdaptationProgress progress;
    progress.step = step;
    return progress;
}

/// Events that arrived, in order.
struct Listener {
    explicit Listener(AdaptationBridge& bridge) {
        QObject::connect(&bridge, &AdaptationBridge::preparing, &bridge,
                         [this](const QString& detail) { news += detail; });
        QObject::connect(&bridge, &AdaptationBridge::started, &bridge, [this] { news += "started"; });
        QObject::connect(&bridge, &AdaptationBridge::imageLeftOut, &bridge, [this](const QString& text, qint64 count) {
            news += text;
            left_out += count;
        });
        QObject::connect(&bridge, &AdaptationBridge::progressed, &bridge,
                         [this](const QVector<AdaptationProgress>& events) {
                             news += "progress";
                             for (const AdaptationProgress& event : events) steps.append(event.step);
                         });
        QObject::connect(&bridge, &AdaptationBridge::paused, &bridge,
                         [this](bool paused) { news += paused ? "paused" : "resumed"; });
        QObject::connect(&bridge, &AdaptationBridge::ended, &bridge, [this] { news += "ended"; });
    }
    QStringList news;
    QList<qint64> steps;
    qint64 left_out = 0;
};

}  // namespace

class TestAdaptationBridge : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void newsOfAnotherThreadComesInOrder() {
        AdaptationBridge bridge;
        Listener listener(bridge);
        std::thread engine([&] {
            bridge.onPreparing("reading");
            bridge.onStarted({});
            for (std::int64_t step = 1; step <= 3; ++step) bridge.onProgress(at(step));
            bridge.onPaused(true);
            bridge.onEnded({});
        });
        engine.join();
        QVERIFY(listener.news.isEmpty());  // nothing is told on the engine's thread
        QTRY_VERIFY(listener.news.contains("ended"));
        QCOMPARE(listener.news, QStringList({"reading", "started", "progress", "paused", "ended"}));
        QCOMPARE(listener.steps, QList<qint64>({1, 2, 3}));
    }

    void ofPreparationsAndPausesOnlyTheNewestCounts() {
        AdaptationBridge bridge;
        Listener listener(bridge);
        bridge.onPreparing("one");
        bridge.onPreparing("two");
        bridge.onPaused(true);
        bridge.onPaused(false);
        QTRY_COMPARE(listener.news, QStringList({"two", "resumed"}));
    }

    void ofImagesLeftOutTheFirstIsToldAndHowMany() {
        AdaptationBridge bridge;
        Listener listener(bridge);
        bridge.onStarted({});
        for (const char* text : {"a", "b", "c"}) bridge.onImageLeftOut(text);
        bridge.onProgress(at(1));
        QTRY_COMPARE(listener.news, QStringList({"started", "a", "progress"}));
        QCOMPARE(listener.left_out, 3);
        bridge.onImageLeftOut("d");
        bridge.onEnded({});
        QTRY_COMPARE(listener.news, QStringList({"started", "a", "progress", "d", "ended"}));
        QCOMPARE(listener.left_out, 4);
    }

    void aWindowThatIsAwayForLongFillsNoMemory() {
        AdaptationBridge bridge;
        Listener listener(bridge);
        const auto many = static_cast<std::int64_t>(5 * AdaptationBridge::kMostWaiting);
        for (std::int64_t step = 1; step <= many; ++step) bridge.onProgress(at(step));
        bridge.onEnded({});
        QTRY_VERIFY(listener.news.contains("ended"));
        QVERIFY(listener.steps.size() <= qsizetype(AdaptationBridge::kMostWaiting));
        QVERIFY(listener.steps.size() >= qsizetype(AdaptationBridge::kMostWaiting) / 2);
        QVERIFY(std::is_sorted(listener.steps.begin(), listener.steps.end()));
        QCOMPARE(listener.steps.first(), qint64(1));
        QCOMPARE(listener.steps.last(), qint64(many));
    }

    void newsThatNobodyHearsDoesNoHarm() {
        auto bridge = std::make_unique<AdaptationBridge>();
        bridge->onProgress(at(1));
        bridge.reset();
        QCoreApplication::processEvents();
    }
};

PALIMPSEST_GUILESS_TEST(TestAdaptationBridge)

}  // namespace tst_adaptation_bridge

#include "tst_adaptation_bridge.moc"
