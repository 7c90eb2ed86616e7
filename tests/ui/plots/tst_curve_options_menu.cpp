// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QMenu>
#include <QWidget>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/plots/curve_options_menu.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_curve_options_menu {

using Band = CurveOptions::Band;

class TestCurveOptionsMenu : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theTickTellsHowSeedsAreDrawn() {
        RunSet store;
        for (const std::int64_t seed : {1, 2})
            store.addRecord(madeUpRecord("/runs/" + std::to_string(seed), "batch", 0.5, seed));
        store.setVisible("/runs/1", true);
        CurveOptions options;
        QWidget window;
        QMenu menu;
        addCurveOptions(&menu, &options, &store, &window);
        const auto entry = [&](Band band) {
            return menu.findChild<QAction*>(QStringLiteral("curvesBand%1").arg(static_cast<int>(band)));
        };
        CurveOptions::Values values = options.values();
        values.band = Band::Deviation;
        options.set(values);
        // Of one seed there is no mean, whatever was chosen.
        const auto alone = [&] {
            return entry(Band::None)->isChecked() && entry(Band::None)->isEnabled() &&
                   !entry(Band::Deviation)->isChecked() && !entry(Band::Deviation)->isEnabled() &&
                   !entry(Band::Error)->isEnabled();
        };
        QVERIFY(alone());
        QVERIFY2(entry(Band::Error)->toolTip().contains("press Group seeds"),
                 qPrintable(entry(Band::Error)->toolTip()));
        store.setVisible("/runs/2", true);
        QVERIFY(entry(Band::Deviation)->isChecked() && entry(Band::Deviation)->isEnabled());
        QVERIFY(!entry(Band::None)->isChecked());
        QVERIFY(!entry(Band::Error)->toolTip().contains("press Group seeds"));
        entry(Band::Error)->trigger();
        QCOMPARE(options.values().band, Band::Error);
        QVERIFY(entry(Band::Error)->isChecked() && !entry(Band::Deviation)->isChecked());
        store.setVisible("/runs/2", false);
        QVERIFY(alone());
        QCOMPARE(options.values().band, Band::Error);
        store.setVisible("/runs/2", true);
        QVERIFY(entry(Band::Error)->isChecked());
    }
};

PALIMPSEST_TEST(TestCurveOptionsMenu)

}  // namespace tst_curve_options_menu

#include "tst_curve_options_menu.moc"
