// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/fetch_note.h"

#include <cmath>

#include "ui/datasets/dataset_library.h"
#include "ui/datasets/dataset_text.h"

namespace palimpsest {

FetchNote::FetchNote(DatasetLibrary* library, QWidget* parent) : QToolButton(parent), library_(library) {
    setObjectName("fetchNote");
    setProperty("link", true);
    setAccessibleName(tr("What is being fetched"));
    setToolTip(tr("Show what is being fetched"));
    setFocusPolicy(Qt::TabFocus);
    connect(library_, &DatasetLibrary::fetchMoved, this, &FetchNote::refresh);
    connect(library_, &DatasetLibrary::fetchEnded, this, &FetchNote::refresh);
    hide();
}

void FetchNote::refresh() {
    const QStringList names = library_->fetched();
    setVisible(!names.isEmpty());
    if (names.isEmpty()) return;
    QStringList titles;
    for (const QString& name : names) titles.append(library_->titleOf(name));
    // Short, for the bar is full while a run goes on.
    const double share = shareOf(library_->fetchOf(names.front())->progress);
    setText(names.size() > 1 ? tr("Fetching %1").arg(names.size())
            : share < 0      ? tr("Fetching …")
                             : tr("Fetching %1 %").arg(std::floor(100 * share)));
    setToolTip(tr("Fetching %1; press to see how far it is").arg(titles.join(", ")));
    setAccessibleDescription(titles.join(", "));
}

}  // namespace palimpsest
