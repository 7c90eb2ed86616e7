// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/option_form.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <string>
#include <tuple>

#include "engine/config/experiment_differences.h"
#include "ui/experiment/option_editor.h"
#include "ui/state/engine_text.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kHeadingHeight = 24;

QString sectionTitle(const std::string& section) {
    if (section.empty()) return OptionForm::tr("RUN");
    return QString::fromStdString(section).replace('_', ' ').toUpper();
}

/// Keys whose editors come first, in this order.
const QStringList& leadingKeys() {
    static const QStringList keys{"method.name", "mask.name", "memory.size", "training.updates_per_batch"};
    return keys;
}

/// True for options of the section Run: how much is learned and measured, not how.
bool isOfRun(const Option& option) {
    const std::string section = option.section();
    return section.empty() || section == "stream" || section == "training" || section == "evaluation";
}

/// The choice that an option has as its value; null: the option has no such choice.
const Choice* chosen(const Option& option, const Experiment& experiment) {
    const auto found = std::ranges::find(option.choices, toText(option.get(experiment)), &Choice::value);
    return found == option.choices.end() ? nullptr : &*found;
}

}  // namespace

OptionForm::OptionForm(ExperimentDraft* draft, const QStringList& elsewhere, Kind kind, QWidget* parent)
    : QWidget(parent), draft_(draft), disclosure_(new QPushButton), expert_(new QWidget) {
    setObjectName("optionForm");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* expert = new QVBoxLayout(expert_);
    expert->setContentsMargins(0, 0, 0, 0);
    expert->setSpacing(8);

    if (kind == Kind::Experiment) {
        method_ = new Fold(QStringLiteral("methodSection"), tr("Method and mask"));
        run_ = new Fold(QStringLiteral("runSection"), tr("Run"));
        column->addWidget(method_);
        column->addWidget(run_);
    }
    const auto place = [&](const Option& option) {
        QVBoxLayout* where = !method_ ? column : isOfRun(option) ? run_->body() : method_->body();
        where->addWidget(makeEditor(option));
    };
    const QStringList first = kind == Kind::Experiment ? leadingKeys() : QStringList();
    for (const QString& key : first)
        if (const Option* option = draft->table().find(key.toStdString())) place(*option);
    QString section;
    for (const Option& option : draft->table().options()) {
        const QString key = QString::fromStdString(option.key);
        if (elsewhere.contains(key) || first.contains(key)) continue;
        if (option.level == OptionLevel::Basic) {
            place(option);
            continue;
        }
        const QString title = sectionTitle(option.section());
        if (title != section) {
            auto* heading = makeLabel(title, text_size::kCaption, QFont::DemiBold, true);
            // The heading is nearer to its rows than to those above it; a label's margins are the style sheet's.
            heading->setAlignment(Qt::AlignLeft | Qt::AlignBottom);
            if (!section.isEmpty())
                fitToText(heading, [heading] { heading->setMinimumHeight(scaled(kHeadingHeight)); });
            expert->addWidget(heading);
            section = title;
            headings_.push_back({heading, {}});
        }
        OptionEditor* editor = makeEditor(option);
        headings_.back().second.append(editor);
        expert->addWidget(editor);
    }

    disclosure_->setObjectName("moreSettings");
    disclosure_->setAccessibleName(tr("More settings"));
    disclosure_->setToolTip(tr("Settings for experts: network, prompts, optimiser, evaluation"));
    disclosure_->setProperty("link", true);
    disclosure_->setCheckable(true);
    const auto discloses = [this](bool on) {
        disclosure_->setText(on ? tr("Fewer settings") : tr("More settings"));
        withIcon(disclosure_, on ? "chevron-down" : "chevron-right", &Theme::quiet);
    };
    connect(disclosure_, &QPushButton::toggled, this, [this, discloses](bool on) {
        discloses(on);
        if (on) refresh();
        expert_->setVisible(on);
        Q_EMIT expertToggled(on);
    });
    discloses(false);
    if (section.isEmpty()) disclosure_->hide();
    expert_->hide();
    column->addWidget(disclosure_, 0, Qt::AlignLeft);
    column->addWidget(expert_);

    connect(draft, &ExperimentDraft::changed, this, &OptionForm::refresh);
    refresh();
}

void OptionForm::refresh() {
    markIdle(editors_, *draft_);
    const Experiment& experiment = draft_->experiment();
    const OptionTable& table = draft_->table();
    const auto lacks = [&](const OptionEditor* editor) {
        const Option& option = editor->option();
        const bool of_data =
            option.key == "stream.classes" || option.key == "stream.first_class" || option.key == "stream.test_crop";
        return hidden_.contains(editor->key()) || !option.isReadBy(experiment.method.name) ||
               (of_data && !table.idleReason(experiment, option).empty());
    };
    bool more = false;
    for (OptionEditor* editor : editors_) {
        const bool there = !lacks(editor);
        // Made before it is shown, so that the form knows its size.
        if (there && !editor->made() && (editor->parentWidget() != expert_ || disclosure_->isChecked())) {
            editor->make();
            more = true;
        }
        editor->setVisible(there);
    }
    if (more) orderTabs();
    for (const auto& [heading, editors] : headings_)
        heading->setVisible(!std::all_of(editors.begin(), editors.end(), lacks));
    if (OptionEditor* method = editorOf(QStringLiteral("method.name"))) {
        QStringList notes;
        for (const std::string& note : table.methodNotes(experiment)) notes.append(withOptionTitles(note));
        method->setAdvice(notes.join('\n'));
    }
    if (OptionEditor* mask = editorOf(QStringLiteral("mask.name"))) {
        const Choice* choice = chosen(mask->option(), experiment);
        mask->setExplanation(choice ? QString::fromStdString(choice->help) : QString());
    }
    if (method_) summarise();
}

/// Updates the summaries of both sections: method and mask by name, batch and updates as numbers.
void OptionForm::summarise() {
    const Experiment& experiment = draft_->experiment();
    const auto value = [&](const char* key) {
        const Option& option = *draft_->table().find(key);
        const Choice* choice = chosen(option, experiment);
        return QString::fromStdString(choice && !choice->title.empty() ? choice->title
                                                                       : valueText(option, option.get(experiment)));
    };
    const auto titled = [&](const char* key) {
        return QString("%1 %2").arg(QString::fromStdString(draft_->table().find(key)->title), value(key));
    };
    const QString method = value("method.name");
    method_->setSummary({method + " · " + value("mask.name"), method});
    const QString batch = titled("training.batch_size");
    run_->setSummary({batch + " · " + titled("training.updates_per_batch"), batch});
}

/// Rows are made in any order; Tab follows their place.
void OptionForm::orderTabs() const {
    QWidget* last = nullptr;
    const auto append = [&last](QWidget* next) {
        if (last) setTabOrder(last, next);
        last = next;
    };
    const auto appendRows = [&](const QWidget* parent) {
        for (const OptionEditor* editor : editors_)
            if (editor->made() && editor->parentWidget() == parent)
                for (QWidget* each : editor->findChildren<QWidget*>())
                    if ((each->focusPolicy() & Qt::TabFocus) && each->window() == window()) append(each);
    };
    appendRows(this);
    for (Fold* fold : {method_, run_}) {
        if (!fold) continue;
        if (fold->window() == window()) append(fold->heading());
        appendRows(fold->body()->parentWidget());
    }
    append(disclosure_);
    appendRows(expert_);
}

OptionEditor* OptionForm::makeEditor(const Option& option) {
    auto* editor = new OptionEditor(draft_, QString::fromStdString(option.key), OptionEditor::Layout::Row);
    editors_.append(editor);
    return editor;
}

void OptionForm::setParts(const QString& whole, const std::vector<Option>& parts) {
    OptionEditor* const text = editorOf(whole);
    if (!text) return;
    auto* column = qobject_cast<QBoxLayout*>(text->parentWidget()->layout());
    for (qsizetype i = editors_.size() - 1; i >= 0; --i) {
        OptionEditor* const old = editors_[i];
        if (!old->isPart() || old->storedIn() != whole) continue;
        editors_.removeAt(i);
        column->removeWidget(old);
        old->hide();
        // It may be the one that has just been changed.
        old->deleteLater();
    }
    qsizetype place = editors_.indexOf(text);
    int row = column->indexOf(text);
    for (const Option& part : parts) {
        auto* editor = new OptionEditor(draft_, part, whole, OptionEditor::Layout::Row);
        editors_.insert(++place, editor);
        column->insertWidget(++row, editor);
    }
    refresh();
    Q_EMIT editorsChanged();
}

void OptionForm::setWholeShown(const QString& whole, bool shown) {
    if (shown != hidden_.contains(whole)) return;
    if (shown)
        hidden_.removeAll(whole);
    else
        hidden_.append(whole);
    refresh();
}

OptionEditor* OptionForm::editorOf(const QString& key) const {
    for (OptionEditor* editor : editors_)
        if (editor->key() == key) return editor;
    return nullptr;
}

bool OptionForm::expertShown() const {
    return disclosure_->isChecked();
}
QWidget* OptionForm::disclosure() const {
    return disclosure_;
}
void OptionForm::setExpertShown(bool shown) {
    disclosure_->setChecked(shown);
}

void OptionForm::reveal(const OptionEditor* editor) {
    if (editor->parentWidget() == expert_) setExpertShown(true);
    Fold::reveal(editor);
}

void markIdle(const QList<OptionEditor*>& editors, const ExperimentDraft& draft) {
    markIdle(editors, draft.table(), draft.experiment());
}

void markIdle(const QList<OptionEditor*>& editors, const OptionTable& table, const Experiment& experiment) {
    // Neighbours often share a reason, which then stands below the first of them.
    std::tuple<OptionLevel, std::string, std::string> before;
    for (OptionEditor* editor : editors) {
        const Option& option = editor->option();
        const std::string reason = table.idleReason(experiment, option);
        const std::tuple now(option.level, option.section(), reason);
        editor->setIdle(withOptionTitles(reason), now != before);
        before = now;
    }
}

namespace {

QString effectNote(OptionEffect effect) {
    return OptionForm::tr("takes effect %1").arg(QLatin1String(toText(effect)));
}

}  // namespace

QString pendingNote(OptionEffect effect) {
    const QString when = effectNote(effect);
    // It takes effect only after the user's command.
    return effect == OptionEffect::NextBatch
               ? KeyNames::instance().filled(OptionForm::tr("%1 after {changeRun}").arg(when))
               : when;
}

void markPending(const QList<OptionEditor*>& editors, const Experiment& draft, const Experiment* running,
                 const Experiment* coming) {
    for (OptionEditor* editor : editors) {
        const Option& option = editor->option();
        QString note;
        if (running && option.get(draft) != option.get(coming ? *coming : *running))
            note = pendingNote(option.effect);
        else if (running && option.get(draft) != option.get(*running))
            note = OptionForm::tr("sent, %1").arg(effectNote(option.effect));
        editor->setNote(note);
    }
}

}  // namespace palimpsest
