// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace palimpsest {

class RunController;
class StreamPreview;

/// Frames the session that is being learned in the picture of a stream, as long as it is the stream of the run.
class RunningSession : public QObject {
    Q_OBJECT
public:
    RunningSession(RunController* controller, StreamPreview* preview);

    /// Another stream is shown.
    void show();

private:
    StreamPreview* preview_;
    QString fingerprint_;
    int session_ = -1;
};

}  // namespace palimpsest
