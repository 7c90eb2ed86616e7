// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/engine_catalogue.h"

#include "datasets/catalogue/catalogue.h"
#include "engine/mask/mask_policy.h"
#include "engine/method/method.h"
#include "engine/network/backbone_kinds.h"

namespace palimpsest {

Catalogue engineCatalogue() {
    Catalogue catalogue;
    for (const auto& entry : methodList()) catalogue.methods.push_back(entry.choice);
    catalogue.masks = maskChoices();
    for (const auto& info : datasetCatalogue())
        catalogue.datasets.push_back(
            {.value = info.name, .title = info.title, .help = info.summary, .drawn = info.procedural});
    for (const BackboneKind& kind : backboneKinds()) catalogue.backbones.push_back(kind.choice);
    return catalogue;
}

}  // namespace palimpsest
