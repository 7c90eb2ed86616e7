// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QMap>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "engine/config/option_table.h"
#include "ui/state/engine_text.h"

class QUndoStack;

namespace palimpsest {

/// Names experiments that the user has not named: an edited preset is called so, and an experiment with another method,
/// mask or memory than its preset, or without a preset, is named after them. A name that the user typed stays.
class ExperimentNaming {
    Q_DECLARE_TR_FUNCTIONS(ExperimentNaming)
public:
    /// `presets`: their titles. The table must outlive this.
    explicit ExperimentNaming(const OptionTable* table, QStringList presets = {});

    /// Name of `after`, which was made of `before` by a change of this option.
    std::string nameOf(const Experiment& before, const Experiment& after, const QString& key) const;
    /// The experiment is named after its settings: "ER, batch mask, 500 replayed".
    bool described(const Experiment& experiment) const;

private:
    /// The name was not typed by the user.
    bool isAutomatic(const Experiment& experiment) const;
    QString description(const Experiment& experiment) const;
    QString edited(const QString& preset) const;

    const OptionTable* table_;
    QStringList presets_;
    QString untitled_;  ///< name of an experiment without one
};

/// The experiment that the user edits: every change passes the option table's checks, can be undone and is emitted.
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

    /// Why a field shows a text that it refused, which is not in the experiment; empty: none does.
    QString refusal() const { return refusals_.isEmpty() ? QString() : refusals_.first(); }
    /// What keeps work from beginning with other values than the form shows; `undone`: "Not started".
    std::optional<Failure> notTaken(const QString& undone) const;
    /// Sets that of a field; an empty one: it shows none.
    void setRefusal(const QString& field, const QString& why);

    /// A number for changes that belong together, as while a slider is dragged; they become one undo step.
    int newGesture() { return ++gestures_; }
    /// False, with refused(), when the table does not allow the value. `gesture` 0: a step of its own.
    virtual bool set(const QString& key, const OptionValue& value, int gesture = 0);
    /// Returns the name of the experiment after a change of another option; see ExperimentNaming.
    using Naming = std::function<std::string(const Experiment& before, const Experiment& after, const QString& key)>;
    void setNaming(Naming naming);
    /// Without a naming the name stays.
    std::string nameOf(const Experiment& before, const Experiment& after, const QString& key) const {
        return naming_ ? naming_(before, after, key) : after.name;
    }
    /// `onto` with the changes since the draft was `since`, named as if they had been made there.
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
    /// Changes the experiment without a step of the history. `key`: the option that may have changed; empty: any.
    void show(const Experiment& experiment, const QString& key);

private:
    /// Makes this change with a step of the history.
    void push(Experiment next, const QString& what, const QString& key, int gesture);

    const OptionTable* table_;
    Experiment experiment_;
    QStringList problems_;
    QMap<QString, QString> refusals_;  ///< by field
    QUndoStack* undo_;
    int gestures_ = 0;
    Naming naming_;
};

/// The file the experiment was read from or written to, and its content. Changes of the view do not count, and an
/// undone change is none.
class SavedExperiment : public QObject {
    Q_OBJECT
public:
    explicit SavedExperiment(const ExperimentDraft* draft, QObject* parent = nullptr);

    /// Empty: the experiment is of no file, as a preset.
    const QString& file() const { return file_; }
    const std::string& text() const { return text_; }
    /// The experiment differs from its file. Never of one without a file.
    bool modified() const;
    void keep(const QString& file, const Experiment& experiment);
    /// Restores what keep() noted in an earlier session; `text` is TOML.
    void recall(const QString& file, const QString& text);

Q_SIGNALS:
    void changed();

private:
    const ExperimentDraft* draft_;
    QString file_;
    std::string text_;
};

}  // namespace palimpsest
