// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QHBoxLayout;
class QLineEdit;

namespace palimpsest {

/// What a search asks for besides plain words, in words and one after the other, each with a button that takes it out
/// of the search again. What cannot be understood is marked, and its tip says how to write it. Hidden without any.
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
