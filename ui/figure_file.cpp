// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure_file.h"

#include <qcustomplot.h>

#include <QBuffer>
#include <QFileInfo>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>
#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// All of the file or nothing.
void writeFile(const QString& file, const std::function<bool(QIODevice&)>& write) {
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || !write(out) || !out.commit())
        throw inputError("The figure could not be written to " + file.toStdString() + ".",
                         "Choose a folder that you may write to.");
}

void writeBytes(const QString& file, const QByteArray& bytes) {
    writeFile(file, [&](QIODevice& out) { return out.write(bytes) == bytes.size(); });
}

void writeImage(const QString& file, const QImage& image) {
    writeFile(file, [&](QIODevice& out) { return image.save(&out, "PNG"); });
}

QString endingOf(const QString& file) {
    return QFileInfo(file).suffix().toLower();
}

QSize printSize(const QCustomPlot& plot) {
    return {std::max(plot.width(), 480), std::max(plot.height(), 200)};
}

QImage drawImage(QCustomPlot& plot) {
    const QSize size = printSize(plot);
    return plot.toPixmap(size.width(), size.height(), 2).toImage();
}

QByteArray drawVectors(QCustomPlot& plot, const QString& title, const QString& kind) {
    const QSize size = printSize(plot);
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    const auto draw = [&](QPaintDevice& device) {
        QCPPainter painter(&device);
        painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
        plot.toPainter(&painter, size.width(), size.height());
    };
    if (kind == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setTitle(title);
        draw(generator);
    } else {
        constexpr int kDpi = 96;  // one unit of the page is one pixel of the figure
        QPdfWriter writer(&out);
        writer.setResolution(kDpi);
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / kDpi, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setTitle(title);
        draw(writer);
    }
    return out.data();
}

}  // namespace

FigureKind figureKindOf(const QString& file) {
    const QString kind = endingOf(file);
    if (kind == QLatin1String("csv")) return FigureKind::Numbers;
    if (kind != QLatin1String("png") && kind != QLatin1String("svg") && kind != QLatin1String("pdf"))
        throw inputError("A figure cannot be written as " + file.toStdString() + ".",
                         "Give the file the ending .png, .svg, .pdf or .csv.");
    return FigureKind::Drawing;
}

std::function<void()> drawingWriter(QCustomPlot& plot, const QString& title, const QString& file) {
    const QString kind = endingOf(file);
    if (kind == QLatin1String("png")) return [file, image = drawImage(plot)] { writeImage(file, image); };
    return [file, drawing = drawVectors(plot, title, kind)] { writeBytes(file, drawing); };
}

std::function<void()> numbersWriter(const QString& csv, const QString& file) {
    return [file, text = csv.toUtf8()] { writeBytes(file, text); };
}

}  // namespace palimpsest
