// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <latch>
#include <memory>
#include <stop_token>
#include <thread>

#include "engine/support/error.h"
#include "tests/support/test_program.h"
#include "ui/state/background.h"

using namespace palimpsest;

namespace tst_background {

class TestBackground : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resultsComeInOrderAndOnTheThreadOfTheOwner();
    void workWithoutAResultIsAnsweredToo();
    void workRunsOnAnotherThread();
    void onlyTheNewestIsAnswered();
    void newestThatWaitsIsNotDoneOnceAnotherIsNewer();
    void cancelledWorkIsNotAnswered();
    void workBesideTheNewestIsAnsweredAllTheSame();
    void anErrorBecomesASentenceAndAHint();
    void anyOtherExceptionBecomesASentence();
    void clearedWorkIsNotDone();
    void severalThreadsWorkAtOnce();
    void theDestructorWaitsForWorkThatHasBegun();
    void theDestructorDropsOrFinishesWorkThatWaits_data();
    void theDestructorDropsOrFinishesWorkThatWaits();
    void nothingIsDeliveredAfterDestruction();
};

void TestBackground::resultsComeInOrderAndOnTheThreadOfTheOwner() {
    Background background;
    QList<int> done;
    for (int i = 0; i < 20; ++i)
        background.run([i] { return i; },
                       [&](int result) {
                           QCOMPARE(QThread::currentThread(), thread());
                           done.append(result);
                       });
    QVERIFY(done.isEmpty());
    QTRY_COMPARE(done.size(), 20);
    for (int i = 0; i < 20; ++i) QCOMPARE(done[i], i);
}

void TestBackground::workWithoutAResultIsAnsweredToo() {
    Background background;
    std::atomic<int> worked = 0;
    int answered = 0;
    background.run([&] { ++worked; }, [&] { ++answered; });
    background.run([&] { ++worked; }, [&] { ++answered; }, [](const Failure&) {});
    QTRY_COMPARE(answered, 2);
    QCOMPARE(worked.load(), 2);
}

void TestBackground::workRunsOnAnotherThread() {
    Background background;
    std::optional<std::thread::id> worker;
    background.run([] { return std::this_thread::get_id(); }, [&](std::thread::id id) { worker = id; });
    QTRY_VERIFY(worker);
    QVERIFY(*worker != std::this_thread::get_id());
}

void TestBackground::onlyTheNewestIsAnswered() {
    Background background;
    std::latch begun(1), released(1);
    QStringList answers;
    const auto answer = [&](const QString& text) { answers.append(text); };
    background.runNewest(
        [&] {
            begun.count_down();
            released.wait();
            return QString("old");
        },
        answer);
    begun.wait();
    background.runNewest([] { return QString("new"); }, answer);
    released.count_down();
    QTRY_VERIFY(!answers.isEmpty());
    QCOMPARE(answers, QStringList{"new"});
}

void TestBackground::newestThatWaitsIsNotDoneOnceAnotherIsNewer() {
    Background background;
    std::latch begun(1), released(1);
    std::atomic<int> worked = 0;
    background.run(
        [&] {
            begun.count_down();
            released.wait();
        },
        [] {});
    begun.wait();
    QList<int> answers;
    for (int i = 0; i < 5; ++i)
        background.runNewest(
            [&, i] {
                ++worked;
                return i;
            },
            [&](int result) { answers.append(result); });
    released.count_down();
    QTRY_COMPARE(answers, QList<int>{4});
    QCOMPARE(worked.load(), 1);
}

void TestBackground::cancelledWorkIsNotAnswered() {
    Background background;
    std::latch begun(1), released(1);
    bool answered = false, failed = false, after = false;
    background.runNewest(
        [&] {
            begun.count_down();
            released.wait();
            throw inputError("Refused.", "Do not.");
        },
        [&] { answered = true; }, [&](const Failure&) { failed = true; });
    begun.wait();
    background.cancelNewest();
    released.count_down();
    background.run([] {}, [&] { after = true; });
    QTRY_VERIFY(after);
    QVERIFY(!answered && !failed);
}

void TestBackground::workBesideTheNewestIsAnsweredAllTheSame() {
    Background background;
    QStringList answers;
    const auto answer = [&](const QString& text) { answers.append(text); };
    std::latch released(1);
    background.run(
        [&] {
            released.wait();
            return QString("beside");
        },
        answer);
    background.runNewest([] { return QString("old"); }, answer);
    background.runNewest([] { return QString("new"); }, answer);
    released.count_down();
    QTRY_COMPARE(answers.size(), 2);
    QCOMPARE(answers, (QStringList{"beside", "new"}));
}

void TestBackground::anErrorBecomesASentenceAndAHint() {
    Background background;
    std::optional<Failure> failure;
    bool done = false;
    background.run([]() -> int { throw inputError("No such file.", "Choose another."); }, [&](int) { done = true; },
                   [&](const Failure& reported) {
                       QCOMPARE(QThread::currentThread(), thread());
                       failure = reported;
                   });
    QTRY_VERIFY(failure);
    QCOMPARE(failure->message, QString("No such file."));
    QCOMPARE(failure->hint, QString("Choose another."));
    QVERIFY(!done);
}

void TestBackground::anyOtherExceptionBecomesASentence() {
    Background background;
    std::optional<Failure> failure;
    background.runNewest([] { throw std::runtime_error("broken"); }, [] {},
                         [&](const Failure& reported) { failure = reported; });
    QTRY_VERIFY(failure);
    QCOMPARE(failure->message, QString("broken"));
    QVERIFY(failure->hint.isEmpty());
}

void TestBackground::clearedWorkIsNotDone() {
    Background background;
    std::latch begun(1), released(1);
    std::atomic<bool> worked = false;
    bool first = false, after = false;
    background.run(
        [&] {
            begun.count_down();
            released.wait();
        },
        [&] { first = true; });
    begun.wait();
    background.run([&] { worked = true; }, [] {});
    background.clear();
    released.count_down();
    background.run([] {}, [&] { after = true; });
    QTRY_VERIFY(after);
    QVERIFY(first);
    QVERIFY(!worked);
}

void TestBackground::severalThreadsWorkAtOnce() {
    Background background(Background::Waiting::Dropped, 2);
    std::latch both(2);
    int answered = 0;
    // Each waits for the other: one thread alone would never end.
    for (int i = 0; i < 2; ++i) background.run([&] { both.arrive_and_wait(); }, [&] { ++answered; });
    QTRY_COMPARE(answered, 2);
}

void TestBackground::theDestructorWaitsForWorkThatHasBegun() {
    std::latch begun(1);
    std::stop_source stop;
    std::atomic<bool> ended = false;
    {
        Background background;
        background.run(
            [&] {
                begun.count_down();
                std::latch stopped(1);
                const std::stop_callback release(stop.get_token(), [&] { stopped.count_down(); });
                stopped.wait();
                ended = true;
            },
            [] {});
        begun.wait();
        stop.request_stop();
    }
    QVERIFY(ended);
}

void TestBackground::theDestructorDropsOrFinishesWorkThatWaits_data() {
    QTest::addColumn<bool>("finished");
    QTest::newRow("dropped") << false;
    QTest::newRow("finished") << true;
}

void TestBackground::theDestructorDropsOrFinishesWorkThatWaits() {
    QFETCH(bool, finished);
    std::latch begun(1), released(1);
    std::atomic<int> worked = 0;
    {
        Background background(finished ? Background::Waiting::Finished : Background::Waiting::Dropped);
        background.run(
            [&] {
                begun.count_down();
                released.wait();
            },
            [] {});
        begun.wait();
        // Work that has begun ends when the last of those that wait is dropped.
        std::shared_ptr<std::latch> guard(&released, [](std::latch* latch) { latch->count_down(); });
        for (int i = 0; i < 3; ++i) background.run([&worked, kept = finished ? nullptr : guard] { ++worked; }, [] {});
    }
    QCOMPARE(worked.load(), finished ? 3 : 0);
}

void TestBackground::nothingIsDeliveredAfterDestruction() {
    bool answered = false;
    std::latch worked(1);
    auto background = std::make_unique<Background>();
    background->run([&] { worked.count_down(); }, [&] { answered = true; });
    worked.wait();
    background.reset();
    QCoreApplication::processEvents();
    QVERIFY(!answered);
}

PALIMPSEST_GUILESS_TEST(TestBackground)

}  // namespace tst_background

#include "tst_background.moc"
