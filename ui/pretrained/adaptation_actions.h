// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace palimpsest {

class AdaptationJob;

/// What can be done with an initial session and its prompts just now, as a row of buttons.
class AdaptationActions : public QWidget {
    Q_OBJECT
public:
    /// What there is at the chosen place.
    struct Place {
        bool waiting = false;  ///< one that was stopped can go on from there
        bool there = false;    ///< prompts are
        bool in_use = false;   ///< and the experiment begins with them
    };

    explicit AdaptationActions(AdaptationJob* controller, QWidget* parent = nullptr);

    void refresh(const Place& place);
    /// The keyboard goes to the next sensible action.
    void focusPrimary();

Q_SIGNALS:
    /// Starts, goes on, pauses or resumes: whichever is the next sensible action.
    void primaryAsked();
    void anewAsked();
    /// The experiment shall begin with the prompts.
    void useAsked();
    /// Prompts that are not written shall go to another file.
    void keepAsked();
    void closeAsked();

private:
    AdaptationJob* controller_;
    QPushButton *primary_, *anew_, *stop_, *use_, *keep_;
};

}  // namespace palimpsest
