// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QStringList>
#include <QWidget>
#include <functional>
#include <memory>

#include "ui/plots/grid_content.h"

class QActionGroup;
class QMenu;
class QStackedWidget;
class QToolButton;

namespace palimpsest {

class AccuracyPlot;
class DatasetService;
class FigurePair;
class MomentSentence;
struct FigureState;
class PlotView;
class RetentionPlot;
class TabRow;
class TimeLine;

/// The figures of the window, page by page: accuracy and retention, classes, sessions, confusion, loss, prompts,
/// memory, pushes, features. They share one moment and one way to draw.
class CurvesView : public QWidget {
    Q_OBJECT
public:
    enum Page { kAccuracy, kClasses, kSessions, kConfusion, kLoss, kPrompts, kMemory, kPushes, kFeatures, kPages };

    /// The two plots are shown on the first page. Without a service the confusion matrix has no images behind it.
    CurvesView(FigureState& state, std::shared_ptr<const DatasetService> service, AccuracyPlot* accuracy,
               RetentionPlot* retention, QWidget* parent = nullptr);
    ~CurvesView() override;

    Page page() const;
    void showPage(Page page);
    /// Pages with their keys, and how curves are drawn; for the window's menu.
    QMenu* menu() const { return menu_; }
    /// Figures and time line alone, without tabs, buttons and sentence.
    void setBare(bool bare);
    /// The box of values at the moment that is pointed at or chosen; its line is always there.
    void showValues(bool shown);
    /// Whether a figure of the page that is shown has such a box.
    bool hasValues() const;
    /// Of the two plots of the first page one stands there alone; null: as the room says.
    void keepAlone(PlotView* plot);
    AccuracyPlot* accuracy() const { return accuracy_; }
    RetentionPlot* retention() const { return retention_; }
    /// The one that stands alone on the first page, for want of room or kept there; null: both are seen.
    const PlotView* alone() const;
    /// The part that shows the page, without tabs, sentence and time line.
    QWidget* figures() const;
    /// Pixels from its lower edge up to the axes of the lowest plot that is seen; 0: there is none.
    int axesFoot() const;
    /// Under the pages.
    TimeLine* timeLine() const { return time_line_; }
    /// The publication of the page beyond what reports draw; null: publishedAs() names the report's.
    std::function<report::Publication()> source() const;
    /// The report's figure of the page, of two the one that had the keyboard last or stands alone.
    QString publishedAs() const;
    /// The page shows the selected run alone.
    bool showsOneRun() const;
    /// Pixels that the view needs for a figure of so many, with its axes, alone on the page.
    int heightFor(int figure) const;
    /// Share of the window's height that a figure has under large text, too.
    static constexpr double kFigureShare = 0.41;

Q_SIGNALS:
    void pageShown(int page);
    /// See ConfusionView::pinAsked().
    void pinAsked(qint64 image);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Under the keyboard comes what the page shows, none of its buttons.
    void focusFigure();
    TabRow* makeTabs();
    using Source = std::function<report::Publication()>;
    /// `sign`: the icon that stands for its name where there is no room. `published`: see publishedAs().
    void addPage(Page page, const char* sign, QWidget* widget, const char* published, const QString& name,
                 const QString& tip);
    void wantHistories();
    /// The sentence stays where there is room for it.
    void fitSentence();
    /// The time line below the images of the figure that is seen.
    void alignTimeLine();

    FigureState& state_;
    QMenu* menu_;
    QActionGroup* page_actions_;
    QStackedWidget* pages_;
    TabRow* tabs_;
    MomentSentence* sentence_;  ///< between the pages and the time line
    TimeLine* time_line_;
    QToolButton* options_button_;
    QStringList published_;                        ///< names of the reports' figures, by page
    QHash<int, std::function<Source()>> sources_;  ///< of the pages that have one
    AccuracyPlot* accuracy_;
    RetentionPlot* retention_;
    FigurePair* pair_;  ///< of these two
    bool bare_ = false;
    int aligned_at_ = 0;  ///< width for which the time line was aligned
    PlotView* focused_;   ///< of the first page
};

}  // namespace palimpsest
