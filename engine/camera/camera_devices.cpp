// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/camera/camera_devices.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

#ifdef __linux__
#include <fcntl.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <cerrno>
#endif

namespace palimpsest {
namespace {

constexpr std::size_t kMostCameras = 64, kLongestCameraName = 80, kLongestNameFile = 1 << 16;
constexpr std::string_view kVideoDevice = "video";

bool takesPictures([[maybe_unused]] const std::filesystem::path& device) {
#ifdef __linux__
    // Without O_NONBLOCK some drivers wait.
    const int file = ::open(device.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return errno == EACCES || errno == EPERM || errno == EBUSY;
    v4l2_capability capability{};
    const bool told = ::ioctl(file, VIDIOC_QUERYCAP, &capability) == 0;
    ::close(file);
    if (!told) return false;
    const auto abilities =
        capability.capabilities & V4L2_CAP_DEVICE_CAPS ? capability.device_caps : capability.capabilities;
    return (abilities & (V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_VIDEO_CAPTURE_MPLANE)) != 0;
#else
    return false;
#endif
}

/// The number of "video12".
std::optional<int> numberOf(const std::string& name) {
    if (!name.starts_with(kVideoDevice)) return std::nullopt;
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, fault] = std::from_chars(name.data() + kVideoDevice.size(), end, number);
    if (fault != std::errc() || rest != end || number < 0) return std::nullopt;
    return number;
}

std::string nameIn(const std::filesystem::path& folder, const std::string& otherwise) {
    std::string name;
    try {
        name = readTextFile(folder / "name", FilePlace::Named, kLongestNameFile);
    } catch (const Error&) {
        // A camera without a name is one, too.
    }
    name = name.substr(0, std::min(name.find('\n'), kLongestCameraName));
    return name.empty() ? otherwise : plainLine(name);
}

}  // namespace

CameraPlaces systemCameras() {
    CameraPlaces places;
    places.takes_pictures = takesPictures;
    return places;
}

std::vector<CameraChoice> listCameras(const CameraPlaces& places) {
    std::map<int, CameraChoice> found;
    std::error_code fault;
    for (std::filesystem::directory_iterator each(places.list, fault), end; !fault && each != end;
         each.increment(fault)) {
        const std::string name = each->path().filename().string();
        const std::optional<int> number = numberOf(name);
        const std::filesystem::path device = places.devices / name;
        if (!number || found.size() >= kMostCameras || !places.takes_pictures(device)) continue;
        found[*number] = {nameIn(each->path(), name), device};
    }
    std::map<std::string, int> times;
    for (const auto& [number, camera] : found) ++times[camera.name];
    std::vector<CameraChoice> cameras;
    for (auto& [number, camera] : found) {
        if (times[camera.name] > 1) camera.name += " (" + camera.file.string() + ")";
        cameras.push_back(std::move(camera));
    }
    return cameras;
}

}  // namespace palimpsest
