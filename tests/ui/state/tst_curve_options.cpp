// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>

#include "tests/support/test_program.h"
#include "ui/state/curve_options.h"

using namespace palimpsest;

namespace tst_curve_options {

using Band = CurveOptions::Band;

class TestCurveOptions : public QObject {
    Q_OBJECT
private:
    static void choose(CurveOptions& options, Band band) {
        CurveOptions::Values values = options.values();
        values.band = band;
        options.set(values);
    }

private Q_SLOTS:
    void seedsThatAreGroupedAreDrawnAsMeanAndBand() {
        CurveOptions options;
        QSignalSpy changed(&options, &CurveOptions::changed);
        QCOMPARE(options.values().band, Band::None);
        options.setGrouped(true);
        QCOMPARE(options.values().band, Band::Deviation);
        options.setGrouped(true);
        QCOMPARE(changed.count(), 1);
        options.setGrouped(false);
        QCOMPARE(options.values().band, Band::None);
        QCOMPARE(changed.count(), 2);
    }

    void whatTheUserChoseStays() {
        for (const Band band : {Band::Error, Band::None}) {
            CurveOptions options;
            options.setGrouped(true);
            choose(options, band);
            options.setGrouped(false);
            QCOMPARE(options.values().band, band);
            options.setGrouped(true);
            QCOMPARE(options.values().band, band);
            // Also after the next start, where the list is grouped after the options are restored.
            CurveOptions next;
            next.restore(options.state());
            next.setGrouped(true);
            QCOMPARE(next.values().band, band);
        }
    }

    void whoeverHearsOfItReadsTheWholeState() {
        CurveOptions options;
        QVariantMap heard;
        connect(&options, &CurveOptions::changed, this, [&] { heard = options.state(); });
        options.setGrouped(true);
        QVERIFY(!heard.isEmpty() && !heard["bandChosen"].toBool());
        choose(options, Band::Error);
        QVERIFY(heard["bandChosen"].toBool());
    }

    void withoutAGroupedListThereIsNoBandOfOne() {
        CurveOptions options;
        options.setGrouped(true);
        CurveOptions next;
        next.restore(options.state());
        QCOMPARE(next.values().band, Band::None);
    }

    void theGroupingIsFollowedAfterTheNextStart() {
        CurveOptions options;
        options.setGrouped(true);
        CurveOptions next;
        next.restore(options.state());
        next.setGrouped(true);
        QCOMPARE(next.values().band, Band::Deviation);
        next.setGrouped(false);
        QCOMPARE(next.values().band, Band::None);
    }
};

PALIMPSEST_GUILESS_TEST(TestCurveOptions)

}  // namespace tst_curve_options

#include "tst_curve_options.moc"
