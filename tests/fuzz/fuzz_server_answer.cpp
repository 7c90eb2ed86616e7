// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <memory>
#include <mutex>

#include "datasets/fetching/download.h"
#include "tests/fuzz/target.h"
#include "tests/support/raw_server.h"

namespace palimpsest::fuzz_server_answer {
namespace {

constexpr std::int64_t kMost = 2000;

/// A server on this machine that answers everything with the same bytes, also as the proxy for all others.
class Server {
public:
    Server() {
        for (const char* proxy : {"http_proxy", "https_proxy", "all_proxy"}) setenv(proxy, server_.url("").c_str(), 1);
    }
    std::string url() const { return server_.url("/file"); }
    void answer(std::string_view bytes) {
        const std::lock_guard lock(mutex_);
        bytes_ = bytes;
    }

private:
    std::string bytes() {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }

    std::mutex mutex_;
    std::string bytes_;
    test::RawServer server_{[this](test::RawConnection& connection) {
        if (connection.readRequest()) connection.send(bytes());
    }};
};

}  // namespace

/// What a server sends, from its first line on.
FUZZ_TARGET(server_answer, 300) {
    static Server server;
    server.answer(input);
    DownloadJob job;
    job.name = "file";
    job.urls = {server.url()};
    job.part = fuzz::scratchFolder() / "answer" / "file.part";
    job.most_bytes = kMost;
    job.patience.rounds = 1;
    job.patience.first_pause = job.patience.longest_pause = std::chrono::milliseconds(0);
    fuzz::answers([&] { fuzz::require(download(job), "it stopped by itself"); });
    std::error_code none;
    const auto size = std::filesystem::file_size(job.part, none);
    fuzz::require(none || size <= kMost, "more was kept than allowed");
    removePart(job.part);
}

}  // namespace palimpsest::fuzz_server_answer
