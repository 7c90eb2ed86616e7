// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/npy_header.h"

#include <algorithm>
#include <charconv>

#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 65'536, kMostExtents = 16;

std::size_t number(std::string_view bytes, std::size_t at, std::size_t length) {
    std::size_t value = 0;
    for (std::size_t k = length; k-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + k]);
    return value;
}

/// The header's text is a Python dictionary.
class Dictionary {
public:
    Dictionary(std::string_view text, const NpyComplaint& bad) : text_(text), bad_(bad) {}

    bool word(std::string_view key, std::string_view value) const { return behind(key).starts_with(value); }

    std::string_view quoted(std::string_view key) const {
        const std::string_view rest = behind(key);
        const std::size_t end = rest.find('\'', 1);
        if (!rest.starts_with('\'') || end == std::string_view::npos)
            throw bad_("has elements that are no plain numbers");
        return rest.substr(1, end - 1);
    }

    std::vector<std::int64_t> shape() const {
        std::string_view rest = behind("'shape'");
        const std::size_t end = rest.find(')');
        if (!rest.starts_with('(') || end == std::string_view::npos) throw bad_("has a malformed shape");
        rest = rest.substr(1, end - 1);
        std::vector<std::int64_t> sizes;
        while (true) {
            rest.remove_prefix(std::min(rest.find_first_not_of(", "), rest.size()));
            if (rest.empty()) return sizes;
            std::int64_t size = -1;
            const auto [stop, failure] = std::from_chars(rest.begin(), rest.end(), size);
            if (failure != std::errc() || size < 0) throw bad_("has a malformed shape");
            rest.remove_prefix(static_cast<std::size_t>(stop - rest.begin()));
            if (sizes.size() == kMostExtents) throw bad_("has more than 16 extents");
            sizes.push_back(size);
        }
    }

private:
    std::string_view behind(std::string_view key) const {
        const std::size_t found = text_.find(key);
        if (found == std::string_view::npos) throw bad_("lacks " + std::string(key) + " in its header");
        std::string_view rest = text_.substr(found + key.size());
        const std::size_t first = rest.find_first_not_of(' ');
        if (first == std::string_view::npos || rest[first] != ':') throw bad_("has a malformed header");
        rest.remove_prefix(first + 1);
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
        return rest;
    }

    const std::string_view text_;
    const NpyComplaint& bad_;
};

}  // namespace

NpyHeader readNpyHeader(std::string_view bytes, const NpyComplaint& bad) {
    if (!bytes.starts_with(kMagic) || bytes.size() < 12) throw bad("is no whole .npy file");
    const std::size_t version = number(bytes, 6, 1);
    if (version < 1 || version > 3) throw bad("is a .npy file of the unknown format " + std::to_string(version));
    const std::size_t width = version == 1 ? 2 : 4;
    const std::size_t length = number(bytes, 8, width);
    if (length > kLongestHeader || length > bytes.size() - 8 - width) throw bad("ends inside its header");
    const Dictionary dictionary(bytes.substr(8 + width, length), bad);
    NpyHeader header;
    header.type = dictionary.quoted("'descr'");
    header.fortran = dictionary.word("'fortran_order'", "True");
    if (!header.fortran && !dictionary.word("'fortran_order'", "False")) throw bad("does not say its order");
    header.shape = dictionary.shape();
    header.data = 8 + width + length;
    return header;
}

Error unknownNpyType(std::string_view type, const NpyComplaint& bad) {
    if (type.find('O') != std::string_view::npos) return bad("holds Python objects, which are never run");
    return bad("has elements of the unknown type " + plainLine(type.substr(0, 20)));
}

void checkNpySize(std::string_view bytes, const NpyHeader& header, std::int64_t width, const NpyComplaint& bad) {
    // Strides of an empty array count its empty extents as 1, and must not overflow either.
    std::int64_t span = width;
    bool empty = false;
    for (const std::int64_t size : header.shape) {
        empty = empty || size == 0;
        if (__builtin_mul_overflow(span, std::max<std::int64_t>(size, 1), &span)) throw bad("is larger than any file");
    }
    if (bytes.size() - header.data != (empty ? 0 : static_cast<std::size_t>(span)))
        throw bad("has a shape that does not fit its data");
}

}  // namespace palimpsest
