// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/picture_codecs.h"

#include <string_view>

#include "engine/support/error.h"
#include "engine/support/own_module.h"

namespace palimpsest {
namespace {

const PictureCodecs* loadedCodecs() {
    const std::string hint = "Build all of the program, or install it again.";
    const std::filesystem::path file = ownModule("libpalimpsest-codecs.so");
    using Function = const PictureCodecs*();
    const auto function = reinterpret_cast<Function*>(moduleFunction(file, "palimpsestCodecs", false, hint));
    const PictureCodecs* const codecs = function();
    if (std::string_view(codecs->version) != PALIMPSEST_VERSION " " PALIMPSEST_CODECS_STAMP)
        throw runError("The module " + file.string() + " is of another build than the program.", hint);
    return codecs;
}

}  // namespace

const PictureCodecs& pictureCodecs() {
    // A failure is tried again by the next call.
    static const PictureCodecs* const codecs = loadedCodecs();
    return *codecs;
}

}  // namespace palimpsest
