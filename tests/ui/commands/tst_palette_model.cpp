// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/commands/palette_model.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_palette_model {

class TestPaletteModel : public QObject {
    Q_OBJECT
private:
    static PaletteCommand command(const QString& title, const QString& refusal = {}) {
        return {.name = "action." + title,
                .title = title,
                .group = "Run",
                .more = {},
                .keys = {},
                .refusal = refusal,
                .run = [] {}};
    }

private Q_SLOTS:
    void aQueryLeavesWhatMatchesNearestFirst() {
        PaletteModel model;
        watch(model);
        model.setCommands({command("Pause"), command("Stop now"), command("Start"), command("Export figure")});
        QCOMPARE(columnOf(model, 0), (QStringList{"Pause", "Stop now", "Start", "Export figure"}));
        model.setQuery("sta");
        QVERIFY(model.rowCount() >= 1);
        QCOMPARE(columnOf(model, 0).first(), QString("Start"));
        QVERIFY(!columnOf(model, 0).contains("Pause"));
        model.setQuery("zzz");
        QCOMPARE(model.rowCount(), 0);
        model.setQuery({});
        QCOMPARE(model.rowCount(), 4);
        model.setCommands({});
        QCOMPARE(model.rowCount(), 0);
    }

    void whatWasUsedComesFirstAndWhatIsRefusedLast() {
        PaletteModel model;
        watch(model);
        model.setCommands({command("Pause", "Nothing runs."), command("Stop"), command("Start")});
        QCOMPARE(columnOf(model, 0), (QStringList{"Stop", "Start", "Pause"}));
        model.noteUse("action.Start");
        model.setQuery({});
        QCOMPARE(columnOf(model, 0), (QStringList{"Start", "Stop", "Pause"}));
        QCOMPARE(model.command(0).name, QString("action.Start"));
    }
};

PALIMPSEST_GUILESS_TEST(TestPaletteModel)

}  // namespace tst_palette_model

#include "tst_palette_model.moc"
