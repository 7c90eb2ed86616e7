// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_graph.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr double kSolidBucket = 1.5, kThinBucket = 3;   // pixels

}  // namespace

void CurveGraph::getOptimizedLineData(QVector<QCPGraphData>* lineData,
                                      const QCPGraphDataContainer::const_iterator& begin,
                                      const QCPGraphDataContainer::const_iterator& end) const {
    const QCPAxis* axis = keyAxis();
    if (!lineData || !axis || begin == end)
        return;
    const bool solid = pen().style() == Qt::SolidLine;
    const QCPRange sight = axis->range();
    const double buckets = axis->axisRect()->width() / (solid ? kSolidBucket : kThinBucket);
    if (static_cast<double>(end - begin) <= buckets * (solid ? 2 : 1)) {
        lineData->resize(static_cast<int>(end - begin));
        std::copy(begin, end, lineData->begin());
        return;
    }
    const double width = sight.size() / buckets;
    for (auto at = begin; at != end;) {
        const double bucket = std::floor(at->key / width);
        auto low = at, high = at;
        double keys = 0, values = 0;
        qptrdiff count = 0;
        for (; at != end && at->key < (bucket + 1) * width; ++at, ++count) {
            keys += at->key;
            values += at->value;
            if (at->value < low->value)
                low = at;
            if (at->value > high->value)
                high = at;
        }
        if (count == 0) {   // a key on the border, by rounding
            lineData->append(*at++);
        } else if (!solid) {
            lineData->append({keys / static_cast<double>(count), values / static_cast<double>(count)});
        } else {
            lineData->append(*std::min(low, high));
            if (low != high)
                lineData->append(*std::max(low, high));
        }
    }
}

}  // namespace palimpsest
