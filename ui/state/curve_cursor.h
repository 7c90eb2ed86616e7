// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>

namespace palimpsest {

/// The moment that all figures show: where the mouse rests, or where the user pinned it by a click. In images
/// seen by the selected run.
class CurveCursor : public QObject {
    Q_OBJECT
public:
    using Moment = std::optional<std::int64_t>;
    using QObject::QObject;

    Moment moment() const { return hovered_ ? hovered_ : pinned_; }
    Moment pinned() const { return pinned_; }
    void hover(Moment moment) {
        if (moment == hovered_) return;
        hovered_ = moment;
        Q_EMIT moved();
    }
    void pin(Moment moment) {
        if (moment == pinned_ && !hovered_) return;
        pinned_ = moment;
        hovered_.reset();
        Q_EMIT moved();
    }

Q_SIGNALS:
    void moved();

private:
    Moment hovered_, pinned_;
};

}  // namespace palimpsest
