// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/option_editor.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <utility>

#include "ui/experiment/option_control.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/style/text_style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/refusal_tip.h"

namespace palimpsest {
namespace {

constexpr int kTitleWidth = 90;
constexpr int kMarkBar = 3, kMarkGap = 8;

/// The draft's name stands in front.
QString editorName(const ExperimentDraft* draft, const QString& key) {
    return (draft->objectName().isEmpty() ? QString() : draft->objectName() + '.') + "optionEditor." + key;
}

}  // namespace

OptionEditor::OptionEditor(ExperimentDraft* draft, const QString& key, Layout layout, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      key_(key),
      stored_in_(key),
      name_(editorName(draft, key)),
      option_(draft->table().find(key.toStdString())),
      layout_(layout) {
    listen();
}

OptionEditor::OptionEditor(ExperimentDraft* draft, const Option& part, const QString& whole, Layout layout,
                           QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      own_(part),
      key_(QString::fromStdString(part.key)),
      stored_in_(whole),
      name_(editorName(draft, key_)),
      option_(&*own_),
      layout_(layout) {
    listen();
}

void OptionEditor::listen() {
    Q_ASSERT(option_);
    setObjectName(name_);
    setAccessibleName(QString::fromStdString(option_->title));
    connect(draft_, &ExperimentDraft::changed, this, [this](const QString& changed) {
        if (changed.isEmpty() || changed == stored_in_) refresh();
    });
    connect(draft_, &ExperimentDraft::refused, this, [this](const QString& refused, const QString& message) {
        if (refused == stored_in_) showRefusal(message);
    });
    // Where the draft goes first, nobody has to be told.
    connect(this, &QObject::destroyed, draft_, [draft = draft_, name = name_] { draft->setRefusal(name, {}); });
    if (layout_ != Layout::Row) make();
}

QWidget* OptionEditor::control() {
    make();
    return control_;
}

void OptionEditor::make() {
    if (control_) return;
    const OptionWiring wiring{[this](const OptionValue& value, int gesture) { commit(value, gesture); },
                              [this](const QString& why) { showRefusal(why); }};
    const OptionControl built = makeOptionControl(*option_, layout_, wiring, this);
    control_ = built.widget;
    show_ = built.show;
    describe(control_, ".value");
    setToolTip(control_->toolTip());
    setFocusProxy(control_);

    note_line_ = makeLabel({}, text_size::kCaption, QFont::Normal, true, this);
    note_line_->setWordWrap(true);
    note_line_->hide();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(mark_.isValid() ? kMarkGap : 0, 0, 0, 0);
    column->setSpacing(2);
    auto* title = new QLabel(QString::fromStdString(option_->title));
    // The title of a part may be somebody else's.
    title->setTextFormat(Qt::PlainText);
    title->setBuddy(control_);
    if (layout_ == Layout::Row) {
        makeRow(title);
    } else if (layout_ == Layout::Slider) {
        auto* row = new QHBoxLayout;
        row->addWidget(title, 1);
        row->addWidget(control_);
        column->addLayout(row);
        column->setSpacing(0);
        const OptionControl slider = makeOptionSlider(
            *option_, wiring, [this] { return draft_->newGesture(); }, this);
        slider_ = slider.widget;
        show_slider_ = slider.show;
        describe(slider_, ".slider");
        column->addWidget(slider_);
        column->addWidget(note_line_);
    } else {
        delete title;
        column->addWidget(control_);
        column->addWidget(note_line_);
    }
    showValue();
    showNotes();
}

void OptionEditor::makeRow(QWidget* title) {
    auto* column = qobject_cast<QVBoxLayout*>(layout());
    qobject_cast<QLabel*>(title)->setWordWrap(true);
    row_ = new QHBoxLayout;
    row_->setSpacing(8);
    row_->addWidget(title);
    row_->addWidget(control_, 1);
    for (QWidget* widget : std::exchange(beside_, {})) addBeside(widget);
    column->addLayout(row_);
    auto* below = new QHBoxLayout;
    auto* indent = new QSpacerItem(0, 0);
    below->addItem(indent);
    below->addWidget(note_line_, 1);
    fitToText(this, [title, indent, below] {
        title->setFixedWidth(scaled(kTitleWidth));
        indent->changeSize(scaled(kTitleWidth) + 8, 0, QSizePolicy::Fixed, QSizePolicy::Minimum);
        below->invalidate();
    });
    column->addLayout(below);
}

void OptionEditor::showEvent(QShowEvent* event) {
    make();
    QWidget::showEvent(event);
}

void OptionEditor::describe(QWidget* widget, const QString& suffix) const {
    widget->setObjectName(name_ + suffix);
    widget->setAccessibleName(QString::fromStdString(option_->title));
    QString tip = "<qt>";
    if (!idle_.isEmpty()) tip += "<b>" + idle_.toHtmlEscaped() + "</b><br>";
    const QString help = withOptionTitles(option_->help);
    tip += help.toHtmlEscaped();
    if (!option_->source.empty())
        tip += "<br><small>" + QString::fromStdString(option_->source).toHtmlEscaped() + "</small>";
    widget->setToolTip(tip + "</qt>");
    QStringList heard{refusal_ && refusal_->isVisible() ? refusal_->text() : QString(), idle_, help};
    heard.removeAll(QString());
    widget->setAccessibleDescription(heard.join(' '));
}

bool OptionEditor::commit(const OptionValue& value, int gesture) {
    showRefusal({});
    bool accepted = true;
    if (commit_)
        commit_(value);
    else if (isPart())
        accepted = commitPart(value, gesture);
    else
        accepted = draft_->set(key_, value, gesture);
    // A refused value stays visible to be corrected; an accepted one is shown as the draft has it.
    if (accepted) refresh();
    return accepted;
}

bool OptionEditor::commitPart(const OptionValue& value, int gesture) {
    Experiment next = draft_->experiment();
    if (const auto failure = failureOf([&] { option_->assign(next, value); })) {
        showRefusal(oneText(*failure));
        return false;
    }
    return draft_->set(stored_in_, draft_->table().find(stored_in_.toStdString())->get(next), gesture);
}

void OptionEditor::refresh() {
    showRefusal({});
    showValue();
    showNotes();
}

void OptionEditor::showValue() {
    if (!control_) return;
    const OptionValue value = in_force_ ? *in_force_ : option_->get(draft_->experiment());
    show_(value);
    if (show_slider_) show_slider_(value);
}

void OptionEditor::showRefusal(const QString& refusal) {
    if (!control_) return;
    draft_->setRefusal(name_, refusal);
    const bool elsewhere = refusal_ && refusal_->parentWidget() != window();  // a dock that floats is another window
    if (elsewhere) delete refusal_;
    if (refusal.isEmpty() && !refusal_) {
        if (elsewhere) describe(control_, ".value");
        return;
    }
    if (!refusal_) {
        refusal_ = new RefusalTip(window());
        connect(refusal_, &RefusalTip::timedOut, this, &OptionEditor::onRefusalTimedOut);
        connect(this, &QObject::destroyed, refusal_, &QObject::deleteLater);
    }
    if (refusal.isEmpty())
        refusal_->clear();
    else
        refusal_->showRefusal(refusal, control_);
    describe(control_, ".value");
}

void OptionEditor::onRefusalTimedOut() {
    // While the user is still typing, the note stays.
    if (control_->property("wrong").toBool() && control_->hasFocus())
        refusal_->showRefusal(refusal_->text(), control_);
    else
        refresh();
}

void OptionEditor::addBeside(QWidget* widget) {
    Q_ASSERT(layout_ == Layout::Row);
    if (!row_) {
        widget->setParent(this);
        beside_.append(widget);
        return;
    }
    row_->addWidget(widget);
}

void OptionEditor::setNote(const QString& note) {
    note_ = note;
    showNotes();
}

void OptionEditor::setAdvice(const QString& advice) {
    if (advice == advice_) return;
    advice_ = advice;
    showNotes();
}

void OptionEditor::setExplanation(const QString& explanation) {
    if (explanation == explanation_) return;
    explanation_ = explanation;
    showNotes();
}

void OptionEditor::setMark(const QColor& colour) {
    if (colour == mark_) return;
    mark_ = colour;
    if (layout()) layout()->setContentsMargins(colour.isValid() ? kMarkGap : 0, 0, 0, 0);
    update();
}

void OptionEditor::paintEvent(QPaintEvent*) {
    if (!mark_.isValid()) return;
    QPainter painter(this);
    QColor ground = mark_;
    ground.setAlphaF(0.12F);
    painter.fillRect(rect(), ground);
    painter.fillRect(0, 0, kMarkBar, height(), mark_);
}

void OptionEditor::setIdle(const QString& why, bool noted) {
    setEnabled(why.isEmpty());
    if (why == idle_ && noted == idle_noted_) return;
    idle_ = why;
    idle_noted_ = noted;
    if (control_) {
        describe(control_, ".value");
        if (slider_) describe(slider_, ".slider");
        setToolTip(control_->toolTip());
    }
    showNotes();
    if (in_force_) setInForce(std::nullopt);
}

void OptionEditor::setInForce(const std::optional<OptionValue>& value) {
    const std::optional<OptionValue> next = idle_.isEmpty() ? std::nullopt : value;
    if (next == in_force_) return;
    in_force_ = next;
    showValue();
}

void OptionEditor::showNotes() {
    if (!control_) return;
    // The reason why a row is disabled stands below it; controls of other layouts stand close together and have it in
    // their tooltips.
    const QString idle = layout_ == Layout::Row && idle_noted_ ? idle_ : QString();
    QStringList lines{idle.isEmpty() ? note_ : idle, advice_};
    lines.removeAll(QString());
    if (lines.isEmpty() && idle_.isEmpty() && !explanation_.isEmpty()) lines.append(explanation_);
    const QString text = lines.join('\n');
    note_line_->setText(text);
    note_line_->setVisible(!text.isEmpty());
}

}  // namespace palimpsest
