// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "engine/run/attention.h"
#include "ui/figures/weights_dialog.h"

class QLabel;
class QSpinBox;
class QStackedWidget;

namespace palimpsest {

class AttentionMaps;

/// "Attention": where a run's network looks in one test image, block by block, without prompts and with those that its
/// method takes for this image, and how much of the attention the prompts get.
class AttentionDialog : public WeightsDialog {
    Q_OBJECT
public:
    explicit AttentionDialog(QWidget* parent = nullptr);

    /// `title`: of the run. `asked`: images seen at the moment that was asked for; absent: the newest.
    void showAttention(const QString& title, const std::shared_ptr<const ImageAttention>& attention,
                       std::optional<std::int64_t> asked);
    void showNothing(const QString& sentence) override;
    void showLooking(bool keep) override;
    bool showsWeights() const override;
    /// Place in the test set of the image that is asked for.
    std::int64_t image() const;
    void setImage(std::int64_t image);
    const AttentionMaps* maps() const { return maps_; }

Q_SIGNALS:
    void imageChanged();

private:
    /// What is said of the current map.
    void describeCurrent();
    /// How the field of the image counts; `images`: of the test set, 0 where that is not known.
    void describeRange(std::int64_t images);

    AttentionMaps* maps_;
    QStackedWidget* parts_;
    QLabel *range_, *heading_, *sentence_, *nothing_, *current_, *words_;
    QSpinBox* image_;
};

}  // namespace palimpsest
