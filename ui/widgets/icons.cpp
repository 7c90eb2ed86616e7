// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/icons.h"

#include <QDir>
#include <QFile>
#include <QGuiApplication>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QtGlobal>

#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"

// Resources of a static library are linked in only by this macro, which must stand outside namespaces.
static void initOwn() {
    Q_INIT_RESOURCE(ui);
}

namespace palimpsest {
namespace {

constexpr int kLabelSize = 16;
const QString kFolder = QStringLiteral(":/palimpsest/icons/");

/// The text of a drawing; empty where there is none of that name.
QByteArray drawing(const QString& name) {
    static QHash<QString, QByteArray> known;
    const auto kept = known.constFind(name);
    if (kept != known.cend()) return *kept;
    initResources();
    QFile file(kFolder + name + ".svg");
    return known[name] = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QColor colourOf(Ink ink, QIcon::Mode mode) {
    const QPalette palette = QGuiApplication::palette();
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::ButtonText);
    // Quiet text becomes plain under the mouse, and so does the icon beside it.
    const bool awake = mode == QIcon::Active && ink == &Theme::quiet;
    return Theme::of(palette).*(awake ? &Theme::text : ink);
}

class LineIcon : public QIconEngine {
public:
    LineIcon(const QString& name, Ink ink) : name_(name), ink_(ink) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QSvgRenderer renderer(drawing(name_).replace("currentColor", colourOf(ink_, mode).name().toLatin1()));
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, QRectF(rect));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        // A button without room requests this.
        if (size.isEmpty()) return {};
        const QString key =
            QString("icon %1 %2 %3x%4").arg(name_, colourOf(ink_, mode).name()).arg(size.width()).arg(size.height());
        QPixmap pixmap;
        if (QPixmapCache::find(key, &pixmap)) return pixmap;
        pixmap = QPixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, pixmap);
        return pixmap;
    }

    QIconEngine* clone() const override { return new LineIcon(name_, ink_); }
    QString key() const override { return QStringLiteral("palimpsest-line"); }

private:
    const QString name_;
    const Ink ink_;
};

}  // namespace

void initResources() {
    initOwn();
}

QIcon icon(const QString& name, Ink ink) {
    if (drawing(name).isEmpty()) {
        qWarning("There is no icon %s.", qPrintable(name));
        return {};
    }
    return QIcon(new LineIcon(name, ink));
}

IconLabel::IconLabel(QWidget* parent) : QWidget(parent) {
    fitToText(this, [this] { setFixedSize(scaled(kLabelSize), scaled(kLabelSize)); });
}

void IconLabel::setIcon(const QIcon& icon) {
    icon_ = icon;
    update();
}

void IconLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    icon_.paint(&painter, rect());
}

QIcon laneIcon(const QWidget* widget, std::size_t lane, int style) {
    const Theme& theme = Theme::of(widget);
    const double ratio = widget->devicePixelRatioF();
    QPixmap pixmap(QSize(kLaneIconWidth, kLaneIconHeight) * ratio);
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen = runPen(theme, lane == 0, style, laneColour(theme, lane));
    // Dashes are as long as the line is wide; a wider one would show less than one of them.
    pen.setWidthF(lane == 0 ? 2.5 : 1.75);
    painter.setPen(pen);
    painter.drawLine(QPointF(2, kLaneIconHeight / 2.0), QPointF(kLaneIconWidth - 2, kLaneIconHeight / 2.0));
    painter.end();
    return QIcon(pixmap);
}

QStringList iconNames() {
    initResources();
    QStringList names;
    for (const QString& file : QDir(kFolder).entryList({QStringLiteral("*.svg")}, QDir::Files, QDir::Name))
        names.append(file.chopped(4));
    return names;
}

}  // namespace palimpsest
