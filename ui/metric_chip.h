// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>
#include <optional>

namespace palimpsest {

/// One number with its comparison: "A_AUC 74.6 vs 51.3 +23.3". Better and worse always carry a sign.
class MetricChip : public QWidget {
    Q_OBJECT
public:
    explicit MetricChip(const QString& name, QWidget* parent = nullptr);

    /// Fractions. `note` follows the compared value, or the value itself ("so far"). Without a value the chip hides.
    /// `comparable`: their difference says something, and is written.
    void setValue(std::optional<double> value, std::optional<double> compared = {}, const QString& note = {},
                  bool comparable = true);
    /// What is written, in one line.
    QString text() const;

    QSize sizeHint() const override;
    /// Room for name and value; the comparison gives way first.
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Piece {
        QString text;
        QColor colour;
        bool bold = false;
    };
    QVector<Piece> pieces() const;
    QSize sizeFor(const QVector<Piece>& pieces) const;

    QString name_;
    std::optional<double> value_, compared_;
    QString note_;
    bool comparable_ = true;
};

}  // namespace palimpsest
