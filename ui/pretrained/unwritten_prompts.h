// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

class QWidget;

namespace palimpsest {

class AdaptationJob;
class MessageBar;

/// Prompts that are done but could not be written: a person chooses another place for them, or lets them go.
class UnwrittenPrompts : public QObject {
    Q_OBJECT
public:
    /// `topic`: of what is said about an initial session. `window`: the questions stand in front of it.
    UnwrittenPrompts(AdaptationJob* controller, MessageBar* messages, const QString& topic, QWidget* window);

    /// Another place, beside a message that is shown. Nothing where there are no such prompts.
    void offer(const QString& message);
    void askForPlace();
    /// Does at once what would lose them, where there are none, else only when a person agrees.
    void before(const std::function<void()>& loses);

private:
    AdaptationJob* controller_;
    MessageBar* messages_;
    const QString topic_;
    QWidget* window_;
};

}  // namespace palimpsest
