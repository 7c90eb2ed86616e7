// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QScreen;

namespace palimpsest {

/// What the speaker reads on a second screen while the audience sees the stage: the caption of the scene, its note, and
/// the caption that comes next.
class SpeakerNotes : public QWidget {
    Q_OBJECT
public:
    explicit SpeakerNotes(QWidget* parent = nullptr);

    void setScene(const QString& place, const QString& caption, const QString& note, const QString& next);
    /// Shown there without taking the keyboard.
    void showOn(const QScreen& screen);
    /// A screen beside that of `window` which shows something else; null: there is none.
    static const QScreen* otherScreen(const QWidget& window);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QLabel *place_, *caption_, *note_, *next_;
};

}  // namespace palimpsest
