// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>

#include "ui/state/throttle.h"

namespace palimpsest {

struct FigureState;

/// Sentences under the figures on what the last evaluation of the selected run found, or that before the moment that
/// somebody looks at: which classes came, which fell, and why. Always two lines high, so that nothing moves when the
/// words change, and shorter where these are narrow; hidden where nothing is shown, and where the user does not want it
/// (CurveOptions::story).
class MomentSentence : public QLabel {
    Q_OBJECT
public:
    explicit MomentSentence(FigureState& state, QWidget* parent = nullptr);

    /// Is there room for it beside figures of a useful height? True unless it is told otherwise.
    void setRoom(bool room);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    /// Writes the longest of the words that two lines hold, or as much of the shortest as they do.
    void fit();
    struct Lines {
        qsizetype last = 0;   ///< where the last line begins
        bool enough = false;  ///< they hold everything
    };
    Lines linesOf(const QString& words) const;
    /// In full, and for a narrow place.
    QStringList sentences() const;

    FigureState& state_;
    QStringList words_;
    bool room_ = true;
    Throttle throttle_;
};

}  // namespace palimpsest
