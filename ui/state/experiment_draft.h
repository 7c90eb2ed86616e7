// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <string>
#include <utility>

#include "engine/config/option_table.h"

class QUndoStack;

namespace palimpsest {

/// The experiment a person is editing: every change goes through the option table's checks, can be undone and is told
/// to whoever shows it.
class ExperimentDraft : public QObject {
    Q_OBJECT
public:
    explicit ExperimentDraft(const OptionTable* table, QObject* parent = nullptr);
    ~ExperimentDraft() override;

    const OptionTable& table() const { return *table_; }
    const Experiment& experiment() const { return experiment_; }
    QUndoStack* undoStack() const { return undo_; }
    /// Settings that do not fit together, one sentence each; empty: ready to start.
    const QStringList& problems() const { return problems_; }

    /// A number for changes that belong together, as while a slider is dragged; they become one undo step.
    int newGesture() { return ++gestures_; }
    /// False, with refused(), when the table does not allow the value. `gesture` 0: a step of its own.
    virtual bool set(const QString& key, const OptionValue& value, int gesture = 0);
    /// Asked with every change of another option what the experiment is called then; see ExperimentNaming.
    using Naming = std::function<std::string(const Experiment& before, const Experiment& after, const QString& key)>;
    void setNaming(Naming naming);
    /// Without a naming the name stays.
    std::string nameOf(const Experiment& before, const Experiment& after, const QString& key) const {
        return naming_ ? naming_(before, after, key) : after.name;
    }
    /// `onto` with what was changed since the draft was `since`, and named as if that had been changed there.
    Experiment movedOnto(const Experiment& onto, const Experiment& since) const;
    /// Another whole experiment, as one undo step.
    void replace(const Experiment& experiment, const QString& what);
    /// Another whole experiment, with a fresh history.
    void restart(const Experiment& experiment);

Q_SIGNALS:
    /// An empty key means that anything may have changed.
    void changed(const QString& key);
    void problemsChanged();
    void namingChanged();
    void refused(const QString& key, const QString& message);

protected:
    /// Without a step of the history. `key`: what may have changed; empty: anything.
    void show(const Experiment& experiment, const QString& key);

private:
    friend class DraftChange;

    const OptionTable* table_;
    Experiment experiment_;
    QStringList problems_;
    QUndoStack* undo_;
    int gestures_ = 0;
    Naming naming_;
};

}  // namespace palimpsest
