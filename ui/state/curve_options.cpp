// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/curve_options.h"

#include <algorithm>
#include <iterator>

namespace palimpsest {

void CurveCursor::hover(Moment moment) {
    if (moment == hovered_) return;
    hovered_ = moment;
    Q_EMIT moved();
}

void CurveCursor::pin(Moment moment) {
    if (moment == pinned_ && !hovered_) return;
    pinned_ = moment;
    hovered_.reset();
    Q_EMIT moved();
}

void CurveOptions::apply(const Values& values, bool bandChosen) {
    Values now = values;
    if (!bandChosen) now.band = grouped_ ? Band::Deviation : Band::None;
    // Whoever hears of it reads the whole state.
    band_chosen_ = bandChosen;
    if (now == values_) return;
    values_ = now;
    Q_EMIT changed();
}

void CurveOptions::set(const Values& values) {
    apply(values, band_chosen_ || values.band != values_.band);
}

void CurveOptions::setGrouped(bool grouped) {
    grouped_ = grouped;
    apply(values_, band_chosen_);
}

QVariantMap CurveOptions::state() const {
    return {{"logX", values_.log_x},
            {"logLoss", values_.log_loss},
            {"wholePercent", values_.whole_percent},
            {"follow", values_.follow},
            {"bySession", values_.by_session},
            {"smoothing", values_.smoothing},
            {"band", static_cast<int>(values_.band)},
            {"bandChosen", band_chosen_},
            {"story", values_.story}};
}

void CurveOptions::restore(const QVariantMap& state) {
    Values values = values_;
    values.log_x = state.value("logX", values.log_x).toBool();
    values.log_loss = state.value("logLoss", values.log_loss).toBool();
    values.whole_percent = state.value("wholePercent", values.whole_percent).toBool();
    values.follow = state.value("follow", values.follow).toBool();
    values.by_session = state.value("bySession", values.by_session).toBool();
    const int smoothing = state.value("smoothing", values.smoothing).toInt();
    if (std::ranges::find(kSmoothings, smoothing) != std::end(kSmoothings)) values.smoothing = smoothing;
    const int band = state.value("band", static_cast<int>(values.band)).toInt();
    if (band >= 0 && band <= static_cast<int>(Band::Error)) values.band = static_cast<Band>(band);
    values.story = state.value("story", values.story).toBool();
    apply(values, state.value("bandChosen", values.band != Band::None).toBool());
}

}  // namespace palimpsest
