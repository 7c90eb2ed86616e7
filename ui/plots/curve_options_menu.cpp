// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/curve_options_menu.h"

#include <QAction>
#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>
#include <functional>

#include "ui/state/curve_options.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

struct CurveMenuText {
    Q_DECLARE_TR_FUNCTIONS(CurveMenuText)
};

using Values = CurveOptions::Values;

/// `group`: of choices of which one holds; null: it stands alone.
void addChoice(CurveOptions* options, QMenu* menu, QActionGroup* group, const QString& name, const QString& text,
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
}

void addSwitch(CurveOptions* options, QMenu* menu, const QString& name, const QString& text, bool Values::*value) {
    addChoice(
        options, menu, nullptr, name, text, [value](const Values& values) { return values.*value; },
        [value](Values& values) { values.*value = !(values.*value); });
}

}  // namespace

QMenu* addCurveOptions(QMenu* menu, CurveOptions* options, QWidget* parent) {
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

    QMenu* bands = menu->addMenu(icon("group"), CurveMenuText::tr("S&eeds"));
    auto* widths = new QActionGroup(parent);
    const QList<std::pair<CurveOptions::Band, QString>> choices{
        {CurveOptions::Band::None, CurveMenuText::tr("&Each for itself")},
        {CurveOptions::Band::Deviation, CurveMenuText::tr("Mean ± standard &deviation")},
        {CurveOptions::Band::Error, CurveMenuText::tr("Mean ± standard e&rror")}};
    for (const auto& [band, text] : choices)
        addChoice(
            options, bands, widths, QStringLiteral("curvesBand%1").arg(static_cast<int>(band)), text,
            [band = band](const Values& values) { return values.band == band; },
            [band = band](Values& values) { values.band = band; });

    auto* drawing = new QMenu(parent);
    drawing->setObjectName("curvesDrawingMenu");
    const QList<QAction*> all = menu->actions();
    for (qsizetype i = all.indexOf(first) + 1; i < all.size(); ++i) drawing->addAction(all[i]);
    return drawing;
}

}  // namespace palimpsest
