// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>
#include <limits>
#include <variant>

#include "tests/support/test_program.h"
#include "ui/plots/grid_content.h"

using namespace palimpsest;

namespace tst_grid_content {

class TestGridContent : public QObject {
    Q_OBJECT
private:
    static HeatContent heat(int moments) {
        HeatContent content;
        content.rows = {"one", "two"};
        for (int i = 0; i < moments; ++i) {
            content.xs.push_back(100.0 * (i + 1));
            content.values.push_back({float(i) / 100});
            if (i > 0) content.values.back().push_back(0.5F);
        }
        return content;
    }

private Q_SLOTS:
    void theNearestMomentIsDrawnAtAPlace_data() {
        QTest::addColumn<double>("x");
        QTest::addColumn<int>("moment");
        QTest::newRow("before the first") << 0.0 << 0;
        QTest::newRow("nearer to the first") << 149.0 << 0;
        QTest::newRow("half way") << 150.0 << 0;
        QTest::newRow("nearer to the second") << 151.0 << 1;
        QTest::newRow("on it") << 300.0 << 2;
        QTest::newRow("after the last") << 9999.0 << 2;
    }
    void theNearestMomentIsDrawnAtAPlace() {
        QFETCH(double, x);
        QFETCH(int, moment);
        QCOMPARE(heat(3).momentAt(x), std::size_t(moment));
    }

    void aRowThatCameLaterHasNoValueBefore() {
        const HeatContent content = heat(2);
        QVERIFY(std::isnan(content.at(0, 1)));
        QCOMPARE(content.at(1, 1), 0.5F);
    }

    void aPublishedHeatMapHasItsLastMomentAndNoMoreThanAPageHolds() {
        for (const int moments : {1, 24, 25, 1000}) {
            const report::Figure figure = heatFigure({"file", "Title", "Caption."}, heat(moments));
            const auto& drawn = std::get<report::HeatFigure>(figure.content);
            QVERIFY(drawn.columns.size() <= 24);
            QCOMPARE(drawn.rows, (std::vector<std::string>{"one", "two"}));
            QVERIFY(std::abs(*drawn.values[0].back() - (moments - 1)) < 1e-3);
            QCOMPARE(drawn.values[0].size(), drawn.columns.size());
        }
    }

    void aPublishedMatrixIsInPerCent() {
        MatrixContent content;
        content.row_title = "is";
        content.rows = {"a", "b"};
        content.columns = {"a", "b"};
        content.shares = {1, 0.25, std::numeric_limits<double>::quiet_NaN(), 0.5};
        const report::Figure figure = matrixFigure({"file", "Title", "Caption."}, content);
        const auto& drawn = std::get<report::HeatFigure>(figure.content);
        QCOMPARE(drawn.rows, (std::vector<std::string>{"is a", "is b"}));
        QCOMPARE(*drawn.values[0][1], 25.0);
        QVERIFY(!drawn.values[1][0]);
    }
};

PALIMPSEST_APPLESS_TEST(TestGridContent)

}  // namespace tst_grid_content

#include "tst_grid_content.moc"
