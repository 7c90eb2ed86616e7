// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tls_server.h"

#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace palimpsest::test {

namespace {

template <auto release>
struct Release {
    template <class T>
    void operator()(T* object) const {
        release(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using Paper = std::unique_ptr<X509, Release<X509_free>>;
using Context = std::unique_ptr<SSL_CTX, Release<SSL_CTX_free>>;
using Stream = std::unique_ptr<SSL, Release<SSL_free>>;

void need(bool well, const char* what) {
    if (well) return;
    std::fprintf(stderr, "TLS of the tests: %s\n", what);
    std::abort();
}

Key freshKey() {
    Key key(EVP_EC_gen("P-256"));
    need(key != nullptr, "no key");
    return key;
}

void extend(X509* paper, X509* issuer, int what, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, paper, nullptr, nullptr, 0);
    X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str());
    need(extension != nullptr && X509_add_ext(paper, extension, -1) == 1, "no extension");
    X509_EXTENSION_free(extension);
}

/// A certificate of a key, not signed yet; `issuer` null: its own.
Paper certificate(const char* name, EVP_PKEY* key, X509* issuer, int from, int to, long serial) {
    constexpr long kDay = 24L * 60 * 60;
    Paper paper(X509_new());
    need(paper && X509_set_version(paper.get(), 2) == 1, "no certificate");
    ASN1_INTEGER_set(X509_get_serialNumber(paper.get()), serial);
    X509_gmtime_adj(X509_getm_notBefore(paper.get()), from * kDay);
    X509_gmtime_adj(X509_getm_notAfter(paper.get()), to * kDay);
    X509_set_pubkey(paper.get(), key);
    X509_NAME* const subject = X509_get_subject_name(paper.get());
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    X509_set_issuer_name(paper.get(), issuer ? X509_get_subject_name(issuer) : subject);
    return paper;
}

void sign(X509* paper, EVP_PKEY* signer) {
    need(X509_sign(paper, signer, EVP_sha256()) > 0, "not signed");
}

std::string pem(X509* paper) {
    BIO* const memory = BIO_new(BIO_s_mem());
    need(PEM_write_bio_X509(memory, paper) == 1, "not written");
    char* bytes = nullptr;
    const long count = BIO_get_mem_data(memory, &bytes);
    std::string text(bytes, static_cast<std::size_t>(count));
    BIO_free(memory);
    return text;
}

}  // namespace

struct TlsServer::Identity {
    Context context;
};

TlsServer::TlsServer(const Certificate& wanted, std::string answer)
    : identity_(std::make_unique<Identity>()), answer_(std::move(answer)) {
    const Key authorityKey = freshKey(), key = freshKey();
    const Paper authority = certificate("Authority of the tests", authorityKey.get(), nullptr, -2, 60, 1);
    extend(authority.get(), authority.get(), NID_basic_constraints, "critical,CA:TRUE");
    extend(authority.get(), authority.get(), NID_subject_key_identifier, "hash");
    sign(authority.get(), authorityKey.get());
    authority_ = pem(authority.get());

    X509* const issuer = wanted.self_signed ? nullptr : authority.get();
    EVP_PKEY* const signer = wanted.self_signed ? key.get() : authorityKey.get();
    const Paper paper = certificate("Server of the tests", key.get(), issuer, wanted.days_from, wanted.days_to, 2);
    const bool number = wanted.address.find_first_not_of("0123456789.") == std::string::npos;
    extend(paper.get(), issuer ? issuer : paper.get(), NID_subject_alt_name,
           (number ? "IP:" : "DNS:") + wanted.address);
    sign(paper.get(), signer);

    identity_->context.reset(SSL_CTX_new(TLS_server_method()));
    need(identity_->context && SSL_CTX_use_certificate(identity_->context.get(), paper.get()) == 1 &&
             SSL_CTX_use_PrivateKey(identity_->context.get(), key.get()) == 1,
         "no identity");
    SSL_CTX_set_alpn_select_cb(identity_->context.get(), &TlsServer::chooseProtocol, this);
    server_ = std::make_unique<RawServer>([this](RawConnection& connection) { serve(connection); });
}

TlsServer::~TlsServer() = default;

std::string TlsServer::offered() const {
    const std::lock_guard lock(mutex_);
    return offered_;
}

int TlsServer::chooseProtocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                              unsigned size, void* self) {
    TlsServer& server = *static_cast<TlsServer*>(self);
    const std::lock_guard lock(server.mutex_);
    server.offered_.clear();
    *chosen = nullptr;
    // Each name has its length before it.
    for (unsigned at = 0; at < size && at + 1 + offered[at] <= size; at += 1 + offered[at]) {
        const std::string name(reinterpret_cast<const char*>(offered) + at + 1, offered[at]);
        server.offered_ += (server.offered_.empty() ? "" : ",") + name;
        if (*chosen && name != "h2") continue;
        *chosen = offered + at + 1;
        *length = offered[at];
    }
    return *chosen ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

void TlsServer::serve(RawConnection& connection) {
    // A client that refuses us closes the connection while we write.
    sigset_t broken;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken, nullptr);
    const Stream stream(SSL_new(identity_->context.get()));
    SSL_set_fd(stream.get(), connection.socket());
    if (SSL_accept(stream.get()) != 1) return;
    std::string text;
    char block[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
        const int got = SSL_read(stream.get(), block, sizeof block);
        if (got <= 0) return;
        text.append(block, static_cast<std::size_t>(got));
    }
    ++requests_;
    SSL_write(stream.get(), answer_.data(), static_cast<int>(answer_.size()));
    SSL_shutdown(stream.get());
}

}  // namespace palimpsest::test
