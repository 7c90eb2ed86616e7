// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/shown_pictures.h"

#include <QStringList>
#include <algorithm>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostNamed = 12;

}  // namespace

QString imagesText(std::int64_t count) {
    return count == 1 ? MemoryShown::tr("1 image") : MemoryShown::tr("%1 images").arg(countText(count));
}

QString placesText(const MemoryBalance& balance, std::int64_t capacity) {
    return capacity > 0 ? MemoryShown::tr("%1 of %2 places").arg(countText(balance.total()), countText(capacity))
                        : imagesText(balance.total());
}

QString balanceText(const ClassNames& names, const MemoryBalance& balance) {
    std::vector<std::pair<std::int64_t, int>> classes;
    for (std::size_t label = 0; label < balance.kept.size(); ++label)
        if (balance.kept[label]) classes.emplace_back(-*balance.kept[label], static_cast<int>(label));
    std::sort(classes.begin(), classes.end());
    QStringList parts;
    for (std::size_t i = 0; i < std::min(kMostNamed, classes.size()); ++i)
        parts.append(names.name(classes[i].second) + ' ' + countText(-classes[i].first));
    const QString named = parts.join(QStringLiteral(", "));
    if (classes.size() <= kMostNamed) return named;
    // In one go: a class may be called "%2".
    const auto more = static_cast<qint64>(classes.size() - kMostNamed);
    return MemoryShown::tr("%1 and %2 more classes").arg(named, countText(more));
}

}  // namespace palimpsest
