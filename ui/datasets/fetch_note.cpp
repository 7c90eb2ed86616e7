// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/fetch_note.h"

#include <cmath>

#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_text.h"

namespace palimpsest {

FetchNote::FetchNote(DatasetLibrary* shelf, QWidget* parent) : QToolButton(parent), shelf_(shelf) {
    setObjectName("fetchNote");
    setProperty("link", true);
    setAccessibleName(tr("What is being fetched"));
    setToolTip(tr("Show what is being fetched"));
    setFocusPolicy(Qt::TabFocus);
    connect(shelf_, &DatasetLibrary::fetchMoved, this, &FetchNote::refresh);
    connect(shelf_, &DatasetLibrary::fetchEnded, this, &FetchNote::refresh);
    hide();
}

void FetchNote::refresh() {
    const QStringList names = shelf_->fetched();
    setVisible(!names.isEmpty());
    if (names.isEmpty()) return;
    QStringList titles;
    for (const QString& name : names) titles.append(shelf_->titleOf(name));
    // Short, for the bar is full while a run goes on.
    const double share = shareOf(shelf_->fetchOf(names.front())->progress);
    setText(names.size() > 1 ? tr("Fetching %1").arg(names.size())
            : share < 0      ? tr("Fetching …")
                             : tr("Fetching %1 %").arg(std::floor(100 * share)));
    setToolTip(tr("Fetching %1; press to see how far it is").arg(titles.join(", ")));
    setAccessibleDescription(titles.join(", "));
}

}  // namespace palimpsest
