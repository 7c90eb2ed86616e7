// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace palimpsest {

/// A window on what the weights of a run do at one moment; a WeightsController brings it what it shows.
class WeightsDialog : public QDialog {
public:
    using QDialog::QDialog;

    virtual bool showsWeights() const = 0;
    /// `sentence`: why there is nothing to show; commands in it as KeyNames has them.
    virtual void showNothing(const QString& sentence) = 0;
    /// The weights are being read; what was shown stays where `keep` says so.
    virtual void showLooking(bool keep) = 0;
};

}  // namespace palimpsest
