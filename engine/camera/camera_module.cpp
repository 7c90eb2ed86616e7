// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/camera/camera_module.h"

#include "engine/support/module_stamp.h"
#include "engine/support/own_module.h"

namespace palimpsest {

const CameraTable& cameraModule() {
    static const CameraTable* const table = &cameraModule(ownModule("libpalimpsest-camera.so"));
    return *table;
}

const CameraTable& cameraModule(const std::filesystem::path& file) {
    requireOwnMark(file, {"camera module", "palimpsest_camera", PALIMPSEST_CAMERA_MARK, PALIMPSEST_MODULE_STAMP});
    using Function = const CameraTable*();
    return *reinterpret_cast<Function*>(moduleFunction(file, kCameraFunction, false))();
}

}  // namespace palimpsest
