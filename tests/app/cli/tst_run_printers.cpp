// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_printers.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <QScopeGuard>
#include <QTest>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_printers {

class TestRunPrinters : public QObject {
    Q_OBJECT
private:
    /// The end of a session, counted from 1; the first one's data are the hardest, and the second has none.
    static SessionEnded ended(std::int64_t session) {
        SessionEnded event;
        event.session = session - 1;
        event.samples_seen = 100 * session;
        for (std::int64_t each = 0; each < session; ++each)
            event.accuracies.push_back({each, each == 0 ? 0.125 : 0.5, each == 1 ? 0 : 10});
        return event;
    }
    static QStringList lines(std::int64_t session, std::size_t width) {
        return QString::fromStdString(sessionEndedText(ended(session), width)).split('\n');
    }

private Q_SLOTS:
    void fewSessionsStandInOneLine() {
        const QString whole =
            "Session 3 ended at 300 images; accuracy on the data of sessions 1 to 3:  12.5 %     -"
            "    50.0 %";
        QCOMPARE(lines(3, 0), QStringList{whole});
        QCOMPARE(lines(3, static_cast<std::size_t>(whole.size())), QStringList{whole});
        QCOMPARE(lines(3, 80).size(), 2);
        QVERIFY(lines(3, 80).at(1).endsWith("50.0 %"));
    }

    void manySessionsAreSummedUpWhereTheTerminalIsTooNarrow() {
        QCOMPARE(lines(99, 0).size(), 1);
        const QStringList narrow = lines(99, 80);
        QCOMPARE(narrow.size(), 2);
        QCOMPARE(narrow.at(0), QString("Session 99 ended at 9,900 images; accuracy on the data of sessions 1 to 99:"));
        QCOMPARE(narrow.at(1), QString("  mean 49.6 %, lowest 12.5 % (session 1), its own 50.0 %"));
        for (std::int64_t session = 1; session <= 99; ++session)
            for (const QString& line : lines(session, 80)) QVERIFY2(line.size() <= 80, qPrintable(line));
    }

    void aSessionWithoutImagesHasNoAccuracyOfItsOwn() {
        SessionEnded event = ended(60);
        event.accuracies.back().samples = 0;
        const std::string text = sessionEndedText(event, 80);
        QVERIFY2(text.ends_with("(session 1)"), text.c_str());
        for (SessionAccuracy& each : event.accuracies) each.samples = 0;
        QVERIFY(!sessionEndedText(event, 80).empty());
    }

    void aWaitForALearnerIsShown() {
        QCOMPARE(waitText({"nearest mean", 1204, 3600}), std::string("Waiting for nearest mean, 1,204 of 3600 s ..."));
        QCOMPARE(waitText({"nearest mean", 4, 4.5}), std::string("Waiting for nearest mean, 4 of 4.5 s ..."));
    }

    // Whoever reads the log from another machine learns from it whether the run waits.
    void theEndOfAPauseIsALine() {
        ConsoleRunPrinter printer;
        std::ostringstream out;
        std::streambuf* const before = std::cout.rdbuf(out.rdbuf());
        const auto back = qScopeGuard([before] { std::cout.rdbuf(before); });
        StateChanged event;
        event.state = RunState::Running;
        printer.onState(event);
        event.state = RunState::Paused;
        event.detail = "The disk is full.";
        printer.onState(event);
        event.state = RunState::Running;
        event.detail = {};
        printer.onState(event);
        printer.onState(event);
        QCOMPARE(out.str(), std::string("Paused: The disk is full.\nGoes on.\n"));
    }

    void aLineIsCutBetweenCharacters() {
        QCOMPARE(firstColumns("Fläche", 3), std::string("Flä"));
        QCOMPARE(firstColumns("Fläche", 6), std::string("Fläche"));
        QCOMPARE(firstColumns("Fläche", 60), std::string("Fläche"));
        QCOMPARE(firstColumns("", 3), std::string());
    }

    void aTerminalSaysHowWideItIs() {
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
        if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
            QSKIP("This machine gives out no terminal.");
        const int own = open(ptsname(terminal), O_RDWR | O_NOCTTY);
        QVERIFY(own >= 0);
        QCOMPARE(terminalWidth(own), std::size_t{80});
        winsize size{};
        size.ws_col = 132;
        QCOMPARE(ioctl(own, TIOCSWINSZ, &size), 0);
        QCOMPARE(terminalWidth(own), std::size_t{132});
        close(own);
        close(terminal);
        const int none = open("/dev/null", O_RDONLY);
        QCOMPARE(terminalWidth(none), std::size_t{0});
        close(none);
    }
};

PALIMPSEST_GUILESS_TEST(TestRunPrinters)

}  // namespace tst_run_printers

#include "tst_run_printers.moc"
