// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/appearance.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHash>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QStyleHints>
#include <QWidget>
#include <algorithm>
#include <array>

#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

Appearance g_wanted = Appearance::System;
TextSize g_size = TextSize::Normal;
bool g_prepared = false;  // style and font are set
QString g_sheet;

constexpr int kIconSize = 16;
constexpr int kToolPad = 2;  // around a tool button, beside an edge of one pixel

/// Fusion without lines under the letters of menus, which Alt and the letter open all the same, with icons that grow
/// with the text, and with what a dialog does at its right end on every desktop, behind Cancel: as in the pictures of
/// the guide.
class PlainStyle : public QProxyStyle {
public:
    PlainStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        switch (metric) {
            case PM_SmallIconSize:
            case PM_ButtonIconSize:
            case PM_ToolBarIconSize:
                return scaled(kIconSize);
            default:
                return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        switch (hint) {
            case SH_UnderlineShortcut:
                return 0;
            case SH_DialogButtonLayout:
                return QDialogButtonBox::GnomeLayout;
            default:
                return QProxyStyle::styleHint(hint, option, widget, data);
        }
    }
};

QColor mix(const QColor& a, const QColor& b, double share) {
    const auto blend = [share](double x, double y) { return x + (y - x) * share; };
    return QColor::fromRgbF(blend(a.redF(), b.redF()), blend(a.greenF(), b.greenF()), blend(a.blueF(), b.blueF()));
}

QPalette paletteOf(const Theme& t) {
    QPalette p;
    p.setColor(QPalette::Window, t.ground);
    p.setColor(QPalette::WindowText, t.text);
    p.setColor(QPalette::Base, t.panel);
    p.setColor(QPalette::AlternateBase, t.raised);
    p.setColor(QPalette::Text, t.text);
    p.setColor(QPalette::PlaceholderText, t.quiet);
    p.setColor(QPalette::Button, t.raised);
    p.setColor(QPalette::ButtonText, t.text);
    p.setColor(QPalette::BrightText, t.worse);
    p.setColor(QPalette::ToolTipBase, t.raised);
    p.setColor(QPalette::ToolTipText, t.text);
    p.setColor(QPalette::Highlight, t.accent);
    p.setColor(QPalette::HighlightedText, t.on_accent);
    p.setColor(QPalette::Link, t.accent);
    p.setColor(QPalette::LinkVisited, t.accent);
    p.setColor(QPalette::Light, t.raised);
    p.setColor(QPalette::Midlight, t.raised);
    p.setColor(QPalette::Mid, t.line);
    p.setColor(QPalette::Dark, t.line);
    p.setColor(QPalette::Shadow, t.ground);
    const QColor faint = mix(t.panel, t.quiet, 0.6);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, faint);
    return p;
}

QString styleSheetOf(const Theme& t) {
    QFile file(QStringLiteral(":/palimpsest/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const QHash<QString, QColor> colours{
        {"ground", t.ground},
        {"panel", t.panel},
        {"raised", t.raised},
        {"line", t.line},
        {"text", t.text},
        {"quiet", t.quiet},
        {"faint", mix(t.panel, t.quiet, 0.6)},
        {"accent", t.accent},
        {"accent_hover", mix(t.accent, t.text, 0.12)},
        {"on_accent", t.on_accent},
        {"disjoint", t.disjoint},
        {"blurry", t.blurry},
        {"attention", t.attention},
        {"worse", t.worse},
        {"better", t.better},
        {"button", t.dark ? mix(t.ground, t.panel, 0.6) : t.panel},
        {"field", t.dark ? mix(t.ground, t.panel, 0.4) : t.raised},
        {"track", t.dark ? mix(t.line, t.quiet, 0.08) : t.line},
        {"scroll", mix(t.line, t.quiet, 0.25)},
        {"selection", mix(t.panel, t.accent, t.dark ? 0.18 : 0.12)},
        {"message", mix(t.panel, t.worse, t.dark ? 0.12 : 0.06)},
        {"note", mix(t.panel, t.attention, t.dark ? 0.10 : 0.06)},
        {"info", mix(t.panel, t.accent, t.dark ? 0.08 : 0.05)},
        {"info_line", mix(t.line, t.accent, 0.35)},
        {"done", mix(t.panel, t.better, t.dark ? 0.08 : 0.05)},
        {"done_line", mix(t.line, t.better, 0.35)},
    };
    // Pictures named in a style sheet keep their colour: there is a dark one of each for the projector.
    sheet.replace(QStringLiteral("@ink@"), t.weight > 1 ? QStringLiteral("-dark") : QString());
    for (auto it = colours.begin(); it != colours.end(); ++it)
        sheet.replace("@" + it.key() + "@", it.value().name(QColor::HexRgb));
    const int edge = edgeWidth(t);
    const auto pixels = [](int count) { return QString::number(count) + QStringLiteral("px"); };
    sheet.replace(QStringLiteral("@edge@"), pixels(edge));
    sheet.replace(QStringLiteral("@ring@"), pixels(edge + 1));
    sheet.replace(QStringLiteral("@pad@"), pixels(std::max(0, kToolPad + 1 - edge)));
    sheet.replace(QStringLiteral("-edge@"), QStringLiteral("-%1@").arg(2 * (edge - 1)));
    sheet.replace(QStringLiteral("-ring@"), QStringLiteral("-%1@").arg(2 * edge));
    static const QRegularExpression size(QStringLiteral("@(\\d+)(-\\d+)?@"));
    for (QRegularExpressionMatch match = size.match(sheet); match.hasMatch();
         match = size.match(sheet, match.capturedStart())) {
        const int count = scaled(match.captured(1).toInt()) + match.captured(2).toInt();
        sheet.replace(match.capturedStart(), match.capturedLength(), pixels(count));
    }
    return sheet;
}

QFont applicationFont() {
    static const QString family = QFontDatabase::families().contains(QStringLiteral("Inter"))
                                      ? QStringLiteral("Inter")
                                      : QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
    QFont font(family);
    font.setPixelSize(scaled(text_size::kText));
    font.setStyleStrategy(QFont::PreferAntialias);
#if QT_VERSION >= QT_VERSION_CHECK(6, 7, 0)
    font.setFeature(QFont::Tag("tnum"), 1);
#endif
    return font;
}

/// True if the desktop has a dark theme; before Qt 6.5 only the palette it set at the start shows it.
bool systemIsDark(const QPalette& initial) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark;
#endif
    return initial.color(QPalette::Window).lightness() < initial.color(QPalette::WindowText).lightness();
}

const Theme& themeOf(Appearance appearance, const QPalette& initial) {
    switch (appearance) {
        case Appearance::Dark:
            return Theme::darkTheme();
        case Appearance::Light:
            return Theme::lightTheme();
        case Appearance::Projector:
            return Theme::projectorTheme();
        case Appearance::System:
            break;
    }
    return systemIsDark(initial) ? Theme::darkTheme() : Theme::lightTheme();
}

/// The palette of the desktop, before a style or a theme changes it. First called before either.
const QPalette& initialPalette(const QApplication& application) {
    static const QPalette initial = application.palette();
    return initial;
}

double textFactor(Appearance appearance, TextSize size) {
    constexpr std::array<double, 3> kOnScreen{1, 1.25, 1.5}, kOnWall{1.4, 1.6, 1.8};
    return (appearance == Appearance::Projector ? kOnWall : kOnScreen)[static_cast<std::size_t>(size)];
}

constexpr const char* kHasSheet = "hasSheet";  // the window has the application's style sheet

/// Sets the style sheet of a window, which its children inherit: Qt styles every widget twice when a window's sheet
/// changes, but once for itself and once for every widget around it when the application's does.
void applySheet(QWidget* window) {
    // Windows with a parent, as a dialog or a tip, inherit from it.
    if (window->parentWidget() || window->styleSheet() == g_sheet) return;
    window->setProperty(kHasSheet, true);
    window->setStyleSheet(g_sheet);
}

class SheetFilter : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (!watched->isWidgetType()) return false;
        auto* widget = static_cast<QWidget*>(watched);
        if (event->type() == QEvent::Polish || event->type() == QEvent::Show) {
            if (widget->isWindow()) applySheet(widget);
        } else if (event->type() == QEvent::ParentChange && widget->parentWidget() &&
                   widget->property(kHasSheet).toBool()) {
            // It was polished before it was put into its window: a sheet of its own would outlive the window's.
            widget->setProperty(kHasSheet, QVariant());
            widget->setStyleSheet({});
        }
        return false;
    }
};

void apply(QApplication& application) {
    TextScale& scale = TextScale::instance();
    const double factor = textFactor(g_wanted, g_size);
    const bool resized = factor != scale.factor();
    if (resized) {
        scale.setFactor(factor);
        const QFont font = applicationFont();
        application.setFont(font);
        // Under a style sheet, widgets follow their window more surely than the application.
        for (QWidget* window : QApplication::topLevelWidgets()) window->setFont(font);
    }
    if (g_prepared) {
        const Theme& theme = themeOf(g_wanted, initialPalette(application));
        application.setPalette(paletteOf(theme));
        g_sheet = styleSheetOf(theme);
        for (QWidget* window : QApplication::topLevelWidgets()) applySheet(window);
    }
    if (resized) Q_EMIT scale.changed();
}

}  // namespace

void applyAppearance(QApplication& application, Appearance appearance) {
    g_wanted = appearance;
    if (!g_prepared) {
        g_prepared = true;
        initialPalette(application);
        initResources();
        application.setStyle(new PlainStyle);
        application.setFont(applicationFont());
        application.installEventFilter(new SheetFilter(&application));
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
        QObject::connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, &application, [&application] {
            if (g_wanted == Appearance::System) apply(application);
        });
#endif
    }
    apply(application);
}

const QString& appearanceSheet() {
    return g_sheet;
}

void applyTextSize(QApplication& application, TextSize size) {
    if (size == g_size) return;
    g_size = size;
    apply(application);
}

}  // namespace palimpsest
