// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <chrono>
#include <thread>

#include "tests/support/test_program.h"
#include "ui/state/ui_watchdog.h"

using namespace palimpsest;
using namespace std::chrono_literals;

namespace tst_ui_watchdog {

namespace {

void blockFor(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < until) {
    }
}

}  // namespace

class TestUiWatchdog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void beatsWhileEventsAreHandled() {
        UiWatchdog watchdog;
        QTRY_VERIFY(watchdog.beats() > 3);
    }

    void measuresAStall() {
        UiWatchdog watchdog;
        QTRY_VERIFY(watchdog.beats() > 3);
        watchdog.reset();
        QTimer::singleShot(0, [] { blockFor(80ms); });
        const auto before = watchdog.beats();
        QTRY_VERIFY(watchdog.beats() > before + 1);
        QVERIFY(watchdog.longestStall() >= 70ms);
    }

    void tellsOfAStallThatIsStillGoingOn() {
        UiWatchdog watchdog;
        QTRY_VERIFY(watchdog.beats() > 0);
        watchdog.reset();
        blockFor(60ms);
        std::chrono::microseconds seen{};
        std::thread([&] { seen = watchdog.longestStall(); }).join();
        QVERIFY(seen >= 50ms);
    }

    void forgetsOnReset() {
        UiWatchdog watchdog;
        blockFor(300ms);
        QVERIFY(watchdog.longestStall() >= 250ms);
        watchdog.reset();
        QVERIFY(watchdog.longestStall() < 250ms);
    }
};

PALIMPSEST_TEST(TestUiWatchdog)

}  // namespace tst_ui_watchdog

#include "tst_ui_watchdog.moc"
