// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/sha256.h"

#include <openssl/evp.h>
#include <array>
#include <bit>

#include "engine/support/error.h"

namespace palimpsest {

namespace {

void require(int success) {
    if (success != 1) throw runError("OpenSSL cannot compute SHA-256.", "Check the installation of OpenSSL.");
}

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

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    require(context_ != nullptr);
    require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::add(std::span<const std::byte> bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

void Sha256::add(std::span<const std::int32_t> values) {
    addLittleEndian(*this, values);
}

void Sha256::add(std::span<const std::int64_t> values) {
    addLittleEndian(*this, values);
}

std::string Sha256::hex() const {
    const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
    require(copy != nullptr);
    require(EVP_MD_CTX_copy_ex(copy.get(), context_.get()));
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    unsigned length = 0;
    require(EVP_DigestFinal_ex(copy.get(), digest.data(), &length));
    std::string text;
    for (unsigned i = 0; i < length; ++i) {
        text += "0123456789abcdef"[digest[i] >> 4];
        text += "0123456789abcdef"[digest[i] & 15];
    }
    return text;
}

}  // namespace palimpsest
