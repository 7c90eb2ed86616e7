// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <csignal>
#include <memory>

#include "tests/support/test_program.h"
#include "ui/window/quit.h"

using palimpsest::QuitSignals;

namespace tst_quit_signals {

class TestQuitSignals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSignalOfTheSystemIsHeardInTheEventLoop_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("terminate") << SIGTERM;
        QTest::newRow("hang up") << SIGHUP;
        QTest::newRow("interrupt") << SIGINT;
    }
    void aSignalOfTheSystemIsHeardInTheEventLoop() {
        QFETCH(int, number);
        QuitSignals endings;
        QSignalSpy asked(&endings, &QuitSignals::asked);
        QCOMPARE(std::raise(number), 0);
        QCOMPARE(asked.count(), 0);
        QTRY_COMPARE(asked.count(), 1);
    }

    void whatIsIgnoredStaysIgnored() {
        const auto before = std::signal(SIGHUP, SIG_IGN);
        const auto restore = qScopeGuard([before] { std::signal(SIGHUP, before); });
        QuitSignals endings;
        QSignalSpy asked(&endings, &QuitSignals::asked);
        std::raise(SIGHUP);
        QCoreApplication::processEvents();
        QCOMPARE(asked.count(), 0);
        std::raise(SIGTERM);
        QTRY_COMPARE(asked.count(), 1);
    }

    void afterwardsTheSignalsAreAsBefore() {
        const auto handler = [] {
            struct sigaction action {};
            sigaction(SIGTERM, nullptr, &action);
            return action.sa_handler;
        };
        const auto before = handler();
        auto endings = std::make_unique<QuitSignals>();
        QVERIFY(handler() != before);
        endings.reset();
        QVERIFY(handler() == before);
    }
};

PALIMPSEST_GUILESS_TEST(TestQuitSignals)

}  // namespace tst_quit_signals

#include "tst_quit_signals.moc"
