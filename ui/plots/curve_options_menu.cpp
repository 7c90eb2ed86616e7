// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_options_menu.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <functional>

#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/state/seed_groups.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

struct CurveMenuText {
    Q_DECLARE_TR_FUNCTIONS(CurveMenuText)
};

using Values = CurveOptions::Values;

/// `group`: of choices of which one holds; null: it stands alone.
QAction* addChoice(CurveOptions* options, QMenu* menu, QActionGroup* group, const QString& name, const QString& text,
                   const std::function<bool(const Values&)>& chosen, const std::function<void(Values&)>& choose) {
    QAction* action = menu->addAction(text);
    action->setObjectName(name);
    action->setCheckable(true);
    if (group) group->addAction(action);
    const auto mark = [=] { action->setChecked(chosen(options->values())); };
    QObject::connect(options, &CurveOptions::changed, action, mark);
    QObject::connect(action, &QAction::triggered, options, [=] {
        Values values = options->values();
        choose(values);
        options->set(values);
        mark();
    });
    mark();
    return action;
}

void addSwitch(CurveOptions* options, QMenu* menu, const QString& name, const QString& text, bool Values::*value) {
    addChoice(
        options, menu, nullptr, name, text, [value](const Values& values) { return values.*value; },
        [value](Values& values) { values.*value = !(values.*value); });
}

/// Where the runs in sight share no mean, each is drawn for itself, whatever was chosen: the tick says so, and the
/// choice waits.
void addBands(CurveOptions* options, QMenu* menu, const RunSet* runs, QWidget* parent) {
    using Band = CurveOptions::Band;
    QMenu* bands = menu->addMenu(icon("group"), CurveMenuText::tr("S&eeds"));
    bands->setToolTipsVisible(true);
    auto* widths = new QActionGroup(parent);
    const auto add = [&](Band band, const QString& text) {
        QAction* action = addChoice(
            options, bands, widths, QStringLiteral("curvesBand%1").arg(static_cast<int>(band)), text,
            [band, runs](const Values& values) { return band == (anySeedsShared(*runs) ? values.band : Band::None); },
            [band](Values& values) { values.band = band; });
        action->setData(static_cast<int>(band));
    };
    add(Band::None, CurveMenuText::tr("&Each for itself"));
    add(Band::Deviation, CurveMenuText::tr("Mean ± standard &deviation"));
    add(Band::Error, CurveMenuText::tr("Mean ± standard e&rror"));
    const auto follow = [=] {
        const bool shared = anySeedsShared(*runs);
        const Band drawn = shared ? options->values().band : Band::None;
        const QString why = CurveMenuText::tr(
            "The figures show single seeds: press Group seeds in the list of runs, or show several seeds of one "
            "experiment");
        for (QAction* action : widths->actions()) {
            const auto band = static_cast<Band>(action->data().toInt());
            const bool possible = shared || band == Band::None;
            action->setEnabled(possible);
            action->setToolTip(possible ? QString() : why);
            action->setChecked(band == drawn);
        }
    };
    QObject::connect(runs, &RunSet::runsChanged, widths, follow);
    follow();
}

}  // namespace

QMenu* addCurveOptions(QMenu* menu, CurveOptions* options, const RunSet* runs, QWidget* parent) {
    QAction* first = menu->addSeparator();
    addSwitch(options, menu, "curvesFollow", CurveMenuText::tr("&Follow the newest point"), &Values::follow);
    addSwitch(options, menu, "curvesBySession", CurveMenuText::tr("&Align runs by session"), &Values::by_session);
    addSwitch(options, menu, "curvesLogImages", CurveMenuText::tr("&Logarithmic images seen"), &Values::log_x);
    addSwitch(options, menu, "curvesLogLoss", CurveMenuText::tr("Logarithmic l&oss"), &Values::log_loss);
    addSwitch(options, menu, "curvesWholePercent", CurveMenuText::tr("A&ccuracies up to 100 %"),
              &Values::whole_percent);

    addSwitch(options, menu, "curvesStory", CurveMenuText::tr("Sa&y what happened"), &Values::story);

    QMenu* smoothing = menu->addMenu(icon("smooth"), CurveMenuText::tr("&Smoothing"));
    auto* spans = new QActionGroup(parent);
    for (const int span : kSmoothings)
        addChoice(
            options, smoothing, spans, QStringLiteral("curvesSmoothing%1").arg(span),
            span == 0 ? CurveMenuText::tr("&None") : CurveMenuText::tr("Mean of about %1 points").arg(span),
            [span](const Values& values) { return values.smoothing == span; },
            [span](Values& values) { values.smoothing = span; });

    addBands(options, menu, runs, parent);

    auto* drawing = new QMenu(parent);
    drawing->setObjectName("curvesDrawingMenu");
    const QList<QAction*> all = menu->actions();
    for (qsizetype i = all.indexOf(first) + 1; i < all.size(); ++i) drawing->addAction(all[i]);
    return drawing;
}

}  // namespace palimpsest
