// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QtTest>

#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/stage/stage_strip.h"
#include "ui/style/text_style.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_stage_strip {

class TestStageStrip : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanupTestCase() { applyTextSize(*qApp, TextSize::Normal); }

    void wordsAreWhole_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::addColumn<TextSize>("text");
        QTest::addColumn<QSize>("size");
        QTest::newRow("dark") << Appearance::Dark << TextSize::Normal << QSize(1280, 800);
        QTest::newRow("projector") << Appearance::Projector << TextSize::Normal << QSize(1280, 800);
        QTest::newRow("very large") << Appearance::Projector << TextSize::VeryLarge << QSize(1280, 800);
        QTest::newRow("3840x2160") << Appearance::Projector << TextSize::Normal << QSize(3840, 2160);
    }
    void wordsAreWhole() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, text);
        QFETCH(QSize, size);
        applyAppearance(*qApp, appearance);
        applyTextSize(*qApp, text);
        QWidget stage;
        StageStrip strip("hint", "Hint", &stage);
        stage.resize(size);
        showActive(stage);
        const auto* words = strip.findChild<QLabel*>("hintWords");
        const auto whole = [&] { return words->height() >= words->heightForWidth(words->width()); };
        for (const char* each : {"Page Down: next moment   ·   F: next figure   ·   ?: all keys   ·   Escape: leave",
                                 "Short", "This is the first moment."}) {
            strip.say(each, 0);
            QTRY_VERIFY2(whole(), each);
            QVERIFY(stage.rect().contains(strip.geometry()));
            QVERIFY2(words->heightForWidth(words->width()) < 1.5 * words->fontMetrics().height(), each);  // one line
        }
        strip.say(QString("A note of many words. ").repeated(20), 0);
        QTRY_VERIFY(whole());
    }
};

PALIMPSEST_TEST(TestStageStrip)

}  // namespace tst_stage_strip

#include "tst_stage_strip.moc"
