// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_legend.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

/// "a3f9·2c71" of the sixteen digits.
QString shortFingerprint(const QString& full) {
    return full.left(4) + "·" + full.mid(4, 4);
}

}  // namespace

LegendSwatch::LegendSwatch(Hue hue, QWidget* parent) : QWidget(parent), hue_(hue) {
    setFixedSize(9, 9);
}

void LegendSwatch::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hue_ == Disjoint ? Theme::of(this).disjoint : Theme::of(this).blurry);
    painter.drawRoundedRect(rect(), 2, 2);
}

StreamLegend::StreamLegend(QWidget* parent)
    : QWidget(parent), fingerprint_(makeLabel({}, text_size::kCaption, QFont::Normal, true)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(5);
    const auto entry = [row](LegendSwatch::Hue hue, const QString& text, const QString& tip) {
        auto* label = makeLabel(text, text_size::kCaption, QFont::Normal, true);
        label->setToolTip(tip);
        row->addWidget(new LegendSwatch(hue));
        row->addWidget(label);
    };
    entry(LegendSwatch::Disjoint, tr("disjoint"), tr("A disjoint class appears in one session only"));
    row->addSpacing(8);
    entry(LegendSwatch::Blurry, tr("blurry"),
          tr("A blurry class is at home in one session and returns, thinly, in all others"));
    row->addStretch(1);
    fitToText(fingerprint_, [this] {
        QFont mono = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        mono.setPixelSize(scaled(text_size::kCaption));
        fingerprint_->setFont(mono);
    });
    fingerprint_->setObjectName("streamFingerprint");
    fingerprint_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(fingerprint_);
}

void StreamLegend::setFingerprint(const QString& fingerprint) {
    if (fingerprint.isEmpty()) {
        fingerprint_->clear();
        return;
    }
    fingerprint_->setText(shortFingerprint(fingerprint));
    fingerprint_->setToolTip(
        tr("Fingerprint of the stream: the same digits, the same images in the same order. In full: %1")
            .arg(fingerprint));
}

}  // namespace palimpsest
