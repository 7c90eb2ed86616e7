// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "ui/state/background.h"

class QWidget;

namespace palimpsest {

class LearnerQuestion;
class OptionForm;

/// Asks the program that an experiment names as its method for its options, as soon as the user has allowed it, and
/// shows each as a row of the form. All of them are kept in the one text option, method.external_options. What the
/// program does wrong, and what the text has that it does not know, is a sentence below the row that it concerns.
class LearnerFields : public QObject {
    Q_OBJECT
public:
    LearnerFields(OptionForm* form, LearnerQuestion* question, QWidget* window);
    /// Ends programs that have not answered yet.
    ~LearnerFields() override;

    /// The same for the form of another lane.
    void follow(OptionForm* form);
    /// A message says this of a run that failed, so that no row needs to say it, too; empty: none does.
    void setSaid(const QString& message);

private:
    struct Lane;
    struct Answer;
    void addButton(Lane& lane);
    void onChanged(Lane& lane, const QString& key);
    /// Describes the program of the lane's experiment away from the window's thread. `byHand`: the user wants it now.
    void describe(Lane& lane, bool byHand);
    void showAnswer(Lane& lane, const Answer& answer, bool byHand);
    void showProgram(Lane& lane);
    void checkSettings(Lane& lane);

    LearnerQuestion* question_;
    QString said_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    Background background_{Background::Waiting::Dropped, 2};
};

}  // namespace palimpsest
