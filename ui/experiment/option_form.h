// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"

class QPushButton;

namespace palimpsest {

class ExperimentDraft;
class Fold;
class OptionEditor;

/// An editor for each option of the table: basic ones at once, expert ones by section behind "More settings". Options
/// that the chosen method or data set lacks are hidden, and notes on the method stand below it.
class OptionForm : public QWidget {
    Q_OBJECT
public:
    /// Plain: in the order of the table. Experiment: basic ones in two sections that fold, method and mask, and run.
    enum class Kind { Plain, Experiment };

    /// `elsewhere`: keys that have their editor in another place.
    explicit OptionForm(ExperimentDraft* draft, const QStringList& elsewhere = {}, Kind kind = Kind::Plain,
                        QWidget* parent = nullptr);

    const QList<OptionEditor*>& editors() const { return editors_; }
    ExperimentDraft* draft() const { return draft_; }
    /// The editor of an option; null: this form has none.
    OptionEditor* editorOf(const QString& key) const;
    /// A row for each of these parts of a text option (see OptionEditor), below the row of that option, instead of any
    /// parts that it had.
    void setParts(const QString& whole, const std::vector<Option>& parts);
    /// Whether the row of the text itself is shown as long as its method is chosen, beside its parts.
    void setWholeShown(const QString& whole, bool shown);
    bool wholeShown(const QString& whole) const { return !hidden_.contains(whole); }
    bool expertShown() const;
    void setExpertShown(bool shown);
    QWidget* disclosure() const;
    /// Unfolds what hides the editor, which must be one of this form's.
    void reveal(const OptionEditor* editor);

Q_SIGNALS:
    void expertToggled(bool shown);
    /// Rows came or went.
    void editorsChanged();

private:
    OptionEditor* makeEditor(const Option& option);
    void refresh();
    void summarise();
    void orderTabs() const;

    ExperimentDraft* draft_;
    Fold* method_ = nullptr;  ///< null in a plain form, as is run_
    Fold* run_ = nullptr;
    QList<OptionEditor*> editors_;
    /// Headings of the experts' options, with the editors that each stands over.
    std::vector<std::pair<QWidget*, QList<OptionEditor*>>> headings_;
    QPushButton* disclosure_;
    QWidget* expert_;
    QStringList hidden_;  ///< keys of text options that are shown by their parts alone
};

/// Puts editors whose options change nothing at the moment out of reach, each with its reason; of neighbours that
/// share one, the first says it in a line.
void markIdle(const QList<OptionEditor*>& editors, const ExperimentDraft& draft);
/// The same where another experiment than the draft counts.
void markIdle(const QList<OptionEditor*>& editors, const OptionTable& table, const Experiment& experiment);

/// "takes effect at the next run"; for an option that a run accepts while it learns, the command that sends it is
/// named.
QString pendingNote(OptionEffect effect);

/// Notes under every editor whose value differs from the running experiment's when it takes effect; nullptr: no run.
/// `coming`: the run's experiment with all changes that were sent to it; nullptr: none were.
void markPending(const QList<OptionEditor*>& editors, const Experiment& draft, const Experiment* running,
                 const Experiment* coming = nullptr);

}  // namespace palimpsest
