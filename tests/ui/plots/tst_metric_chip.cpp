// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/plots/metric_chip.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;

namespace tst_metric_chip {

namespace {

MetricChip::Content content(double own, double other, const QString& warning = {}) {
    MetricChip::Content made;
    made.value = MetricChip::Number{own};
    made.compared = MetricChip::Number{other};
    made.name = "Another run";
    made.warning = warning;
    made.evident = true;
    return made;
}

bool paints(MetricChip& chip, const QColor& colour) {
    chip.resize(chip.sizeHint());
    const QImage image = chip.grab().toImage();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor pixel = image.pixelColor(x, y);
            if (std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                    std::abs(pixel.blue() - colour.blue()) <
                24)
                return true;
        }
    return false;
}

}  // namespace

class TestMetricChip : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Light); }

    void aDifferenceIsGoodOrBadOnlyWhereItCanBeJudged() {
        MetricChip chip("A_AUC");
        const Theme& theme = Theme::lightTheme();
        chip.setContent(content(0.6, 0.5));
        QVERIFY(paints(chip, theme.better) && !paints(chip, theme.worse));
        chip.setContent(content(0.4, 0.5));
        QVERIFY(paints(chip, theme.worse) && !paints(chip, theme.better));
        // Nothing that is shown differs.
        chip.setContent(content(0.5001, 0.5));
        QVERIFY2(chip.text().endsWith("±0.0"), qPrintable(chip.text()));
        QVERIFY(!paints(chip, theme.worse) && !paints(chip, theme.better));
        // Other seeds might turn it round.
        MetricChip::Content single = content(0.6, 0.5);
        single.evident = false;
        chip.setContent(single);
        QVERIFY2(chip.text().endsWith("+10.0"), qPrintable(chip.text()));
        QVERIFY(!paints(chip, theme.worse) && !paints(chip, theme.better));
        // Over other seeds it may be the seeds'.
        chip.setContent(content(0.4, 0.5, "other seeds"));
        QVERIFY2(chip.text().contains("other seeds"), qPrintable(chip.text()));
        QVERIFY(!paints(chip, theme.worse) && !paints(chip, theme.better));
    }

    void aNameIsLeftOutRatherThanCutToALetter() {
        MetricChip chip("A_AUC");
        chip.setContent(content(0.6, 0.5));
        bool without = false;
        for (int width = chip.sizeHint().width(); width >= chip.minimumSizeHint().width(); --width) {
            chip.resize(width, chip.height());
            const QString text = chip.shownText();
            const auto cut = text.indexOf(QChar(0x2026));
            without = without || !text.contains("Another");
            if (cut >= 0)
                QVERIFY2(text.mid(text.indexOf("vs ") + 3).section(QChar(0x2026), 0, 0).size() >= 2, qPrintable(text));
        }
        QVERIFY(without);
    }
};

PALIMPSEST_TEST(TestMetricChip)

}  // namespace tst_metric_chip

#include "tst_metric_chip.moc"
