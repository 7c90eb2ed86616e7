// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <atomic>
#include <mutex>
#include <semaphore>
#include <stdexcept>

#include "engine/run/adaptation.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_adaptation_service {

namespace {

class Listener : public AdaptationObserver {
public:
    void onPreparing(const std::string&) override { ++others; }
    void onStarted(const AdaptationStarted&) override { ++others; }
    void onProgress(const AdaptationProgress&) override { ++others; }
    void onImageLeftOut(const std::string&) override { ++others; }
    void onWarning(const std::string&) override { ++others; }
    void onPaused(bool paused) override { ++(paused ? pauses : resumes); }
    void onEnded(const AdaptationEnded& event) override {
        {
            const std::scoped_lock lock(mutex_);
            ends_.push_back(event);
        }
        ended.release();
    }
    std::vector<AdaptationEnded> ends() const {
        const std::scoped_lock lock(mutex_);
        return ends_;
    }
    std::counting_semaphore<> ended{0};
    std::atomic<int> others{0}, pauses{0}, resumes{0};

private:
    mutable std::mutex mutex_;
    std::vector<AdaptationEnded> ends_;
};

/// Waits for the end; writes a file unless it was aborted.
void untilStopped(const Experiment&, const AdaptationPlace& place, RunControl& control, AdaptationObserver& observer) {
    while (control.atBatchBorder([&](bool paused) { observer.onPaused(paused); }) == RunControl::Verdict::Continue) {
    }
    AdaptationEnded event;
    event.how = AdaptationEnded::How::Stopped;
    if (control.verdict() == RunControl::Verdict::Stop) event.file = place.file;
    observer.onEnded(event);
}

const AdaptationPlace kPlace{"prompts.safetensors", false};

}  // namespace

class TestAdaptationService : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anAdaptationIsHandedItsExperimentAndItsPlace() {
        std::pair<std::int64_t, AdaptationPlace> seen;
        AdaptationService service(
            [&](const Experiment& experiment, const AdaptationPlace& place, RunControl&, AdaptationObserver& observer) {
                seen = {experiment.seed, place};
                observer.onPreparing("The network");
                observer.onStarted({});
                observer.onProgress({});
                observer.onImageLeftOut("One.");
                observer.onWarning("Two.");
                AdaptationEnded event;
                event.file = place.file;
                observer.onEnded(event);
            });
        Listener listener;
        Experiment experiment;
        experiment.seed = 7;
        service.start(experiment, {"here.safetensors", true}, listener);
        listener.ended.acquire();
        QVERIFY(!service.busy());
        QCOMPARE(seen.first, std::int64_t{7});
        QCOMPARE(seen.second.file.string(), std::string("here.safetensors"));
        QVERIFY(seen.second.resume);
        QCOMPARE(listener.others.load(), 5);
        QCOMPARE(listener.ends()[0].how, AdaptationEnded::How::Finished);
        QCOMPARE(listener.ends()[0].file.string(), std::string("here.safetensors"));
    }

    void verbsReachTheAdaptation() {
        AdaptationService service(untilStopped);
        Listener listener;
        service.start({}, kPlace, listener);
        QVERIFY(service.busy());
        service.pause();
        QTRY_COMPARE(listener.pauses.load(), 1);
        service.step();
        QTRY_COMPARE(listener.pauses.load(), 2);
        service.resume();
        QTRY_COMPARE(listener.resumes.load(), 2);
        service.stop();
        listener.ended.acquire();
        QVERIFY(!service.busy());
        QCOMPARE(listener.ends()[0].file, kPlace.file);
    }

    void abortReachesTheAdaptation() {
        AdaptationService service(untilStopped);
        Listener listener;
        service.start({}, kPlace, listener);
        service.abort();
        listener.ended.acquire();
        QVERIFY(listener.ends()[0].file.empty());
    }

    void verbsWithoutAnAdaptationDoNothing() {
        AdaptationService service(untilStopped);
        service.pause();
        service.resume();
        service.step();
        service.stop();
        service.abort();
        QVERIFY(!service.busy());
    }

    void aSecondAdaptationIsRefusedWhileOneGoesOn() {
        AdaptationService service(untilStopped);
        Listener listener;
        service.start({}, kPlace, listener);
        try {
            service.start({}, kPlace, listener);
            QFAIL("The second one was taken.");
        } catch (const Error& error) {
            QCOMPARE(error.what(), "An adaptation is still going on.");
        }
        service.stop();
        listener.ended.acquire();
        service.start({}, kPlace, listener);
        service.stop();
        listener.ended.acquire();
        QCOMPARE(listener.ends().size(), std::size_t{2});
    }

    void aThrowingAdaptationStillEnds_data() {
        QTest::addColumn<int>("what");
        QTest::addColumn<QString>("error");
        QTest::addColumn<QString>("hint");
        QTest::addColumn<bool>("input");
        QTest::newRow("wrong input") << 0 << "No data."
                                     << "Install it." << true;
        QTest::newRow("a library's error") << 1 << "broken tensor"
                                           << "" << false;
        QTest::newRow("anything") << 2 << "The adaptation ended by an unknown exception."
                                  << "" << false;
        QTest::newRow("silence") << 3 << "The adaptation returned without saying how it ended."
                                 << "" << false;
    }
    void aThrowingAdaptationStillEnds() {
        QFETCH(int, what);
        QFETCH(QString, error);
        QFETCH(QString, hint);
        QFETCH(bool, input);
        AdaptationService service([what](const Experiment&, const AdaptationPlace&, RunControl&, AdaptationObserver&) {
            if (what == 0) throw inputError("No data.", "Install it.");
            if (what == 1) throw std::runtime_error("broken tensor");
            if (what == 2) throw 42;
        });
        Listener listener;
        service.start({}, kPlace, listener);
        listener.ended.acquire();
        const AdaptationEnded end = listener.ends().at(0);
        QCOMPARE(end.how, AdaptationEnded::How::Failed);
        QCOMPARE(QString::fromStdString(end.error), error);
        QCOMPARE(QString::fromStdString(end.hint), hint);
        QCOMPARE(end.input_error, input);
        QVERIFY(!service.busy());
    }

    void anAdaptationThatThrowsAfterItsEndEndsOnce() {
        AdaptationService service(
            [](const Experiment&, const AdaptationPlace&, RunControl&, AdaptationObserver& observer) {
                observer.onEnded({});
                throw std::runtime_error("too late");
            });
        Listener listener;
        service.start({}, kPlace, listener);
        listener.ended.acquire();
        service.start({}, kPlace, listener);
        listener.ended.acquire();
        QCOMPARE(listener.ends().size(), std::size_t{2});
        QCOMPARE(listener.ends()[0].how, AdaptationEnded::How::Finished);
    }

    void destructionAbortsAPausedAdaptation() {
        Listener listener;
        {
            AdaptationService service(untilStopped);
            service.start({}, kPlace, listener);
            service.pause();
            QTRY_COMPARE(listener.pauses.load(), 1);
        }
        QCOMPARE(listener.ends().size(), std::size_t{1});
        QVERIFY(listener.ends()[0].file.empty());
    }
};

PALIMPSEST_APPLESS_TEST(TestAdaptationService)

}  // namespace tst_adaptation_service

#include "tst_adaptation_service.moc"
