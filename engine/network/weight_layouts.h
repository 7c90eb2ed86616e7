// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace palimpsest {

/// Names and axes of a vision transformer's tensors in the files of other programs. Source: timm,
/// models/vision_transformer.py, _load_weights and checkpoint_filter_fn.
namespace weight_layouts {

/// Conversion of a tensor's axes to timm's.
enum class Change {
    None,
    Token,        ///< [D] -> [1, 1, D]
    Table,        ///< [N, D] -> [1, N, D]
    Matrix,       ///< [in, out] -> [out, in]
    Convolution,  ///< [height, width, in, out] -> [out, in, height, width]
    IntoHeads,    ///< [D, heads, D / heads] -> [D, D], outputs first
    OutOfHeads,   ///< [heads, D / heads, D] -> [D, D], outputs first
    HeadBias      ///< [heads, D / heads] -> [D]
};

struct Rename {
    std::string from, to;
    Change change = Change::None;
};
/// Query, key and value, which timm keeps in one tensor.
struct Join {
    std::array<std::string, 3> from;
    std::string to;
    Change change = Change::None;
};

struct Layout {
    const char* title;
    std::vector<std::string> prefixes;  ///< possible prefixes of all names
    std::string mark;                   ///< a tensor that identifies this layout
    std::vector<Rename> outside;        ///< tensors outside of the blocks
    std::string blocks;                 ///< text before a block's number
    char behind = '.';                  ///< and after it
    std::vector<Rename> inside;
    std::vector<Join> joins{};
    std::vector<std::string> heads{};  ///< tensors of a classifier, outputs in the last extent if `heads_last`
    bool heads_last = false;
    double epsilon = 1e-6;
    bool clip = false;
    bool tanh_gelu = false;  ///< GELU's approximation by tanh
};

/// All known layouts; the first is timm's own.
const std::vector<Layout>& layouts();

/// Sources of one of timm's tensors: one tensor, or three that are joined.
struct Parts {
    std::vector<std::string> names;
    Change change = Change::None;
};

/// Names in the file of the tensors that make up timm's `timm`; `prefix` is the one of the layout's prefixes that the
/// file has.
Parts partsOf(const Layout& layout, const std::string& prefix, const std::string& timm);

/// The file's extents of a tensor with timm's extents `s`.
std::vector<std::int64_t> sizesInFile(const std::vector<std::int64_t>& s, Change change, std::int64_t heads);

}  // namespace weight_layouts

}  // namespace palimpsest
