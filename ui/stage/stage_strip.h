// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QTimer>

class QLabel;

namespace palimpsest {

/// Words that lie over the foot of the figures for a moment: which keys there are, or the speaker's note. It takes
/// neither mouse nor focus.
class StageStrip : public QFrame {
    Q_OBJECT
public:
    /// Lies over `below`. `name`: of the object.
    StageStrip(const QString& name, const QString& accessible, QWidget* below);

    /// Plain text. `milliseconds`: how long it stays; 0: until it is dismissed.
    void say(const QString& text, int milliseconds);
    void dismiss();
    /// Empty while nothing is shown.
    QString text() const;
    /// Pixels that stay free below it.
    void setFoot(int pixels);
    /// How long somebody needs to read it.
    static int readingTime(const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();
    void fade();

    QWidget* below_;
    QLabel* words_;
    int foot_ = 0;
    bool placing_ = false;
    QTimer leaving_{this};
};

}  // namespace palimpsest
