// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/npz.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>
#include <string_view>

#include "datasets/archive.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/support/utf8.h"

namespace palimpsest {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::string_view kEnding = ".npy";
constexpr std::size_t kLongestHeader = 65'536, kMostExtents = 16, kLongestName = 1000;
/// Weights hardly shrink when they are deflated.
constexpr std::int64_t kMostGrowth = 20;
const char* const kRemedy = "Download or make the file again.";

struct TypeName {
    std::string_view name;
    at::ScalarType type;
};
constexpr TypeName kTypes[] = {{"<f4", at::kFloat}, {"<f2", at::kHalf}, {"<f8", at::kDouble},
                               {"<i8", at::kLong},  {"<i4", at::kInt},  {"<i2", at::kShort},
                               {"|i1", at::kChar},  {"|u1", at::kByte}, {"|b1", at::kBool}};

/// One .npy file.
class Array {
public:
    Array(const std::vector<std::uint8_t>& bytes, const std::string& name, const std::string& origin)
        : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()), name_(name), origin_(origin) {}

    Tensor read() {
        readHeader();
        const auto type = typeOf(quoted("'descr'"));
        const bool fortran = word("'fortran_order'", "True");
        if (!fortran && !word("'fortran_order'", "False")) throw bad("does not say its order");
        std::vector<std::int64_t> sizes = shape();
        checkSize(sizes, type);
        if (fortran) std::reverse(sizes.begin(), sizes.end());
        const bool isBool = type == at::kBool;
        Tensor tensor = at::empty(sizes, at::TensorOptions(isBool ? at::kByte : type));
        const std::string_view data = bytes_.substr(data_);
        if (!data.empty()) std::memcpy(tensor.data_ptr(), data.data(), data.size());
        if (isBool) tensor = tensor.ne(0);
        if (!fortran) return tensor;
        std::vector<std::int64_t> backwards(sizes.size());
        for (std::size_t i = 0; i < sizes.size(); ++i) backwards[i] = static_cast<std::int64_t>(sizes.size() - 1 - i);
        return tensor.permute(backwards).contiguous();
    }

private:
    Error bad(const std::string& why) const {
        return inputError("The array " + name_ + " of " + origin_ + " " + why + ".", kRemedy);
    }

    std::size_t number(std::size_t at, std::size_t length) const {
        std::size_t value = 0;
        for (std::size_t k = length; k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes_[at + k]);
        return value;
    }

    void readHeader() {
        if (!bytes_.starts_with(kMagic) || bytes_.size() < 12) throw bad("is no whole .npy file");
        const std::size_t version = number(6, 1);
        if (version < 1 || version > 3) throw bad("is a .npy file of the unknown format " + std::to_string(version));
        const std::size_t width = version == 1 ? 2 : 4;
        const std::size_t length = number(8, width);
        if (length > kLongestHeader || length > bytes_.size() - 8 - width) throw bad("ends inside its header");
        header_ = bytes_.substr(8 + width, length);
        data_ = 8 + width + length;
    }

    /// What stands behind a key of the header, which is a Python dictionary.
    std::string_view behind(std::string_view key) const {
        const std::size_t found = header_.find(key);
        if (found == std::string_view::npos) throw bad("lacks " + std::string(key) + " in its header");
        std::string_view rest = header_.substr(found + key.size());
        const std::size_t first = rest.find_first_not_of(' ');
        if (first == std::string_view::npos || rest[first] != ':') throw bad("has a malformed header");
        rest.remove_prefix(first + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        return rest;
    }

    bool word(std::string_view key, std::string_view value) const { return behind(key).starts_with(value); }

    std::string_view quoted(std::string_view key) const {
        const std::string_view rest = behind(key);
        const std::size_t end = rest.find('\'', 1);
        if (!rest.starts_with('\'') || end == std::string_view::npos)
            throw bad("has elements that are no plain numbers");
        return rest.substr(1, end - 1);
    }

    at::ScalarType typeOf(std::string_view name) const {
        for (const auto& entry : kTypes)
            if (entry.name == name) return entry.type;
        if (name.find('O') != std::string_view::npos) throw bad("holds Python objects, which are never run");
        throw bad("has elements of the unknown type " + plainLine(name.substr(0, 20)));
    }

    std::vector<std::int64_t> shape() const {
        std::string_view rest = behind("'shape'");
        const std::size_t end = rest.find(')');
        if (!rest.starts_with('(') || end == std::string_view::npos) throw bad("has a malformed shape");
        rest = rest.substr(1, end - 1);
        std::vector<std::int64_t> sizes;
        while (true) {
            rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
            if (rest.empty()) return sizes;
            std::int64_t size = -1;
            const auto [stop, failure] = std::from_chars(rest.begin(), rest.end(), size);
            if (failure != std::errc() || size < 0) throw bad("has a malformed shape");
            rest.remove_prefix(static_cast<std::size_t>(stop - rest.begin()));
            if (sizes.size() == kMostExtents) throw bad("has more than 16 extents");
            sizes.push_back(size);
        }
    }

    void checkSize(const std::vector<std::int64_t>& sizes, at::ScalarType type) const {
        // Strides of an empty array count its empty extents as 1, and must not overflow either.
        auto span = static_cast<std::int64_t>(c10::elementSize(type));
        bool empty = false;
        for (const std::int64_t size : sizes) {
            empty = empty || size == 0;
            if (__builtin_mul_overflow(span, std::max<std::int64_t>(size, 1), &span))
                throw bad("is larger than any file");
        }
        if (bytes_.size() - data_ != (empty ? 0 : static_cast<std::size_t>(span)))
            throw bad("has a shape that does not fit its data");
    }

    const std::string_view bytes_;
    const std::string& name_;
    const std::string& origin_;
    std::string_view header_;
    std::size_t data_ = 0;
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
            if (name.size() > kLongestName || !isPlainLine(name))
                throw inputError("The archive " + result.origin + " holds a name that is not a short line of text.",
                                 kRemedy);
            if (!names.insert(name).second)
                throw inputError("The archive " + result.origin + " holds the array " + name + " twice.", kRemedy);
            result.tensors.push_back({name, Array(member.read(), name, result.origin).read()});
            return true;
        },
        settings);
    if (result.tensors.empty())
        throw inputError("The archive " + result.origin + " holds no array.", "Give an .npz file of weights.");
    return result;
}

}  // namespace palimpsest
