// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

struct evp_md_ctx_st;

namespace palimpsest {

/// SHA-256 of bytes that come in pieces.
class Sha256 {
public:
    Sha256();

    void add(std::span<const std::byte> bytes);
    /// Whole numbers as little-endian bytes, whatever the machine's own order.
    void add(std::span<const std::int32_t> values);
    void add(std::span<const std::int64_t> values);
    /// 64 lower-case hex digits of all that was added so far; more may be added afterwards.
    std::string hex() const;

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace palimpsest
