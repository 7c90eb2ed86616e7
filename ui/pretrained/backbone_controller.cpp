// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_controller.h"

#include <QToolButton>

#include "engine/config/option_table.h"
#include "engine/support/error.h"
#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/backbone_dialog.h"
#include "ui/state/experiment_draft.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

/// Other names are those of the option; the reader finds out if the file exists.
bool isFile(const QString& weights) {
    return !weights.isEmpty() && weights != "embedded" && weights != "random";
}

/// Blocks with prompts that a network of `depth` blocks has not.
std::vector<std::string> lackingBlocks(const ExperimentDraft& draft, std::int64_t depth) {
    const Experiment& experiment = draft.experiment();
    const OptionTable& table = draft.table();
    std::vector<std::string> sentences;
    for (const char* key : {"method.g_blocks", "method.e_blocks"}) {
        const Option& option = *table.find(key);
        if (!option.isReadBy(experiment.method.name)) continue;
        try {
            const std::vector<std::int64_t> blocks = blockList(key, table.text(experiment, option));
            if (blocks.empty() || blocks.back() < depth) continue;
            sentences.push_back(std::string(key) + " names block " + std::to_string(blocks.back()) +
                                ", but this network has only " +
                                (depth == 1 ? "block 0." : "the blocks 0 to " + std::to_string(depth - 1) + "."));
        } catch (const Error&) {
            // The form says what is wrong with the list.
        }
    }
    return sentences;
}

}  // namespace

BackboneController::BackboneController(BackboneReader::Service service, ExperimentDraft* draft, OptionForm* form,
                                       QWidget* window)
    : QObject(window), service_(std::move(service)), draft_(draft), window_(window) {
    if (!available()) return;
    addButton(form);
    connect(draft_, &ExperimentDraft::changed, this, &BackboneController::refreshUse);
}

void BackboneController::addButton(OptionForm* form) {
    OptionEditor* editor = form->editorOf("backbone.weights");
    if (!editor) return;
    auto* button = new QToolButton;
    button->setObjectName("chooseBackbone");
    withIcon(button, "backbone");
    button->setAccessibleName(tr("Choose the weights"));
    button->setToolTip(tr("Choose a file of weights and read what it is, or see where to get one"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &BackboneController::showDialog);
    editor->addBeside(button);
}

void BackboneController::showDialog() {
    if (!available()) return;
    if (!dialog_) {
        dialog_ = new BackboneDialog(service_, window_);
        connect(dialog_, &BackboneDialog::useRequested, this, &BackboneController::use);
        refreshUse();
        dialog_->setLacking([this](std::int64_t depth) { return lackingBlocks(*draft_, depth); });
    }
    // The file that the experiment has; another one that the user examines stays until it changes.
    const QString weights = QString::fromStdString(draft_->experiment().backbone.weights);
    if (weights != shown_weights_ && isFile(weights)) dialog_->openFile(weights);
    shown_weights_ = weights;
    dialog_->showDialog();
}

void BackboneController::use(const QString& name, const QString& weights) {
    const auto failure = failureOf([&] {
        Experiment experiment = draft_->experiment();
        const OptionTable& table = draft_->table();
        // Heads, image size and activation were chosen for the previous network.
        experiment.backbone = table.defaults().backbone;
        table.set(experiment, *table.find("backbone.name"), name.toStdString());
        table.set(experiment, *table.find("backbone.weights"), weights.toStdString());
        draft_->replace(experiment, tr("change of backbone"));
        shown_weights_ = weights;
    });
    if (failure)
        dialog_->showRefusal(*failure);
    else
        dialog_->close();
}

void BackboneController::refreshUse() {
    if (!dialog_) return;
    const BackboneOptions& backbone = draft_->experiment().backbone;
    dialog_->setInUse(QString::fromStdString(backbone.name), QString::fromStdString(backbone.weights));
}

}  // namespace palimpsest
