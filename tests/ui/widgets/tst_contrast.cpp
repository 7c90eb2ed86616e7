// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/style/colours.h"
#include "ui/style/curve_style.h"
#include "ui/style/theme.h"

using namespace palimpsest;

namespace tst_contrast {

class TestLegible : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contrastIsThatOfTheStandard() {
        QVERIFY(std::abs(contrast(Qt::white, Qt::black) - 21) < 1e-6);
        QVERIFY(std::abs(contrast(Qt::white, Qt::white) - 1) < 1e-6);
        // #777777 on white is the standard's well-known near miss: 4.48.
        QVERIFY(std::abs(contrast(QColor("#777777"), Qt::white) - 4.48) < 0.005);
        QCOMPARE(contrast(Qt::blue, Qt::yellow), contrast(Qt::yellow, Qt::blue));
    }

    void whatStandsOutStaysAsItIs() {
        QCOMPARE(legible(QColor("#0072b2"), Qt::white, kWordContrast), QColor("#0072b2"));
        QCOMPARE(legible(QColor(), Qt::white, kWordContrast), QColor());
    }

    void otherColoursKeepTheirHue() {
        for (const QColor ground : {QColor(Qt::white), QColor("#1d2027")})
            for (const char* name : {"#cc79a7", "#f0e442", "#56b4e9", "#202040", "#ffffff", "#000000"}) {
                const QColor colour(name), made = legible(colour, ground, kWordContrast);
                QVERIFY2(contrast(made, ground) >= kWordContrast, name);
                if (colour.hslSaturation() > 0 && colour.hslHue() >= 0 && made.hslHue() >= 0)
                    QVERIFY2(std::abs(colour.hslHue() - made.hslHue()) <= 2, name);
            }
    }

    void linesAndLanesStandOutInEveryTheme() {
        for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme(), &Theme::projectorTheme()}) {
            const double least = theme->weight > 1 ? kWordContrast : kMarkContrast;
            for (const QColor& colour : theme->series)
                QVERIFY2(contrast(colour, theme->panel) >= least, qPrintable(colour.name()));
            for (const QColor& colour : theme->runs)
                QVERIFY2(contrast(colour, theme->panel) >= least, qPrintable(colour.name()));
            for (const std::size_t lane : {0U, 1U}) {
                const QColor colour = laneColour(*theme, lane);
                QVERIFY2(contrast(colour, theme->panel) >= least, qPrintable(colour.name()));
                // The run of a lane is drawn as its lane is, and as no session is.
                QCOMPARE(runColour(*theme, kNoHue, QColor(kLaneColours[lane])), colour);
                for (const QColor& session : theme->series) {
                    const int between = std::abs(colour.hslHue() - session.hslHue());
                    QVERIFY2(std::min(between, 360 - between) >= 14, qPrintable(colour.name() + ' ' + session.name()));
                }
            }
            // A compared run is neither a session nor what the window marks.
            for (const QColor& run : theme->runs) {
                const int hue = run.hslHue();
                const auto apart = [hue](const QColor& other) {
                    const int between = std::abs(hue - other.hslHue());
                    return std::min(between, 360 - between);
                };
                for (const QColor& other : theme->runs)
                    QVERIFY2(run == other || apart(other) >= 20, qPrintable(run.name() + ' ' + other.name()));
                QVERIFY2(apart(theme->accent) >= 20, qPrintable(run.name()));
                for (const QColor& session : theme->series)
                    QVERIFY2(apart(session) >= 8 || std::abs(run.hslSaturation() - session.hslSaturation()) >= 40,
                             qPrintable(run.name() + ' ' + session.name()));
            }
            for (const QColor& text :
                 {theme->text, theme->quiet, theme->accent, theme->better, theme->worse, theme->attention})
                QVERIFY2(contrast(text, theme->panel) >= kWordContrast, qPrintable(text.name()));
        }
    }
};

PALIMPSEST_TEST(TestLegible)

}  // namespace tst_contrast

#include "tst_contrast.moc"
