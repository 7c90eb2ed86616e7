// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QString>

class QBoxLayout;
class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QToolButton;

namespace palimpsest {

class IconLabel;
class LessonBook;

/// The lessons beside the figures: their list, or the step of one with its goal. Shows, and asks for what others do.
class LessonPanel : public QFrame {
    Q_OBJECT
public:
    static constexpr int kWidth = 300;  ///< in the normal text size

    /// The book may go before the panel.
    explicit LessonPanel(LessonBook* book, QWidget* parent = nullptr);
    ~LessonPanel() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The experiment of the step that is shown shall be in the form.
    void setUpAsked();
    /// What the step points at shall be shown.
    void showAsked(const QString& point);
    /// A page of the guide that the text links to, and a section of it.
    void pageAsked(const QString& page, const QString& section);
    void openAsked();
    /// Words that screen readers were told.
    void told(const QString& words);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeList();
    QWidget* makeLesson();
    void refresh();
    void refreshList();
    void refreshAbout();
    void arrange();
    void refreshStep();
    void refreshGoal();
    /// A screen reader says it.
    void announce(const QList<int>& steps);
    void follow(const QString& link);

    LessonBook* book_;
    QStackedWidget* pages_;
    QListWidget* list_;
    QLabel* about_;
    QLabel* title_;
    QLabel* place_;
    QLabel* heading_;
    QLabel* text_;
    QScrollArea* scroll_;
    QBoxLayout* does_;
    QPushButton* set_up_;
    QPushButton* show_;
    QFrame* goal_;
    IconLabel* mark_;
    QLabel* goal_words_;
    QPushButton* back_;
    QPushButton* forward_;
    QToolButton* again_;
    int shown_lesson_ = -1, shown_step_ = -1;
};

}  // namespace palimpsest
