// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/option_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QStyledItemDelegate>
#include <algorithm>
#include <limits>
#include <memory>

#include "ui/style/text_style.h"
#include "ui/widgets/choice_box.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/number_field.h"

namespace palimpsest {
namespace {

/// A slider covers the usual values; the number beside it reaches the whole range of the option.
constexpr double kSliderPercent = 100;
constexpr double kSliderCount = 20;
constexpr double kWideNumber = 1e12;
constexpr int kNarrowest = 64;

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

OptionControl makeSwitch(const OptionWiring& wiring, QWidget* owner) {
    auto* box = new QCheckBox(owner);
    QObject::connect(box, &QCheckBox::toggled, owner, [commit = wiring.commit](bool on) { commit(on, 0); });
    const auto show = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->setChecked(std::get<bool>(value));
    };
    return {box, show};
}

OptionControl makeChoice(const Option& option, OptionEditor::Layout layout, const OptionWiring& wiring,
                         QWidget* owner) {
    auto* box = new ChoiceBox(owner);
    const bool families = std::any_of(option.choices.begin(), option.choices.end(),
                                      [](const Choice& choice) { return !choice.family.empty(); });
    // The plain delegate honours the style sheet's padding in the list.
    box->setItemDelegate(families ? new FamilyListDelegate(box) : new QStyledItemDelegate(box));
    box->setSizeAdjustPolicy(layout == OptionEditor::Layout::Heading
                                 ? QComboBox::AdjustToContents
                                 : QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(layout == OptionEditor::Layout::Heading ? 0 : 6);
    box->setFocusPolicy(Qt::StrongFocus);
    guardWheel(box);
    if (layout == OptionEditor::Layout::Heading) box->setProperty("headingLook", true);
    std::string family;
    for (const Choice& choice : option.choices) {
        if (choice.family != family) FamilyListDelegate::addFamily(box, QString::fromStdString(family = choice.family));
        box->addItem(QString::fromStdString(choice.title), QString::fromStdString(choice.value));
        box->setItemData(box->count() - 1, tipOf(choice), Qt::ToolTipRole);
    }
    QObject::connect(box, &QComboBox::activated, owner, [commit = wiring.commit, box](int index) {
        commit(box->itemData(index).toString().toStdString(), 0);
    });
    const auto show = [box](const OptionValue& value) {
        const QString word = QString::fromStdString(std::get<std::string>(value));
        // Without a catalogue any word is accepted, so it has to be shown.
        if (box->findData(word) < 0) box->addItem(word, word);
        box->setCurrentIndex(box->findData(word));
    };
    return {box, show};
}

OptionControl makeInteger(const Option& option, OptionEditor::Layout layout, const OptionWiring& wiring,
                          QWidget* owner) {
    auto* box = new IntegerField(option, owner);
    box->entry().setRefusalHandler(wiring.refuse);
    box->setSpecialValueText(QString::fromStdString(option.special));
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setGroupSeparatorShown(layout != OptionEditor::Layout::Seed && option.maximum >= 10000);
    guardWheel(box);
    if (layout == OptionEditor::Layout::Row) {
        box->setSuffix(suffixOf(option));
    } else {
        box->setProperty("flatLook", true);
        box->setAlignment(Qt::AlignRight);
        box->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        if (layout == OptionEditor::Layout::Seed) {
            box->setProperty("seedLook", true);
            box->setPrefix(QString::fromStdString(option.title).toLower() + " ");
            fitToText(box, [box] { box->setFixedWidth(scaled(92)); });
        } else {
            box->setSuffix(suffixOf(option));
            fitToText(box, [box] { box->setFixedWidth(scaled(64)); });
        }
    }
    QObject::connect(box, &QSpinBox::valueChanged, owner,
                     [commit = wiring.commit](int value) { commit(static_cast<std::int64_t>(value), 0); });
    const auto show = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->entry().forget();
        box->setValue(toInt(static_cast<double>(std::get<std::int64_t>(value))));
    };
    return {box, show};
}

OptionControl makeReal(const Option& option, const OptionWiring& wiring, QWidget* owner) {
    auto* box = new RealField(option, owner);
    box->entry().setRefusalHandler(wiring.refuse);
    box->setSpecialValueText(QString::fromStdString(option.special));
    box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setKeyboardTracking(false);
    box->setFocusPolicy(Qt::StrongFocus);
    box->setSuffix(suffixOf(option));
    // Room for the longest number that is allowed would widen the form.
    if (std::max(-option.minimum, option.maximum) > kWideNumber)
        fitToText(box, [box] { box->setMinimumWidth(scaled(kNarrowest)); });
    guardWheel(box);
    QObject::connect(box, &QDoubleSpinBox::valueChanged, owner,
                     [commit = wiring.commit](double value) { commit(value, 0); });
    const auto show = [box](const OptionValue& value) {
        const QSignalBlocker quiet(box);
        box->entry().forget();
        box->setValue(std::get<double>(value));
    };
    return {box, show};
}

OptionControl makeText(const OptionWiring& wiring, QWidget* owner) {
    auto* box = new QLineEdit(owner);
    QObject::connect(box, &QLineEdit::editingFinished, owner,
                     [commit = wiring.commit, box] { commit(box->text().toStdString(), 0); });
    const auto show = [box](const OptionValue& value) {
        const QString text = QString::fromStdString(std::get<std::string>(value));
        if (box->text() == text) return;
        box->setText(text);
        box->setCursorPosition(0);
    };
    return {box, show};
}

}  // namespace

OptionControl makeOptionControl(const Option& option, OptionEditor::Layout layout, const OptionWiring& wiring,
                                QWidget* owner) {
    switch (option.type) {
        case OptionType::Boolean:
            return makeSwitch(wiring, owner);
        case OptionType::Integer:
            return makeInteger(option, layout, wiring, owner);
        case OptionType::Real:
            return makeReal(option, wiring, owner);
        case OptionType::Choice:
            return makeChoice(option, layout, wiring, owner);
        case OptionType::Text:
            break;
    }
    return makeText(wiring, owner);
}

OptionControl makeOptionSlider(const Option& option, const OptionWiring& wiring, const std::function<int()>& newGesture,
                               QWidget* owner) {
    auto* slider = new QSlider(Qt::Horizontal, owner);
    const double usual = option.unit == "%" ? kSliderPercent : kSliderCount;
    slider->setRange(toInt(option.minimum), toInt(std::min(option.maximum, usual)));
    slider->setPageStep(std::max(1, (slider->maximum() - slider->minimum()) / 10));
    slider->setFocusPolicy(Qt::TabFocus);
    guardWheel(slider);
    auto gesture = std::make_shared<int>(0);
    QObject::connect(slider, &QSlider::sliderPressed, owner, [newGesture, gesture] { *gesture = newGesture(); });
    QObject::connect(slider, &QSlider::sliderReleased, owner, [gesture] { *gesture = 0; });
    QObject::connect(slider, &QSlider::valueChanged, owner, [commit = wiring.commit, gesture](int value) {
        commit(static_cast<std::int64_t>(value), *gesture);
    });
    const auto show = [slider](const OptionValue& value) {
        const QSignalBlocker quiet(slider);
        slider->setValue(toInt(static_cast<double>(std::get<std::int64_t>(value))));
    };
    return {slider, show};
}

}  // namespace palimpsest
