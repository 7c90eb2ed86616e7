// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QHBoxLayout;

namespace palimpsest {

class FittingLabel;

/// One line over the figures that says what is about to happen, with the controls that do it or undo it.
class ActionStrip : public QFrame {
    Q_OBJECT
public:
    /// Hidden at first. `title`: accessible name.
    ActionStrip(const QString& name, const QString& title, QWidget* parent = nullptr);

    /// Texts with the same meaning, longest first; the first that fits is shown.
    void setTexts(const QStringList& texts);
    /// The longest text.
    QString text() const { return text_; }
    /// Adds a control behind the text, from left to right.
    void add(QWidget* control);

private:
    QHBoxLayout* row_;
    FittingLabel* label_;
    QString text_;
};

}  // namespace palimpsest
