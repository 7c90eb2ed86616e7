// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <vector>

#include "engine/config/stream_edit.h"
#include "ui/state/stream_planner.h"

class QLabel;
class QListWidget;
class QToolButton;

namespace palimpsest {

class ExperimentDraft;

/// Manual edits of the composed stream, to be reviewed and undone. Hidden while there is none.
class StreamEditList : public QWidget {
    Q_OBJECT
public:
    explicit StreamEditList(ExperimentDraft* draft, QWidget* parent = nullptr);

    /// The stream with the edits; null: there is none, and classes have no names.
    void setStream(std::shared_ptr<const PlannedStream> stream);
    /// One more edit. A disjoint class moves as a whole.
    void move(int label, int from, int to, bool whole);
    void removeSelected();
    void removeAll();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void keep(const std::vector<StreamEdit>& edits);
    QString textOf(std::size_t place) const;

    ExperimentDraft* draft_;
    std::shared_ptr<const PlannedStream> stream_;
    std::vector<StreamEdit> edits_;
    QLabel* mark_;
    QListWidget* list_;
    QToolButton* remove_;
    QToolButton* clear_;
};

}  // namespace palimpsest
