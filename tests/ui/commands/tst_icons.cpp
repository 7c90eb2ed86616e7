// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QRegularExpression>
#include <QToolButton>

#include "tests/support/test_program.h"
#include "ui/commands/command.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/icons.h"

using namespace palimpsest;

namespace tst_icons {

namespace {

QImage drawn(const QIcon& icon, int side, QIcon::Mode mode = QIcon::Normal) {
    return icon.pixmap(QSize(side, side), mode).toImage().convertToFormat(QImage::Format_ARGB32);
}

/// The commonest colour of the pixels that are covered whole; invalid where there is none.
QColor inkOf(const QImage& image) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qAlpha(image.pixel(x, y)) == 255) ++counts[image.pixel(x, y)];
    QColor most;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        if (!most.isValid() || it.value() > counts.value(most.rgb())) most = QColor(it.key());
    return most;
}

}  // namespace

class TestIcons : public QObject {
    Q_OBJECT
private:
    static void eachIcon() {
        QTest::addColumn<QString>("name");
        for (const QString& name : iconNames()) QTest::newRow(qPrintable(name)) << name;
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void whatTheWindowNeedsIsThere() {
        const QStringList names = iconNames();
        for (const char* name :
             {"play",    "pause",   "step",   "stop",   "open",   "save",     "new",   "undo",    "redo",   "compare",
              "publish", "table",   "replay", "follow", "log",    "settings", "help",  "search",  "memory", "dice",
              "folder",  "dataset", "tag",    "shown",  "hidden", "colour",   "trash", "restore", "branch", "remove"})
            QVERIFY2(names.contains(name), name);
    }

    void everyDrawingKeepsToTheGridAndToOneColour_data() { eachIcon(); }
    void everyDrawingKeepsToTheGridAndToOneColour() {
        QFETCH(QString, name);
        QFile file(":/palimpsest/icons/" + name + ".svg");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(file.readAll());
        QVERIFY(text.contains("viewBox=\"0 0 20 20\""));
        QVERIFY(text.contains("stroke-width=\"1.6\""));
        static const QRegularExpression colour("(fill|stroke)=\"(?!none|currentColor)");
        QVERIFY2(!colour.match(text).hasMatch(), "a colour of its own");
        // A free border of a pixel, so that none is cut and all look equally large.
        const QImage image = drawn(icon(name), 200);
        QCOMPARE(image.size(), QSize(200, 200));
        int inside = 0;
        for (int y = 0; y < 200; ++y)
            for (int x = 0; x < 200; ++x) {
                const bool border = x < 10 || y < 10 || x >= 190 || y >= 190;
                if (qAlpha(image.pixel(x, y)) == 0) continue;
                QVERIFY2(!border, "drawn over the border");
                ++inside;
            }
        QVERIFY2(inside > 800, "hardly anything is drawn");
    }

    void anIconFollowsTheAppearance_data() { eachIcon(); }
    void anIconFollowsTheAppearance() {
        QFETCH(QString, name);
        const QIcon shown = icon(name), quiet = icon(name, &Theme::quiet);
        const std::pair<Appearance, const Theme*> looks[] = {{Appearance::Dark, &Theme::darkTheme()},
                                                             {Appearance::Light, &Theme::lightTheme()},
                                                             {Appearance::Projector, &Theme::projectorTheme()}};
        for (const auto& [appearance, theme] : looks) {
            applyAppearance(*qApp, appearance);
            QCOMPARE(inkOf(drawn(shown, 80)).name(), theme->text.name());
            QCOMPARE(inkOf(drawn(quiet, 80)).name(), theme->quiet.name());
        }
    }

    void whatIsDisabledIsPaler() {
        for (const Appearance appearance : {Appearance::Dark, Appearance::Light, Appearance::Projector}) {
            applyAppearance(*qApp, appearance);
            const Theme& theme = Theme::of(QApplication::palette());
            const QColor pale = inkOf(drawn(icon("stop"), 80, QIcon::Disabled));
            const auto distance = [&](const QColor& colour) {
                return std::abs(colour.lightness() - theme.panel.lightness());
            };
            QVERIFY(distance(pale) < distance(theme.text) && distance(pale) > 20);
        }
    }

    void whatIsQuietWakesUnderTheMouse() {
        const QColor awake = inkOf(drawn(icon("table", &Theme::quiet), 80, QIcon::Active));
        QCOMPARE(awake.name(), Theme::darkTheme().text.name());
    }

    void aScreenOfDoubleDensityGetsTwiceThePixels() {
        const QPixmap pixmap = icon("save").pixmap(QSize(16, 16), 2.0);
        QCOMPARE(pixmap.size(), QSize(32, 32));
        QCOMPARE(pixmap.devicePixelRatio(), 2.0);
        QVERIFY(pixmap.toImage() != icon("save").pixmap(QSize(16, 16), 1.0).toImage().scaled(32, 32));
    }

    void iconsOfButtonsGrowWithTheText() {
        QToolButton button;
        withIcon(&button, "dice");
        QCOMPARE(button.iconSize(), QSize(16, 16));
        applyTextSize(*qApp, TextSize::VeryLarge);
        QCOMPARE(button.iconSize(), QSize(24, 24));
        applyTextSize(*qApp, TextSize::Normal);
    }

    void aToolButtonKeepsItsWords() {
        QToolButton text, alone;
        text.setText("Table");
        withIcon(&text, "table");
        withIcon(&alone, "table");
        QCOMPARE(text.toolButtonStyle(), Qt::ToolButtonTextBesideIcon);
        QCOMPARE(alone.toolButtonStyle(), Qt::ToolButtonIconOnly);
    }

    void withoutRoomThereIsNothingToDraw() {
        QTest::failOnWarning(QRegularExpression(".*"));
        for (const QSize size : {QSize(0, 0), QSize(0, 16), QSize(16, 0)})
            QVERIFY(icon("layout").pixmap(size, 1).isNull());
    }

    void anUnknownNameGivesNoneAndIsTold() {
        QTest::ignoreMessage(QtWarningMsg, "There is no icon no-such-icon.");
        QVERIFY(icon("no-such-icon").isNull());
        QVERIFY(!icon(commandRow(Command::StartRun).icon).isNull());
    }

    void theIconOfEachCommandIsThere() {
        const QStringList names = iconNames();
        for (std::size_t i = 0; i < kCommands; ++i) {
            const CommandRow& row = commandRow(static_cast<Command>(i));
            QVERIFY2(*row.icon == '\0' || names.contains(row.icon), row.name);
        }
    }
};

PALIMPSEST_TEST(TestIcons)

}  // namespace tst_icons

#include "tst_icons.moc"
