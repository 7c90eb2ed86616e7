// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

#include "ui/widgets/term.h"

namespace palimpsest {

/// A label with a term, underlined with dots: a click, or Return, opens the card that explains it.
class TermLabel : public QLabel {
    Q_OBJECT
public:
    explicit TermLabel(Term term, const QString& text = {}, QWidget* parent = nullptr);

    Term term() const { return term_; }
    /// Sets the text, which is also the name for screen readers.
    void setWords(const QString& words);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void openCard();
    /// Rectangle of the text.
    QRect wordsRect() const;

    const Term term_;
};

}  // namespace palimpsest
