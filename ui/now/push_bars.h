// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/widgets/tip_widget.h"

namespace palimpsest {

/// Pushes of updates on each class: a bar up for a logit that was pulled up, down for one that was pushed down, and
/// behind it, faint, all of it since the class was learned last. A class that the mask hid has a dot on the line.
/// Lengths grow with the square root, so that one batch can be seen beside the sum of many. Of more classes than there
/// is room for, those that are not hidden, and of these the ones with the strongest pushes.
class PushBars : public TipWidget {
    Q_OBJECT
public:
    explicit PushBars(QWidget* parent = nullptr);

    void setPushes(const ClassNames& classes, const std::vector<ClassPush>& pushes);
    void clear() { setPushes({}, {}); }
    QString textAt(const QPoint& point) const override;
    /// Those that are shown, in order of first appearance.
    const std::vector<ClassPush>& shown() const { return shown_; }

    QSize sizeHint() const override { return {236, 64}; }
    QSize minimumSizeHint() const override { return {100, 32}; }

Q_SIGNALS:
    /// So many classes are shown, of all that have come.
    void chosen(std::size_t shown, std::size_t all);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose();
    QString textOf(const ClassPush& push) const;

    ClassNames classes_;
    std::vector<ClassPush> pushes_, shown_;
};

/// The pushes of a batch in a sentence; empty without any: "T-shirt and Sandal are pulled up. 4 are pushed
/// down, Dress most: by 3.1."
QString pushSentence(const ClassNames& classes, const std::vector<ClassPush>& pushes);

}  // namespace palimpsest
