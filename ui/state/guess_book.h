// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPointF>
#include <QString>
#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "engine/record/guess.h"

namespace palimpsest {

/// What the user expects: the guess that is drawn for the next run, and those of the runs that were guessed. No
/// widgets and no files.
class GuessBook : public QObject {
    Q_OBJECT
public:
    /// Parts of the stream at whose ends anytime accuracy is guessed.
    static constexpr int kSteps = 40;
    using QObject::QObject;

    /// The guess for the next run is being drawn.
    bool drawing() const { return drawing_; }
    void setDrawing(bool drawing);
    /// Sizes of the next run's stream. A guess of accuracy is stretched over its images; sessions keep their numbers.
    void setStream(std::int64_t images, std::int64_t sessions);
    std::int64_t images() const { return images_; }
    std::int64_t sessions() const { return sessions_; }

    /// Places at which a curve of the next run is guessed: images seen, or sessions.
    std::vector<double> places(GuessedCurve curve) const;
    /// The guess for the next run.
    const Guess& next() const { return next_; }
    /// Draws a straight line from one point to another, x a place and y an accuracy from 0 to 1; both may be the same.
    void draw(GuessedCurve curve, QPointF from, QPointF to);
    /// What is drawn up to the next call is one stroke.
    void beginStroke();
    bool canUndo() const { return !strokes_.empty(); }
    /// Takes the last stroke back.
    void undoStroke();
    /// Begins the next guess anew; while it is drawn, undoStroke() brings it back.
    void clearNext();
    /// The next guess becomes this run's, as setStream() says, and drawing ends. Empty: nothing was guessed, and
    /// what the run had stays.
    Guess giveTo(const QString& run, std::int64_t images, std::int64_t sessions);

    /// The guess of a run; empty: none, or not known yet.
    Guess of(const QString& run) const { return guesses_.value(run); }
    bool knows(const QString& run) const { return guesses_.contains(run); }
    void set(const QString& run, const Guess& guess);

Q_SIGNALS:
    void changed();
    /// Drawing began or ended.
    void drawingChanged(bool drawing);

private:
    Guess nextFor(std::int64_t images, std::int64_t sessions) const;
    void refreshNext();

    bool drawing_ = false;
    std::int64_t images_ = 0, sessions_ = 0;
    using Drawn = std::array<std::map<int, double>, 2>;  ///< by curve: accuracies by the number of their place
    Drawn drawn_;
    std::vector<Drawn> strokes_;  ///< what there was before each
    Guess next_;
    QHash<QString, Guess> guesses_;
};

}  // namespace palimpsest
