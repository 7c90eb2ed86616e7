// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/fetch_source_row.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kSourceMirrorWidth = 300;

struct FetchSourceText {
    Q_DECLARE_TR_FUNCTIONS(FetchSourceText)
};

}  // namespace

FetchSourceRow makeFetchSourceRow(const QString& prefix, const QString& mirrorTip, const QString& offlineTip) {
    auto* mirror = new QLineEdit;
    mirror->setObjectName(prefix + "Mirror");
    mirror->setAccessibleName(FetchSourceText::tr("Mirror"));
    mirror->setPlaceholderText(FetchSourceText::tr("automatic"));
    mirror->setToolTip(mirrorTip);
    fitToText(mirror, [mirror] { mirror->setMaximumWidth(scaled(kSourceMirrorWidth)); });
    auto* offline = new QCheckBox(FetchSourceText::tr("Offline: use only what is here"));
    offline->setObjectName(prefix + "Offline");
    offline->setAccessibleName(offline->text());
    offline->setToolTip(offlineTip);
    QObject::connect(offline, &QCheckBox::toggled, mirror, &QWidget::setDisabled);
    QLabel* title = makeLabel(FetchSourceText::tr("Mirror"), text_size::kText, QFont::Normal, true);
    title->setBuddy(mirror);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(mirror, 1);
    row->addSpacing(spacing::kGap);
    row->addWidget(offline);
    row->addStretch(1);
    return {row, mirror, offline};
}

}  // namespace palimpsest
