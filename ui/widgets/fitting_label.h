// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QStringList>

namespace palimpsest {

/// A line that shortens instead of widening its column: the longest of several texts that fits is shown, and
/// the longest of all stands in the tooltip when another is.
class FittingLabel : public QLabel {
    Q_OBJECT
public:
    explicit FittingLabel(QWidget* parent = nullptr);

    /// Longest first. None: empty.
    void setTexts(const QStringList& texts);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QStringList texts_;
};

}  // namespace palimpsest
