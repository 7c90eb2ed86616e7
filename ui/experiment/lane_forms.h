// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <array>
#include <optional>

#include "engine/config/experiment.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace palimpsest {

class LaneDraft;
class OptionForm;

/// Replaces the form of the experiment: it holds that form, and while two lanes are compared a second one for lane B,
/// with their differences as a text above them and marked in both.
class LaneForms : public QWidget {
    Q_OBJECT
public:
    /// Replaces `first` in its layout, and owns it.
    LaneForms(OptionForm* first, LaneDraft* lanes);

    /// 0 or 1.
    std::size_t shownLane() const { return shown_; }
    void showLane(std::size_t lane);
    OptionForm* shownForm() const { return forms_[shown_]; }
    /// The experiment that lane B learns at the moment; null: none.
    void setRunning(const Experiment* running);
    /// Style index of lane B's run (RunDisplay).
    void setRunStyle(int style);

Q_SIGNALS:
    /// The form of lane B, when it is first needed.
    void secondFormMade(palimpsest::OptionForm* form);

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeHeader();
    void showOn(bool on);
    void refresh();
    void mark(OptionForm* form, std::size_t lane);

    LaneDraft* lanes_;
    std::array<OptionForm*, 2> forms_{};  ///< the second one is made when it is first needed
    std::array<QToolButton*, 2> tabs_{};
    QWidget* header_;
    QPushButton* compare_;
    QLabel* difference_;
    std::size_t shown_ = 0;
    int style_ = 0;
    std::optional<Experiment> running_;
};

}  // namespace palimpsest
