// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// LibTorch 1.13 destroys vectors of types that are only declared by then. That compiles where a vector's functions are
// instantiated at the end, but clang does so at once where they are constexpr, as they are since C++20. So the vectors
// of GCC's library are not constexpr in what includes this first. The algorithms declare a constexpr function for
// vector<bool>, which must not be the same then.
#define _Bit_iterator _Bit_iterator_elsewhere
#include <memory>
#include <string>
#undef _Bit_iterator

#ifdef __GLIBCXX__
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
#include <vector>
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
#endif
