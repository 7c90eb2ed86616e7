// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>

namespace palimpsest {

class NowPanel;

/// What is being learned at this moment: of one run, or of two lanes, the first above the second.
class NowPair : public QWidget {
    Q_OBJECT
public:
    explicit NowPair(QWidget* parent = nullptr);

    NowPanel* panel(std::size_t lane) const { return panels_[lane]; }
    bool paired() const;
    /// What the lanes are called, and the looks of their runs (ShownRun); empty: there is one run alone.
    void setLanes(const QStringList& labels, const std::array<int, 2>& looks = {});

Q_SIGNALS:
    void pairedChanged();

private:
    std::array<NowPanel*, 2> panels_;
};

}  // namespace palimpsest
