// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/option_finder.h"

#include <QLayout>
#include <QScrollArea>
#include <QTimer>

#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/lane_forms.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_dialog.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/experiment_draft.h"

namespace palimpsest {
namespace {

constexpr int kAroundOption = 40;  // pixels seen above and below the field

QString nameOf(const QString& key) {
    return "optionEditor." + key;
}

}  // namespace

OptionFinder::OptionFinder(ExperimentPanel* panel, AdaptationController* adaptation, const ExperimentDraft* draft)
    : panel_(panel), adaptation_(adaptation), draft_(draft) {}

bool OptionFinder::inDialog(const QString& key) const {
    return adaptationKeys(draft_->table()).contains(key);
}

QString OptionFinder::refusal(const QString& key) const {
    const Option* option = draft_->table().find(key.toStdString());
    if (!option) return tr("There is no such setting.");
    if (inDialog(key))
        return adaptation_->available() ? QString()
                                        : tr("It belongs to the initial session, which this program lacks.");
    const std::string& method = draft_->experiment().method.name;
    if (!option->isReadBy(method))
        return tr("The method that is chosen does not read it: %1.").arg(QString::fromStdString(method));
    return QString::fromStdString(draft_->table().idleReason(draft_->experiment(), *option));
}

OptionForm* OptionFinder::shownForm() const {
    const auto* lanes = panel_->findChild<LaneForms*>();
    return lanes ? lanes->shownForm() : panel_->form();
}

bool OptionFinder::hasRow(const QString& key) const {
    return shownForm()->wholeShown(key);
}

void OptionFinder::go(const QString& key) {
    if (inDialog(key)) {
        adaptation_->showDialog();
        const auto* dialog = panel_->window()->findChild<AdaptationDialog*>();
        if (auto* editor = dialog ? dialog->findChild<OptionEditor*>(nameOf(key)) : nullptr) focus(editor);
        return;
    }
    auto* lanes = panel_->findChild<LaneForms*>();
    OptionForm* form = shownForm();
    OptionEditor* editor = form->editorOf(key);
    if (!editor) {
        // Common to both lanes: the form of the first has it, or the stream above it.
        editor = panel_->findChild<OptionEditor*>(nameOf(key));
        if (lanes && panel_->form()->editorOf(key)) lanes->showLane(0);
        form = panel_->form();
    }
    if (!editor) return;
    Q_EMIT panelNeeded();
    form->reveal(editor);
    // Once the column has its new height and has come to rest.
    QTimer::singleShot(0, editor, [this, editor] { focus(editor); });
}

void OptionFinder::focus(OptionEditor* editor) {
    for (QWidget* around = editor->parentWidget(); around; around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) {
            if (scroll->widget() && scroll->widget()->layout()) scroll->widget()->layout()->activate();
            scroll->ensureWidgetVisible(editor, 0, kAroundOption);
        }
    editor->window()->activateWindow();
    editor->control()->setFocus(Qt::ShortcutFocusReason);
}

}  // namespace palimpsest
