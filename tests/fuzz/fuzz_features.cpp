// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/record/feature_map.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_features {

FUZZ_TARGET(features, 2000) {
    const std::filesystem::path run = fuzz::fileWith(input, kFeatureFile).parent_path();
    fuzz::answers([&] {
        const FeatureMap map = readFeatureMap(run);
        fuzz::requireLines(map.warnings);
        fuzz::require(map.classes.size() <= static_cast<std::size_t>(kFeatureClasses), "more classes than are read");
        if (map.empty()) return;
        fuzz::require(map.width > 0 && map.values.size() % map.width == 0, "rows of unequal length");
        const FeaturePicture picture = pictureOf(map, map.moments.size() / 2);
        const std::vector<std::string> names(map.classes.size(), "class");
        for (const FeatureChange& change : picture.changes) {
            fuzz::requireLine(changeSentence(change, names));
            fuzz::require(change.turned >= 0 && change.turned <= 180.001, "an angle that is none");
        }
        featureTable(map, picture, names);
        // A run that goes on from it writes lines that are read again.
        FeatureLog log(map);
        FeatureMoment next;
        next.samples_seen = map.moments.back() + 1;
        next.width = map.width;
        next.rows = {{map.classes.front(), FeatureMoment::kHead}};
        next.values.assign(map.width, 0.5F);
        if (log.wants(next, next.samples_seen)) log.lines(next);
    });
}

}  // namespace palimpsest::fuzz_features
