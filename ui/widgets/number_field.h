// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <functional>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Base of the fields of whole and of other numbers: typed text stays visible, text that is no number in
/// range is marked and reported, and the former number comes back when it is left; none ever turns into another by
/// itself.
class NumberEntry {
    Q_DECLARE_TR_FUNCTIONS(NumberEntry)
public:
    NumberEntry(QAbstractSpinBox* box, const Option& option, std::function<QString(double)> text);

    /// The text without prefix and suffix.
    QString core(const QString& text) const;
    QValidator::State validate(QString& text, int& position) const;
    double value(const QString& text) const;
    /// A sentence with the range, whenever something is refused; empty: nothing is any longer.
    void setRefusalHandler(std::function<void(const QString&)> handler) { on_refusal_ = std::move(handler); }
    /// The field was given another number: what was typed is gone.
    void forget();

private:
    bool fits(const QString& core) const;
    bool breaksAffix(const QString& core) const;
    QString range() const;
    void onEdited(const QString& text);
    void onLeft();
    void mark(bool wrong);

    QAbstractSpinBox* box_;
    const Option option_;
    const bool whole_;
    std::function<QString(double)> text_;
    QString wrong_;  ///< text of the field that does not fit; empty: it fits
    std::function<void(const QString&)> on_refusal_;
};

/// A whole number.
class IntegerField : public QSpinBox {
    Q_OBJECT
public:
    IntegerField(const Option& option, QWidget* parent);
    NumberEntry& entry() { return entry_; }

protected:
    QValidator::State validate(QString& text, int& position) const override { return entry_.validate(text, position); }
    int valueFromText(const QString& text) const override;
    void fixup(QString&) const override {}

private:
    NumberEntry entry_;
};

/// Any other number. Shows 0.005 as 0.005, not 0.005000.
class RealField : public QDoubleSpinBox {
    Q_OBJECT
public:
    RealField(const Option& option, QWidget* parent);
    NumberEntry& entry() { return entry_; }
    QString textFromValue(double value) const override;

protected:
    QValidator::State validate(QString& text, int& position) const override { return entry_.validate(text, position); }
    double valueFromText(const QString& text) const override { return entry_.value(text); }
    void fixup(QString&) const override {}

private:
    NumberEntry entry_;
};

}  // namespace palimpsest
