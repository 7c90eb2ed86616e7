// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QHash>
#include <QProxyStyle>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QStyleHints>
#include <QWidget>
#include <array>

#include "ui/text_style.h"

// Resources of a static library are linked in only where they are asked for; the macro must stand outside namespaces.
static void initResources() { Q_INIT_RESOURCE(ui); }

namespace palimpsest {
namespace {

Appearance g_wanted = Appearance::System;

Theme makeDark() {
    Theme t;
    t.dark = true;
    t.ground = QColor("#16181d");
    t.panel = QColor("#1d2027");
    t.raised = QColor("#262a33");
    t.line = QColor("#2b2f39");
    t.text = QColor("#e7eaf0");
    t.quiet = QColor("#9aa3b2");
    t.accent = QColor("#4ea1ff");
    t.on_accent = QColor("#07121f");
    t.disjoint = QColor("#e69f00");
    t.blurry = QColor("#56b4e9");
    t.better = QColor("#3fb68b");
    t.attention = QColor("#e6a23c");
    t.worse = QColor("#f2777f");
    t.series = {QColor("#56b4e9"), QColor("#f28e5c"), QColor("#3fc79a"), QColor("#e29cc4"), QColor("#e0c14a")};
    return t;
}

Theme makeLight() {
    Theme t;
    t.dark = false;
    t.ground = QColor("#f6f7f9");
    t.panel = QColor("#ffffff");
    t.raised = QColor("#eef1f5");
    t.line = QColor("#dfe3e8");
    t.text = QColor("#1b1f27");
    t.quiet = QColor("#5b6472");
    t.accent = QColor("#0b6bcb");
    t.on_accent = QColor("#ffffff");
    t.disjoint = QColor("#e69f00");
    t.blurry = QColor("#56b4e9");
    // Darker than on the dark ground, so that a signed number stays readable on white.
    t.better = QColor("#0c7a55");
    t.attention = QColor("#9a5b00");
    t.worse = QColor("#bf2f3b");
    t.series = {QColor("#0072b2"), QColor("#d55e00"), QColor("#009e73"), QColor("#cc79a7"), QColor("#8a6d00")};
    return t;
}

/// Fusion without lines under the letters of menus; Alt and the letter open them all the same.
class PlainStyle : public QProxyStyle {
public:
    PlainStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        return hint == SH_UnderlineShortcut ? 0 : QProxyStyle::styleHint(hint, option, widget, data);
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
        {"done", mix(t.panel, t.better, t.dark ? 0.08 : 0.05)},
        {"done_line", mix(t.line, t.better, 0.35)},
    };
    for (auto it = colours.begin(); it != colours.end(); ++it)
        sheet.replace("@" + it.key() + "@", it.value().name(QColor::HexRgb));
    static const QRegularExpression size(QStringLiteral("@(\\d+)(-\\d+)?@"));
    for (QRegularExpressionMatch match = size.match(sheet); match.hasMatch();
         match = size.match(sheet, match.capturedStart())) {
        const int pixels = scaled(match.captured(1).toInt()) + match.captured(2).toInt();
        sheet.replace(match.capturedStart(), match.capturedLength(), QString::number(pixels) + "px");
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

/// What the desktop asks for; before Qt 6.5 only the palette it set at the start tells.
bool systemIsDark(const QPalette& initial) {
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    const Qt::ColorScheme scheme = QGuiApplication::styleHints()->colorScheme();
    if (scheme != Qt::ColorScheme::Unknown) return scheme == Qt::ColorScheme::Dark;
#endif
    return initial.color(QPalette::Window).lightness() < initial.color(QPalette::WindowText).lightness();
}

}  // namespace

const Theme& Theme::darkTheme() {
    static const Theme theme = makeDark();
    return theme;
}

const Theme& Theme::lightTheme() {
    static const Theme theme = makeLight();
    return theme;
}

const Theme& Theme::of(const QWidget* widget) {
    // The link colour is the accent in both themes and, unlike the window's and the text's, no style rule changes it.
    return widget->palette().color(QPalette::Link) == darkTheme().accent ? darkTheme() : lightTheme();
}

void applyAppearance(QApplication& application, Appearance appearance) {
    static const QPalette initial = application.palette();
    static bool prepared = false;
    g_wanted = appearance;
    if (!prepared) {
        prepared = true;
        initResources();
        application.setStyle(new PlainStyle);
        application.setFont(applicationFont());
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
        QObject::connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, &application, [&application] {
            if (g_wanted == Appearance::System) applyAppearance(application, Appearance::System);
        });
#endif
    }
    const bool dark = appearance == Appearance::Dark || (appearance == Appearance::System && systemIsDark(initial));
    const Theme& theme = dark ? Theme::darkTheme() : Theme::lightTheme();
    application.setPalette(paletteOf(theme));
    application.setStyleSheet(styleSheetOf(theme));
}

void applyTextSize(QApplication& application, TextSize size) {
    constexpr std::array<double, 3> kFactors{1, 1.25, 1.5};
    TextScale& scale = TextScale::instance();
    const double factor = kFactors[static_cast<std::size_t>(size)];
    if (factor == scale.factor()) return;
    scale.setFactor(factor);
    const QFont font = applicationFont();
    application.setFont(font);
    // Under a style sheet, widgets follow their window more surely than the application.
    for (QWidget* window : QApplication::topLevelWidgets()) window->setFont(font);
    if (!application.styleSheet().isEmpty()) applyAppearance(application, g_wanted);
    Q_EMIT scale.changed();
}

}  // namespace palimpsest
