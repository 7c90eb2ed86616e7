// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "ui/lessons/lesson_book.h"
#include "ui/style/plain_tip.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kLeastWidth = 240;
constexpr int kBetweenParagraphs = 8;
constexpr double kLessonLine = 118;  // per cent of the font's height
constexpr int kMarkSize = 16;

QString lessonText(const std::string& text) {
    return QString::fromStdString(text);
}

/// Markdown as a label shows it, which by itself leaves no room between paragraphs. Links have the theme's colour.
QString styledMarkdown(const QString& markdown, const QLabel* label) {
    QTextDocument document;
    document.setDefaultFont(label->font());
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectCommonMark) |
                                       QTextDocument::MarkdownNoHTML);
    QTextCursor cursor(&document);
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        QTextBlockFormat format = block.blockFormat();
        format.setTopMargin(0);
        format.setBottomMargin(block.next().isValid() ? scaled(kBetweenParagraphs) : 0);
        format.setLineHeight(kLessonLine, QTextBlockFormat::ProportionalHeight);
        cursor.setBlockFormat(format);
        std::vector<std::pair<int, int>> links;
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isAnchor())
                links.emplace_back(it.fragment().position(), it.fragment().length());
        QTextCharFormat coloured;
        coloured.setForeground(Theme::of(label).accent);
        for (const auto& [from, length] : links) {
            cursor.setPosition(from);
            cursor.setPosition(from + length, QTextCursor::KeepAnchor);
            cursor.mergeCharFormat(coloured);
        }
    }
    return document.toHtml();
}

/// Text of a step; of its links only those to pages of the guide lead anywhere.
QLabel* makeWords(const QString& name, const QString& accessible) {
    auto* label = new QLabel;
    styleLabel(label, text_size::kText, QFont::Normal, false);
    label->setObjectName(name);
    label->setAccessibleName(accessible);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
    label->setOpenExternalLinks(false);
    return label;
}

}  // namespace

LessonPanel::LessonPanel(LessonBook* book, QWidget* parent) : QFrame(parent), book_(book), pages_(new QStackedWidget) {
    setObjectName("lessonPanel");
    setAccessibleName(tr("Lessons"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    pages_->setObjectName("lessonPages");
    pages_->addWidget(makeList());
    pages_->addWidget(makeLesson());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pages_);
    connect(book_, &LessonBook::changed, this, &LessonPanel::refresh);
    connect(book_, &LessonBook::reached, this, [this](const QList<int>& steps) {
        refreshList();
        refreshGoal();
        announce(steps);
    });
    fitToText(this, [this] {
        updateGeometry();
        arrange();
        refreshStep();
    });
    refresh();
}

LessonPanel::~LessonPanel() {
    disconnect(list_, nullptr, this, nullptr);
}

QSize LessonPanel::sizeHint() const {
    return {scaled(kWidth), 400};
}

QSize LessonPanel::minimumSizeHint() const {
    return {scaled(kLeastWidth), QFrame::minimumSizeHint().height()};
}

QWidget* LessonPanel::makeList() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(spacing::kMargin, spacing::kGap, spacing::kMargin, spacing::kGap);
    column->setSpacing(spacing::kRow);
    column->addWidget(makeLabel(tr("Lessons"), text_size::kTitle, QFont::DemiBold, false));
    QLabel* words = makeLabel(tr("Each is a few small experiments. Guess, start, look, change one thing."),
                              text_size::kText, QFont::Normal, true);
    words->setWordWrap(true);
    column->addWidget(words);
    list_ = new QListWidget;
    list_->setObjectName("lessonList");
    list_->setAccessibleName(tr("Lessons"));
    list_->setToolTip(tr("Return opens a lesson; a tick stands before those whose goals were all reached"));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setUniformItemSizes(true);
    column->addWidget(list_, 1);
    about_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    about_->setObjectName("lessonAbout");
    about_->setWordWrap(true);
    column->addWidget(about_);
    auto* row = new QHBoxLayout;
    QPushButton* begin = makeButton("lessonBegin", tr("Begin"), tr("Open the lesson that is chosen in the list"));
    begin->setProperty("primary", true);
    QToolButton* own = makeLink("lessonOpen", tr("Open lesson …"), tr("Open a lesson that you or a teacher wrote"));
    row->addWidget(begin);
    row->addStretch(1);
    row->addWidget(own);
    column->addLayout(row);

    const auto open = [this] {
        if (list_->currentRow() >= 0) book_->open(list_->currentRow());
    };
    connect(begin, &QPushButton::clicked, this, open);
    connect(list_, &QListWidget::itemActivated, this, open);
    connect(list_, &QListWidget::currentRowChanged, this, &LessonPanel::refreshAbout);
    connect(own, &QToolButton::clicked, this, &LessonPanel::openAsked);
    return page;
}

QWidget* LessonPanel::makeLesson() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(spacing::kMargin, spacing::kRow, spacing::kMargin, spacing::kGap);
    column->setSpacing(spacing::kRow);

    auto* top = new QHBoxLayout;
    QToolButton* all = makeLink("lessonAll", tr("All lessons"), tr("Back to the list; this lesson stays where it is"));
    withIcon(all, "chevron-left", &Theme::quiet);
    again_ = makeLink("lessonAgain", tr("Start over"), tr("From the first step, with all goals to be reached anew"));
    top->addWidget(all);
    top->addStretch(1);
    top->addWidget(again_);
    column->addLayout(top);
    title_ = makeLabel({}, text_size::kCaption, QFont::DemiBold, true);
    title_->setObjectName("lessonTitle");
    title_->setWordWrap(true);
    column->addWidget(title_);
    heading_ = makeLabel({}, text_size::kTitle, QFont::DemiBold, false);
    heading_->setObjectName("lessonHeading");
    heading_->setWordWrap(true);
    column->addWidget(heading_);

    auto* body = new QWidget;
    auto* inner = new QVBoxLayout(body);
    inner->setContentsMargins(0, 0, spacing::kRow, 0);
    inner->setSpacing(spacing::kGap);
    text_ = makeWords("lessonText", tr("Text of the step"));
    inner->addWidget(text_);
    set_up_ = makeButton("lessonSetUp", tr("Set up this experiment"),
                         tr("Fill in the form as this step needs it; nothing starts, and Undo brings yours back"));
    show_ = makeButton("lessonShow", tr("Show me"), tr("Frame what this step is about for a moment"));
    does_ = new QBoxLayout(QBoxLayout::LeftToRight);
    does_->setSpacing(spacing::kRow);
    does_->addWidget(set_up_, 0, Qt::AlignLeft);
    does_->addWidget(show_, 0, Qt::AlignLeft);
    does_->addStretch(1);
    inner->addLayout(does_);
    goal_ = new QFrame;
    goal_->setObjectName("lessonGoal");
    auto* words = new QHBoxLayout(goal_);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(spacing::kRow);
    mark_ = new IconLabel;
    mark_->setObjectName("lessonMark");
    fitToText(mark_, [this] { mark_->setFixedSize(scaled(kMarkSize), scaled(kMarkSize)); });
    goal_words_ = makeWords("lessonGoalWords", tr("Goal of the step"));
    words->addWidget(mark_, 0, Qt::AlignTop);
    words->addWidget(goal_words_, 1);
    inner->addWidget(goal_);
    inner->addStretch(1);
    scroll_ = makeScroll("lessonScroll", body);
    column->addWidget(scroll_, 1);

    auto* turn = new QHBoxLayout;
    back_ = makeButton("lessonBack", tr("Back"), tr("To the step before"));
    forward_ = makeButton("lessonForward", tr("Forward"), tr("To the next step, whether the goal is reached or not"));
    place_ = makeLabel({}, text_size::kText, QFont::Normal, true);
    place_->setObjectName("lessonPlace");
    place_->setAlignment(Qt::AlignCenter);
    turn->addWidget(back_);
    turn->addWidget(place_, 1);
    turn->addWidget(forward_);
    column->addLayout(turn);

    connect(all, &QToolButton::clicked, this, [this] { book_->open(-1); });
    connect(again_, &QToolButton::clicked, book_, &LessonBook::forget);
    connect(back_, &QPushButton::clicked, this, [this] { book_->go(book_->step() - 1); });
    connect(forward_, &QPushButton::clicked, this, [this] {
        if (const Lesson* lesson = book_->lesson();
            lesson && book_->step() + 1 == static_cast<int>(lesson->steps.size()))
            book_->open(-1);
        else
            book_->go(book_->step() + 1);
    });
    connect(set_up_, &QPushButton::clicked, this, &LessonPanel::setUpAsked);
    connect(show_, &QPushButton::clicked, this, [this] {
        if (const LessonStep* step = book_->shownStep()) Q_EMIT showAsked(lessonText(step->point));
    });
    for (QLabel* label : {text_, goal_words_}) connect(label, &QLabel::linkActivated, this, &LessonPanel::follow);
    return page;
}

void LessonPanel::refresh() {
    const QWidget* focused = focusWidget();
    const bool within = focused && focused->hasFocus();
    const int page = book_->lesson() ? 1 : 0;
    const bool turned = page != pages_->currentIndex();
    refreshList();
    pages_->setCurrentIndex(page);
    refreshStep();
    // The keyboard goes on where one goes on.
    if (turned && within) (page == 1 ? static_cast<QWidget*>(forward_) : list_)->setFocus(Qt::OtherFocusReason);
}

void LessonPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    arrange();
}

void LessonPanel::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) refreshStep();
}

void LessonPanel::arrange() {
    const int room = width() - 2 * spacing::kMargin - spacing::kRow;
    const bool beside = set_up_->sizeHint().width() + show_->sizeHint().width() + spacing::kRow <= room;
    does_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void LessonPanel::refreshList() {
    const QSignalBlocker quiet(list_);
    const int chosen = std::max({list_->currentRow(), book_->current(), 0});
    list_->clear();
    for (std::size_t i = 0; i < book_->lessons().size(); ++i) {
        const ShelvedLesson& each = book_->lessons()[i];
        const QString title = lessonText(each.lesson->title);
        const bool done = book_->finished(static_cast<int>(i));
        auto* item = new QListWidgetItem(each.own ? title : tr("%1  %2").arg(i + 1).arg(title), list_);
        item->setIcon(done ? icon("done", &Theme::better) : icon("guide", &Theme::quiet));
        item->setData(Qt::AccessibleTextRole, done ? tr("%1, goals reached").arg(title) : title);
        item->setToolTip(plainTip(lessonText(each.lesson->summary)));
    }
    const int row = std::min(chosen, list_->count() - 1);
    list_->setCurrentRow(row);
    refreshAbout();
}

void LessonPanel::refreshAbout() {
    const int row = list_->currentRow();
    if (row < 0 || row >= static_cast<int>(book_->lessons().size())) return about_->clear();
    const Lesson& lesson = *book_->lessons()[static_cast<std::size_t>(row)].lesson;
    about_->setText(tr("%1 About %2 minutes.").arg(lessonText(lesson.summary)).arg(lesson.minutes));
}

void LessonPanel::refreshStep() {
    const LessonStep* step = book_->shownStep();
    if (!step) {
        shown_lesson_ = -1;
        return;
    }
    const Lesson& lesson = *book_->lesson();
    const auto steps = static_cast<int>(lesson.steps.size());
    const bool other = shown_lesson_ != book_->current() || shown_step_ != book_->step();
    shown_lesson_ = book_->current();
    shown_step_ = book_->step();
    title_->setText(lessonText(lesson.title).toUpper());
    heading_->setText(lessonText(step->heading));
    place_->setText(tr("%1 of %2").arg(shown_step_ + 1).arg(steps));
    place_->setAccessibleName(tr("Step %1 of %2").arg(shown_step_ + 1).arg(steps));
    text_->setText(styledMarkdown(lessonText(step->text), text_));
    set_up_->setVisible(step->experiment.has_value());
    show_->setVisible(!step->point.empty());
    back_->setEnabled(shown_step_ > 0);
    const bool last = shown_step_ + 1 == steps;
    forward_->setText(last ? tr("All lessons") : tr("Forward"));
    forward_->setAccessibleName(forward_->text());
    forward_->setToolTip(last ? tr("Back to the list of lessons")
                              : tr("To the next step, whether the goal is reached or not"));
    refreshGoal();
    if (!other) return;
    scroll_->verticalScrollBar()->setValue(0);
    QAccessibleEvent heading(heading_, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&heading);
}

void LessonPanel::refreshGoal() {
    const LessonStep* step = book_->shownStep();
    goal_->setVisible(step && step->goal);
    if (!step || !step->goal) return;
    const bool met = book_->met(book_->current(), book_->step());
    mark_->setIcon(met ? icon("done", &Theme::better) : icon("goal", &Theme::quiet));
    const QString asked = step->hint.empty() ? '`' + lessonText(step->goal->text()) + '`' : lessonText(step->hint);
    goal_words_->setText(styledMarkdown(
        (met ? tr("**Reached**, so go on when you like. The goal was: %1") : tr("**Goal:** %1")).arg(asked),
        goal_words_));
    goal_words_->setAccessibleName(met ? tr("Goal reached") : tr("Goal, not reached yet"));
    goal_words_->setToolTip(plainTip(tr("Checked: %1").arg(lessonText(step->goal->text()))));
}

void LessonPanel::announce(const QList<int>& steps) {
    if (!steps.contains(book_->step())) return;
    QAccessibleEvent alert(goal_words_, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
    Q_EMIT told(goal_words_->accessibleName());
}

void LessonPanel::follow(const QString& link) {
    static const QRegularExpression page(QStringLiteral(R"(^([\w-]+)\.md(?:#([\w-]*))?$)"));
    if (const auto match = page.match(link); match.hasMatch()) Q_EMIT pageAsked(match.captured(1), match.captured(2));
}

}  // namespace palimpsest
