// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVariantMap>

namespace palimpsest {

/// Options of the user for how curves are drawn: the same for all figures, kept from one start to the next.
class CurveOptions : public QObject {
    Q_OBJECT
public:
    /// Band around the mean of runs that differ in nothing but the seed.
    enum class Band { None, Deviation, Error };

    struct Values {
        bool log_x = false;  ///< along the images seen
        bool log_loss = false;
        bool follow = false;      ///< when zoomed in, keep the newest point in sight
        bool by_session = false;  ///< runs side by side by session instead of by images seen
        int smoothing = 0;        ///< points that the mean drawn over a curve reaches over; 0: none is drawn
        Band band = Band::None;
        bool operator==(const Values&) const = default;
    };
    using QObject::QObject;

    const Values& values() const { return values_; }
    void set(const Values& values);
    QVariantMap state() const;
    /// Restores a state; missing or invalid values stay as they are.
    void restore(const QVariantMap& state);

Q_SIGNALS:
    void changed();

private:
    Values values_;
};

/// Numbers of points that the user may choose from.
inline constexpr int kSmoothings[] = {0, 5, 20, 100};

}  // namespace palimpsest
