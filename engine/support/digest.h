// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "engine/support/file_io.h"

struct evp_md_ctx_st;

namespace palimpsest {

enum class DigestKind { Sha256, Md5 };

/// A digest of bytes and numbers that come in pieces. MD5 finds damage, but protects from nobody.
class Digest {
public:
    explicit Digest(DigestKind kind);

    void add(std::span<const std::byte> bytes);
    /// Whole numbers as little-endian bytes, whatever the machine's own order.
    void add(std::span<const std::int32_t> values);
    void add(std::span<const std::int64_t> values);
    /// Lower-case hex digits (SHA-256: 64, MD5: 32) of all that was added so far; more may be added afterwards.
    std::string hex() const;

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

class Sha256 : public Digest {
public:
    Sha256() : Digest(DigestKind::Sha256) {}
};

/// SHA-256 of a file's first `length` bytes, or of all (-1); empty when it cannot be read or has fewer.
std::string fileHash(const std::filesystem::path& file, FilePlace place = FilePlace::Named, std::int64_t length = -1);

}  // namespace palimpsest
