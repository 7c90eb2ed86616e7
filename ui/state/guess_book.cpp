// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/guess_book.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/state/series.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostStrokes = 200;

/// Number of the place that is nearest.
int nearestPlace(const std::vector<double>& places, double x) {
    return static_cast<int>(nearestIn(places, x) - places.begin());
}

std::vector<double> guessPlaces(GuessedCurve curve, std::int64_t images, std::int64_t sessions) {
    std::vector<double> places;
    if (curve == GuessedCurve::Anytime)
        for (int step = 0; step <= GuessBook::kSteps && images > 0; ++step)
            places.push_back(std::round(static_cast<double>(images) * step / GuessBook::kSteps));
    else
        for (std::int64_t session = 1; session <= sessions; ++session) places.push_back(static_cast<double>(session));
    return places;
}

}  // namespace

void GuessBook::setDrawing(bool drawing) {
    if (drawing == drawing_) return;
    drawing_ = drawing;
    strokes_.clear();
    Q_EMIT drawingChanged(drawing_);
    Q_EMIT changed();
}

void GuessBook::setStream(std::int64_t images, std::int64_t sessions) {
    if (images == images_ && sessions == sessions_) return;
    images_ = images;
    sessions_ = sessions;
    refreshNext();
}

std::vector<double> GuessBook::places(GuessedCurve curve) const {
    return guessPlaces(curve, images_, sessions_);
}

void GuessBook::draw(GuessedCurve curve, QPointF from, QPointF to) {
    const std::vector<double> all = places(curve);
    if (all.empty()) return;
    std::map<int, double>& drawn = drawn_[static_cast<std::size_t>(curve)];
    int first = nearestPlace(all, from.x()), last = nearestPlace(all, to.x());
    double y = from.y(), end = to.y();
    if (first > last) {
        std::swap(first, last);
        std::swap(y, end);
    }
    for (int place = first; place <= last; ++place) {
        const double share = first == last ? 1 : static_cast<double>(place - first) / (last - first);
        const double accuracy = first == last ? to.y() : std::lerp(y, end, share);
        drawn[place] = std::clamp(accuracy, 0.0, 1.0);
    }
    refreshNext();
}

void GuessBook::beginStroke() {
    if (strokes_.size() == kMostStrokes) strokes_.erase(strokes_.begin());
    strokes_.push_back(drawn_);
}

void GuessBook::undoStroke() {
    if (strokes_.empty()) return;
    drawn_ = std::move(strokes_.back());
    strokes_.pop_back();
    refreshNext();
}

void GuessBook::clearNext() {
    if (drawing_ && !next_.empty()) beginStroke();
    drawn_ = {};
    refreshNext();
}

Guess GuessBook::giveTo(const QString& run, std::int64_t images, std::int64_t sessions) {
    const Guess guess = nextFor(images, sessions);
    const bool ended = drawing_;
    drawing_ = false;
    if (!guess.empty()) guesses_[run] = guess;
    drawn_ = {};
    strokes_.clear();
    next_ = {};
    if (ended) Q_EMIT drawingChanged(false);
    if (ended || !guess.empty()) Q_EMIT changed();
    return guess;
}

void GuessBook::set(const QString& run, const Guess& guess) {
    guesses_[run] = guess;
    if (!guess.empty()) Q_EMIT changed();
}

Guess GuessBook::nextFor(std::int64_t images, std::int64_t sessions) const {
    Guess guess;
    for (const GuessedCurve curve : {GuessedCurve::Anytime, GuessedCurve::Retention}) {
        const std::vector<double> all = guessPlaces(curve, images, sessions);
        for (const auto& [place, accuracy] : drawn_[static_cast<std::size_t>(curve)])
            if (place < std::ssize(all))
                (curve == GuessedCurve::Anytime ? guess.anytime : guess.retention)
                    .push_back({all[static_cast<std::size_t>(place)], accuracy});
    }
    return guess;
}

void GuessBook::refreshNext() {
    next_ = nextFor(images_, sessions_);
    Q_EMIT changed();
}

}  // namespace palimpsest
