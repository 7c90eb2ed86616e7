// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/class_hover.h"

#include <cmath>
#include <numeric>

#include "ui/stream/class_samples.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kPauseMs = 350;     // a pointer on its way elsewhere calls nothing up
constexpr int kNextPauseMs = 60;  // from row to row

}  // namespace

ClassHover::ClassHover(StreamPreview* preview, ClassSamples* samples, QWidget* window)
    : QObject(preview), preview_(preview), samples_(samples), tip_(new ClassTip(window)) {
    preview_->setCellTips(false);
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &ClassHover::present);
    connect(preview_, &StreamPreview::pointed, this, &ClassHover::onPointed);
    connect(samples_, &ClassSamples::loaded, this, [this](int label, const QList<QImage>& pictures) {
        if (label == label_ && tip_->isVisible()) tip_->setPictures(pictures);
    });
}

void ClassHover::onPointed(int label, int session) {
    const bool same = label == label_;
    label_ = label;
    session_ = session;
    if (label < 0) {
        pause_.stop();
        samples_->cancel();
        tip_->hide();
    } else if (!same) {
        samples_->cancel();
        pause_.start(tip_->isVisible() ? kNextPauseMs : kPauseMs);
    } else if (tip_->isVisible() && !pause_.isActive()) {
        tip_->setContent(content());
    }
}

ClassTip::Content ClassHover::content() const {
    const PlannedStream& stream = *preview_->stream();
    const auto label = static_cast<std::size_t>(label_);
    ClassTip::Content content;
    content.name = QString::fromStdString(stream.labels->class_names[label]);
    content.kind = kindOf(preview_->home(label_));
    content.counts = stream.counts[label];
    content.session = session_;
    const auto& counts = content.counts;
    content.line =
        session_ >= 0
            ? tr("session %1: %2 images").arg(session_ + 1).arg(countText(counts[static_cast<std::size_t>(session_)]))
            : tr("%1 images in the stream")
                  .arg(countText(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
    if (content.kind != ClassKind::Unknown)
        content.line += tr(" · %1 class").arg(QLatin1String(kindText(content.kind)));
    return content;
}

void ClassHover::present() {
    if (label_ < 0 || !preview_->stream()) return;
    tip_->setContent(content());
    const int side = static_cast<int>(std::ceil(ClassTip::kPictureSide * preview_->devicePixelRatioF()));
    const Experiment& experiment = preview_->stream()->experiment;
    const QList<QImage>* pictures = samples_->known(experiment, label_, ClassTip::kPictures, side);
    if (pictures)
        tip_->setPictures(*pictures);
    else
        tip_->awaitPictures();
    const QRect row = preview_->rowRect(label_).toAlignedRect();
    tip_->showBeside(QRect(preview_->mapTo(tip_->parentWidget(), row.topLeft()), row.size()));
    if (!pictures) samples_->request(experiment, label_, ClassTip::kPictures, side);
}

}  // namespace palimpsest
