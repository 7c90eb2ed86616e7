// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QVector>
#include <QWidget>
#include <deque>
#include <vector>

namespace palimpsest {

/// The last few hundred values of one number as a small line: the values faint, their running mean strong, the latest
/// value in words.
class Sparkline : public QWidget {
    Q_OBJECT
public:
    static constexpr int kHistory = 600;

    explicit Sparkline(const QString& title, QWidget* parent = nullptr);

    /// Values that are no numbers are left out.
    void append(const std::vector<double>& values);
    void clear();
    int count() const { return static_cast<int>(values_.size()); }
    QString valueText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Sample {
        double value = 0;
        double mean = 0;
    };
    QString title_;
    std::deque<Sample> values_;
    std::size_t dropped_ = 0;  ///< older values that went
};

}  // namespace palimpsest
