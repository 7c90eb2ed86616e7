// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QStringList>

class QHBoxLayout;

namespace palimpsest {

class FittingLabel;

/// One line over the figures that says what is about to happen, with the controls that do it or take it back.
class ActionStrip : public QFrame {
    Q_OBJECT
public:
    /// Hidden at first. `title`: for people who hear the window.
    ActionStrip(const QString& name, const QString& title, QWidget* parent = nullptr);

    /// Of several ways to say it, the longest comes first; the one that fits is shown.
    void setTexts(const QStringList& texts);
    /// The longest.
    QString text() const { return text_; }
    /// Behind the words, from left to right.
    void add(QWidget* control);

private:
    QHBoxLayout* row_;
    FittingLabel* label_;
    QString text_;
};

}  // namespace palimpsest
