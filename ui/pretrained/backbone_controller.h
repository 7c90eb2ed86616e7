// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/pretrained/backbone_dialog.h"

namespace palimpsest {

class BackboneDialog;
class ExperimentDraft;
class OptionForm;

/// Backbones in the window: the dialog, the button beside the weights, and their way into the
/// experiment.
class BackboneController : public QObject {
    Q_OBJECT
public:
    /// A null service shows nothing, and no button.
    BackboneController(BackboneReader::Service service, ExperimentDraft* draft, OptionForm* form, QWidget* window);

    bool available() const { return service_ != nullptr; }

public Q_SLOTS:
    void showDialog();

private:
    void addButton(OptionForm* form);
    /// Sets the backbone of the experiment, as one step that can be undone.
    void use(const QString& name, const QString& weights);
    void refreshUse();

    const BackboneReader::Service service_;
    ExperimentDraft* draft_;
    QWidget* window_;
    BackboneDialog* dialog_ = nullptr;
    QString shown_weights_;  ///< of the experiment when the dialog was shown last
};

}  // namespace palimpsest
