// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/timeline/time_track.h"

using namespace palimpsest;

namespace tst_time_track_content {

class TestTimeTrackContent : public QObject {
    Q_OBJECT
private:
    using Moment = TimeTrackContent::Moment;
    /// Two sessions with three evaluations each.
    static TimeTrackContent run() {
        TimeTrackContent content;
        content.total = 600;
        content.starts = {0, 300};
        content.evaluations = {100, 200, 300, 400, 500, 600};
        return content;
    }

private Q_SLOTS:
    void theNearestEvaluationIsFound() {
        QCOMPARE(run().nearest(-5), Moment(100));
        QCOMPARE(run().nearest(249), Moment(200));
        QCOMPARE(run().nearest(251), Moment(300));
        QCOMPARE(run().nearest(9000), Moment(600));
        QCOMPARE(TimeTrackContent().nearest(1), Moment());
    }

    void aStepGoesToTheNextEvaluationAndStaysAtTheEnds() {
        QCOMPARE(run().stepped(300, -1), Moment(200));
        QCOMPARE(run().stepped(300, 1), Moment(400));
        QCOMPARE(run().stepped(100, -1), Moment(100));
        QCOMPARE(run().stepped(600, 1), Moment(600));
        QCOMPARE(run().stepped({}, -1), Moment(500));
        QCOMPARE(TimeTrackContent().stepped({}, 1), Moment());
    }

    void aStepOfASessionGoesToItsFirstEvaluation() {
        QCOMPARE(run().sessionStepped(100, 1), Moment(400));
        QCOMPARE(run().sessionStepped(500, -1), Moment(400));
        QCOMPARE(run().sessionStepped(400, -1), Moment(100));
        QCOMPARE(run().sessionStepped(400, 1), Moment(600));
    }
};

PALIMPSEST_GUILESS_TEST(TestTimeTrackContent)

}  // namespace tst_time_track_content

#include "tst_time_track_content.moc"
