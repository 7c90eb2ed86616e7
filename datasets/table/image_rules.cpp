// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/table/image_rules.h"

namespace palimpsest {

LoadShape loadShapeOf(const std::string& name) {
    const auto holds = [&](const char* word) { return name.find(word) != std::string::npos; };
    if (name == "imagenet-r" || name == "gtsrb") return LoadShape::ShortSideCrop;
    // The user's own pictures are large like ImageNet's, so they are treated the same.
    if (holds("imagenet") || holds("cub") || name == "folder") return LoadShape::Square;
    return LoadShape::Native;
}

std::string augmentPolicyOf(const std::string& name) {
    for (const auto& [word, policy] :
         {std::pair{"cifar", "cifar10"}, std::pair{"imagenet", "imagenet"}, std::pair{"svhn", "svhn"}})
        if (name.find(word) != std::string::npos) return policy;
    return {};
}

}  // namespace palimpsest
