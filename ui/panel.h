// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QHBoxLayout;
class QLabel;
class QVBoxLayout;

namespace palimpsest {

class FittingLabel;

/// One calm surface of the window: a heading, a caption beside it, small widgets at the right of the heading, and a
/// body. The style sheet draws ground, line and corners of widgets with the property "panel".
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
    QString caption() const;
    void setCaption(const QString& caption);
    void setHeading(Heading heading);
    /// Goes to the right end of the heading, after those added before.
    void addHeaderWidget(QWidget* widget);

private:
    void fit();

    Heading heading_ = Heading::Title;
    QString title_text_, caption_text_;
    QHBoxLayout* header_;
    QVBoxLayout* body_;
    QLabel* title_;
    FittingLabel* caption_;
};

}  // namespace palimpsest
