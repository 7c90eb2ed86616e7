// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QFontInfo>
#include <QtTest>

#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

namespace palimpsest::testing {

/// Shows a window and waits until it has the keyboard; the program ends where it does not get it.
inline void showActive(QWidget& window) {
    window.show();
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) qFatal("%s does not become active.", window.metaObject()->className());
}

/// The column "appearance", an int, and its rows.
inline void addAppearances() {
    QTest::addColumn<int>("appearance");
    QTest::newRow("dark") << int(Appearance::Dark);
    QTest::newRow("light") << int(Appearance::Light);
}

/// Text of at least 10 pixels everywhere, and for each button an object name, an accessible name and a tip.
inline void checkNamedAndLegible(const QWidget& window) {
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        QVERIFY2(QFontInfo(widget->font()).pixelSize() >= 10, qPrintable(widget->objectName()));
        const auto* button = qobject_cast<const QAbstractButton*>(widget);
        if (!button || widget->inherits("QTableCornerButton")) continue;
        const QByteArray who = button->objectName().toUtf8() + " " + button->text().toUtf8();
        QVERIFY2(!button->objectName().isEmpty(), who);
        QVERIFY2(!button->accessibleName().isEmpty(), who);
        QVERIFY2(!button->toolTip().isEmpty(), who);
    }
}

/// The same, on the ground of this appearance, and not larger than a projector.
inline void checkDialog(QWidget& dialog, Appearance appearance) {
    checkNamedAndLegible(dialog);
    const Theme& theme = appearance == Appearance::Dark ? Theme::darkTheme() : Theme::lightTheme();
    const QImage image = dialog.grab().toImage();
    QCOMPARE(image.pixelColor(3, image.height() / 2), theme.ground);
    QVERIFY(dialog.width() <= 1280 && dialog.height() <= 720);
}

}  // namespace palimpsest::testing
