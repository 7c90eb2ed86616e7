// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <QVector>
#include <QWidget>
#include <cstdint>
#include <optional>

namespace palimpsest {

/// One number with its comparison: "A_AUC 74.6 ± 1.2 N = 3 vs No mask 51.3 N = 1 one seed +23.3". Better and worse
/// always carry a sign, and have a colour only where there is evidence. Where there is little room, deviations give way
/// first, then how many runs there are, the name, the note, the compared number, and the title; value, warning and
/// difference never do.
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
        QString name = {};       ///< of what it is compared with
        QString note = {};       ///< follows the compared value, or the value itself: "so far"
        QString warning = {};    ///< why the difference is not the method's alone, in two words: "other seeds"
        bool comparable = true;  ///< their difference says something, and is written
        QColor colour = {};      ///< of the value: that of its curve
        bool evident = false;    ///< the interval of the differences over three seeds or more excludes 0: good or bad
        bool operator==(const Content&) const = default;
    };

    explicit MetricChip(const QString& name, QWidget* parent = nullptr);

    /// Without a value the chip hides.
    void setContent(const Content& content);
    /// All that it says, in one line.
    QString text() const;
    /// The part of it after the value: "vs No mask 51.3 +23.3".
    QString comparison() const;
    /// Text that is written in the present width.
    QString shownText() const;

    QSize sizeHint() const override { return sizeFor(fitted(QWIDGETSIZE_MAX)); }
    /// Room for the value and what it must not be read without.
    QSize minimumSizeHint() const override { return sizeFor(fitted(0)); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    enum class Part { Title, Value, Deviation, Count, Versus, Name, Compared, Note, Warning, Difference };
    struct Piece {
        Part part;
        QString text;
        QColor colour;
        bool bold = false;
    };
    QVector<Piece> ownPieces() const;
    QVector<Piece> comparedPieces() const;
    void addNumber(QVector<Piece>& list, Part part, const Number& number, const QColor& colour, bool bold) const;
    QVector<Piece> pieces() const { return ownPieces() + comparedPieces(); }
    /// In so many pixels.
    QVector<Piece> fitted(double room) const;
    double widthOf(const QVector<Piece>& pieces) const;
    QFont fontOf(const Piece& piece) const;
    double widthOf(const Piece& piece) const;
    QSize sizeFor(const QVector<Piece>& pieces) const;

    QString name_;
    Content content_;
};

}  // namespace palimpsest
