// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <numeric>

#include "tests/support/paint_counter.h"
#include "tests/support/test_program.h"
#include "ui/now/mask_chips.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using palimpsest::testing::PaintCounter;

namespace tst_mask_chips {

class TestMaskChips : public QObject {
    Q_OBJECT
private:
    static QStringList names(int count) {
        QStringList list;
        for (int i = 0; i < count; ++i) list.push_back(QStringLiteral("class %1").arg(i));
        return list;
    }

    static QColor middle(const MaskChips& chips, int label) {
        // Just inside the left end of the chip: its ground, neither its words nor its dot.
        const QRectF rect = chips.chipRect(label);
        QImage image(chips.size(), QImage::Format_RGB32);
        image.fill(Theme::of(&chips).panel);
        const_cast<MaskChips&>(chips).render(&image, {}, {}, QWidget::RenderFlags());
        return image.pixelColor(QPoint(static_cast<int>(rect.left() + 5), static_cast<int>(rect.center().y())));
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void eachClassIsVisibleHiddenOrNotSeen() {
        MaskChips chips;
        chips.resize(240, 120);
        chips.setClasses(names(5), {});
        chips.setMask({1, 3}, {0, 1, 3});
        QCOMPARE(chips.stateOf(0), MaskChips::State::Hidden);
        QCOMPARE(chips.stateOf(1), MaskChips::State::Visible);
        QCOMPARE(chips.stateOf(2), MaskChips::State::NotSeen);
        QCOMPARE(chips.stateOf(3), MaskChips::State::Visible);
        QCOMPARE(chips.accessibleDescription(), QString("class 1, class 3"));
    }

    void everyClassHasItsCellAlsoWhereThereIsLittleHeight() {
        MaskChips chips;
        chips.setClasses(names(80), {});
        chips.setMask({79}, {3, 79});
        for (const int height : {chips.heightForWidth(236), 44, 20}) {
            chips.resize(236, height);
            for (int label = 0; label < 80; ++label) QVERIFY(QRectF(chips.rect()).contains(chips.chipRect(label)));
            QCOMPARE(chips.textAt(chips.chipRect(79).center().toPoint()), QString("class 79: let through"));
        }
    }

    void withoutAMaskClassesNotSeenCompete() {
        MaskChips chips;
        chips.resize(240, 120);
        chips.setClasses(names(4), {});
        chips.setMask({0, 1}, {0, 1}, true);
        QCOMPARE(chips.stateOf(1), MaskChips::State::Visible);
        QCOMPARE(chips.stateOf(2), MaskChips::State::Open);
        QVERIFY(chips.showsOpen());
        QCOMPARE(chips.accessibleDescription(), QString("class 0, class 1, and 2 not seen yet"));
        QCOMPARE(chips.textAt(chips.chipRect(2).center().toPoint()), QString("class 2: not seen yet, but competing"));
        // Neither filled nor empty.
        const QString open = middle(chips, 2).name();
        QVERIFY(open != Theme::darkTheme().accent.name() && open != Theme::darkTheme().panel.name());
        chips.setMask({0, 1, 2, 3}, {0, 1, 2, 3}, true);
        QVERIFY(!chips.showsOpen());
        chips.setMask({0}, {0, 1});
        QVERIFY(!chips.showsOpen());
        QCOMPARE(middle(chips, 2).name(), Theme::darkTheme().panel.name());
    }

    void cellsShowThatClassesNotSeenCompete() {
        MaskChips chips;
        chips.setClasses(names(4000), {});
        chips.resize(236, chips.heightForWidth(236));
        chips.setMask({300}, {300}, true);
        QCOMPARE(chips.textAt(chips.chipRect(300).center().toPoint()),
                 QString("class 300 to class 302: 1 let through, 0 hidden, 2 not seen yet, but competing"));
        QImage image(chips.size(), QImage::Format_RGB32);
        image.fill(Theme::darkTheme().panel);
        chips.render(&image, {}, {}, QWidget::RenderFlags());
        const QColor ground = image.pixelColor(chips.chipRect(0).topLeft().toPoint() + QPoint(1, 1));
        QVERIFY(ground != Theme::darkTheme().panel && ground != Theme::darkTheme().accent);
    }

    void onlyWhatTheMaskLetsThroughIsFilled() {
        MaskChips chips;
        chips.resize(240, 120);
        chips.setClasses(names(5), {});
        chips.setMask({1}, {0, 1});
        QCOMPARE(middle(chips, 1).name(), Theme::darkTheme().accent.name());
        QCOMPARE(middle(chips, 0).name(), Theme::darkTheme().panel.name());
        QCOMPARE(middle(chips, 2).name(), Theme::darkTheme().panel.name());
    }

    void inLittleRoomWhatIsLetThroughComesFirst() {
        MaskChips chips;
        chips.setClasses(names(10), {});
        chips.setMask({7, 9}, {0, 1, 7, 9});
        chips.resize(240, chips.heightForWidth(240));
        for (int label = 1; label < 10; ++label) {  // all have room: in their own order
            const QRectF before = chips.chipRect(label - 1), rect = chips.chipRect(label);
            QVERIFY(rect.top() > before.top() || rect.left() > before.left());
        }
        chips.resize(240, static_cast<int>(chips.chipRect(0).height()) + 1);
        QVERIFY(chips.shownCount() >= 2 && chips.shownCount() < 10);
        QCOMPARE(chips.chipRect(7).topLeft(), QPointF(0, 0));
        QCOMPARE(chips.chipRect(9).top(), 0.0);
        QCOMPARE(middle(chips, 7).name(), Theme::darkTheme().accent.name());
        QCOMPARE(chips.textAt(chips.chipRect(9).center().toPoint()), QString("class 9: let through"));
        QString others;  // the words behind the last chip tell of all that are left out
        for (int x = 0; x < chips.width(); ++x)
            if (const QString text = chips.textAt({x, 8}); text.contains('\n')) others = text;
        QVERIFY2(!others.contains("class 7") && others.contains("class 2: not seen yet"), qPrintable(others));
    }

    void chipsStayInsideAndApart_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("width");
        QTest::newRow("ten") << 10 << 236;
        QTest::newRow("ten, narrow") << 10 << 90;
        QTest::newRow("twenty-four") << 24 << 236;
        QTest::newRow("a hundred") << 100 << 236;
        QTest::newRow("a thousand") << 1000 << 236;
    }
    void chipsStayInsideAndApart() {
        QFETCH(int, count);
        QFETCH(int, width);
        MaskChips chips;
        chips.setClasses(names(count), {});
        chips.resize(width, chips.heightForWidth(width));
        QVector<QRectF> rects;
        for (int i = 0; i < count; ++i) {
            rects.push_back(chips.chipRect(i));
            QVERIFY(QRectF(chips.rect()).contains(rects[i]));
            QVERIFY(
                std::none_of(rects.begin(), rects.end() - 1, [&](const QRectF& r) { return r.intersects(rects[i]); }));
        }
        QVERIFY(count < 100 || chips.height() < 200);
    }

    void hoveringNamesClassKindAndState() {
        MaskChips chips;
        chips.resize(240, 120);
        chips.setClasses({"T-shirt", "Bag", "Boot"}, {ClassKind::Disjoint, ClassKind::Blurry, ClassKind::Unknown});
        chips.setMask({0}, {0, 1});
        const auto at = [&](int label) { return chips.textAt(chips.chipRect(label).center().toPoint()); };
        QCOMPARE(at(0), QString("T-shirt, disjoint class: let through"));
        QCOMPARE(at(1), QString("Bag, blurry class: hidden"));
        QCOMPARE(at(2), QString("Boot: not seen yet"));
        QCOMPARE(chips.textAt(QPoint(239, 119)), QString());
    }

    void theWorkEndsWithTheCellsNotWithTheClasses() {
        MaskChips chips;
        chips.setClasses(names(100000), {});
        chips.resize(236, chips.heightForWidth(236));
        QVERIFY(chips.height() < 200);
        std::vector<std::int32_t> all(100000);
        std::iota(all.begin(), all.end(), 0);
        chips.setMask(all, all);
        PaintCounter counter(chips.size());
        chips.render(&counter, {}, {}, QWidget::RenderFlags());
        QVERIFY(counter.count() > 1000);
        QVERIFY2(counter.count() < 2500, qPrintable(QString::number(counter.count())));
        QVERIFY(QRectF(chips.rect()).contains(chips.chipRect(99999)));
        QVERIFY2(chips.accessibleDescription().size() < 500, qPrintable(chips.accessibleDescription().left(1000)));
        QVERIFY(chips.accessibleDescription().endsWith("class 23, and 99,976 more"));
    }

    void onlyCellsInSightArePainted() {
        MaskChips chips;
        chips.setClasses(names(1000), {});
        chips.resize(236, chips.heightForWidth(236));
        PaintCounter whole(chips.size()), part(chips.size());
        chips.render(&whole, {}, {}, QWidget::RenderFlags());
        chips.render(&part, {}, QRegion(0, 40, 236, 8), QWidget::RenderFlags());
        QCOMPARE(whole.count(), 1000);
        QVERIFY(part.count() > 0);
        QVERIFY2(part.count() < 250, qPrintable(QString::number(part.count())));
    }

    void classesThatShareACellAreCounted() {
        MaskChips chips;
        chips.setClasses(names(4000), {});
        chips.resize(236, chips.heightForWidth(236));
        chips.setMask({300, 301}, {299, 300, 301});
        const QRectF cell = chips.chipRect(300);
        QCOMPARE(chips.chipRect(301), cell);
        QCOMPARE(chips.chipRect(302), cell);
        QVERIFY(chips.chipRect(299) != cell);
        QCOMPARE(chips.textAt(cell.center().toPoint()),
                 QString("class 300 to class 302: 2 let through, 0 hidden, 1 not seen yet"));
        QImage image(chips.size(), QImage::Format_RGB32);
        image.fill(Theme::darkTheme().panel);
        chips.render(&image, {}, {}, QWidget::RenderFlags());
        const auto inside = [&](const QRectF& rect) {
            return image.pixelColor(rect.topLeft().toPoint() + QPoint(1, 1));
        };
        QCOMPARE(inside(cell).name(), Theme::darkTheme().accent.name());
        QCOMPARE(inside(chips.chipRect(299)).name(), Theme::darkTheme().panel.name());
    }

    void foreignLabelsAreIgnored() {
        MaskChips chips;
        chips.setClasses(names(3), {});
        chips.setMask({7, -1}, {12});
        for (int i = 0; i < 3; ++i) QCOMPARE(chips.stateOf(i), MaskChips::State::NotSeen);
    }
};

PALIMPSEST_TEST(TestMaskChips)

}  // namespace tst_mask_chips

#include "tst_mask_chips.moc"
