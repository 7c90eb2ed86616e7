// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QImage>
#include <QLabel>

#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/now/now_moment.h"
#include "ui/now/now_panel.h"
#include "ui/now/push_bars.h"
#include "ui/style/colours.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/term_label.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_push_bars {

namespace {

ClassNames garments() {
    ClassNames classes;
    for (const char* name : {"T-shirt", "Trouser", "Pullover", "Dress", "Coat"}) classes.names.append(name);
    return classes;
}

using Pushes = std::vector<ClassPush>;

/// A batch of T-shirts without a mask.
const Pushes kOpen{{0, 6.0, 0}, {1, -1.0, -9.0}, {3, -4.0, -41.0}, {4, -1.0, -2.0}};

int pixels(const QImage& image, const QRect& area, const QColor& colour) {
    int count = 0;
    for (int y = area.top(); y <= area.bottom(); ++y)
        for (int x = area.left(); x <= area.right(); ++x) count += image.pixelColor(x, y).rgb() == colour.rgb();
    return count;
}

}  // namespace

class TestPushBars : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theSentenceSaysWhatIsPulledPushedAndHidden_data() {
        QTest::addColumn<Pushes>("pushes");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("nothing known") << Pushes{} << "";
        QTest::newRow("no mask") << kOpen << "T-shirt is pulled up. 3 are pushed down, Dress most: by 4.0.";
        QTest::newRow("batch mask") << Pushes{{0, 2.0, 0}, {1, -2.0, 0}, {3, std::nullopt, -3}, {4, std::nullopt, 0}}
                                    << "T-shirt is pulled up. Trouser is pushed down by 2.0. The mask hides 2 classes: "
                                       "nothing pushes them.";
        QTest::newRow("one hidden") << Pushes{{0, 1.0, 0}, {1, 1.0, 0}, {2, 1.0, 0}, {3, std::nullopt, 0}}
                                    << "T-shirt, Trouser and Pullover are pulled up. The mask hides one class: nothing "
                                       "pushes it.";
        QTest::newRow("two up") << Pushes{{0, 1.0, 0}, {1, 1.0, 0}} << "T-shirt and Trouser are pulled up.";
        QTest::newRow("hardly anything") << Pushes{{0, 0.01, 0}, {1, -0.01, 0}} << "Nothing is pulled up.";
    }
    void theSentenceSaysWhatIsPulledPushedAndHidden() {
        QFETCH(Pushes, pushes);
        QTEST(pushSentence(garments(), pushes), "sentence");
    }

    void eachClassSaysItsNumbers() {
        PushBars bars;
        bars.resize(200, 60);
        bars.setPushes(garments(), kOpen);
        QCOMPARE(bars.textAt({25, 10}), QString("T-shirt: pulled up by 6.0"));
        QCOMPARE(bars.textAt({125, 50}),
                 QString("Dress: pushed down by 4.0\nSince the last image of it: pushed down by 41.0"));
        bars.setPushes(garments(), {{2, std::nullopt, -0.5}});
        QCOMPARE(bars.textAt({100, 30}), QString("Pullover: hidden by the mask, so nothing pushes it\n"
                                                 "Since the last image of it: pushed down by 0.5"));
        QCOMPARE(bars.accessibleDescription(), pushSentence(garments(), bars.shown()));
        bars.clear();
        QVERIFY(bars.textAt({100, 30}).isEmpty());
    }

    void barsGoUpAndDown() {
        PushBars bars;
        bars.resize(200, 80);
        bars.setPushes(garments(), kOpen);
        const QImage image = bars.grab().toImage();
        const Theme& theme = Theme::of(&bars);
        const QColor pulled = legible(QColor(twoSidedColour(0.7)), theme.panel, kMarkContrast);
        const QColor pressed = legible(QColor(twoSidedColour(-0.7)), theme.panel, kMarkContrast);
        const QRect upper(0, 0, 200, 20), lower(0, 60, 200, 20);
        QVERIFY(pixels(image, upper.intersected({0, 0, 50, 80}), pulled) > 20);
        QCOMPARE(pixels(image, lower, pulled), 0);
        QVERIFY(pixels(image, {100, 26, 50, 54}, pressed) > 20);
        QCOMPARE(pixels(image, upper, pressed), 0);
    }

    void ofManyClassesTheStrongestAreShown() {
        PushBars bars;
        bars.resize(90, 60);  // ten
        ClassNames classes;
        Pushes pushes;
        for (int label = 0; label < 100; ++label) {
            classes.names.append(QString::number(label));
            pushes.push_back({label, label % 10 == 3 ? -5.0 : -0.1, 0});
        }
        bars.setPushes(classes, pushes);
        QCOMPARE(bars.shown().size(), std::size_t(10));
        for (const ClassPush& push : bars.shown()) QCOMPARE(push.label % 10, 3);
        bars.resize(900, 60);
        bars.show();
        QCOMPARE(bars.shown().size(), std::size_t(100));
        // The mask leaves 12 of them, for which there is room.
        for (ClassPush& push : pushes)
            if (push.label >= 12) push.push.reset();
        bars.resize(120, 60);
        bars.setPushes(classes, pushes);
        QCOMPARE(bars.shown().size(), std::size_t(12));
    }

    void nowShowsThemWhereThereIsRoom() {
        NowPanel now;
        now.resize(264, 700);
        now.show();
        now.setRun(madeUpStart(1, "/runs/a", "none"));
        QVERIFY2(now.pushes()->isHidden(), "nothing is pushed yet");
        BatchLearned batch;
        batch.run = 1;
        batch.batch = 5;
        batch.seen_classes = batch.visible_classes = {0, 1, 3, 4};
        batch.pushes = kOpen;
        now.setBatch(batch);
        QTRY_VERIFY(now.pushes()->isVisible());
        const auto* words = now.findChild<QLabel*>("pushWords");
        QVERIFY2(words->isVisible() && words->text().startsWith("T-shirt"), qPrintable(words->text()));
        QVERIFY2(now.accessibleDescription().contains(words->text()), qPrintable(now.accessibleDescription()));
        const auto* title = now.findChild<TermLabel*>("term.push");
        QVERIFY(title && title->isVisible());
        QCOMPARE(title->text(), QString("Push on each class"));
        now.resize(264, 250);
        QTRY_VERIFY(!now.pushes()->isVisible() && !words->isVisible() && !title->isVisible());
        now.resize(264, 700);
        QTRY_VERIFY(now.pushes()->isVisible());

        // Of two lanes, a low one shows them in place of the loss.
        const auto* loss = now.findChild<QWidget*>("lossSparkline");
        QVERIFY(loss->isVisible());
        batch.prompt_use = {1, 2, 3};
        now.setBatch(batch);
        now.setLane(1, "Batch mask");
        QVERIFY2(now.minimumSizeHint().height() <= 340, "the words would keep the panel from being low");
        now.resize(264, 340);
        QTRY_VERIFY(words->isVisible());
        now.setMinimumHeight(0);
        now.resize(264, 339);
        QTRY_VERIFY(!words->isVisible() && !loss->isVisible());
        QTRY_COMPARE((now.resize(264, 240), now.height()), 240);
        QTRY_VERIFY(now.pushes()->isVisible() && !words->isVisible() && !loss->isVisible());
        now.resize(264, 700);
        QTRY_VERIFY(words->isVisible() && loss->isVisible());
        now.setLane(-1, {});

        // A method that pushes nothing.
        batch.pushes.clear();
        now.setBatch(batch);
        QTRY_VERIFY(!now.pushes()->isVisible());
    }

    void aMomentThatHasPassedShowsWhatWasPushedUpToIt() {
        NowPanel now;
        now.resize(264, 700);
        now.show();
        NowMoment moment;
        moment.classes = garments();
        moment.samples_seen = 500;
        moment.pushes = kOpen;
        now.showMoment(moment);
        QVERIFY(now.pushes()->isVisible());
        QVERIFY(
            now.findChild<QLabel*>("pushWords")->text().startsWith("Since the evaluation before: T-shirt is pulled"));
        QVERIFY(now.accessibleDescription().contains("Dress most: by 4.0"));
        now.showLive();
        QVERIFY(now.pushes()->isHidden());
    }
};

PALIMPSEST_TEST(TestPushBars)

}  // namespace tst_push_bars

Q_DECLARE_METATYPE(std::vector<palimpsest::ClassPush>)

#include "tst_push_bars.moc"
