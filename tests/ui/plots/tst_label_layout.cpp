// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <random>

#include "tests/support/test_program.h"
#include "ui/plots/label_layout.h"

using namespace palimpsest;

namespace tst_label_layout {

class TestLabelLayout : public QObject {
    Q_OBJECT
private:
    const QRectF area_{0, 0, 600, 180};
    const QSizeF size_{110, 15};

private Q_SLOTS:
    void aLoneLabelStandsBesideItsEnd() {
        const auto places = placeLabels({{QPointF(200, 90), size_}}, area_, {});
        QVERIFY(places[0].rect.left() > 200);
        QCOMPARE(places[0].rect.center().y(), 90.0);
    }

    void aLabelAtTheRightEdgeStandsAboveOrBelow() {
        const auto places = placeLabels({{QPointF(595, 90), size_}}, area_, {});
        QVERIFY(area_.contains(places[0].rect));
        QVERIFY(!places[0].rect.contains(QPointF(595, 90)));
    }

    void aLabelAvoidsTheCurves() {
        std::vector<QPointF> curve;
        for (int x = 0; x < 600; x += 4) curve.emplace_back(x, 80);
        const auto places = placeLabels({{QPointF(595, 90), size_}}, area_, curve);
        QVERIFY(!places[0].covers);
        QVERIFY(places[0].rect.bottom() < 80 || places[0].rect.top() > 80);
    }

    void aLabelMovesNoFurtherThanItMust() {
        std::vector<QPointF> curve;
        for (int x = 300; x < 450; x += 2) curve.emplace_back(x, 82);
        const auto places = placeLabels({{QPointF(300, 90), size_}}, area_, curve);
        QVERIFY(!places[0].covers);
        QCOMPARE(places[0].rect.center().y(), 96.0);
    }

    void labelsOfOneColumnKeepTheOrderOfTheirEnds() {
        const auto places = placeLabels({{QPointF(300, 60), size_},
                                         {QPointF(300, 66), size_},
                                         {QPointF(300, 63), size_},
                                         {QPointF(302, 70), size_}},
                                        area_, {});
        QVERIFY(places[0].rect.bottom() <= places[2].rect.top());
        QVERIFY(places[2].rect.bottom() <= places[1].rect.top());
        QVERIFY(places[1].rect.bottom() <= places[3].rect.top());
    }

    void aColumnCoversNoMark() {
        const std::vector<LabelWish> wishes{{QPointF(300, 90), size_}, {QPointF(300, 60), size_}};
        std::vector<QPointF> marks;
        for (int x = 320; x < 600; x += 40) marks.emplace_back(x, 92);
        const auto beside = placeLabels(wishes, area_, {});
        const auto hides = [&](const LabelPlace& place) {
            return std::any_of(marks.begin(), marks.end(),
                               [&](const QPointF& mark) { return place.rect.adjusted(-4, -4, 4, 4).contains(mark); });
        };
        QVERIFY(hides(beside[0]));
        const auto clear = placeLabels(wishes, area_, {}, {}, {marks});
        for (const LabelPlace& place : clear) QVERIFY(!place.rect.isEmpty() && !hides(place));
        QVERIFY(!clear[0].rect.intersects(clear[1].rect));
    }

    void labelsNeverTouch() {
        std::mt19937 random(7);
        std::uniform_real_distribution<double> x(0, 600), y(0, 180);
        for (int round = 0; round < 200; ++round) {
            std::vector<LabelWish> wishes;
            for (int i = 0; i < 14; ++i) wishes.push_back({QPointF(round % 2 ? 595 : x(random), y(random)), size_});
            const auto places = placeLabels(wishes, area_, {});
            for (std::size_t i = 0; i < places.size(); ++i)
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(places[i].rect.isEmpty() || !places[i].rect.intersects(places[k].rect));
            for (const LabelPlace& place : places) QVERIFY(place.rect.isEmpty() || area_.contains(place.rect));
        }
    }

    void aLabelKeepsClearOfWhatIsThere() {
        const QRectF taken(150, 60, 300, 60);
        for (const double x : {200.0, 595.0}) {
            const auto places = placeLabels({{QPointF(x, 90), size_}, {QPointF(x, 92), size_}}, area_, {}, {taken});
            for (const LabelPlace& place : places) {
                QVERIFY(area_.contains(place.rect));
                QVERIFY(!place.rect.intersects(taken));
            }
            QVERIFY(!places[0].rect.intersects(places[1].rect));
        }
    }

    void aNameThatIsTooWideForTheColumnStillStands() {
        const QPointF end(300, 90);
        const auto places = placeLabels({{end, QSizeF(350, 15)}, {end, size_}, {end, size_}}, area_, {});
        for (const LabelPlace& place : places) QVERIFY(!place.rect.isEmpty());
    }

    void theLeastImportantGiveWay() {
        std::vector<LabelWish> wishes(40, {QPointF(300, 90), size_});
        const auto places = placeLabels(wishes, area_, {});
        QVERIFY(!places.front().rect.isEmpty());
        QVERIFY(places.back().rect.isEmpty());
    }

    void aLabelStaysWhereItWas() {
        std::vector<QPointF> curve;
        for (int x = 480; x < 600; x += 4) curve.emplace_back(x, 70);
        const auto first = placeLabels({{QPointF(595, 90), size_}}, area_, curve);
        const auto second = placeLabels({{QPointF(595, 90), size_, first[0].choice}}, area_, {});
        QCOMPARE(second[0].choice, first[0].choice);
    }

    void boxesAreSpreadWithLeastMovement_data() {
        QTest::addColumn<QList<double>>("wanted");
        QTest::addColumn<QList<double>>("tops");
        QTest::newRow("far apart") << QList<double>{10, 50} << QList<double>{10, 50};
        QTest::newRow("same place") << QList<double>{50, 50} << QList<double>{45, 55};
        QTest::newRow("three") << QList<double>{50, 50, 50} << QList<double>{40, 50, 60};
        QTest::newRow("at the top") << QList<double>{-5, 0} << QList<double>{0, 10};
        QTest::newRow("at the bottom") << QList<double>{95, 99} << QList<double>{80, 90};
    }
    void boxesAreSpreadWithLeastMovement() {
        QFETCH(QList<double>, wanted);
        QFETCH(QList<double>, tops);
        const std::vector<double> got = spreadApart({wanted.begin(), wanted.end()}, 10, 0, 100);
        QCOMPARE(QList<double>(got.begin(), got.end()), tops);
    }
};

PALIMPSEST_APPLESS_TEST(TestLabelLayout)

}  // namespace tst_label_layout

#include "tst_label_layout.moc"
