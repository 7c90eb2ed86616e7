// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/mask_lens.h"
#include "ui/figures/weights_dialog.h"
#include "ui/state/class_names.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace palimpsest {

class MaskLensModel;

/// "Mask lens": the next batch through each logit mask, with the same weights. What a step of learning would do to each
/// class, loss and accuracy under each mask, and how test images are answered by all outputs or by the classes seen.
class MaskLensDialog : public WeightsDialog {
    Q_OBJECT
public:
    explicit MaskLensDialog(QWidget* parent = nullptr);

    /// `title`: of the run.
    void showLens(const QString& title, const ClassNames& classes, const MaskLens& lens);
    void showNothing(const QString& sentence) override;
    void showLooking(bool keep) override;
    bool showsWeights() const override;
    /// The run stands before the batch that is shown, and can learn it.
    void setCanLearn(bool can);
    const MaskLensModel* model() const { return model_; }

Q_SIGNALS:
    void learnAsked();

private:
    void tellInference();

    MaskLensModel* model_;
    QStackedWidget* parts_;
    QLabel *heading_, *sentence_, *nothing_, *scale_, *accuracy_, *inference_;
    QString scale_of_;  ///< title of the run that the scale is kept for; empty: none
    QTableView* table_;
    QCheckBox* seen_only_;
    QWidget* answers_;
    QPushButton* learn_;
};

}  // namespace palimpsest
