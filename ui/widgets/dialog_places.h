// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPoint>
#include <QString>

class QWidget;

namespace palimpsest {

/// Dialogs of a window open again where the user left them. Without it a desktop gets the place of the contents for
/// that of the frame, and a dialog comes lower by its title each time, or in the middle again.
class DialogPlaces : public QObject {
    Q_OBJECT
public:
    /// For the dialogs that are children of this window, by their object names.
    explicit DialogPlaces(QWidget* window);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
    QHash<QString, QPoint> places_;  ///< of the frames
};

}  // namespace palimpsest
