// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// LibTorch 1.13 destroys vectors of types that are only declared by then. That compiles where a vector's functions are
// instantiated at the end, but clang does so at once where they are constexpr, as they are since C++20. So the vectors
// of GCC's library are not constexpr in what includes this first.
#include <memory>
#include <string>

#ifdef __GLIBCXX__
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// The algorithms have declared this function as constexpr already.
#define __fill_a1 __fill_a1_of_bits
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr

namespace std {
constexpr void __fill_a1(_Bit_iterator first, _Bit_iterator last, const bool& value) {
    if (!is_constant_evaluated()) __fill_a1_of_bits(first, last, value);
}
}  // namespace std
#endif
