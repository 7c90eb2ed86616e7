// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

namespace palimpsest {

class MessageBar;
class QueueController;
class RemoteRuns;
class SweepEditor;
class SweepPage;

/// Sweeps on clusters: joins the editor that submits them, their pages, and those who follow them.
class ClusterController : public QObject {
    Q_OBJECT
public:
    ClusterController(RemoteRuns* remote, QueueController* queue, MessageBar* messages, QObject* parent);

    /// What the dialog begins with; see SubmitDialog::setFields().
    void setRemembered(const QStringList& fields);

Q_SIGNALS:
    void remembered(const QStringList& fields);

private:
    void take(SweepEditor* editor);
    void take(SweepPage* page);
    void connectNews();
    /// True where the page shows this folder.
    bool shows(const QString& folder) const;

    RemoteRuns* remote_;
    QueueController* queue_;
    MessageBar* messages_;
    QPointer<SweepEditor> editor_;
    QPointer<SweepPage> page_;
    QStringList remembered_;
};

}  // namespace palimpsest
