// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <numeric>
#include <random>

#include "engine/report/label_layout.h"
#include "tests/support/test_program.h"

using namespace palimpsest::report;

namespace tst_labels {

class LabelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void labelsWithRoomStayWhereTheyWantToBe();
    void crowdedLabelsSpreadEvenlyAroundTheirWish();
    void labelsStayInsideTheFrame();
    void theHighestRanksGiveWayWhenThereIsNoRoom();
    void noLabelNeedsNoPlace();
    void randomLabelsNeverCollideAndKeepTheirOrder_data();
    void randomLabelsNeverCollideAndKeepTheirOrder();
};

void LabelsTest::labelsWithRoomStayWhereTheyWantToBe() {
    const std::vector<LabelRequest> requests{{10, 10, 0}, {50, 10, 1}, {30, 10, 2}};
    const auto places = placeLabels(requests, 0, 100, 2);
    for (std::size_t k = 0; k < requests.size(); ++k) {
        QCOMPARE(places[k].value(), requests[k].centre);
    }
}

void LabelsTest::crowdedLabelsSpreadEvenlyAroundTheirWish() {
    const std::vector<LabelRequest> requests{{50, 10, 0}, {50, 10, 1}, {50, 10, 2}};
    const auto places = placeLabels(requests, 0, 100, 2);
    QCOMPARE(places[0].value(), 38.0);
    QCOMPARE(places[1].value(), 50.0);
    QCOMPARE(places[2].value(), 62.0);
}

void LabelsTest::labelsStayInsideTheFrame() {
    const std::vector<LabelRequest> requests{{1, 10, 0}, {2, 10, 1}, {99, 10, 2}};
    const auto places = placeLabels(requests, 0, 100, 0);
    QCOMPARE(places[0].value(), 5.0);
    QCOMPARE(places[1].value(), 15.0);
    QCOMPARE(places[2].value(), 95.0);
}

void LabelsTest::theHighestRanksGiveWayWhenThereIsNoRoom() {
    const std::vector<LabelRequest> requests{{10, 10, 3}, {20, 10, 0}, {30, 10, 2}, {40, 10, 1}};
    const auto places = placeLabels(requests, 0, 25, 2);
    QVERIFY(!places[0]);
    QVERIFY(places[1]);
    QVERIFY(!places[2]);
    QVERIFY(places[3]);
}

void LabelsTest::noLabelNeedsNoPlace() {
    QVERIFY(placeLabels({}, 0, 10, 1).empty());
}

void LabelsTest::randomLabelsNeverCollideAndKeepTheirOrder_data() {
    QTest::addColumn<int>("count");
    QTest::newRow("a few") << 4;
    QTest::newRow("many") << 20;
    QTest::newRow("far too many") << 300;
}

void LabelsTest::randomLabelsNeverCollideAndKeepTheirOrder() {
    QFETCH(int, count);
    constexpr double kLow = 20, kHigh = 320, kGap = 3;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> centre(-40, 360), height(8, 30);
    for (int round = 0; round < 200; ++round) {
        std::vector<LabelRequest> requests;
        for (int k = 0; k < count; ++k) {
            requests.push_back({centre(random), height(random), k});
        }
        const auto places = placeLabels(requests, kLow, kHigh, kGap);
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < places.size(); ++k) {
            if (places[k]) {
                order.push_back(k);
            }
        }
        QVERIFY(places.front());
        std::sort(order.begin(), order.end(), [&](auto a, auto b) { return requests[a].centre < requests[b].centre; });
        double floor = kLow - kGap;
        for (const std::size_t k : order) {
            QVERIFY(*places[k] - requests[k].height / 2 >= floor + kGap - 1e-9);
            floor = *places[k] + requests[k].height / 2;
        }
        QVERIFY(floor <= kHigh + 1e-9);
    }
}

PALIMPSEST_APPLESS_TEST(LabelsTest)

}  // namespace tst_labels

#include "tst_labels.moc"
