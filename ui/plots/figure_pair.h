// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSplitter>
#include <array>

class QToolButton;

namespace palimpsest {

class PlotView;

/// Two figures, one above the other as long as both have room to be read. In less height one stands alone, and a button
/// in its heading leads to the other.
class FigurePair : public QSplitter {
    Q_OBJECT
public:
    FigurePair(PlotView* upper, PlotView* lower, QWidget* parent = nullptr);

    bool alone() const { return alone_; }
    /// The one that is shown where there is room for one.
    PlotView* front() const { return figures_[front_]; }
    /// Brings the other one to the front.
    void turn();
    /// One of the two stands alone whatever the room; null: as the room says again, with the one in front that was.
    void keepAlone(PlotView* figure);

    /// The same for one figure alone.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Another figure may be in sight now.
    void turned();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void showButtons();
    /// Pixels that both need.
    int heightForBoth() const;

    std::array<PlotView*, 2> figures_;
    std::array<QToolButton*, 2> buttons_{};  ///< in the headings
    std::size_t front_ = 0;
    bool alone_ = false;
    PlotView* kept_ = nullptr;      ///< alone, see keepAlone()
    std::size_t former_front_ = 0;  ///< before it
    QList<int> shares_;             ///< of the height, while both were shown
};

}  // namespace palimpsest
