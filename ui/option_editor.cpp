// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/option_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "ui/experiment_draft.h"
#include "ui/family_list_delegate.h"
#include "ui/number_field.h"
#include "ui/parts.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kTitleWidth = 90;
constexpr int kMarkBar = 3, kMarkGap = 8;
/// A slider covers what people mostly want; the number beside it reaches the whole range of the option.
constexpr double kSliderPercent = 100;
constexpr double kSliderCount = 20;

int toInt(double value) {
    return static_cast<int>(
        std::clamp(value, double(std::numeric_limits<int>::min()), double(std::numeric_limits<int>::max())));
}

QString suffixOf(const Option& option) {
    return option.unit.empty() ? QString() : " " + QString::fromStdString(option.unit);
}

QString tipOf(const Choice& choice) {
    QString tip = QString::fromStdString(choice.help);
    if (choice.stores.empty()) return tip;
    const auto line = [&tip](const QString& text) { tip += "<br>" + text.toHtmlEscaped(); };
    tip = "<qt>" + tip.toHtmlEscaped();
    line(OptionEditor::tr("Stores: %1").arg(QString::fromStdString(choice.stores)));
    line(OptionEditor::tr("Costs: %1").arg(QString::fromStdString(choice.costs)));
    return tip + "<br><small>" + QString::fromStdString(choice.paper).toHtmlEscaped() + "</small></qt>";
}

}  // namespace

OptionEditor::OptionEditor(ExperimentDraft* draft, const QString& key, Look look, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      key_(key),
      name_((draft->objectName().isEmpty() ? QString() : draft->objectName() + '.') + "optionEditor." + key),
      option_(draft->table().find(key.toStdString())),
      look_(look) {
    Q_ASSERT(option_);
    setObjectName(name_);
    setAccessibleName(QString::fromStdString(option_->title));
    connect(draft_, &ExperimentDraft::changed, this, [this](const QString& changed) {
        if (changed.isEmpty() || changed == key_) refresh();
    });
    connect(draft_, &ExperimentDraft::refused, this, [this](const QString& refused, const QString& message) {
        if (refused == key_) tell(message);
    });
    if (look != Look::Row) make();
}

QWidget* OptionEditor::control() {
    make();
    return control_;
}

void OptionEditor::make() {
    if (control_) return;
    control_ = makeControl(look_);
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
    title->setBuddy(control_);
    if (look_ == Look::Row) {
        makeRow(title);
    } else if (look_ == Look::Slider) {
        auto* row = new QHBoxLayout;
        row->addWidget(title, 1);
        row->addWidget(control_);
        column->addLayout(row);
        column->setSpacing(0);
        column->addWidget(makeSlider());
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
    tip += QString::fromStdString(option_->help).toHtmlEscaped();
    if (!option_->source.empty())
        tip += "<br><small>" + QString::fromStdString(option_->source).toHtmlEscaped() + "</small>";
    widget->setToolTip(tip + "</qt>");
    const QString help = QString::fromStdString(option_->help);
    widget->setAccessibleDescription(idle_.isEmpty() ? help : idle_ + ' ' + help);
}

bool OptionEditor::commit(const OptionValue& value, int gesture) {
    refusal_.clear();
    bool accepted = true;
    if (commit_)
        commit_(value);
    else
        accepted = draft_->set(key_, value, gesture);
    // What was refused stays visible to be corrected; what was accepted is shown as the draft has it.
    if (accepted) refresh();
    return accepted;
}

void OptionEditor::refresh() {
    refusal_.clear();
    showValue();
    showNotes();
}

void OptionEditor::showValue() {
    if (!control_) return;
    const OptionValue value = in_force_ ? *in_force_ : option_->get(draft_->experiment());
    show_(value);
    if (show_slider_) show_slider_(value);
}

void OptionEditor::tell(const QString& refusal) {
    refusal_ = refusal;
    showNotes();
}

void OptionEditor::addBeside(QWidget* widget) {
    Q_ASSERT(look_ == Look::Row);
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

void OptionEditor::setIdle(const QString& why, bool told) {
    setEnabled(why.isEmpty());
    if (why == idle_ && told == idle_told_) return;
    idle_ = why;
    idle_told_ = told;
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
    // Why a row is out of reach stands below it; controls of the other looks stand close together and say it in their
    // tooltips.
    const QString idle = look_ == Look::Row && idle_told_ ? idle_ : QString();
    QStringList lines{!refusal_.isEmpty() ? refusal_ : idle.isEmpty() ? note_ : idle, advice_};
    lines.removeAll(QString());
    const QString text = lines.join('\n');
    note_line_->setText(text);
    note_line_->setVisible(!text.isEmpty());
}

QWidget* OptionEditor::makeControl(Look look) {
    switch (option_->type) {
        case OptionType::Boolean:
            return makeSwitch();
        case OptionType::Integer:
            return makeInteger(look);
        case OptionType::Real:
            return makeReal();
        case OptionType::Choice:
            return makeChoice(look);
        case OptionType::Text:
            break;
    }
    return makeText();
}

QWidget* OptionEditor::makeSwitch() {
    auto* box = new QCheckBox(this);
    connect(box, &QCheckBox::toggled, this, [this](bool on) { commit(on); });
    show_ = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->setChecked(std::get<bool>(value));
    };
    return box;
}

QWidget* OptionEditor::makeChoice(Look look) {
    auto* box = new QComboBox(this);
    const bool families = std::any_of(option_->choices.begin(), option_->choices.end(),
                                      [](const Choice& choice) { return !choice.family.empty(); });
    // The plain delegate honours the style sheet's padding in the list.
    box->setItemDelegate(families ? new FamilyListDelegate(box) : new QStyledItemDelegate(box));
    box->setSizeAdjustPolicy(look == Look::Heading ? QComboBox::AdjustToContents
                                                   : QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(look == Look::Heading ? 0 : 6);
    box->setFocusPolicy(Qt::StrongFocus);
    guardWheel(box);
    if (look == Look::Heading) box->setProperty("headingLook", true);
    std::string family;
    for (const Choice& choice : option_->choices) {
        if (choice.family != family) FamilyListDelegate::addFamily(box, QString::fromStdString(family = choice.family));
        box->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.value));
        box->setItemData(box->count() - 1, tipOf(choice), Qt::ToolTipRole);
    }
    connect(box, &QComboBox::activated, this,
            [this, box](int index) { commit(box->itemData(index).toString().toStdString()); });
    show_ = [box](const OptionValue& value) {
        const QString word = QString::fromStdString(std::get<std::string>(value));
        // Without a catalogue any word is taken, so it has to be shown.
        if (box->findData(word) < 0) box->addItem(word, word);
        box->setCurrentIndex(box->findData(word));
    };
    return box;
}

QWidget* OptionEditor::makeInteger(Look look) {
    auto* box = new IntegerField(*option_, this);
    box->entry().setTold([this](const QString& why) { tell(why); });
    box->setSpecialValueText(QString::fromStdString(option_->special));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setGroupSeparatorShown(look != Look::Seed && option_->maximum >= 10000);
    guardWheel(box);
    if (look == Look::Row) {
        box->setSuffix(suffixOf(*option_));
    } else {
        box->setProperty("flatLook", true);
        box->setAlignment(Qt::AlignRight);
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        if (look == Look::Seed) {
            box->setProperty("seedLook", true);
            box->setPrefix(QString::fromStdString(option_->title).toLower() + " ");
            fitToText(box, [box] { box->setFixedWidth(scaled(92)); });
        } else {
            box->setSuffix(suffixOf(*option_));
            fitToText(box, [box] { box->setFixedWidth(scaled(64)); });
        }
    }
    connect(box, &QSpinBox::valueChanged, this, [this](int value) { commit(static_cast<std::int64_t>(value)); });
    show_ = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->entry().forget();
        box->setValue(toInt(static_cast<double>(std::get<std::int64_t>(value))));
    };
    return box;
}

QWidget* OptionEditor::makeReal() {
    auto* box = new RealField(*option_, this);
    box->entry().setTold([this](const QString& why) { tell(why); });
    box->setSpecialValueText(QString::fromStdString(option_->special));
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSuffix(suffixOf(*option_));
    guardWheel(box);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this](double value) { commit(value); });
    show_ = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->entry().forget();
        box->setValue(std::get<double>(value));
    };
    return box;
}

QWidget* OptionEditor::makeText() {
    auto* box = new QLineEdit(this);
    connect(box, &QLineEdit::editingFinished, this, [this, box] { commit(box->text().toStdString()); });
    show_ = [box](const OptionValue& value) {
        const QString text = QString::fromStdString(std::get<std::string>(value));
        if (box->text() == text) return;
        box->setText(text);
        box->setCursorPosition(0);
    };
    return box;
}

QWidget* OptionEditor::makeSlider() {
    auto* slider = slider_ = new QSlider(Qt::Horizontal, this);
    describe(slider, ".slider");
    const double usual = option_->unit == "%" ? kSliderPercent : kSliderCount;
    slider->setRange(toInt(option_->minimum), toInt(std::min(option_->maximum, usual)));
    slider->setPageStep(std::max(1, (slider->maximum() - slider->minimum()) / 10));
    slider->setFocusPolicy(Qt::TabFocus);
    guardWheel(slider);
    auto gesture = std::make_shared<int>(0);
    connect(slider, &QSlider::sliderPressed, this, [this, gesture] { *gesture = draft_->newGesture(); });
    connect(slider, &QSlider::sliderReleased, this, [gesture] { *gesture = 0; });
    connect(slider, &QSlider::valueChanged, this,
            [this, gesture](int value) { commit(static_cast<std::int64_t>(value), *gesture); });
    show_slider_ = [slider](const OptionValue& value) {
        const QSignalBlocker quiet(slider);
        slider->setValue(toInt(static_cast<double>(std::get<std::int64_t>(value))));
    };
    return slider;
}

}  // namespace palimpsest
