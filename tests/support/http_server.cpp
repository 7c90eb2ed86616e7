// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/http_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace palimpsest::test {

namespace {

[[noreturn]] void die(const char* what) {
    std::perror(what);
    std::abort();
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Reads a request; absent when the client closes the connection before its request is complete.
std::optional<Request> readRequest(int connection, int quit) {
    std::string text;
    while (text.find("\r\n\r\n") == std::string::npos) {
        pollfd waits[2] = {{connection, POLLIN, 0}, {quit, POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 || waits[1].revents != 0) return std::nullopt;
        char block[4096];
        const ssize_t got = recv(connection, block, sizeof block, 0);
        if (got <= 0) return std::nullopt;
        text.append(block, static_cast<std::size_t>(got));
    }
    std::istringstream lines(text);
    Request request;
    std::string word;
    lines >> word >> request.target;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line) && line != "\r") {
        const auto colon = line.find(':');
        if (colon == std::string::npos) continue;
        const auto begin = line.find_first_not_of(' ', colon + 1);
        std::string value = begin == std::string::npos ? "" : line.substr(begin);
        while (value.ends_with('\r')) value.pop_back();
        request.headers[lower(line.substr(0, colon))] = value;
    }
    return request;
}

bool sendAll(int connection, const char* bytes, std::size_t count) {
    while (count > 0) {
        const ssize_t sent = send(connection, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes += sent;
        count -= static_cast<std::size_t>(sent);
    }
    return true;
}

/// Waits until the client or the test ends, at most `milliseconds` (below 0: for ever).
void idle(int connection, int quit, int milliseconds) {
    pollfd waits[2] = {{connection, POLLIN | POLLRDHUP, 0}, {quit, POLLIN, 0}};
    poll(waits, 2, milliseconds);
}

std::string headerOf(const Request& request, const char* name) {
    const auto found = request.headers.find(name);
    return found == request.headers.end() ? "" : found->second;
}

}  // namespace

HttpServer::HttpServer() {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || bind(listener_, plain, size) != 0 || listen(listener_, 16) != 0 ||
        getsockname(listener_, plain, &size) != 0 || pipe(quit_) != 0)
        die("test server");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { work(); });
}

HttpServer::~HttpServer() {
    close(quit_[1]);
    thread_.join();
    close(quit_[0]);
    close(listener_);
}

std::string HttpServer::url(const std::string& path) const {
    return "http://127.0.0.1:" + std::to_string(port_) + path;
}

void HttpServer::serve(const std::string& path, std::vector<Answer> answers) {
    const std::lock_guard lock(mutex_);
    answers_[path] = std::move(answers);
}

std::vector<Request> HttpServer::requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
}

void HttpServer::work() {
    for (;;) {
        pollfd waits[2] = {{listener_, POLLIN, 0}, {quit_[0], POLLIN, 0}};
        if (poll(waits, 2, -1) < 0 || waits[1].revents != 0) return;
        const int connection = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (connection < 0) continue;
        handle(connection);
        close(connection);
    }
}

Answer HttpServer::answerTo(const Request& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const auto found = answers_.find(request.target);
    if (found == answers_.end() || found->second.empty()) {
        Answer missing;
        missing.status = 404;
        missing.body = "nothing here";
        return missing;
    }
    Answer answer = found->second.front();
    if (found->second.size() > 1) found->second.erase(found->second.begin());
    return answer;
}

void HttpServer::handle(int connection) {
    const auto request = readRequest(connection, quit_[0]);
    if (!request) return;
    const Answer answer = answerTo(*request);
    const auto total = static_cast<std::int64_t>(answer.body.size());
    std::int64_t begin = 0;
    int status = answer.status;
    const std::string range = headerOf(*request, "range");
    const std::string condition = headerOf(*request, "if-range");
    const bool same = condition.empty() || condition == answer.etag || condition == answer.last_modified;
    if (status == 200 && answer.ranges && same && range.starts_with("bytes=")) {
        begin = std::atoll(range.c_str() + 6) + answer.shift_range;
        status = begin < total ? 206 : 416;
    }
    std::ostringstream head;
    head << "HTTP/1.1 " << status << " Whatever\r\nConnection: close\r\n";
    if (!answer.etag.empty()) head << "ETag: " << answer.etag << "\r\n";
    if (!answer.last_modified.empty()) head << "Last-Modified: " << answer.last_modified << "\r\n";
    if (!answer.type.empty()) head << "Content-Type: " << answer.type << "\r\n";
    if (!answer.location.empty()) head << "Location: " << answer.location << "\r\n";
    if (status == 206) head << "Content-Range: bytes " << begin << '-' << total - 1 << '/' << total << "\r\n";
    if (status == 416) {
        head << "Content-Range: bytes */" << total << "\r\n";
        begin = total;
    }
    const std::int64_t length = total - begin;
    if (answer.tells_length)
        head << "Content-Length: " << (answer.claimed_length >= 0 ? answer.claimed_length : length) << "\r\n";
    head << "\r\n";
    const std::string text = head.str();
    if (!sendAll(connection, text.data(), text.size())) return;

    std::int64_t most = length;
    if (answer.cut_after >= 0) most = std::min(most, answer.cut_after);
    if (answer.hang_after >= 0) most = std::min(most, answer.hang_after);
    for (std::int64_t sent = 0; sent < most;) {
        const std::int64_t piece =
            answer.piece > 0 ? std::min<std::int64_t>(static_cast<std::int64_t>(answer.piece), most - sent) : most;
        if (!sendAll(connection, answer.body.data() + begin + sent, static_cast<std::size_t>(piece))) return;
        sent += piece;
        if (answer.piece > 0 && sent < most) idle(connection, quit_[0], 2);
    }
    if (answer.hang_after >= 0) idle(connection, quit_[0], -1);
}

}  // namespace palimpsest::test
