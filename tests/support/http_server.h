// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace palimpsest::test {

/// The server's response to one request.
struct Answer {
    int status = 200;
    std::string body{};
    std::string etag = "\"one\"";
    std::string last_modified{};
    std::string type{};                ///< Content-Type
    bool ranges = true;                ///< false: sends everything, whatever range is requested
    bool tells_length = true;          ///< false: the end of the connection is the end of the body
    std::int64_t claimed_length = -1;  ///< false Content-Length; below 0: the true one
    std::int64_t cut_after = -1;       ///< closes the connection after this many bytes of the body
    std::int64_t hang_after = -1;      ///< sends nothing after this many bytes, until the client ends
    std::size_t piece = 0;             ///< sends pieces of this many bytes, with a pause between them
    std::string location{};            ///< with a status of 3xx
    std::int64_t shift_range = 0;      ///< sends a range shifted by this many bytes
};

struct Request {
    std::string target;                          ///< "/path", or the whole address when used as a proxy
    std::map<std::string, std::string> headers;  ///< names in lower case
};

/// A web server on this machine, for one connection at a time. It supports Range and If-Range, and can misbehave.
class HttpServer {
public:
    HttpServer();
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    std::string url(const std::string& path) const;  ///< path: "/file"
    /// Sets the responses to successive requests of a path; the last one repeats. A path without any gets 404.
    void serve(const std::string& path, std::vector<Answer> answers);
    std::vector<Request> requests() const;

private:
    void work();
    void handle(int connection);
    Answer answerTo(const Request& request);

    int listener_ = -1;
    int quit_[2] = {-1, -1};  // a pipe; closing its end wakes the thread
    int port_ = 0;
    mutable std::mutex mutex_;  // guards the members below
    std::map<std::string, std::vector<Answer>> answers_;
    std::vector<Request> requests_;
    std::thread thread_;
};

}  // namespace palimpsest::test
