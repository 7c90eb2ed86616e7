// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/guess_line.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <utility>

#include "ui/state/guess_book.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kGuessWidth = 2.2, kHandleSize = 11, kPointSize = 5;  // pixels
constexpr int kGuessReach = 24;  // pixels beside the axes, where a drag may begin and end
constexpr double kBetweenAlpha = 0.12;
constexpr std::size_t kMostBetween = 1000;  // points of the area
constexpr double kFirstGuess = 0.5;         // where the keyboard begins

void setPoints(QCPGraph* graph, const std::vector<GuessPoint>& points) {
    QVector<double> places, values;
    for (const GuessPoint& point : points) {
        places.append(point.place);
        values.append(point.accuracy * 100);
    }
    graph->setData(places, values, true);
}

}  // namespace

GuessLine::GuessLine(QCustomPlot* canvas, const RunSet* runs, GuessBook* book, GuessedCurve curve, QObject* parent)
    : QObject(parent), canvas_(canvas), runs_(runs), book_(book), curve_(curve) {
    canvas_->installEventFilter(this);
    connect(book_, &GuessBook::changed, this, &GuessLine::changed);
}

bool GuessLine::drawing() const {
    return book_->drawing();
}

std::vector<GuessPoint> GuessLine::measuredOf(const ShownRun& run) const {
    return curve_ == GuessedCurve::Anytime ? measuredAnytime(run.points.anytime())
                                           : measuredRetention(run.points.retentionOf(0));
}

void GuessLine::update(const Theme& theme, bool hidden) {
    const bool draws = drawing();
    if (draws != crossed_) {
        crossed_ = draws;
        crossed_ ? canvas_->setCursor(Qt::CrossCursor) : canvas_->unsetCursor();
    }
    const ShownRun* run = draws ? nullptr : runs_->selected();
    hidden_ = hidden;
    std::vector<GuessPoint> wanted;
    if (!hidden && draws) wanted = book_->next().of(curve_);
    if (!hidden && run) wanted = book_->of(run->id).of(curve_);
    const bool other = wanted != shown_;
    shown_ = std::move(wanted);
    if (shown_.empty() && !line_ && !draws) return;
    if (!line_) makeGraphs();
    line_->setPen(QPen(theme.text, kGuessWidth * theme.weight, Qt::DotLine, Qt::RoundCap));
    const bool points = draws || curve_ == GuessedCurve::Retention;
    line_->setScatterStyle(points ? QCPScatterStyle(QCPScatterStyle::ssDisc, theme.text, kPointSize * theme.weight)
                                  : QCPScatterStyle());
    showHandles(theme);
    QColor fill = theme.text;
    fill.setAlphaF(kBetweenAlpha);
    between_->setBrush(fill);
    // Many points take their time: not again for each frame.
    const QString compared = run && !shown_.empty() ? run->id + '#' + QString::number(run->generation) : QString();
    const std::size_t measured = compared.isEmpty()                ? 0
                                 : curve_ == GuessedCurve::Anytime ? run->points.anytime().size()
                                                                   : run->points.retentionOf(0).size();
    if (!other && compared == compared_ && measured == measured_to_) return;
    compared_ = compared;
    measured_to_ = measured;
    setPoints(line_, shown_);
    compare(compared.isEmpty() ? std::vector<GuessPoint>() : measuredOf(*run));
}

void GuessLine::makeGraphs() {
    for (QCPGraph** graph : {&measured_, &between_, &line_, &handle_}) {
        *graph = canvas_->addGraph();
        (*graph)->setSelectable(QCP::stNone);
    }
    for (QCPGraph* graph : {measured_, between_}) graph->setPen(Qt::NoPen);
    handle_->setLineStyle(QCPGraph::lsNone);
}

void GuessLine::showHandles(const Theme& theme) {
    const std::vector<double> places = book_->places(curve_);
    const bool by_key = drawing() && !hidden_ && canvas_->hasFocus() && place_ < std::ssize(places);
    QVector<double> x, y;
    if (by_key) {
        const double place = places[static_cast<std::size_t>(place_)];
        x.append(place);
        y.append(guessedAt(shown_, place).value_or(kFirstGuess) * 100);
    }
    handle_->setData(x, y, true);
    handle_->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.accent, 2 * theme.weight),
                                             QBrush(theme.panel), kHandleSize * theme.weight));
}

/// The score, and the area between the guess and what was measured, as far as both go.
void GuessLine::compare(const std::vector<GuessPoint>& points) {
    score_ = guessScore(shown_, points);
    std::vector<GuessPoint> measured, guessed;
    const std::size_t step = 1 + points.size() / kMostBetween;
    for (std::size_t i = 0; i < points.size(); i += step) {
        const GuessPoint& point = points[i];
        const auto expected = guessedAt(shown_, point.place);
        if (!expected) continue;
        measured.push_back(point);
        guessed.push_back({point.place, *expected});
    }
    setPoints(measured_, measured);
    setPoints(between_, guessed);
    between_->setChannelFillGraph(measured_);
}

double GuessLine::highest() const {
    double highest = drawing() && !hidden_ ? 1 : -1;
    for (const GuessPoint& point : shown_) highest = std::max(highest, point.accuracy);
    return highest < 0 ? -1 : highest * 100;
}

QString GuessLine::widestName() {
    return tr("your guess · %1 off").arg(percentText(1));
}

std::optional<CurveEnd> GuessLine::end(const Theme& theme) const {
    if (shown_.empty()) return std::nullopt;
    CurveEnd end;
    end.id = QStringLiteral("guess");
    end.x = shown_.back().place;
    end.y = shown_.back().accuracy * 100;
    end.text = score_ ? tr("your guess · %1 off").arg(percentText(score_->distance)) : tr("your guess");
    end.short_text = tr("guess");
    end.colour = theme.text;
    return end;
}

QString GuessLine::describe() const {
    if (shown_.empty())
        return drawing()
                   ? tr("No guess yet: drag across the figure, or choose a place with Shift+Right and move the guess "
                        "there with Up and Down.")
                   : QString();
    if (score_) return tr("Your guess is %1").arg(QString::fromStdString(guessSentence(curve_, *score_)));
    const auto said = [this](const GuessPoint& point) {
        return curve_ == GuessedCurve::Anytime
                   ? tr("%1 % after %2 images")
                         .arg(percentText(point.accuracy), countText(static_cast<qint64>(point.place)))
                   : tr("%1 % after session %2").arg(percentText(point.accuracy)).arg(point.place);
    };
    QStringList parts;
    for (const GuessPoint& point : shown_) parts.append(said(point));
    const QString whole = tr("Your guess: %1").arg(parts.join(QStringLiteral(", ")));
    // What the keyboard moves is read first.
    const std::vector<double> places = book_->places(curve_);
    const double place =
        places.empty() ? 0 : places[static_cast<std::size_t>(std::clamp<qsizetype>(place_, 0, std::ssize(places) - 1))];
    const auto here = drawing() && canvas_->hasFocus() ? guessedAt(shown_, place) : std::nullopt;
    return here ? tr("Here %1. %2").arg(said({place, *here}), whole) : whole;
}

QPointF GuessLine::pointAt(const QPointF& pixel) const {
    return {canvas_->xAxis->pixelToCoord(pixel.x()),
            std::clamp(canvas_->yAxis->pixelToCoord(pixel.y()) / 100, 0.0, 1.0)};
}

void GuessLine::drawTo(const QPointF& point) {
    // The keyboard goes on where the mouse was.
    const std::vector<double> places = book_->places(curve_);
    if (places.empty()) return;
    const auto next = std::ranges::lower_bound(places, point.x());
    place_ = static_cast<int>(std::min<std::ptrdiff_t>(next - places.begin(), std::ssize(places) - 1));
    const QPointF from = std::exchange(dragged_, point).value_or(point);
    book_->draw(curve_, from, point);
}

bool GuessLine::pressKey(int key, Qt::KeyboardModifiers modifiers) {
    if (modifiers & ~(Qt::ShiftModifier | Qt::KeypadModifier)) return false;
    const bool shift = modifiers & Qt::ShiftModifier;
    const std::vector<double> places = book_->places(curve_);
    if (places.empty()) return false;
    place_ = std::clamp(place_, 0, static_cast<int>(places.size()) - 1);
    const double place = places[static_cast<std::size_t>(place_)];
    switch (key) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (!shift) return false;  // Right alone steps the run
            place_ = std::clamp(place_ + (key == Qt::Key_Left ? -1 : 1), 0, static_cast<int>(places.size()) - 1);
            Q_EMIT changed();
            return true;
        case Qt::Key_Up:
        case Qt::Key_Down: {
            const double by = (shift ? 0.1 : 0.01) * (key == Qt::Key_Up ? 1 : -1);
            const double before =
                guessedAt(shown_, place).value_or(shown_.empty() ? kFirstGuess : shown_.back().accuracy);
            const QPointF point(place, std::clamp(before + by, 0.0, 1.0));
            book_->beginStroke();
            book_->draw(curve_, point, point);
            return true;
        }
        default:
            return false;
    }
}

bool GuessLine::eventFilter(QObject* watched, QEvent* event) {
    if (!drawing() || hidden_) {
        dragged_.reset();
        return QObject::eventFilter(watched, event);
    }
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const QRect reach =
                canvas_->axisRect()->rect().adjusted(-kGuessReach, -kGuessReach, kGuessReach, kGuessReach);
            if (mouse->button() != Qt::LeftButton || !reach.contains(mouse->pos())) break;
            book_->beginStroke();
            drawTo(pointAt(mouse->position()));
            return true;
        }
        case QEvent::MouseMove: {
            if (!dragged_) return true;  // no numbers of other runs over what is being drawn
            drawTo(pointAt(static_cast<QMouseEvent*>(event)->position()));
            return true;
        }
        case QEvent::MouseButtonRelease:
            if (!dragged_) break;
            dragged_.reset();
            return true;
        case QEvent::MouseButtonDblClick:
            return true;
        case QEvent::FocusIn:
        case QEvent::FocusOut:
            Q_EMIT changed();
            break;
        case QEvent::ShortcutOverride:
            // Before the window takes it for its own undo.
            if (!static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo) || !book_->canUndo()) break;
            event->accept();
            return true;
        case QEvent::KeyPress: {
            const auto* press = static_cast<QKeyEvent*>(event);
            if (press->matches(QKeySequence::Undo) && book_->canUndo()) {
                book_->undoStroke();
                return true;
            }
            if (pressKey(press->key(), press->modifiers())) return true;
            break;
        }
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace palimpsest
