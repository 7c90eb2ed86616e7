// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_set.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "ui/state/curve_labels.h"
#include "ui/style/curve_style.h"

namespace palimpsest {
namespace {

/// With more visible runs than these, those that came into the plots by being started or looked at, not by a person's
/// choice, give way.
constexpr qsizetype kMostVisible = 6;

}  // namespace

RunSet::RunSet(QObject* parent) : QObject(parent) {}
RunSet::~RunSet() = default;

void RunSet::setCatalogue(const Catalogue& catalogue) {
    table_ = OptionTable(catalogue);
    relabel();
}

QString RunSet::idOf(const std::string& folder, std::int64_t run) {
    return folder.empty() ? QStringLiteral("run-%1").arg(run)
                          : QDir::cleanPath(QFileInfo(QString::fromStdString(folder)).absoluteFilePath());
}

ShownRun* RunSet::findMutable(const QString& id) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; });
    return it == runs_.end() ? nullptr : it->get();
}

const ShownRun* RunSet::find(const QString& id) const {
    return const_cast<RunSet*>(this)->findMutable(id);
}

ShownRun* RunSet::live(std::int64_t run) {
    const auto it = live_ids_.constFind(run);
    return it == live_ids_.constEnd() ? nullptr : findMutable(*it);
}

ShownRun& RunSet::insert(const QString& id) {
    if (ShownRun* old = findMutable(id)) {
        const bool visible = old->visible, selected = old->selected, chosen = old->chosen;
        const int look = old->look, generation = old->generation + 1;
        const QColor colour = old->colour;
        *old = ShownRun{};
        old->id = id;
        old->visible = visible;
        old->selected = selected;
        old->chosen = chosen;
        old->look = look;
        old->colour = colour;
        old->generation = generation;
        return *old;
    }
    if (!looks_.contains(id)) {
        std::vector<int> taken;
        for (const auto& run : runs_) taken.push_back(run->look);
        looks_[id] = lookFor(QFileInfo(id).fileName(), taken);
    }
    runs_.push_back(std::make_unique<ShownRun>());
    runs_.back()->id = id;
    runs_.back()->look = looks_.value(id);
    return *runs_.back();
}

void RunSet::remove(const QString& id) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; });
    if (it == runs_.end()) return;
    runs_.erase(it);
    shown_order_.removeAll(id);
    selectLastShown();
    relabel();
}

void RunSet::setVisible(const QString& id, bool visible) {
    ShownRun* run = findMutable(id);
    if (!run) return;
    run->chosen = visible;
    if (run->visible == visible) return;
    visible ? show(*run) : hide(*run);
    selectLastShown();
    relabel();
}

void RunSet::select(const QString& id) {
    ShownRun* run = findMutable(id);
    if (!run) return;
    run->chosen = true;
    markSelected(*run);
    relabel();
}

void RunSet::showForNow(const QString& id) {
    ShownRun* run = findMutable(id);
    if (!run || run->selected) return;
    markSelected(*run);
    hideOldStarted();
    relabel();
}

void RunSet::setColour(const QString& id, const QColor& colour) {
    ShownRun* run = findMutable(id);
    if (!run || run->colour == colour) return;
    run->colour = colour;
    Q_EMIT runsChanged();
}

void RunSet::setPaused(bool paused) {
    bool changed = false;
    for (const auto& run : runs_) {
        if (!run->live || run->paused == paused) continue;
        run->paused = paused;
        changed = true;
    }
    if (changed) Q_EMIT runsChanged();
}

void RunSet::show(ShownRun& run) {
    run.visible = true;
    shown_order_.removeAll(run.id);
    shown_order_.push_back(run.id);
}

void RunSet::hide(ShownRun& run) {
    run.visible = run.selected = run.chosen = false;
    shown_order_.removeAll(run.id);
}

void RunSet::markSelected(ShownRun& chosen) {
    for (const auto& run : runs_) run->selected = run.get() == &chosen;
    show(chosen);
}

void RunSet::hideOldStarted() {
    const QStringList order = shown_order_;
    for (const QString& id : order) {
        if (shown_order_.size() <= kMostVisible) return;
        ShownRun& run = *findMutable(id);
        if (!run.chosen && !run.selected && id != current_) hide(run);
    }
}

/// There is a selected run whenever anything is visible: the one shown last.
void RunSet::selectLastShown() {
    if (selected() || shown_order_.isEmpty()) return;
    findMutable(shown_order_.last())->selected = true;
}

const ShownRun* RunSet::selected() const {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->selected; });
    return it == runs_.end() ? nullptr : it->get();
}

const ShownRun* RunSet::compared() const {
    const std::vector<const ShownRun*> list = others();
    return list.empty() ? nullptr : list.front();
}

std::vector<const ShownRun*> RunSet::others() const {
    std::vector<const ShownRun*> list;
    for (auto id = shown_order_.crbegin(); id != shown_order_.crend(); ++id)
        if (const ShownRun* run = find(*id); run && !run->selected) list.push_back(run);
    return list;
}

void RunSet::setBaseline(const QStringList& runs) {
    if (runs == baseline_) return;
    baseline_ = runs;
    Q_EMIT runsChanged();
}

std::vector<const ShownRun*> RunSet::runs() const {
    std::vector<const ShownRun*> list;
    for (const auto& run : runs_) list.push_back(run.get());
    return list;
}

std::vector<const ShownRun*> RunSet::visibleRuns() const {
    std::vector<const ShownRun*> list;
    for (const auto& run : runs_)
        if (run->visible) list.push_back(run.get());
    std::stable_partition(list.begin(), list.end(), [](const ShownRun* run) { return run->selected; });
    return list;
}

QString RunSet::label(const QString& id) const {
    const ShownRun* run = find(id);
    return run ? run->label : QString();
}

QString RunSet::captionFor(const ShownRun* run, const QString& words) const {
    return run ? label(run->id) + QStringLiteral(" · ") + words : words;
}

void RunSet::relabel() {
    const QHash<QString, QString> labels = curveLabels(table_, runs());
    for (const auto& run : runs_) run->label = labels.value(run->id);
    Q_EMIT runsChanged();
}

}  // namespace palimpsest
