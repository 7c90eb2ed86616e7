// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_panel.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/stream/stream_preview.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kPictureHeight = 190;

QString titleOf(const PlannedStream& stream) {
    const QString edited = stream.plan.moved > 0 ? StreamPanel::tr(", edited") : QString();
    return StreamPanel::tr("%1, seed %2%3")
        .arg(QString::fromStdString(stream.experiment.name))
        .arg(stream.experiment.seed)
        .arg(edited);
}

}  // namespace

StreamPanel::StreamPanel(const QString& name, const QString& letter, QWidget* parent)
    : QFrame(parent),
      letter_(letter),
      title_(makeLabel({}, text_size::kText, QFont::DemiBold, false)),
      preview_(new StreamPreview) {
    setProperty("panel", true);
    title_->setObjectName(name + "StreamTitle");
    // Gives way before the dialog would have to grow.
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    preview_->setObjectName(name + "StreamPreview");
    fitToText(preview_, [this] { preview_->setFixedHeight(scaled(kPictureHeight)); });
    auto* inside = new QVBoxLayout(this);
    inside->setContentsMargins(spacing::kGap, 8, spacing::kGap, 8);
    inside->setSpacing(8);
    inside->addWidget(title_);
    inside->addWidget(preview_);
}

void StreamPanel::setStream(const std::shared_ptr<const PlannedStream>& stream) {
    preview_->setStream(stream);
    title_->setText(stream ? tr("%1: %2").arg(letter_, titleOf(*stream)) : letter_);
}

}  // namespace palimpsest
