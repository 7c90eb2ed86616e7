// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace palimpsest {

class AdaptationJob;

/// "Initial session 43 %": there while prompts learn, whatever is open.
class AdaptationNote : public QToolButton {
    Q_OBJECT
public:
    explicit AdaptationNote(AdaptationJob* controller, QWidget* parent = nullptr);

private:
    void refresh();

    AdaptationJob* controller_;
};

}  // namespace palimpsest
