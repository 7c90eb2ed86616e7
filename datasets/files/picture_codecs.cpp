// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/picture_codecs.h"

#include "engine/support/module_stamp.h"
#include "engine/support/own_module.h"

namespace palimpsest {
namespace {

const PictureCodecs* loadedCodecs() {
    const std::filesystem::path file = ownModule("libpalimpsest-codecs.so");
    requireOwnMark(file,
                   {"module of picture codecs", "palimpsest_codecs", PALIMPSEST_CODECS_MARK, PALIMPSEST_MODULE_STAMP});
    using Function = const PictureCodecs*();
    return reinterpret_cast<Function*>(moduleFunction(file, "palimpsestCodecs", false))();
}

}  // namespace

const PictureCodecs& pictureCodecs() {
    // A failure is tried again by the next call.
    static const PictureCodecs* const codecs = loadedCodecs();
    return *codecs;
}

}  // namespace palimpsest
