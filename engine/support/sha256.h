// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "engine/support/digest.h"

namespace palimpsest {

/// SHA-256 of bytes and numbers that come in pieces.
class Sha256 {
public:
    void add(std::span<const std::byte> bytes) { digest_.add(bytes); }
    /// Whole numbers as little-endian bytes, whatever the machine's own order.
    void add(std::span<const std::int32_t> values);
    void add(std::span<const std::int64_t> values);
    /// 64 lower-case hex digits of all that was added so far; more may be added afterwards.
    std::string hex() const { return digest_.hex(); }

private:
    Digest digest_{DigestKind::Sha256};
};

}  // namespace palimpsest
