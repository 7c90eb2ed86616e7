// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace palimpsest::test {

namespace {

/// Waits until the socket is ready for it; false when the test ends.
bool waitFor(int socket, short events, int quit) {
    pollfd waits[2] = {{socket, events, 0}, {quit, POLLIN, 0}};
    return poll(waits, 2, -1) > 0 && waits[1].revents == 0;
}

}  // namespace

bool RawConnection::readRequest() {
    std::string text;
    while (text.find("\r\n\r\n") == std::string::npos) {
        if (!waitFor(socket_, POLLIN, quit_)) return false;
        char block[4096];
        const ssize_t got = recv(socket_, block, sizeof block, 0);
        if (got <= 0) return false;
        text.append(block, static_cast<std::size_t>(got));
    }
    return true;
}

bool RawConnection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        if (!waitFor(socket_, POLLOUT, quit_)) return false;
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

void RawConnection::hang() {
    char block[4096];
    while (waitFor(socket_, POLLIN, quit_) && recv(socket_, block, sizeof block, 0) > 0) {
    }
}

RawServer::RawServer(std::function<void(RawConnection&)> serve) : serve_(std::move(serve)) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || bind(listener_, plain, size) != 0 || listen(listener_, 16) != 0 ||
        getsockname(listener_, plain, &size) != 0 || pipe(quit_) != 0) {
        std::perror("test server");
        std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { work(); });
}

RawServer::~RawServer() {
    close(quit_[1]);
    thread_.join();
    close(quit_[0]);
    close(listener_);
}

std::string RawServer::url(const std::string& path, const std::string& scheme) const {
    return scheme + "://127.0.0.1:" + std::to_string(port_) + path;
}

void RawServer::work() {
    while (waitFor(listener_, POLLIN, quit_[0])) {
        const int socket = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) continue;
        ++connections_;
        RawConnection connection(socket, quit_[0]);
        serve_(connection);
        close(socket);
    }
}

}  // namespace palimpsest::test
