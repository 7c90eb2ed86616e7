// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/run/run_events.h"
#include "ui/state/shown_run.h"

namespace palimpsest {

class RunBridge;

/// The runs that are, or were, shown in the plots, and their points. No widgets. Points are only ever appended; a run
/// begins anew when its id is added again.
class RunSet : public QObject {
    Q_OBJECT
public:
    explicit RunSet(QObject* parent = nullptr);
    ~RunSet() override;

    /// Takes in the events of this bridge's current run from now on, but for its start: onStarted() or
    /// onStartedBeside().
    void listenTo(RunBridge* bridge);

    /// Titles for methods and data sets in labels.
    void setCatalogue(const Catalogue& catalogue);
    const Catalogue& catalogue() const { return table_.catalogue(); }
    const OptionTable& table() const { return table_; }

    /// Adds a run read from its folder, hidden. Events of a live run are never replaced by its half-written record; a
    /// run that another program still writes gets its new points appended.
    void addRecord(const RunRecord& record);
    void remove(const QString& id);
    /// Shows or hides a run for the user: what is shown stays until it is hidden again.
    void setVisible(const QString& id, bool visible);
    /// Shows a run that was shown the last time, or before something else was: many new ones do not hide it, but the
    /// first one on another stream does.
    void showAgain(const QString& id);
    /// Makes it the selected run, which is drawn solid and thick; it becomes visible, chosen by the user. An unknown id
    /// is ignored.
    void select(const QString& id);
    /// The same, but such a run is hidden when many are shown; seeds of one group count as one.
    void showForNow(const QString& id);
    /// Hides what the user has not ticked, but for these runs and those that go on; returns what was hidden.
    QStringList leaveFigures(const QStringList& kept);
    /// Sets the colour of a run's curves; not valid: the usual one.
    void setColour(const QString& id, const QColor& colour);
    /// Keeps the styles that these runs had before, for when they come; by id.
    void keepStyles(const QHash<QString, int>& styles) { styles_.insert(styles); }
    /// Keeps hues of runs, likewise, for when they are next shown.
    void keepHues(const QHash<QString, int>& hues) { kept_hues_.insert(hues); }
    /// Runs that differ in the seed alone have one hue, as where a mean stands for them; else each has its own.
    void setSeedsAlike(bool alike);
    /// Pauses or resumes the runs that were started in this program and have not ended.
    void setPaused(bool paused);

    const ShownRun* find(const QString& id) const { return by_id_.value(id); }
    /// The selected run; null when none is visible.
    const ShownRun* selected() const;
    /// It differs from the selected run in the seed alone.
    bool isSeedOfSelected(const ShownRun& run) const;
    /// The visible run the selected one is compared with: the one that was shown last. Null when there is none.
    const ShownRun* compared() const;
    /// All visible runs but the selected one, that which was shown last first.
    std::vector<const ShownRun*> others() const;
    /// Sets the runs that the user compares all others with, in place of compared(): ids of one run, or of a mean's
    /// seeds. They need be neither visible nor known. Empty: nothing was chosen.
    void setBaseline(const QStringList& runs);
    const QStringList& baseline() const { return baseline_; }
    /// All runs in the order in which they came.
    std::vector<const ShownRun*> runs() const;
    /// The selected run first, then the others in the order in which they came.
    std::vector<const ShownRun*> visibleRuns() const;
    /// Name of a run that distinguishes it from the other visible ones; see runLabels().
    QString label(const QString& id) const;

    /// Caption of a figure of one run, which begins with the run's label: "Batch mask · what is left of sessions".
    QString captionFor(const ShownRun* run, const QString& text) const;

    static QString idOf(const std::string& folder, std::int64_t run);

public Q_SLOTS:
    void onStarted(const palimpsest::RunStarted& event);
    /// The same of a recorded run that is played back beside another one: the selection stays.
    void onStartedBeside(const palimpsest::RunStarted& event);
    void onProgress(const palimpsest::Progress& event);
    void onPlateau(const palimpsest::PlateauFound& event);
    void onEarlyLook(const palimpsest::EarlyLook& event);
    void onEvaluated(const palimpsest::Evaluated& event);
    void onSessionEnded(const palimpsest::SessionEnded& event);
    void onChange(const palimpsest::ChangeMade& event);
    void onEnded(const palimpsest::RunEnded& event);

Q_SIGNALS:
    /// Points, or plateaus of its loss, were appended to a run.
    void changed(const QString& id, palimpsest::CurveKind kind);
    /// A run has learned more images.
    void progressed(const QString& id);
    /// A run began, and these, which are of other streams, left the figures for it.
    void streamLeft(const QStringList& ids);
    /// Runs came or went, or their visibility, selection, labels or live changes changed.
    void runsChanged();

private:
    ShownRun* live(std::int64_t run) const;
    ShownRun& begin(const QString& id, ShownRunFacts facts);
    ShownRun& beginLive(const RunStarted& event);
    int styleFor(const QString& id);
    bool append(ShownRun& run, const RunRecord& record) const;
    bool appendGrowth(ShownRun& run, const RunRecord& record);
    void selectLastShown();
    void show(ShownRun& run);
    void hide(ShownRun& run);
    void makeSelected(ShownRun& run);
    void hideOldStarted();
    /// Hides what the user has not ticked and this is true for; returns their ids.
    QStringList hideUnticked(const std::function<bool(const ShownRun&)>& goes);
    /// A run, or a group of seeds that look alike, keeps its hue while any of it is visible; one that comes gets that
    /// which was kept for it, else a hue that the fewest have.
    void giveHues();
    std::string hueKey(const ShownRun& run) const;
    void relabel();

    OptionTable table_{Catalogue()};
    std::vector<std::unique_ptr<ShownRun>> runs_;
    QHash<QString, ShownRun*> by_id_;
    QHash<qint64, QString> live_ids_;
    QStringList shown_order_;
    QStringList baseline_;
    QString current_;  ///< id of the run in progress in this program
    bool seeds_alike_ = true;
    QHash<QString, int> styles_;                      ///< of all that came, or will come again
    QHash<QString, int> kept_hues_;                   ///< of runs that have not been shown since
    std::map<std::string, int> hues_, visible_hues_;  ///< by hueKey(): the last one it had; that it has now
};

}  // namespace palimpsest
