// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QtTest>
#include <cmath>

#include "tests/support/figure_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/heat_plot.h"
#include "ui/figures/heat_scale.h"
#include "ui/style/colours.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_heat_plot {

class TestHeatPlot : public QObject {
    Q_OBJECT
private:
    static void compareTable(const HeatPlot& plot, const QString& first) {
        const FigureTable& table = plot.table();
        QAbstractItemModelTester tester(&const_cast<FigureTable&>(table),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        const HeatContent& content = plot.content();
        QCOMPARE(table.rowCount(), int(content.xs.size()));
        QCOMPARE(table.columnCount(), int(content.rows.size()) + 1);
        for (int row = 0; row < content.rows.size(); ++row)
            QCOMPARE(table.headerData(row + 1, Qt::Horizontal).toString(), content.rows[row]);
        QCOMPARE(table.index(0, 0).data().toString(), QString("500"));
        QCOMPARE(table.index(0, 1).data().toString(), first);
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void classesStandInTheOrderInWhichTheyCame() {
        FigureScene scene;
        scene.live();
        auto* plot = scene.show(new ClassHeatPlot(&scene.store, &scene.histories));
        plot->setTableShown(true);
        plot->drawNow();
        const HeatContent& content = plot->content();
        QCOMPARE(content.xs.size(), std::size_t(12));
        QCOMPARE(content.rows.size(), 10);
        QCOMPARE(content.rows[1], QString("Trouser"));
        QCOMPARE(content.at(0, 1), 0.6F);
        QVERIFY(std::isnan(content.at(0, 2)));
        QCOMPARE(content.at(11, 9), float((60 + 9) % 11) / 10);
        compareTable(*plot, "50.0 %");
    }

    void sharesOfPromptsAreThoseSinceTheEvaluationBefore() {
        FigureScene scene;
        scene.live();
        auto* plot = scene.show(new PromptHeatPlot(&scene.store, &scene.histories));
        plot->setTableShown(true);
        plot->drawNow();
        const HeatContent& content = plot->content();
        QCOMPARE(content.rows, (QStringList{"prompt 1", "prompt 2", "prompt 3", "prompt 4"}));
        for (std::size_t moment = 0; moment < content.xs.size(); ++moment)
            for (std::size_t prompt = 0; prompt < 4; ++prompt)
                QCOMPARE(content.at(moment, prompt), float(double(prompt + 1) / 10));
        QCOMPARE(content.top, double(0.4F));
        compareTable(*plot, "10.0 %");
    }

    void theMemoryIsCountedInImages() {
        FigureScene scene;
        scene.live();
        auto* plot = scene.show(new MemoryHeatPlot(&scene.store, &scene.histories));
        plot->setTableShown(true);
        plot->drawNow();
        QCOMPARE(plot->content().at(0, 1), 10.0F);
        QCOMPARE(plot->content().at(11, 9), 2.0F);
        QCOMPARE(plot->content().top, 10.0);
        compareTable(*plot, "10");
        // Counts are no shares: the file has numbers alone.
        const auto source = plot->source();
        QVERIFY(source);
        QVERIFY(!source().pieces.front().figure);
        QVERIFY(source().pieces.front().csv.starts_with("samples_seen,"));
    }

    void pushesGoBothWaysAndHiddenClassesHaveNone() {
        FigureScene scene;
        scene.live();
        auto* plot = scene.show(new PushHeatPlot(&scene.store, &scene.histories));
        plot->setTableShown(true);
        plot->drawNow();
        const HeatContent& content = plot->content();
        QVERIFY(content.two_sided);
        QCOMPARE(content.top, 20.25);
        QVERIFY2(std::isnan(content.at(11, 0)), "the mask hid it");
        QCOMPARE(content.at(11, 1), -1.5F);
        QCOMPARE(content.at(11, 9), 20.25F);
        // A column reaches back to the evaluation before.
        QCOMPARE(content.momentAt(501), std::size_t(1));
        QCOMPARE(content.momentAt(500), std::size_t(0));
        QCOMPARE(content.momentAt(1), std::size_t(0));
        QCOMPARE(content.momentAt(99999), std::size_t(11));
        // Its middle stands out from every ground, where hidden classes are.
        for (const Theme* theme : {&Theme::darkTheme(), &Theme::lightTheme(), &Theme::projectorTheme()})
            QVERIFY(contrast(QColor(twoSidedColour(0)), theme->panel) >= 2);
        QCOMPARE(content.colourOf(20.25), twoSidedColour(1));
        QCOMPARE(content.colourOf(-20.25), twoSidedColour(-1));
        QVERIFY(content.colourOf(-1.5) != content.colourOf(1.5));
        compareTable(*plot, "+20.3");
        QCOMPARE(plot->table().index(11, 2).data().toString(), QString("−1.5"));
        const auto* scale = plot->findChild<HeatScale*>("pushHeatScale");
        QVERIFY2(scale && scale->accessibleName() == "Colours: −20.3 to +20.3", qPrintable(scale->accessibleName()));
        // The colours say what they count, and a sentence what that means.
        QCOMPARE(scale->title(), QString("push, in images"));
        const auto* meaning = plot->findChild<QLabel*>("pushHeatMeaning");
        QVERIFY(meaning && meaning->isVisibleTo(plot));
        QVERIFY2(meaning->text().contains("y − p"), qPrintable(meaning->text()));
        QVERIFY(plot->source()().pieces.front().csv.find(",-1.5,") != std::string::npos);
    }

    void aCellHasTheColourOfItsValue() {
        FigureScene scene;
        scene.live();
        auto* plot = scene.show(new ClassHeatPlot(&scene.store, &scene.histories));
        plot->drawNow();
        QCustomPlot* canvas = plot->canvas();
        const QImage image = canvas->toPixmap(canvas->width(), canvas->height()).toImage();
        for (const auto& [moment, row] : {std::pair(0, 0), std::pair(5, 2), std::pair(11, 9)}) {
            const double x = plot->content().xs[std::size_t(moment)];
            const QPoint pixel(int(canvas->xAxis->coordToPixel(x)) - 2, int(canvas->yAxis->coordToPixel(row + 0.5)));
            QCOMPARE(image.pixelColor(pixel).rgb(),
                     QColor(heatColour(plot->content().at(std::size_t(moment), std::size_t(row)))).rgb());
        }
    }

    void anEmptyFigureSaysWhy() {
        FigureScene scene;
        auto* plot = scene.show(new MemoryHeatPlot(&scene.store, &scene.histories));
        plot->drawNow();
        QVERIFY2(plot->invitation().contains("F5"), qPrintable(plot->invitation()));
        QVERIFY(!plot->source());
        scene.live(false);
        plot->drawNow();
        QVERIFY2(plot->invitation().contains("keeps no past images"), qPrintable(plot->invitation()));
        auto* scale = plot->findChild<HeatScale*>("memoryHeatScale");
        QVERIFY(scale && !scale->isVisible() && scale->title().isEmpty());
        FigureScene nothing;
        auto* pushes = nothing.show(new PushHeatPlot(&nothing.store, &nothing.histories));
        pushes->drawNow();
        QVERIFY(!pushes->findChild<QLabel*>("pushHeatMeaning")->isVisibleTo(pushes));
    }
};

PALIMPSEST_TEST(TestHeatPlot)

}  // namespace tst_heat_plot

#include "tst_heat_plot.moc"
