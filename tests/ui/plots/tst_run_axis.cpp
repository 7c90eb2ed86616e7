// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/plots/run_axis.h"
#include "ui/state/run_set.h"

using namespace palimpsest;

namespace tst_run_axis {

class TestRunAxis : public QObject {
    Q_OBJECT
private:
    /// Sessions of 1,000, 3,000, no and 2,000 images.
    static ShownRun run() {
        ShownRunFacts facts;
        facts.session_starts = {0, 1000, 4000, 4000};
        facts.experiment.stream.sessions = 4;
        facts.total_samples = 6000;
        ShownRun run;
        run.facts = std::make_shared<const ShownRunFacts>(facts);
        for (const std::int64_t samples : {500, 1500, 4500})
            run.points.addEvaluation(EvaluationKind::Anytime, {samples, 0, 0.5, 1, 2, 1});
        run.points.addSeen(5000);
        return run;
    }

private Q_SLOTS:
    void aPlaceAlongSessionsIsAPartOfASession_data() {
        QTest::addColumn<double>("samples");
        QTest::addColumn<double>("place");
        QTest::newRow("first image") << 0.0 << 0.0;
        QTest::newRow("half the first session") << 500.0 << 0.5;
        QTest::newRow("border") << 1000.0 << 1.0;
        QTest::newRow("a third of the second") << 2000.0 << 1.0 + 1.0 / 3;
        QTest::newRow("after the empty session") << 5000.0 << 3.5;
        QTest::newRow("end") << 6000.0 << 4.0;
    }
    void aPlaceAlongSessionsIsAPartOfASession() {
        QFETCH(double, samples);
        QFETCH(double, place);
        QCOMPARE(sessionPlace(run(), samples), place);
        QCOMPARE(samplesAtSession(run(), place), samples);
    }

    void sessionsEndOneAfterTheOther() {
        QCOMPARE(sessionsEnded(run(), 999), std::int64_t(0));
        QCOMPARE(sessionsEnded(run(), 1000), std::int64_t(1));
        QCOMPARE(sessionsEnded(run(), 4000), std::int64_t(3));
        QCOMPARE(sessionsEnded(run(), 6000), std::int64_t(4));
    }

    void bordersStandWhereSessionsBegin() {
        const ShownRun shown = run();
        const std::vector<SessionBorder> borders = sessionBorders(&shown), even = evenSessionBorders(&shown);
        QCOMPARE(borders.size(), std::size_t(4));
        QCOMPARE(borders[1].x, 1000.0);
        QCOMPARE(borders[1].end, 4000.0);
        QCOMPARE(borders[1].name, QString("session 2"));
        QCOMPARE(borders[3].end, 6000.0);
        for (std::size_t i = 0; i < even.size(); ++i) {
            QCOMPARE(even[i].x, double(i));
            QCOMPARE(even[i].end, double(i + 1));
            QCOMPARE(even[i].name, borders[i].name);
        }
        QVERIFY(sessionBorders(nullptr).empty());
    }

    void theNearestEvaluationIsFoundOnEitherAxis() {
        const ShownRun shown = run();
        RunAxis axis;
        QCOMPARE(axis.evaluationAt(shown, 900)->samples_seen, std::int64_t(500));
        QCOMPARE(axis.evaluationAt(shown, 1100)->samples_seen, std::int64_t(1500));
        QCOMPARE(axis.placeIn(shown, 1500), 1500.0);
        axis.by_session = true;
        QCOMPARE(axis.placeIn(shown, 500), 0.5);
        QCOMPARE(axis.evaluationAt(shown, 3.9)->samples_seen, std::int64_t(4500));
        QVERIFY(!axis.evaluationAt(ShownRun(), 1));
        // The last one at or before, unlike the nearest.
        QCOMPARE(pointAt(shown, 1499)->samples_seen, std::int64_t(500));
        QCOMPARE(pointAt(shown, 1500)->samples_seen, std::int64_t(1500));
    }
};

PALIMPSEST_APPLESS_TEST(TestRunAxis)

}  // namespace tst_run_axis

#include "tst_run_axis.moc"
