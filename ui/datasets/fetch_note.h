// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace palimpsest {

class DatasetShelf;

/// "Fetching 43 %": there while something is being fetched, whatever is open.
class FetchNote : public QToolButton {
    Q_OBJECT
public:
    explicit FetchNote(DatasetShelf* shelf, QWidget* parent = nullptr);

private:
    void refresh();

    DatasetShelf* shelf_;
};

}  // namespace palimpsest
