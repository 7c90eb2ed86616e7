// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <openssl/types.h>
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "tests/support/raw_server.h"

namespace palimpsest::test {

/// What a server says of itself. All certificates are made by the test, at the moment.
struct Certificate {
    std::string address = "127.0.0.1";  ///< that it holds for
    int days_from = -1, days_to = 30;   ///< when it holds, from now
    bool self_signed = false;           ///< else signed by the authority of the server's file
};

/// A web server on this machine that is spoken to over TLS and gives every request the same answer.
class TlsServer {
public:
    /// `answer`: header and body.
    TlsServer(const Certificate& certificate, std::string answer);
    ~TlsServer();

    std::string url(const std::string& path) const { return server_->url(path, "https"); }
    /// The certificate of its authority, in PEM.
    const std::string& authority() const { return authority_; }
    /// Protocols that the last client was ready to speak within TLS (ALPN), one after another with a comma between.
    std::string offered() const;
    /// Requests that came through, over connections that the client trusted.
    int requests() const { return requests_; }

private:
    void serve(RawConnection& connection);
    /// Takes HTTP/2 from every client that offers it, and does not speak it.
    static int chooseProtocol(SSL* stream, const unsigned char** chosen, unsigned char* length,
                              const unsigned char* offered, unsigned size, void* self);

    struct Identity;
    std::unique_ptr<Identity> identity_;
    std::string authority_, answer_;
    std::atomic<int> requests_{0};
    mutable std::mutex mutex_;
    std::string offered_;
    std::unique_ptr<RawServer> server_;  // ends first
};

}  // namespace palimpsest::test
