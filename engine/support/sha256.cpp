// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/sha256.h"

#include <array>
#include <bit>

namespace palimpsest {

namespace {

template <class T>
void addLittleEndian(Sha256& hash, std::span<const T> values) {
    if constexpr (std::endian::native == std::endian::little) {
        hash.add(std::as_bytes(values));
    } else {
        for (const T value : values) {
            std::array<std::byte, sizeof(T)> bytes;
            for (std::size_t i = 0; i < sizeof(T); ++i)
                bytes[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i));
            hash.add(bytes);
        }
    }
}

}  // namespace

void Sha256::add(std::span<const std::int32_t> values) {
    addLittleEndian(*this, values);
}

void Sha256::add(std::span<const std::int64_t> values) {
    addLittleEndian(*this, values);
}

}  // namespace palimpsest
