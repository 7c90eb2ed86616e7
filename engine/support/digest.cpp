// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/digest.h"

#include <openssl/evp.h>
#include <array>

#include "engine/support/error.h"

namespace palimpsest {

namespace {

void require(bool success) {
    if (!success) throw runError("OpenSSL cannot compute a checksum.", "Check the installation of OpenSSL.");
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

}  // namespace palimpsest
