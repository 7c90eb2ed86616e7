// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <vector>

namespace palimpsest {

struct FeatureShown;

/// The key of a feature map: colour and marker of each class, and what the signs mean, in as many lines as they need;
/// of those alone that the moment has.
class FeatureKey : public QWidget {
    Q_OBJECT
public:
    enum class Sign { Class, Right, Wrong, Came, Arrow, ArrowCame };
    struct Entry {
        Sign sign = Sign::Right;
        QString text;
        std::size_t place = 0;  ///< of a class
        bool operator==(const Entry&) const = default;
    };
    explicit FeatureKey(QWidget* parent = nullptr);

    void setShown(const FeatureShown& shown);
    const std::vector<Entry>& entries() const { return entries_; }
    /// Places of the entries in a key of this width.
    std::vector<QRectF> places(int width) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {320, heightForWidth(width())}; }
    QSize minimumSizeHint() const override { return {120, heightForWidth(width())}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    static QString written(const Entry& entry, const QFontMetricsF& metrics);
    /// Pixels of an entry's sign.
    double signWidth(const Entry& entry) const;

    std::vector<Entry> entries_;
};

}  // namespace palimpsest
