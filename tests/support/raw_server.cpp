// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/raw_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <tuple>
#include <utility>

namespace palimpsest::test {

namespace {

/// Waits until the socket is ready for it; false when the test ends.
bool waitFor(int socket, short events, int quit) {
    pollfd waits[2] = {{socket, events, 0}, {quit, POLLIN, 0}};
    return poll(waits, 2, -1) > 0 && waits[1].revents == 0;
}

[[noreturn]] void die() {
    std::perror("test server");
    std::abort();
}

/// A socket that listens on this machine, and its port.
std::pair<int, int> listenHere(int backlog) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (listener < 0 || bind(listener, plain, size) != 0 || listen(listener, backlog) != 0 ||
        getsockname(listener, plain, &size) != 0)
        die();
    return {listener, ntohs(address.sin_port)};
}

std::string address(const std::string& scheme, int port, const std::string& path) {
    return scheme + "://127.0.0.1:" + std::to_string(port) + path;
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
    std::tie(listener_, port_) = listenHere(16);
    if (pipe(quit_) != 0) die();
    thread_ = std::thread([this] { work(); });
}

RawServer::~RawServer() {
    close(quit_[1]);
    thread_.join();
    close(quit_[0]);
    close(listener_);
}

std::string RawServer::url(const std::string& path, const std::string& scheme) const {
    return address(scheme, port_, path);
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

DeafServer::DeafServer(Queue queue) : queue_(queue) {
    std::tie(listener_, port_) = listenHere(queue == Queue::Full ? 0 : 16);
    if (queue == Queue::Open) return;
    // A queue of length 0 takes one connection, and the system drops whatever comes after it.
    fill_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    to.sin_port = htons(static_cast<std::uint16_t>(port_));
    if (connect(fill_, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) die();
}

DeafServer::~DeafServer() {
    if (fill_ >= 0) close(fill_);
    close(listener_);
}

std::string DeafServer::url(const std::string& path) const {
    return address("http", port_, path);
}

bool DeafServer::isAsked() const {
    if (queue_ == Queue::Open) {
        pollfd wait{listener_, POLLIN, 0};
        return poll(&wait, 1, 0) == 1;
    }
    // The clients of this machine that have asked our port for a connection and have no answer yet (state 2).
    std::ifstream table("/proc/net/tcp");
    std::string line, number, here, there, state;
    char port[8];
    std::snprintf(port, sizeof port, ":%04X", static_cast<unsigned>(port_));
    while (std::getline(table, line))
        if (std::istringstream(line) >> number >> here >> there >> state && there.ends_with(port) && state == "02")
            return true;
    return false;
}

}  // namespace palimpsest::test
