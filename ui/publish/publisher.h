// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QImage>
#include <QObject>
#include <QString>
#include <functional>
#include <memory>

#include "engine/report/publication.h"
#include "ui/state/background.h"

namespace palimpsest {

/// A figure or table as it would stand in a file.
struct DrawnPiece {
    QByteArray bytes;  ///< of the file
    QImage picture;    ///< as a PNG has it; null for a table
    QByteArray svg;    ///< the same as a drawing
    QImage preview;    ///< the picture, small enough to be shown at once
    QString text;      ///< of a file that is text: its beginning
    QString measures;  ///< "3.30 × 2.51 in, type of 7 pt"; empty for a table
};

/// Reads runs and draws what can be published of them, away from the window's thread. Of several requests in turn only
/// the last is answered.
class Publisher : public QObject {
    Q_OBJECT
public:
    using Publication = std::shared_ptr<const report::Publication>;
    using Source = std::function<report::Publication()>;

    explicit Publisher(QObject* parent = nullptr);

    /// `source` runs on another thread and may throw.
    void read(Source source);
    /// A piece of the publication that was read last.
    void draw(std::size_t piece, report::PieceFormat format, const report::FigureStyle& style);

Q_SIGNALS:
    void published(const palimpsest::Publisher::Publication& all);
    void drawn(const palimpsest::DrawnPiece& piece);
    void failed(const QString& message, const QString& hint);

private:
    void fail(const Failure& failure) { Q_EMIT failed(failure.message, failure.hint); }

    Publication all_;
    Background background_;
};

}  // namespace palimpsest
