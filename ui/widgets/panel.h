// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <QString>
#include <QStringList>

class QHBoxLayout;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace palimpsest {

class FittingLabel;

/// One calm surface of the window: a heading, a caption beside it, small widgets at the right of the heading, and a
/// body. The style sheet draws ground, line and corners of widgets with the property "panel". Where the heading is too
/// narrow, its caption is shortened first, then buttons with an icon lose their text, and then a figure's title is
/// shortened.
class Panel : public QFrame {
    Q_OBJECT
public:
    /// Title: 14 semibold, for panels that hold one figure. Section: small capitals, for panels that hold several
    /// things; its caption stands at the right.
    enum class Heading { Title, Section };

    explicit Panel(const QString& title, const QString& caption = {}, QWidget* parent = nullptr);

    QVBoxLayout* body() { return body_; }
    QString title() const { return title_text_; }
    void setTitle(const QString& title);
    /// Sets titles for where there is no room for the whole one, which the tip then shows: the first that fits.
    void setShortTitles(const QStringList& titles);
    /// Sets what the title means, told where the mouse rests on it.
    void setTitleTip(const QString& tip);
    QString caption() const;
    void setCaption(const QString& caption);
    void setHeading(Heading heading);
    /// Adds a widget at the right end of the heading, after those added before.
    void addHeaderWidget(QWidget* widget);
    /// Pixels between the panel's edge and what stands in it.
    void setEdges(int top, int bottom);

protected:
    bool event(QEvent* event) override;

private:
    void fit();
    QString written(const QString& title) const;
    void fitHeader();

    Heading heading_ = Heading::Title;
    QString title_text_, title_tip_, caption_text_;
    QStringList short_titles_;
    QHBoxLayout* header_;
    QVBoxLayout* body_;
    QLabel* title_;
    FittingLabel* caption_;
    QList<QToolButton*> yielding_;  ///< buttons that may lose their text
};

/// One line over the figures about an action that is pending, with the controls that do it or undo it.
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
