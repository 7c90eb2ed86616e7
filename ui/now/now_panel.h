// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>
#include <array>
#include <optional>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"
#include "ui/state/throttle.h"

class QLabel;

namespace palimpsest {

class BatchThumbnails;
class FittingLabel;
class MaskChips;
class MemoryStrip;
class Panel;
class PromptBars;
class PushBars;
class Sparkline;
class TermLabel;
struct NowMoment;

/// Whose batches Now shows, where that does not go without saying: one of two lanes, or another run than the
/// selected one. Hidden otherwise.
class NowName : public QWidget {
    Q_OBJECT
public:
    explicit NowName(QWidget* parent = nullptr);

    /// Number of the lane from 0, and its name. −1: there is one run alone. `look`: of the lane's run (ShownRun).
    void setLane(int lane, const QString& label, int look = 0);
    /// Name of the run; empty: it is the selected run, or there is none. Lanes are named anyway.
    void setRun(const QString& name);
    /// "Lane A · Batch mask", "Of “Batch mask”"; empty: nothing is said.
    const QString& text() const { return text_; }
    /// Accessible name of Now.
    QString spokenName() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    QLabel* icon_;
    FittingLabel* heading_;
    int lane_ = -1, look_ = 0;
    QString label_, run_, text_;
};

/// View of what the network learns at this moment: the batch, the classes its mask lets through, the prompts it
/// selects, what its memory keeps, the loss. A moment that has passed may stand in its place for a while; news that
/// comes meanwhile waits.
class NowPanel : public QWidget {
    Q_OBJECT
public:
    explicit NowPanel(QWidget* parent = nullptr);

    void setRun(const RunStarted& started);
    /// Batches, updates and the memory may come at any rate; what is shown changes at most ten times a second.
    void setBatch(const BatchLearned& batch);
    void addUpdates(const QVector<UpdateDone>& updates);
    void setMemory(const MemoryHeld& held);
    void clear();
    /// Shows a moment in place of live learning, until showLive().
    void showMoment(const NowMoment& moment);
    void showLive();
    bool showsMoment() const { return past_; }
    /// Id of the run that began here last; empty: none.
    const QString& run() const { return run_; }
    /// Its name.
    const QString& runName() const { return run_name_; }
    /// Name of the run while another one is selected; else empty.
    void nameRun(const QString& name);
    /// One of two lanes, from 0, and what it is called: the panel then shares the room with another one, and what needs
    /// much of it goes first. −1: the only one. `look`: of its run (ShownRun).
    void setLane(int lane, const QString& label, int look = 0);

    Panel* panel() const { return panel_; }
    BatchThumbnails* thumbnails() const { return thumbnails_; }
    MaskChips* chips() const { return chips_; }
    PushBars* pushes() const { return pushes_; }
    PromptBars* prompts() const { return prompts_; }
    Sparkline* loss() const { return loss_; }
    /// Seen in runs that have a memory alone, and only where the panel is high enough for it beside the rest.
    MemoryStrip* memory() const { return memory_; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showNews();
    void showBatch(const BatchLearned& batch);
    void showPrompts(bool shown);
    void namePushes();
    void showPushes(const ClassNames& classes, const std::vector<ClassPush>& pushes);
    void showParts(bool past);
    /// Sets the accessible texts; nothing is learned, or something is.
    void describeIdle();
    void describe(const QString& text);
    void showMemory(const MemoryHeld& held);
    /// The parts of a run, empty yet.
    void prepare(const ClassNames& words, std::int64_t memorySize);
    /// Shows the parts that there is room for.
    void fit();

    Panel* panel_;
    BatchThumbnails* thumbnails_;
    TermLabel* chips_title_;
    MaskChips* chips_;
    QLabel* chips_legend_;  ///< seen while there is something to explain
    TermLabel* pushes_title_;
    PushBars* pushes_;
    QLabel* pushes_words_;  ///< what they say
    TermLabel* prompts_title_;
    PromptBars* prompts_;
    MemoryStrip* memory_;
    Sparkline* loss_;
    QLabel* batch_label_;   ///< of a moment that has passed: which batch it was, or why there are no images
    Sparkline* past_loss_;  ///< likewise
    NowName* name_;
    QString run_, run_name_;
    ClassNames classes_;
    std::int64_t memory_size_ = 0;
    std::optional<BatchLearned> batch_;  ///< not shown yet
    std::optional<MemoryHeld> held_;     ///< likewise
    std::vector<double> losses_;         ///< likewise
    std::optional<BatchLearned> shown_;  ///< the newest that was shown
    std::optional<MemoryHeld> shown_held_;
    ClassNames past_classes_;  ///< of that moment
    bool past_ = false;        ///< a moment that has passed is shown
    bool idle_ = false;        ///< nothing was learned yet
    Throttle throttle_;
    bool has_memory_ = false;
    bool has_prompts_ = true;
    bool has_pushes_ = false;
    std::size_t pushes_shown_ = 0, pushes_known_ = 0;  ///< classes
    int lane_ = -1;
    std::int64_t batches_ = 0;  ///< of the whole stream
};

/// View of what is being learned at this moment: of one run, or of two lanes, the first above the second.
class NowPair : public QWidget {
    Q_OBJECT
public:
    explicit NowPair(QWidget* parent = nullptr);

    NowPanel* panel(std::size_t lane) const { return panels_[lane]; }
    bool paired() const { return !panels_[1]->isHidden(); }
    /// Names of the lanes, and the looks of their runs (ShownRun); empty: there is one run alone.
    void setLanes(const QStringList& labels, const std::array<int, 2>& looks = {});

Q_SIGNALS:
    void pairedChanged();

private:
    std::array<NowPanel*, 2> panels_;
};

}  // namespace palimpsest
