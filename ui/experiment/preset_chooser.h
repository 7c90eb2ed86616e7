// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/state/experiment_draft.h"
#include "ui/widgets/choice_box.h"

namespace palimpsest {

class ExperimentDraft;

/// The experiments that come with the program, to choose from; it shows what the draft is called, and lets the draft
/// name itself after the presets.
class PresetChooser : public ChoiceBox {
    Q_OBJECT
public:
    explicit PresetChooser(ExperimentDraft* draft, QWidget* parent = nullptr);

    void setPresets(const std::vector<Preset>& presets);

Q_SIGNALS:
    /// The user chose this one.
    void chosen(const QString& name);

private:
    void showName();

    ExperimentDraft* draft_;
    ExperimentNaming naming_;
};

}  // namespace palimpsest
