// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLineEdit;

namespace palimpsest {

/// A row of buttons, one for each part of a search that is more than a plain word: "Seed 1 to 5". A click takes the
/// part out of the search. A part that cannot be understood has a red edge, and its tool tip says how to write it.
/// Hidden while there are no such parts.
class SearchChips : public QWidget {
    Q_OBJECT
public:
    explicit SearchChips(QLineEdit* search, QWidget* parent = nullptr);

private:
    void refresh();

    QLineEdit* search_;
    QHBoxLayout* row_;
};

}  // namespace palimpsest
