// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QWidget>

#include "ui/widgets/term.h"

class QToolButton;

namespace palimpsest {

/// A drawing of what a term means, in the colours that it has in the figures.
class TermPicture : public QWidget {
    Q_OBJECT
public:
    explicit TermPicture(Term term, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const Term term_;
};

/// A small card that says and draws what a term means, and leads to its section of the guide. A click beside it, or
/// Escape, closes it.
class TermCard : public QFrame {
    Q_OBJECT
public:
    TermCard(Term term, QWidget* parent);

    Term term() const { return term_; }

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    const Term term_;
    QToolButton* const more_;
};

/// Opens cards, and passes on what they ask for: a card may be asked for anywhere, and the guide is the window's.
class TermCards : public QObject {
    Q_OBJECT
public:
    static TermCards& instance();

    /// Shows a card beside a part of `anchor`, where the screen has room for it. It deletes itself when it is closed.
    TermCard* show(Term term, QWidget* anchor, const QRect& part);

Q_SIGNALS:
    void guideAsked(const QString& page, const QString& section);

private:
    TermCards() = default;
};

}  // namespace palimpsest
