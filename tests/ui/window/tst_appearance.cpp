// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStyleOptionComboBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

#include "tests/support/test_program.h"
#include "ui/figures/matrix_canvas.h"
#include "ui/style/colours.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/labels.h"

using namespace palimpsest;

namespace tst_appearance {

namespace {

/// Relative luminance, WCAG 2.1.
double luminance(const QColor& colour) {
    const auto linear = [](double c) { return c <= 0.03928 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

double wcagContrast(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

}  // namespace

class TestTheme : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void everyTextColourReadsOnItsGround_data() {
        QTest::addColumn<QColor>("ink");
        QTest::addColumn<QColor>("ground");
        QTest::addColumn<double>("least");
        for (const Theme* t : {&Theme::darkTheme(), &Theme::lightTheme(), &Theme::projectorTheme()}) {
            const QByteArray name = t->dark ? "dark " : t->weight > 1 ? "projector " : "light ";
            QTest::newRow(name + "text on panel") << t->text << t->panel << 4.5;
            QTest::newRow(name + "text on ground") << t->text << t->ground << 4.5;
            QTest::newRow(name + "text on raised") << t->text << t->raised << 4.5;
            QTest::newRow(name + "quiet on panel") << t->quiet << t->panel << 4.5;
            QTest::newRow(name + "quiet on raised") << t->quiet << t->raised << 3.0;
            QTest::newRow(name + "on accent") << t->on_accent << t->accent << 4.5;
            QTest::newRow(name + "accent on panel") << t->accent << t->panel << 4.5;
            QTest::newRow(name + "better on panel") << t->better << t->panel << 4.5;
            QTest::newRow(name + "worse on panel") << t->worse << t->panel << 4.5;
            QTest::newRow(name + "attention on panel") << t->attention << t->panel << 4.5;
            for (std::size_t i = 0; i < t->series.size(); ++i)
                QTest::newRow(name + "series " + QByteArray::number(int(i))) << t->series[i] << t->panel << 3.0;
        }
    }
    void everyTextColourReadsOnItsGround() {
        QFETCH(QColor, ink);
        QFETCH(QColor, ground);
        QFETCH(double, least);
        QVERIFY2(wcagContrast(ink, ground) >= least, qPrintable(QString::number(wcagContrast(ink, ground))));
    }

    void numbersReadOnEveryColourOfAMatrix() {
        for (int i = 0; i <= 1000; ++i) {
            const double share = i / 1000.0;
            const double seen = wcagContrast(textOnHeat(share), QColor(heatColour(share)));
            QVERIFY2(seen >= 4.5, qPrintable(QString("%1: %2").arg(share).arg(seen)));
        }
    }

    void classNamesOfAMatrixAreWhole_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::addColumn<int>("width");
        QTest::newRow("screen") << Appearance::Light << 520;
        QTest::newRow("projector") << Appearance::Projector << 560;
        QTest::newRow("narrow projector") << Appearance::Projector << 330;
    }
    void classNamesOfAMatrixAreWhole() {
        QFETCH(Appearance, appearance);
        QFETCH(int, width);
        applyAppearance(*qApp, appearance);
        MatrixContent content;
        content.row_title = "is";
        content.column_title = "answered as";
        content.rows = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Ankle boot", "Coat"};
        content.columns = content.rows;
        content.columns.append("no class yet");
        content.shares.assign(static_cast<std::size_t>(content.rows.size() * content.columns.size()), 0.5);
        MatrixCanvas canvas;
        canvas.resize(width, 400);
        canvas.setContent(content);
        const QStringList names = canvas.namesWritten();
        QCOMPARE(names.mid(0, content.rows.size()), content.rows);
        QVERIFY(names.size() > content.rows.size());
        for (const QString& name : names.mid(content.rows.size()))
            QVERIFY2(content.columns.contains(name), qPrintable(name));
    }

    void aProjectorShowsMoreContrastThanAScreen() {
        const Theme &wall = Theme::projectorTheme(), &screen = Theme::lightTheme();
        QVERIFY(wcagContrast(wall.text, wall.panel) > 20);
        QVERIFY(wcagContrast(wall.quiet, wall.panel) > 7);
        QVERIFY(wcagContrast(wall.line, wall.panel) > 3);
        for (const QColor& colour : wall.series) QVERIFY(wcagContrast(colour, wall.panel) > 4.5);
        for (const auto ink : {&Theme::quiet, &Theme::accent, &Theme::better, &Theme::worse, &Theme::attention,
                               &Theme::disjoint, &Theme::blurry})
            QVERIFY(wcagContrast(wall.*ink, wall.panel) > wcagContrast(screen.*ink, screen.panel));
        // The same words for the colours: orange and sky blue.
        QVERIFY(std::abs(wall.disjoint.hslHue() - screen.disjoint.hslHue()) < 8);
        QVERIFY(std::abs(wall.blurry.hslHue() - screen.blurry.hslHue()) < 8);
    }

    void aProjectorDrawsThickerAndWritesLarger() {
        QVERIFY(runPen(Theme::projectorTheme(), true, 0, Qt::black).widthF() >=
                1.5 * runPen(Theme::lightTheme(), true, 0, Qt::black).widthF());
        QVERIFY(sessionPen(Theme::projectorTheme(), 2).widthF() >= 1.5 * sessionPen(Theme::darkTheme(), 2).widthF());
        applyAppearance(*qApp, Appearance::Dark);
        const std::unique_ptr<QLabel> label(makeLabel("caption", text_size::kCaption, QFont::Normal, false));
        label->show();
        QCOMPARE(label->font().pixelSize(), 10);
        int before = 0;
        for (const TextSize size : {TextSize::Normal, TextSize::Large, TextSize::VeryLarge}) {
            applyTextSize(*qApp, size);
            applyAppearance(*qApp, Appearance::Light);
            const int onScreen = label->font().pixelSize();
            applyAppearance(*qApp, Appearance::Projector);
            QVERIFY(label->font().pixelSize() > onScreen && label->font().pixelSize() > before);
            QCOMPARE(QApplication::font().pixelSize(), qRound(1.2 * label->font().pixelSize()));
            before = label->font().pixelSize();
        }
        applyTextSize(*qApp, TextSize::Normal);
        QCOMPARE(label->font().pixelSize(), 14);
        QCOMPARE(&Theme::of(label.get()), &Theme::projectorTheme());
        applyAppearance(*qApp, Appearance::Dark);
        QCOMPARE(label->font().pixelSize(), 10);
    }

    void aRunHasTheLookOfItsNameUnlessOthersHaveIt() {
        // Whatever the start of the program: runs are told apart in pictures that were taken yesterday, too.
        QCOMPARE(curveStyleFor("batch-1-20260301", {}), 4);
        QCOMPARE(curveStyleFor("batch-1-20260301", {5}), 4);
        QStringList dashes;
        QList<MarkerShape> markers;
        std::vector<int> taken;
        for (int run = 0; run < 4; ++run) {
            const int look = curveStyleFor(QString("run %1").arg(run), taken);
            QVERIFY(look >= 0 && look < kCurveStyles);
            taken.push_back(look);
            QString dash;
            for (const qreal length : runPen(Theme::darkTheme(), false, look, Qt::black).dashPattern())
                dash += QString::number(length) + ' ';
            QVERIFY2(!dashes.contains(dash), qPrintable(dash));
            QVERIFY(!markers.contains(markerOf(look)));
            dashes.append(dash);
            markers.append(markerOf(look));
        }
        while (taken.size() < kCurveStyles) taken.push_back(curveStyleFor("the same name", taken));
        std::sort(taken.begin(), taken.end());
        for (int look = 0; look < kCurveStyles; ++look) QCOMPARE(taken[static_cast<std::size_t>(look)], look);
    }

    void everyPictureOfTheStyleSheetIsThere() {
        static const QRegularExpression picture("url\\(([^)]+)\\)");
        for (const Appearance appearance : {Appearance::Dark, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            int pictures = 0;
            for (auto it = picture.globalMatch(appearanceSheet()); it.hasNext(); ++pictures) {
                const QString file = it.next().captured(1);
                QVERIFY2(QFile::exists(file), qPrintable(file));
            }
            QVERIFY(pictures >= 5);
        }
    }

    void disjointAndBlurryHaveTheSameHueInBothThemes() {
        QCOMPARE(Theme::darkTheme().disjoint, Theme::lightTheme().disjoint);
        QCOMPARE(Theme::darkTheme().blurry, Theme::lightTheme().blurry);
    }

    void aWidgetKnowsTheThemeItIsShownIn() {
        QWidget window;
        auto* label = new QLabel("text", &window);
        label->setStyleSheet("color: #808080; background: transparent");
        window.show();
        applyAppearance(*qApp, Appearance::Light);
        QVERIFY(!Theme::of(label).dark);
        applyAppearance(*qApp, Appearance::Dark);
        QVERIFY(Theme::of(label).dark);
        QCOMPARE(&Theme::of(&window), &Theme::darkTheme());
    }

    void aChangeOfAppearanceTellsWidgetsThatPaintThemselves() {
        applyAppearance(*qApp, Appearance::Dark);
        struct Painted : QWidget {
            int changes = 0;
            void changeEvent(QEvent* event) override { changes += event->type() == QEvent::PaletteChange; }
        } widget;
        widget.show();
        widget.changes = 0;
        applyAppearance(*qApp, Appearance::Light);
        QVERIFY(widget.changes > 0);
    }

    void howDeepAWidgetLiesDoesNotSayHowOftenItIsDressed() {
        applyAppearance(*qApp, Appearance::Dark);
        struct Counting : QLabel {
            using QLabel::QLabel;
            int dressed = 0;
            void changeEvent(QEvent* event) override {
                dressed += event->type() == QEvent::StyleChange;
                QLabel::changeEvent(event);
            }
        };
        QWidget window;
        QWidget* around = &window;
        for (int depth = 0; depth < 6; ++depth) {
            auto* column = new QVBoxLayout(around);
            around = new QWidget;
            column->addWidget(around);
        }
        auto* label = new Counting("text");
        (new QVBoxLayout(around))->addWidget(label);
        window.show();
        label->dressed = 0;
        applyAppearance(*qApp, Appearance::Light);
        QVERIFY(label->dressed > 0);
        QVERIFY2(label->dressed <= 2, qPrintable(QString::number(label->dressed)));
        QCOMPARE(label->palette().color(QPalette::WindowText), Theme::lightTheme().text);
    }

    void whatWasPolishedBeforeItsWindowFollowsItAllTheSame() {
        applyAppearance(*qApp, Appearance::Dark);
        auto* bar = new QFrame;
        bar->setObjectName("topBar");
        bar->ensurePolished();
        QVERIFY(!bar->styleSheet().isEmpty());
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        column->setContentsMargins(0, 0, 0, 0);
        column->addWidget(bar);
        window.resize(80, 60);
        window.show();
        QVERIFY(bar->styleSheet().isEmpty());
        QCOMPARE(window.grab().toImage().pixelColor(40, 20), Theme::darkTheme().panel);
        applyAppearance(*qApp, Appearance::Light);
        QCOMPARE(window.grab().toImage().pixelColor(40, 20), Theme::lightTheme().panel);
    }

    void whatIsTakenOutOfItsWindowStaysDressed() {
        applyAppearance(*qApp, Appearance::Dark);
        QWidget window;
        auto* frame = new QFrame(&window);
        frame->setObjectName("topBar");
        window.show();
        frame->setParent(nullptr);
        const std::unique_ptr<QWidget> alone(frame);
        alone->resize(80, 60);
        alone->show();
        QCOMPARE(alone->grab().toImage().pixelColor(40, 20), Theme::darkTheme().panel);
        applyAppearance(*qApp, Appearance::Light);
        QCOMPARE(alone->grab().toImage().pixelColor(40, 20), Theme::lightTheme().panel);
    }

    void aWindowThatIsMadeLaterIsDressedToo() {
        applyAppearance(*qApp, Appearance::Light);
        QFrame frame;
        frame.setProperty("panel", true);
        frame.resize(60, 60);
        frame.show();
        QCOMPARE(frame.grab().toImage().pixelColor(30, 30).name(), Theme::lightTheme().panel.name());
        applyAppearance(*qApp, Appearance::Dark);
        QCOMPARE(frame.grab().toImage().pixelColor(30, 30).name(), Theme::darkTheme().panel.name());
    }

    void theStyleSheetHasNoUnresolvedToken() {
        applyAppearance(*qApp, Appearance::Dark);
        QVERIFY(!appearanceSheet().isEmpty());
        QVERIFY(!appearanceSheet().contains('@'));
    }

    void edgesAndTheKeyboardsRingAreWiderOnAWall() {
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* other = new QPushButton("Stop");
        auto* button = new QPushButton("Start");
        column->addWidget(other);
        column->addWidget(button);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        // Pixels that the left edge takes in the middle of the button.
        const auto edge = [&](const QColor& colour) {
            const QImage image = button->grab().toImage();
            int wide = 0;
            while (wide < image.width() && image.pixelColor(wide, image.height() / 2) == colour) ++wide;
            return wide;
        };
        for (const auto& [appearance, size, wide] : {std::tuple(Appearance::Light, TextSize::VeryLarge, 1),
                                                     std::tuple(Appearance::Projector, TextSize::Normal, 2),
                                                     std::tuple(Appearance::Projector, TextSize::VeryLarge, 2)}) {
            applyAppearance(*qApp, appearance);
            applyTextSize(*qApp, size);
            const Theme& theme = Theme::of(&window);
            other->setFocus();
            QCOMPARE(edge(theme.line), wide);
            // It takes no room from what stands around.
            QCOMPARE(button->sizeHint().height(), scaled(26) + 2);
            button->setFocus();
            QCOMPARE(edge(theme.accent), wide);
        }
        applyTextSize(*qApp, TextSize::Normal);
    }

    void everythingThatIsShownFollowsTheTextSize() {
        applyAppearance(*qApp, Appearance::Dark);
        QWidget window;
        auto* column = new QVBoxLayout(&window);
        auto* label = makeLabel("caption", text_size::kCaption, QFont::DemiBold, true);
        auto* button = new QPushButton("Start");
        auto* plain = new QLabel("text");
        auto* chooser = new QComboBox;
        chooser->setProperty("headingLook", true);
        for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(button), static_cast<QWidget*>(plain),
                              static_cast<QWidget*>(chooser)})
            column->addWidget(part);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        const int height = button->sizeHint().height();
        for (const auto& [size, factor] : {std::pair(TextSize::VeryLarge, 1.5), std::pair(TextSize::Large, 1.25),
                                           std::pair(TextSize::Normal, 1.0)}) {
            applyTextSize(*qApp, size);
            QCOMPARE(label->font().pixelSize(), qRound(10 * factor));
            QCOMPARE(label->font().weight(), QFont::DemiBold);
            QCOMPARE(plain->font().pixelSize(), qRound(12 * factor));
            QCOMPARE(button->font().pixelSize(), qRound(12 * factor));
            QCOMPARE(chooser->font().pixelSize(), qRound(14 * factor));
            QCOMPARE(QApplication::font().pixelSize(), qRound(12 * factor));
            QCOMPARE(button->sizeHint().height() > height, factor > 1);
        }
    }

    void whatIsMadeLaterHasTheTextSizeToo() {
        applyAppearance(*qApp, Appearance::Dark);
        applyTextSize(*qApp, TextSize::VeryLarge);
        const std::unique_ptr<QLabel> label(makeLabel("title", text_size::kTitle, QFont::Bold, false));
        QCOMPARE(label->font().pixelSize(), 21);
        QCOMPARE(textFont(label->font(), text_size::kText).pixelSize(), 18);
        QVERIFY(!appearanceSheet().contains('@'));
        applyAppearance(*qApp, Appearance::Light);
        QCOMPARE(QApplication::font().pixelSize(), 18);
    }

    void aChoiceKeepsItsWordsAwayFromItsArrow_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::addColumn<TextSize>("size");
        for (const auto& [name, appearance] :
             {std::pair("screen", Appearance::Light), std::pair("projector", Appearance::Projector)})
            for (const auto& [how, size] : {std::pair("normal", TextSize::Normal), std::pair("large", TextSize::Large),
                                            std::pair("very large", TextSize::VeryLarge)})
                QTest::addRow("%s, %s", name, how) << appearance << size;
    }
    void aChoiceKeepsItsWordsAwayFromItsArrow() {
        QFETCH(Appearance, appearance);
        QFETCH(TextSize, size);
        applyTextSize(*qApp, size);
        applyAppearance(*qApp, appearance);
        for (const char* look : {"", "headingLook", "quietLook"}) {
            ChoiceBox box;
            if (*look) box.setProperty(look, true);
            box.addItem("Classes of the batch");
            box.resize(scaled(90), box.sizeHint().height());
            box.show();
            QVERIFY(QTest::qWaitForWindowExposed(&box));
            QStyleOptionComboBox option;
            option.initFrom(&box);
            const auto part = [&](QStyle::SubControl which) {
                return box.style()->subControlRect(QStyle::CC_ComboBox, &option, which, &box);
            };
            const QRect words = part(QStyle::SC_ComboBoxEditField), button = part(QStyle::SC_ComboBoxArrow);
            QVERIFY(words.right() < button.left());
            // The arrow stands in the middle of its button.
            QVERIFY2(button.width() - scaled(12) >= 6, look);
            // A text that is too long is elided, not cut.
            const QImage cut = box.grab().toImage();
            const QString fitting = box.fontMetrics().elidedText(box.itemText(0), Qt::ElideRight, words.width());
            QVERIFY2(fitting.endsWith(QChar(0x2026)), look);
            box.setItemText(0, fitting);
            QCOMPARE(box.grab().toImage(), cut);
        }
    }

    void textIsTwelvePixelsHigh() {
        applyAppearance(*qApp, Appearance::Dark);
        QCOMPARE(QApplication::font().pixelSize(), 12);
    }
};

PALIMPSEST_TEST(TestTheme)

}  // namespace tst_appearance

#include "tst_appearance.moc"
