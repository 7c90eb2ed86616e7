// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "ui/mask_chips.h"
#include "ui/theme.h"

using namespace palimpsest;

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

    void onlyWhatTheMaskLetsThroughIsFilled() {
        MaskChips chips;
        chips.resize(240, 120);
        chips.setClasses(names(5), {});
        chips.setMask({1}, {0, 1});
        QCOMPARE(middle(chips, 1).name(), Theme::darkTheme().accent.name());
        QCOMPARE(middle(chips, 0).name(), Theme::darkTheme().panel.name());
        QCOMPARE(middle(chips, 2).name(), Theme::darkTheme().panel.name());
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

    void foreignLabelsAreIgnored() {
        MaskChips chips;
        chips.setClasses(names(3), {});
        chips.setMask({7, -1}, {12});
        for (int i = 0; i < 3; ++i) QCOMPARE(chips.stateOf(i), MaskChips::State::NotSeen);
    }
};

QTEST_MAIN(TestMaskChips)
#include "tst_mask_chips.moc"
