// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/publisher.h"

#include <algorithm>

#include "engine/report/figure_drawing.h"

namespace palimpsest {
namespace {

/// Wider than any window shows it; larger ones are slow to paint.
constexpr int kPreviewWidth = 1400;
/// Characters of a text in the preview.
constexpr qsizetype kPreviewText = 8000;

bool isText(report::PieceFormat format) {
    return format != report::PieceFormat::Pdf && format != report::PieceFormat::Svg &&
           format != report::PieceFormat::Png && format != report::PieceFormat::Gif;
}

QByteArray bytesOf(const std::string& text) {
    return {text.data(), static_cast<qsizetype>(text.size())};
}

DrawnPiece drawPiece(const report::Piece& piece, report::PieceFormat format, const report::FigureStyle& style) {
    DrawnPiece drawn;
    drawn.bytes = bytesOf(report::pieceBytes(piece, format, style));
    if (isText(format)) {
        const QString text = QString::fromUtf8(drawn.bytes);
        drawn.text = text.size() > kPreviewText ? text.left(kPreviewText) + "\n…" : text;
    }
    if (!piece.figure || format == report::PieceFormat::Csv) return drawn;
    drawn.measures =
        Publisher::tr("%1 in wide, type of %2 pt").arg(style.inches(), 0, 'f', 1).arg(style.fontPoints(), 0, 'g', 2);
    if (isText(format)) return drawn;
    const QByteArray png = bytesOf(report::figurePng(*piece.figure, style));
    drawn.picture = QImage::fromData(png, "PNG");
    drawn.preview =
        drawn.picture.scaledToWidth(std::min(kPreviewWidth, drawn.picture.width()), Qt::SmoothTransformation);
    drawn.svg = bytesOf(report::figureSvg(*piece.figure, style));
    return drawn;
}

}  // namespace

Publisher::Publisher(QObject* parent) : QObject(parent) {}

void Publisher::read(Source source) {
    all_.reset();
    background_.runNewest(
        [source = std::move(source)]() -> Publication { return std::make_shared<report::Publication>(source()); },
        [this](const Publication& all) {
            all_ = all;
            Q_EMIT published(all);
        },
        [this](const Failure& failure) { fail(failure); });
}

void Publisher::draw(std::size_t piece, report::PieceFormat format, const report::FigureStyle& style) {
    if (!all_ || piece >= all_->pieces.size()) return;
    background_.runNewest([all = all_, piece, format, &style] { return drawPiece(all->pieces[piece], format, style); },
                          [this](const DrawnPiece& made) { Q_EMIT drawn(made); },
                          [this](const Failure& failure) { fail(failure); });
}

}  // namespace palimpsest
