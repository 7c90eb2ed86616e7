// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {

/// Header of a .npy file: type, order and shape of its one array.
struct NpyHeader {
    std::string type;                 ///< "<f8"
    bool fortran = false;             ///< the first index runs fastest
    std::vector<std::int64_t> shape;  ///< at most 16 extents
    std::size_t data = 0;             ///< bytes before the numbers
};

/// Makes the error for "... is no whole .npy file".
using NpyComplaint = std::function<Error(const std::string& why)>;

/// Checks the header and nothing behind it. Throws what `bad` makes.
NpyHeader readNpyHeader(std::string_view bytes, const NpyComplaint& bad);
/// The error for a type that a reader does not know.
Error unknownNpyType(std::string_view type, const NpyComplaint& bad);
/// Throws unless the numbers, of `width` bytes each, are exactly what follows the header.
void checkNpySize(std::string_view bytes, const NpyHeader& header, std::int64_t width, const NpyComplaint& bad);

}  // namespace palimpsest
