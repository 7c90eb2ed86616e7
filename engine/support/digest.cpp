// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/digest.h"

#include <openssl/evp.h>
#include <algorithm>
#include <array>
#include <bit>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

void require(bool success) {
    if (!success) throw runError("OpenSSL cannot compute a checksum.", "Check the installation of OpenSSL.");
}

template <class T>
void addLittleEndian(Digest& digest, std::span<const T> values) {
    if constexpr (std::endian::native == std::endian::little) {
        digest.add(std::as_bytes(values));
    } else {
        for (const T value : values) {
            std::array<std::byte, sizeof(T)> bytes;
            for (std::size_t i = 0; i < sizeof(T); ++i)
                bytes[i] = static_cast<std::byte>(static_cast<std::uint64_t>(value) >> (8 * i));
            digest.add(bytes);
        }
    }
}

}  // namespace

void Digest::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Digest::Digest(DigestKind kind) : context_(EVP_MD_CTX_new()) {
    require(context_ != nullptr);
    require(EVP_DigestInit_ex(context_.get(), kind == DigestKind::Md5 ? EVP_md5() : EVP_sha256(), nullptr) == 1);
}

void Digest::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
}

void Digest::add(std::span<const std::int32_t> values) {
    addLittleEndian(*this, values);
}

void Digest::add(std::span<const std::int64_t> values) {
    addLittleEndian(*this, values);
}

std::string Digest::hex() const {
    const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
    require(copy != nullptr);
    require(EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1);
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned length = 0;
    require(EVP_DigestFinal_ex(copy.get(), digest.data(), &length) == 1);
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += "0123456789abcdef"[digest[i] >> 4];
        text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
}

std::string fileHash(const std::filesystem::path& file, FilePlace place, std::int64_t length) {
    try {
        InputFile in(file, place);
        std::uint64_t left = length < 0 ? in.size() : static_cast<std::uint64_t>(length);
        if (left > in.size()) return {};
        Sha256 hash;
        std::vector<char> block(std::size_t{1} << 16U);
        while (left > 0) {
            in.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, block.size())));
            const auto got = static_cast<std::size_t>(in.gcount());
            if (got == 0) return {};
            hash.add(std::as_bytes(std::span(block.data(), got)));
            left -= got;
        }
        return hash.hex();
    } catch (const Error&) {
        return {};
    }
}

}  // namespace palimpsest
