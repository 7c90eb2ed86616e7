// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

namespace palimpsest::test {

/// One connection to a server of the tests.
class RawConnection {
public:
    RawConnection(int socket, int quit) : socket_(socket), quit_(quit) {}
    /// Reads what the client sends until an empty line; false when it goes, or the test ends.
    bool readRequest();
    /// False when the client has gone, or the test ends.
    bool send(std::string_view bytes);
    /// Keeps silent until the client goes, or the test ends.
    void hang();
    int socket() const { return socket_; }

private:
    int socket_, quit_;
};

/// A server on this machine that does with each connection, one at a time, whatever a test wants.
class RawServer {
public:
    explicit RawServer(std::function<void(RawConnection&)> serve);
    ~RawServer();
    RawServer(const RawServer&) = delete;
    RawServer& operator=(const RawServer&) = delete;

    int port() const { return port_; }
    std::string url(const std::string& path, const std::string& scheme = "http") const;
    /// Connections so far, the present one included.
    int connections() const { return connections_; }

private:
    void work();

    std::function<void(RawConnection&)> serve_;
    int listener_ = -1;
    int quit_[2] = {-1, -1};  // a pipe; closing its end wakes the thread
    int port_ = 0;
    std::atomic<int> connections_{0};
    std::thread thread_;
};

/// A server that accepts no connection: it waits in the queue of the system, or is not even answered where that is
/// full.
class DeafServer {
public:
    enum class Queue { Open, Full };
    explicit DeafServer(Queue queue);
    ~DeafServer();
    DeafServer(const DeafServer&) = delete;
    DeafServer& operator=(const DeafServer&) = delete;

    std::string url(const std::string& path) const;
    /// True once a client waits.
    bool isAsked() const;

private:
    Queue queue_;
    int listener_ = -1;
    int port_ = 0;
    int fill_ = -1;  // the connection that fills the queue
};

}  // namespace palimpsest::test
