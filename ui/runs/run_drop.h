// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QWidget;

namespace palimpsest {

/// Lets runs of the list be dropped on a widget, such as a plot, and on all that lies in it.
class RunDrop : public QObject {
    Q_OBJECT
public:
    explicit RunDrop(QWidget* target);

Q_SIGNALS:
    void dropped(const QStringList& ids);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace palimpsest
