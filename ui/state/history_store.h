// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>
#include <QString>
#include <memory>
#include <optional>

#include "engine/record/run_history.h"
#include "ui/state/background.h"

namespace palimpsest {

class RunSet;
class RunBridge;

/// Measurements of runs besides their accuracies: those of the present run from its events, others from their folders,
/// which are read on a thread of their own when a view needs them.
class HistoryStore : public QObject {
    Q_OBJECT
public:
    using History = std::shared_ptr<const RunHistory>;

    explicit HistoryStore(RunSet* store, QObject* parent = nullptr);

    /// Collects the events of the current run of this bridge from now on.
    void listenTo(RunBridge* bridge);

    /// The history of a run; null: not known yet, request it by want().
    History find(const QString& run) const { return histories_.value(run); }
    bool reading(const QString& run) const { return reading_.contains(run); }
    /// Loads the histories of these runs for a view. Others, unless they are in progress, may be dropped.
    void want(const QStringList& runs);
    /// True if the run has a folder, and so a history.
    static bool hasFolder(const QString& run);

    /// Answered by predictionsRead(), also with null and a sentence when there are none.
    void readPredictions(const QString& run, std::int64_t samplesSeen);

Q_SIGNALS:
    /// Something new is known of a run.
    void changed(const QString& run);
    void predictionsRead(const QString& run, qint64 samplesSeen, const palimpsest::TestClasses& predictions,
                         const QString& failure);

private:
    void onStarted(const RunStarted& event);
    void onEvaluated(const Evaluated& event);
    void onEnded(const RunEnded& event);
    void read(const QString& run);
    std::size_t classesOf(const QString& run) const;
    bool isLive(const QString& run) const;

    RunSet* store_;
    QHash<QString, std::shared_ptr<RunHistory>> histories_;
    QSet<QString> reading_;
    struct Live {
        QString run;
        std::optional<MemoryHeld> held;  ///< since its last evaluation
    };
    QHash<qint64, Live> live_;  ///< by the run's number
    Background background_;
};

}  // namespace palimpsest
