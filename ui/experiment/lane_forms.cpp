// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/lane_forms.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <utility>

#include "ui/experiment/option_editor.h"
#include "ui/experiment/option_form.h"
#include "ui/state/adaptation_options.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_label.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

QStringList sharedKeys(const OptionTable& table) {
    QStringList keys = adaptationKeys(table);
    for (const Option& option : table.options())
        if (const QString key = QString::fromStdString(option.key); LaneDraft::isShared(key)) keys.append(key);
    return keys;
}

}  // namespace

LaneForms::LaneForms(OptionForm* first, LaneDraft* lanes)
    : lanes_(lanes), header_(makeHeader()), difference_(makeTextLabel(text_size::kText, QFont::DemiBold, false)) {
    setObjectName("laneForms");
    forms_[0] = first;
    compare_ = withIcon(makeButton("compareLanesButton", tr("Compare side by side"),
                                   tr("Learn the same stream twice, with one difference, and see both at once")),
                        "lanes");
    // No focus by click: Space keeps meaning pause and resume after one.
    compare_->setFocusPolicy(Qt::TabFocus);
    connect(compare_, &QPushButton::clicked, lanes_, [this] { lanes_->setOn(true); });
    difference_->setObjectName("laneDifference");
    difference_->setAccessibleName(tr("In what the lanes differ"));

    delete first->parentWidget()->layout()->replaceWidget(first, this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(compare_);
    column->addWidget(header_);
    column->addWidget(difference_);
    column->addWidget(first);

    connect(lanes_, &LaneDraft::onChanged, this, &LaneForms::showOn);
    connect(lanes_, &LaneDraft::differencesChanged, this, &LaneForms::refresh);
    connect(first, &OptionForm::editorsChanged, this, &LaneForms::refresh);
    showOn(lanes_->on());
}

QWidget* LaneForms::makeHeader() {
    auto* header = new QWidget;
    auto* column = new QVBoxLayout(header);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* top = new QHBoxLayout;
    top->addWidget(makeLabel(tr("TWO LANES"), text_size::kCaption, QFont::DemiBold, true), 1);
    auto* end = makeLink("endLanesButton", tr("End"), tr("Continue with lane A alone"), text_size::kCaption);
    end->setFocusPolicy(Qt::TabFocus);
    connect(end, &QToolButton::clicked, lanes_, [this] { lanes_->setOn(false); });
    top->addWidget(end);
    column->addLayout(top);
    auto* row = new QHBoxLayout;
    row->setSpacing(4);
    auto* group = new QButtonGroup(header);
    for (std::size_t lane = 0; lane < tabs_.size(); ++lane) {
        auto* tab = tabs_[lane] =
            makeLink(lane == 0 ? "laneTabA" : "laneTabB", RunController::laneName(lane),
                     lane == 0 ? tr("The experiment itself; what changes here changes in lane B as well, but for what "
                                    "lane B has of its own")
                               : tr("The same experiment with what you change here"));
        tab->setProperty("tab", true);
        tab->setCheckable(true);
        tab->setFocusPolicy(Qt::TabFocus);
        tab->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        tab->setIconSize({kLaneIconWidth, kLaneIconHeight});
        tab->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        group->addButton(tab);
        connect(tab, &QToolButton::clicked, this, [this, lane] { showLane(lane); });
        row->addWidget(tab, 1);
    }
    column->addLayout(row);
    return header;
}

void LaneForms::showOn(bool on) {
    if (on && !forms_[1]) {
        forms_[1] = new OptionForm(lanes_, sharedKeys(lanes_->table()), OptionForm::Kind::Experiment);
        forms_[1]->setObjectName("laneBForm");
        // Each lane's sections are folded, and remembered, by themselves.
        for (Fold* fold : forms_[1]->findChildren<Fold*>()) fold->setObjectName("laneB." + fold->objectName());
        layout()->addWidget(forms_[1]);
        // Made last, but placed after its tab in the focus chain.
        QWidget* last = tabs_[1];
        for (QWidget* each : forms_[1]->findChildren<QWidget*>())
            if ((each->focusPolicy() & Qt::TabFocus) && each->window() == window())
                setTabOrder(std::exchange(last, each), each);
        connect(forms_[1], &OptionForm::editorsChanged, this, &LaneForms::refresh);
        Q_EMIT secondFormMade(forms_[1]);
    }
    compare_->setVisible(!on);
    header_->setVisible(on);
    // Lane B is what one begins to change.
    showLane(on ? 1 : 0);
    refresh();
}

void LaneForms::showLane(std::size_t lane) {
    shown_ = lane;
    tabs_[lane]->setChecked(true);
    for (std::size_t i = 0; i < forms_.size(); ++i)
        if (forms_[i]) forms_[i]->setVisible(i == lane);
}

void LaneForms::refresh() {
    const bool on = lanes_->on();
    const QString text = differencesText(lanes_->differences());
    difference_->setVisible(on);
    difference_->setText(text.isEmpty() ? tr("Lane B is a copy of lane A. Change one thing in it, such as its mask.")
                                        : text);
    for (std::size_t lane = 0; lane < tabs_.size(); ++lane) {
        tabs_[lane]->setIcon(laneIcon(this, lane, lane == 0 ? 0 : style_));
        if (forms_[lane]) mark(forms_[lane], lane);
    }
}

void LaneForms::mark(OptionForm* form, std::size_t lane) {
    const QColor colour = laneColour(Theme::of(this), lane);
    for (OptionEditor* editor : form->editors()) {
        const Option& option = editor->option();
        const bool differs = lanes_->on() && (editor->isPart() ? option.get(lanes_->first().experiment()) !=
                                                                     option.get(lanes_->experiment())
                                                               : lanes_->differs(option.key));
        editor->setMark(differs ? colour : QColor());
        // Lane A has notes of its own.
        if (lane == 0) continue;
        QStringList notes;
        if (differs)
            notes << tr("lane A: %1")
                         .arg(QString::fromStdString(valueText(option, option.get(lanes_->first().experiment()))));
        // Lane B accepts no changes on its way.
        if (running_ && option.get(lanes_->experiment()) != option.get(*running_))
            notes << pendingNote(OptionEffect::NextRun);
        editor->setNote(notes.join(QStringLiteral(" · ")));
    }
}

void LaneForms::setRunning(const Experiment* running) {
    if (!running && !running_) return;
    running_ = running ? std::optional(*running) : std::nullopt;
    refresh();
}

void LaneForms::setRunStyle(int style) {
    if (style == style_) return;
    style_ = style;
    refresh();
}

void LaneForms::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && difference_) refresh();
    QWidget::changeEvent(event);
}

}  // namespace palimpsest
