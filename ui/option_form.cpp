// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/option_form.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/experiment_draft.h"
#include "ui/option_editor.h"

namespace palimpsest {
namespace {

QString sectionTitle(const std::string& section) {
    if (section.empty()) return OptionForm::tr("RUN");
    return QString::fromStdString(section).replace('_', ' ').toUpper();
}

}  // namespace

OptionForm::OptionForm(ExperimentDraft* draft, const QStringList& elsewhere, QWidget* parent)
    : QWidget(parent), disclosure_(new QPushButton), expert_(new QWidget) {
    setObjectName("optionForm");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* expert = new QVBoxLayout(expert_);
    expert->setContentsMargins(0, 0, 0, 0);
    expert->setSpacing(8);

    QString section;
    bool first = true;
    for (const Option& option : draft->table().options()) {
        if (elsewhere.contains(QString::fromStdString(option.key))) continue;
        if (option.level == OptionLevel::Basic) {
            column->addWidget(makeEditor(draft, option));
            continue;
        }
        const QString title = sectionTitle(option.section());
        if (first || title != section) {
            auto* heading = new QLabel(title);
            heading->setProperty("role", "section");
            heading->setContentsMargins(0, first ? 0 : 8, 0, 0);
            expert->addWidget(heading);
            section = title;
            first = false;
        }
        expert->addWidget(makeEditor(draft, option));
    }

    disclosure_->setObjectName("moreSettings");
    disclosure_->setAccessibleName(tr("More settings"));
    disclosure_->setToolTip(tr("Settings for experts: network, prompts, optimiser, evaluation"));
    disclosure_->setProperty("link", true);
    disclosure_->setCheckable(true);
    connect(disclosure_, &QPushButton::toggled, this, [this](bool on) {
        disclosure_->setText(on ? tr("▾  Fewer settings") : tr("▸  More settings"));
        expert_->setVisible(on);
    });
    disclosure_->setText(tr("▸  More settings"));
    expert_->hide();
    column->addWidget(disclosure_, 0, Qt::AlignLeft);
    column->addWidget(expert_);
}

OptionEditor* OptionForm::makeEditor(ExperimentDraft* draft, const Option& option) {
    auto* editor = new OptionEditor(draft, QString::fromStdString(option.key), OptionEditor::Look::Row);
    editors_.append(editor);
    return editor;
}

bool OptionForm::expertShown() const { return disclosure_->isChecked(); }
void OptionForm::setExpertShown(bool shown) { disclosure_->setChecked(shown); }

void markPending(const QList<OptionEditor*>& editors, const Experiment& draft, const Experiment* running) {
    const QString note = OptionForm::tr("takes effect %1").arg(QLatin1String(toText(OptionEffect::NextRun)));
    for (OptionEditor* editor : editors) {
        const Option& option = editor->option();
        editor->setNote(running && option.get(draft) != option.get(*running) ? note : QString());
    }
}

}  // namespace palimpsest
