// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVariantMap>
#include <cstdint>
#include <optional>

namespace palimpsest {

/// The moment that all figures show, where the mouse rests or the user pinned it by a click: images seen by the
/// selected run.
class CurveCursor : public QObject {
    Q_OBJECT
public:
    using Moment = std::optional<std::int64_t>;
    using QObject::QObject;

    Moment moment() const { return hovered_ ? hovered_ : pinned_; }
    Moment pinned() const { return pinned_; }
    void hover(Moment moment);
    void pin(Moment moment);

Q_SIGNALS:
    void moved();

private:
    Moment hovered_, pinned_;
};

/// Options of the user for drawing curves: the same for all figures, kept from one start to the next.
class CurveOptions : public QObject {
    Q_OBJECT
public:
    /// Band around the mean of runs that differ in nothing but the seed.
    enum class Band { None, Deviation, Error };

    struct Values {
        bool log_x = false;  ///< along the images seen
        bool log_loss = false;
        bool whole_percent = false;  ///< axes of accuracies end at 100 %, however low the curves are
        bool follow = false;         ///< when zoomed in, keep the newest point in sight
        bool by_session = false;     ///< runs side by side by session instead of by images seen
        int smoothing = 0;           ///< points that the mean drawn over a curve reaches over; 0: none is drawn
        Band band = Band::None;
        bool story = true;  ///< a sentence on what happened stands under the figures
        bool operator==(const Values&) const = default;
    };
    using QObject::QObject;

    const Values& values() const { return values_; }
    void set(const Values& values);
    /// Seeds that the list groups are drawn as mean and band, others each for itself, until the user has chosen.
    void setGrouped(bool grouped);
    QVariantMap state() const;
    /// Restores a state; missing or invalid values stay as they are.
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void changed();

private:
    Values values_;
    void apply(const Values& values, bool bandChosen);

    bool grouped_ = false;
    bool band_chosen_ = false;  ///< by the user, once and for all; else it follows the grouping
};

/// Numbers of points that the user may choose from.
inline constexpr int kSmoothings[] = {0, 5, 20, 100};

}  // namespace palimpsest
