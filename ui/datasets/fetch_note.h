// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

namespace palimpsest {

class DatasetLibrary;

/// "Fetching 43 %": there while something is being fetched, whatever is open.
class FetchNote : public QToolButton {
    Q_OBJECT
public:
    explicit FetchNote(DatasetLibrary* library, QWidget* parent = nullptr);

private:
    void refresh();

    DatasetLibrary* library_;
};

}  // namespace palimpsest
