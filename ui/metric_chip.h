// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVector>
#include <QWidget>
#include <cstdint>
#include <optional>

namespace palimpsest {

/// One number with its comparison: "A_AUC 74.6 ± 1.2 N = 3 vs No mask 51.3 +23.3". Better and worse always carry a
/// sign. A long name is shortened, and the first to give way.
class MetricChip : public QWidget {
    Q_OBJECT
public:
    /// A fraction; of several runs their mean, and how far they lie around it.
    struct Number {
        double mean = 0, half_width = 0;
        std::int64_t count = 1;
        bool operator==(const Number&) const = default;
    };
    struct Content {
        std::optional<Number> value, compared;
        QString name;            ///< of what it is compared with
        QString note;            ///< follows the compared value, or the value itself: "so far"
        bool comparable = true;  ///< their difference says something, and is written
        bool operator==(const Content&) const = default;
    };

    explicit MetricChip(const QString& name, QWidget* parent = nullptr);

    /// Without a value the chip hides.
    void setContent(const Content& content);
    /// All that it says, in one line.
    QString text() const;
    /// The part of it after the value: "vs No mask 51.3 +23.3".
    QString comparison() const;
    /// What is written in the room there is.
    QString shownText() const;

    QSize sizeHint() const override;
    /// Room for title and value; the comparison gives way first.
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Piece {
        QString text;
        QColor colour;
        bool bold = false;
        bool shortens = false;
    };
    QVector<Piece> ownPieces() const;
    QVector<Piece> comparedPieces() const;
    QVector<Piece> pieces() const { return ownPieces() + comparedPieces(); }
    /// In so many pixels: the name shortened, and what comes last left out.
    QVector<Piece> fitted(double room) const;
    QFont fontOf(const Piece& piece) const;
    double widthOf(const Piece& piece) const;
    QSize sizeFor(const QVector<Piece>& pieces) const;

    QString name_;
    Content content_;
};

}  // namespace palimpsest
