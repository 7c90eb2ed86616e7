// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/download.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>

#include "datasets/fetching/transfer.h"
#include "datasets/files/file_content.h"
#include "datasets/files/output_file.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;
using End = TransferResult::End;

namespace {

struct Address {
    std::string url;
    bool answered = false;
    bool refused = false;
    bool untrusted = false;
    std::string reason;
};

std::int64_t sizeOf(const fs::path& file) {
    std::error_code failure;
    const auto size = fs::file_size(file, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

class Download {
public:
    explicit Download(const DownloadJob& job) : job_(job), furthest_(sizeOf(job.part)) {
        for (const auto& url : job.urls) addresses_.push_back({url, false, false, false, {}});
        if (addresses_.empty()) throw runError("There is no address for " + job.name + ".", "Name a mirror.");
        makeFolder(job.part.parent_path());
    }

    bool run() {
        for (int round = 0; round < job_.patience.rounds; ++round) {
            if (round > 0 && !pause(round)) return false;
            retry_after_ = {};
            const std::int64_t before = furthest_;
            for (Address& address : addresses_) {
                if (address.refused) continue;
                const End end = tryAddress(address);
                if (end == End::Whole) return true;
                if (end == End::Stopped) return false;
            }
            // Waiting may help with a server that answered before, but not with one that never did.
            const auto hopeful = [](const Address& address) { return address.answered && !address.refused; };
            if (std::ranges::none_of(addresses_, hopeful)) break;
            if (furthest_ > before) round = 0;
        }
        throwFailure();
    }

private:
    /// Connects again at once as long as each connection makes good progress; a server that stalls repeatedly has to
    /// wait until the other addresses were tried.
    End tryAddress(Address& address) {
        constexpr int kMostStalls = 2;
        for (int stalls = 0;;) {
            const TransferResult result = transfer(job_, address.url);
            if (result.end == End::Stopped) return result.end;
            address.answered = address.answered || result.end != End::Unreachable;
            if (result.end == End::Whole) {
                // Networks with a log-in page may call it anything. A size that is known has been checked.
                const std::string page = job_.expected_bytes == 0 ? webPageWords(job_.part) : "";
                const std::string wrong = page.empty() && job_.wrong ? job_.wrong(job_.part) : page;
                if (job_.stop.stop_requested()) return End::Stopped;
                std::error_code ignored;
                fs::remove(PartRecord::fileOf(job_.part), ignored);
                if (wrong.empty()) {
                    if (job_.served) job_.served(withoutPassword(address.url));
                    return result.end;
                }
                fs::remove(job_.part, ignored);
                address.reason = page.empty() ? "sent a file that " + wrong : "sent " + page + " instead of the file";
                // Bytes kept from an earlier download may have been the wrong ones.
                if (result.begun_at > 0) continue;
                address.refused = true;
                return End::Refused;
            }
            address.reason = result.reason;
            address.refused = result.end == End::Refused;
            address.untrusted = result.untrusted;
            retry_after_ = std::max(retry_after_, result.retry_after);
            if (result.end != End::Cut || !steppedForward()) return result.end;
            stalls = result.stalled && !isMuch(result.received) ? stalls + 1 : 0;
            if (stalls == kMostStalls) return result.end;
        }
    }

    /// True if a request received enough to make up for the wait at its end.
    bool isMuch(std::int64_t received) const {
        constexpr std::int64_t kMuch = 16 << 20;
        return received >= (job_.expected_bytes > 0 ? std::min(kMuch, job_.expected_bytes / 10) : kMuch);
    }

    bool steppedForward() {
        constexpr std::int64_t kGoodStep = 1 << 20;
        const std::int64_t size = sizeOf(job_.part);
        const std::int64_t good = job_.expected_bytes > 0 ? std::min(kGoodStep, job_.expected_bytes / 100) : kGoodStep;
        if (size <= furthest_ || size - furthest_ < good) return false;
        furthest_ = size;
        return true;
    }

    /// Waits before the next round. False when asked to stop.
    bool pause(int round) const {
        auto length = job_.patience.first_pause;
        for (int i = 1; i < round && length < job_.patience.longest_pause; ++i) length *= 2;
        length = std::min(std::max(length, retry_after_), job_.patience.longest_pause);
        std::mutex mutex;
        std::condition_variable_any nobody;
        std::unique_lock lock(mutex);
        nobody.wait_for(lock, job_.stop, length, [] { return false; });
        return !job_.stop.stop_requested();
    }

    [[noreturn]] void throwFailure() const {
        std::string sentence = job_.name + " could not be fetched: ";
        for (const Address& address : addresses_)
            sentence +=
                (&address == addresses_.data() ? "" : "; ") + withoutPassword(address.url) + " " + address.reason;
        const bool begun = sizeOf(job_.part) > 0;
        std::string hint = begun ? "Try again later: it goes on from what is there."
                                 : "Try again later or name another mirror; a file that you already have will do, too.";
        if (std::ranges::none_of(addresses_, &Address::answered))
            hint = "Check the network connection and the proxy, then try again" +
                   std::string(begun ? ": it goes on from what is there." : ".");
        if (std::ranges::any_of(addresses_, &Address::untrusted))
            hint =
                "Check the date of this computer and the address. Where your network has an authority of its own, name "
                "the file of its certificate in the environment variable SSL_CERT_FILE.";
        throw runError(sentence + ".", hint);
    }

    const DownloadJob& job_;
    std::vector<Address> addresses_;
    std::int64_t furthest_ = 0;  // largest size of the part so far
    std::chrono::milliseconds retry_after_{0};
};

}  // namespace

bool download(const DownloadJob& job) {
    return Download(job).run();
}

void removePart(const fs::path& part) {
    std::error_code ignored;
    fs::remove(part, ignored);
    fs::remove(PartRecord::fileOf(part), ignored);
}

}  // namespace palimpsest
