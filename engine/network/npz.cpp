// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "datasets/files/archive.h"
#include "engine/support/error.h"
#include "engine/support/npy_header.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::string_view kEnding = ".npy";
constexpr std::size_t kLongestNumpyName = 1000;
/// Bound on the unpacked size, as a multiple of the file's: weights hardly shrink when they are deflated.
constexpr std::int64_t kMostGrowth = 20;

struct NumpyType {
    std::string_view name;
    at::ScalarType type;
};
constexpr NumpyType kNumpyTypes[] = {{"<f4", at::kFloat}, {"<f2", at::kHalf}, {"<f8", at::kDouble},
                                     {"<i8", at::kLong},  {"<i4", at::kInt},  {"<i2", at::kShort},
                                     {"|i1", at::kChar},  {"|u1", at::kByte}, {"|b1", at::kBool}};

/// Parser of one .npy file.
class Array {
public:
    Array(const std::vector<std::uint8_t>& bytes, const std::string& name, const std::string& origin)
        : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name_(name), origin_(origin) {}

    Tensor read() {
        const NpyComplaint complain = [this](const std::string& why) { return bad(why); };
        const NpyHeader header = readNpyHeader(bytes_, complain);
        const auto type = typeOf(header.type, complain);
        std::vector<std::int64_t> sizes = header.shape;
        checkNpySize(bytes_, header, static_cast<std::int64_t>(c10::elementSize(type)), complain);
        if (header.fortran) std::reverse(sizes.begin(), sizes.end());
        const std::string_view data = bytes_.substr(header.data);
        const Tensor tensor = filledTensor(sizes, type, [&](void* out) {
            if (!data.empty()) std::memcpy(out, data.data(), data.size());
        });
        if (!header.fortran) return tensor;
        std::vector<std::int64_t> backwards(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) backwards[i] = static_cast<std::int64_t>(sizes.size() - 1 - i);
        return tensor.permute(backwards).contiguous();
    }

private:
    Error bad(const std::string& why) const {
        return inputError("The array " + name_ + " of " + origin_ + " " + why + ".", kDamagedFileHint);
    }

    static at::ScalarType typeOf(std::string_view name, const NpyComplaint& complain) {
        for (const auto& entry : kNumpyTypes)
            if (entry.name == name) return entry.type;
        throw unknownNpyType(name, complain);
    }

    const std::string_view bytes_;
    const std::string& name_;
    const std::string& origin_;
};

}  // namespace

TensorFile readNpz(const std::filesystem::path& file) {
    TensorFile result;
    result.origin = file.string();
    result.format = "NumPy .npz";
    std::error_code ignored;
    ArchiveSettings settings;
    settings.most_bytes =
        kMostGrowth * static_cast<std::int64_t>(std::filesystem::file_size(file, ignored)) + (1 << 20);
    std::set<std::string> names;
    visitArchive(
        file,
        [&](const ArchiveMember& member) {
            StopScope::check();
            if (!member.name.ends_with(kEnding)) return true;
            const std::string name = member.name.substr(0, member.name.size() - kEnding.size());
            if (name.size() > kLongestNumpyName || !isPlainLine(name))
                throw inputError("The archive " + result.origin + " holds a name that is not a short line of text.",
                                 kDamagedFileHint);
            if (!names.insert(name).second)
                throw inputError("The archive " + result.origin + " holds the array " + name + " twice.",
                                 kDamagedFileHint);
            result.tensors.push_back({name, Array(member.read(), name, result.origin).read()});
            return true;
        },
        settings);
    if (result.tensors.empty())
        throw inputError("The archive " + result.origin + " holds no array.", "Give an .npz file of weights.");
    return result;
}

}  // namespace palimpsest
