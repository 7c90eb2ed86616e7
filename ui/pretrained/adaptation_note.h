// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace palimpsest {

class AdaptationController;

/// "Initial session 43 %": there while prompts learn, whatever is open.
class AdaptationNote : public QToolButton {
    Q_OBJECT
public:
    explicit AdaptationNote(AdaptationController* controller, QWidget* parent = nullptr);

private:
    void refresh();

    AdaptationController* controller_;
};

}  // namespace palimpsest
