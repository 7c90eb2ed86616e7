// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "ui/state/throttle.h"

namespace palimpsest {

struct FigureState;

/// Sentences under the figures on what the last evaluation of the selected run found, or that before the moment that
/// somebody looks at: which classes came, which fell, and why. Always two lines high, so that nothing moves when the
/// words change; hidden where nothing is shown, and where the user does not want it (CurveOptions::story).
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
    /// Writes as many of the words as two lines hold.
    void fit();
    QString sentence() const;

    FigureState& state_;
    QString words_;
    bool room_ = true;
    Throttle throttle_;
};

}  // namespace palimpsest
