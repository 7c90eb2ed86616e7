// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QPointer>
#include <QWidget>
#include <functional>
#include <optional>

#include "engine/config/option_table.h"

class QHBoxLayout;
class QLabel;

namespace palimpsest {

class ExperimentDraft;
class RefusalTip;

/// The control of one option, made from its row of the table and kept equal to the draft both ways. Named
/// "optionEditor.KEY"; the control inside is "optionEditor.KEY.value". A draft that has a name puts it in front:
/// "laneB.optionEditor.KEY". A row makes its content when it is first needed: a form has far more rows than are seen,
/// and each would cost time when the window opens and whenever its appearance changes.
class OptionEditor : public QWidget {
    Q_OBJECT
public:
    enum class Layout {
        Row,      ///< title at the left, control at the right
        Slider,   ///< title and value above a slider
        Heading,  ///< the control alone, large
        Seed,     ///< the control alone, small and quiet, with its title as prefix
    };
    /// `key` must be in the draft's table.
    OptionEditor(ExperimentDraft* draft, const QString& key, Layout layout, QWidget* parent = nullptr);

    /// The editor of a part of a text option that stands in the table, as a setting of a program in the text of all of
    /// them: the part's own get and assign read and write that text, and assign may throw. Its key begins with that of
    /// the `whole`.
    OptionEditor(ExperimentDraft* draft, const Option& part, const QString& whole, Layout layout,
                 QWidget* parent = nullptr);

    QString key() const { return key_; }
    /// Key of the option in the table that a change is written into.
    const QString& storedIn() const { return stored_in_; }
    bool isPart() const { return own_.has_value(); }
    const Option& option() const { return *option_; }
    /// Makes the row's content, where there is none yet.
    QWidget* control();
    void make();
    bool made() const { return control_; }
    /// Choices of the user go to `commit` instead of the draft, which the control then shows again.
    void setCommit(std::function<void(const OptionValue&)> commit) { commit_ = std::move(commit); }
    /// Puts a small widget at the right of the control; Layout::Row only.
    void addBeside(QWidget* widget);
    /// A quiet line under the control; empty removes it.
    void setNote(const QString& note);
    /// A remark on the chosen value, under the control; empty removes it.
    void setAdvice(const QString& advice);
    /// A quiet line under the control that says what the chosen value does, as long as nothing else stands there.
    void setExplanation(const QString& explanation);
    /// A bar at the left and a tint, for a value that stands out; not valid removes them.
    void setMark(const QColor& colour);
    /// A sentence: the option changes nothing as the others are, so it is out of reach, and its tooltip, and
    /// with Layout::Row a quiet line where it is `noted`, says why. Empty: within reach again.
    void setIdle(const QString& why, bool noted = true);
    /// The value that holds while the option is idle, shown instead of the draft's value until it is within reach
    /// again; nothing: the draft's value. Without effect on an option within reach.
    void setInForce(const std::optional<OptionValue>& value);

protected:
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void listen();
    bool commitPart(const OptionValue& value, int gesture);
    void makeRow(QWidget* title);
    void describe(QWidget* widget, const QString& suffix) const;
    bool commit(const OptionValue& value, int gesture = 0);
    void refresh();
    void showValue();
    void showNotes();
    /// Shows beside the control why a value was refused; empty: hides that.
    void showRefusal(const QString& refusal);
    void onRefusalTimedOut();

    ExperimentDraft* draft_;
    std::optional<Option> own_;  ///< of a part, which no table has
    QString key_, stored_in_, name_;
    const Option* option_;
    const Layout layout_;
    QWidget* control_ = nullptr;
    QWidget* slider_ = nullptr;
    QHBoxLayout* row_ = nullptr;
    QLabel* note_line_ = nullptr;
    QList<QWidget*> beside_;        ///< until the row is made
    QPointer<RefusalTip> refusal_;  ///< the window's; once it was needed
    QString note_, advice_, explanation_, idle_;
    QColor mark_;
    bool idle_noted_ = false;
    std::optional<OptionValue> in_force_;
    std::function<void(const OptionValue&)> show_, show_slider_, commit_;
};

}  // namespace palimpsest
