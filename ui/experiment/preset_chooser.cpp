// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/preset_chooser.h"

#include <QStyledItemDelegate>

#include "ui/state/experiment_draft.h"

namespace palimpsest {

PresetChooser::PresetChooser(ExperimentDraft* draft, QWidget* parent)
    : ChoiceBox(parent), draft_(draft), naming_(&draft->table()) {
    setObjectName("presetChooser");
    setAccessibleName(tr("Preset"));
    setToolTip(tr("Load one of the experiments that come with the program"));
    setProperty("quietLook", true);
    setItemDelegate(new QStyledItemDelegate(this));
    setFocusPolicy(Qt::TabFocus);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(18);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(this, &QComboBox::activated, this, [this](int index) { Q_EMIT chosen(itemData(index).toString()); });
    connect(draft_, &ExperimentDraft::changed, this, [this](const QString& key) {
        if (key.isEmpty() || key == "name") showName();
    });
}

void PresetChooser::setPresets(const std::vector<Preset>& presets) {
    clear();
    QStringList titles;
    for (const Preset& preset : presets) {
        if (preset.grouped() && count() > 0 && !itemData(count() - 1).toString().contains('/'))
            insertSeparator(count());
        titles.append(QString::fromStdString(preset.title));
        addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.name));
        setItemData(count() - 1, QString::fromStdString(preset.summary), Qt::ToolTipRole);
    }
    naming_ = ExperimentNaming(&draft_->table(), titles);
    draft_->setNaming([naming = naming_](const Experiment& before, const Experiment& after, const QString& key) {
        return naming.nameOf(before, after, key);
    });
    showName();
}

void PresetChooser::showName() {
    const QString name = QString::fromStdString(draft_->experiment().name);
    // The experiment is no preset.
    setPlaceholderText(naming_.described(draft_->experiment()) ? tr("Own: %1").arg(name) : name);
    setCurrentIndex(findText(name));
}

}  // namespace palimpsest
