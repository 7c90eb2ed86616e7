// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/transfer.h"

#include <curl/curl.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>

#include "datasets/files/file_content.h"
#include "datasets/files/output_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using End = TransferResult::End;

namespace {

struct EasyFree {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct MultiFree {
    void operator()(CURLM* handle) const { curl_multi_cleanup(handle); }
};
struct ListFree {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// Bytes a second over the last three seconds.
class SpeedMeter {
public:
    double operator()(std::int64_t bytes) {
        const auto now = Clock::now();
        marks_.push_back({now, bytes});
        while (marks_.size() > 2 && now - marks_[1].time > std::chrono::seconds(3)) marks_.pop_front();
        const std::chrono::duration<double> passed = now - marks_.front().time;
        if (passed.count() <= 0) return 0;
        return static_cast<double>(bytes - marks_.front().bytes) / passed.count();
    }

private:
    struct Mark {
        Clock::time_point time;
        std::int64_t bytes;
    };
    std::deque<Mark> marks_;
};

/// Most bytes of headers, of all answers to a request together. libcurl has limits of its own, which depend on its
/// version.
constexpr std::int64_t kMostHeaders = 192 << 10;
/// Most bytes that are read before the file begins, such as the page of a redirect.
constexpr std::int64_t kMostAside = 1 << 20;

constexpr const char* kPacked = "sends the file packed for the way, which nobody asked for";

/// The part of a file that a server says it sends.
struct SentRange {
    std::int64_t from = 0, to = 0;  ///< first and last byte
    std::int64_t total = 0;         ///< bytes of the whole file; 0: not said
};

/// Takes a word from the front of a text. False when it begins with something else.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

bool takeNumber(std::string_view& text, std::int64_t& number) {
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (code != std::errc() || text.starts_with('-')) return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
    return true;
}

/// Reads the header Content-Range; absent where it contradicts itself.
std::optional<SentRange> sentRange(std::string_view words) {
    SentRange range;
    if (!take(words, "bytes ") || !takeNumber(words, range.from) || !take(words, "-") || !takeNumber(words, range.to) ||
        !take(words, "/"))
        return std::nullopt;
    const bool told = !take(words, "*");
    if (told && !takeNumber(words, range.total)) return std::nullopt;
    if (!words.empty() || range.to < range.from || (told && range.to >= range.total)) return std::nullopt;
    return range;
}

/// The length that a server gives when it has nothing at the place it was asked for: "bytes */TOTAL".
std::optional<std::int64_t> lengthAfterEnd(std::string_view words) {
    std::int64_t total = 0;
    if (!take(words, "bytes */") || !takeNumber(words, total) || !words.empty()) return std::nullopt;
    return total;
}

std::string statusWords(long code) {
    std::string words = "answered " + std::to_string(code);
    for (const auto& [number, meaning] :
         {std::pair{206L, "a part that nobody asked for"}, std::pair{401L, "a password is needed"},
          std::pair{403L, "forbidden"}, std::pair{404L, "not found"}, std::pair{407L, "a password is needed"},
          std::pair{410L, "gone"}, std::pair{429L, "too many requests"}, std::pair{503L, "too busy"}})
        if (number == code) words += std::string(" (") + meaning + ")";
    return words;
}

std::string ofTotal(std::int64_t bytes, std::int64_t total) {
    return grouped(bytes) + (total > 0 ? " of " + grouped(total) : "") + " bytes";
}

class Transfer {
public:
    Transfer(const DownloadJob& job, const std::string& url)
        : job_(job), url_(url), record_(PartRecord::load(job.part)) {
        std::error_code failure;
        const auto size = fs::file_size(job.part, failure);
        if (!failure) size_ = static_cast<std::int64_t>(size);
        const std::string shown = withoutPassword(url);
        const bool same_source = record_.url == shown && !record_.validator.empty();
        const bool too_long = job.expected_bytes > 0 && size_ > job.expected_bytes;
        if (size_ > 0 && !too_long && (same_source || job.wrong)) begun_at_ = size_;
        if (record_.url != shown) record_ = {shown, {}, 0};
    }

    TransferResult run() {
        const std::int64_t known = job_.expected_bytes > 0 ? job_.expected_bytes : record_.total;
        if (begun_at_ > 0 && begun_at_ == known) return result(End::Whole);
        prepare();
        const CURLcode code = perform();
        if (failure_) std::rethrow_exception(failure_);
        if (job_.stop.stop_requested()) return result(End::Stopped);
        if (end_) return result(*end_, reason_);
        if (code == CURLE_OK && !begun_) begin();  // an answer without a body
        if (failure_) std::rethrow_exception(failure_);
        if (end_) return result(*end_, reason_);
        return verdict(code);
    }

private:
    void prepare() {
        static std::once_flag once;
        std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
        easy_.reset(curl_easy_init());
        multi_.reset(curl_multi_init());
        if (!easy_ || !multi_) throw runError("There is no memory for a download.");
        CURL* const h = easy_.get();
        curl_easy_setopt(h, CURLOPT_URL, url_.c_str());
        // One file at a time gains nothing by HTTP/2, whose frames are one more thing to be lied to with.
        curl_easy_setopt(h, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
        curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
        // A server asked over https must not redirect to an unencrypted one.
        const bool secret = curl_strnequal(url_.c_str(), "https:", 6) != 0;
        curl_easy_setopt(h, CURLOPT_REDIR_PROTOCOLS_STR, secret ? "https" : "http,https");
        curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 1L);
        curl_easy_setopt(h, CURLOPT_MAXREDIRS, 10L);
        curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(h, CURLOPT_USERAGENT, "palimpsest");
        curl_easy_setopt(h, CURLOPT_BUFFERSIZE, 256L * 1024);
        // libcurl itself knows neither variable.
        for (const char* variable : {"CURL_CA_BUNDLE", "SSL_CERT_FILE"})
            if (const char* const file = std::getenv(variable); file && *file)
                curl_easy_setopt(h, CURLOPT_CAINFO, file);
        curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(job_.patience.connect.count()));
        curl_easy_setopt(h, CURLOPT_ERRORBUFFER, words_.data());
        curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, &Transfer::onBytes);
        curl_easy_setopt(h, CURLOPT_WRITEDATA, this);
        curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, &Transfer::onHeader);
        curl_easy_setopt(h, CURLOPT_HEADERDATA, this);
        // Some loops within libcurl last as long as bytes come, and end in time only by this.
        curl_easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
        curl_easy_setopt(h, CURLOPT_XFERINFOFUNCTION, &Transfer::onStep);
        curl_easy_setopt(h, CURLOPT_XFERINFODATA, this);
        if (begun_at_ > 0) {
            curl_easy_setopt(h, CURLOPT_RANGE, (std::to_string(begun_at_) + "-").c_str());
            if (!record_.validator.empty()) {
                headers_.reset(curl_slist_append(nullptr, ("If-Range: " + record_.validator).c_str()));
                curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers_.get());
            }
        }
    }

    CURLcode perform() {
        CURLM* const multi = multi_.get();
        curl_multi_add_handle(multi, easy_.get());
        CURLcode code = CURLE_OK;
        {
            const std::stop_callback wake(job_.stop, [multi] { curl_multi_wakeup(multi); });
            window_ = Clock::now();
            for (bool done = false; !done && !job_.stop.stop_requested() && !end_;) {
                int running = 0;
                curl_multi_perform(multi, &running);
                int left = 0;
                while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
                    if (message->msg != CURLMSG_DONE) continue;
                    code = message->data.result;
                    done = true;
                }
                if (done) break;
                report(false);
                checkPace();
                const auto longest =
                    std::min<std::chrono::milliseconds>(std::chrono::milliseconds(100), job_.patience.stall);
                curl_multi_poll(multi, nullptr, 0, static_cast<int>(longest.count()), nullptr);
            }
        }
        if (job_.stop.stop_requested())
            curl_easy_setopt(easy_.get(), CURLOPT_QUICK_EXIT, 1L);  // ends without waiting for name servers
        curl_multi_remove_handle(multi, easy_.get());
        report(true);
        return code;
    }

    /// Ends the transfer when the server has sent hardly anything for too long.
    void checkPace() {
        const auto now = Clock::now();
        if (end_ || now - window_ < job_.patience.stall) return;
        const std::chrono::duration<double> passed = now - window_;
        if (static_cast<double>(received_ - window_bytes_) < job_.patience.slowest * passed.count()) {
            stalled_ = true;
            finish(End::Cut, "sent hardly anything for " + std::to_string(job_.patience.stall.count() / 1000) +
                                 " s, after " + ofTotal(size_, total_));
        }
        window_ = now;
        window_bytes_ = received_;
    }

    /// Acts in a callback of libcurl, which no exception may pass. False when the transfer is to end.
    template <class Action>
    bool goesOnAfter(Action action) {
        try {
            action();
        } catch (...) {
            failure_ = std::current_exception();
        }
        return !failure_ && !end_;
    }

    static std::size_t onBytes(char* bytes, std::size_t one, std::size_t count, void* self) {
        auto* const transfer = static_cast<Transfer*>(self);
        const std::size_t size = one * count;
        const bool goes_on = transfer->goesOnAfter([&] {
            if (!transfer->begun_) transfer->begin();
            if (!transfer->end_) transfer->receive({reinterpret_cast<const std::byte*>(bytes), size});
        });
        return goes_on ? size : 0;
    }

    static std::size_t onHeader(char*, std::size_t one, std::size_t count, void* self) {
        auto* const transfer = static_cast<Transfer*>(self);
        const std::size_t size = one * count;
        const bool goes_on = transfer->goesOnAfter([&] {
            transfer->header_bytes_ += static_cast<std::int64_t>(size);
            if (transfer->header_bytes_ > kMostHeaders)
                transfer->finish(End::Refused, "sent more than " + grouped(kMostHeaders) + " bytes of headers");
        });
        return goes_on ? size : 0;
    }

    static int onStep(void* self, curl_off_t, curl_off_t bytes, curl_off_t, curl_off_t) {
        auto* const transfer = static_cast<Transfer*>(self);
        const bool goes_on = transfer->goesOnAfter([&] {
            transfer->checkPace();
            if (!transfer->begun_ && bytes > kMostAside)
                transfer->finish(End::Refused, "sent more than " + grouped(kMostAside) + " bytes before the file");
        });
        return goes_on && !transfer->job_.stop.stop_requested() ? 0 : 1;
    }

    std::string header(const char* name) const {
        curl_header* found = nullptr;
        // Headers of the last response count, after redirects.
        if (curl_easy_header(easy_.get(), name, 0, CURLH_HEADER, -1, &found) != CURLHE_OK) return {};
        return found->value;
    }

    long status() const {
        long code = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &code);
        return code;
    }

    void finish(End end, std::string reason) {
        if (end_) return;
        end_ = end;
        reason_ = std::move(reason);
    }

    void refuseSize(std::int64_t offered) {
        finish(End::Refused,
               "offers " + grouped(offered) + " bytes where " + grouped(job_.expected_bytes) + " are expected");
    }

    /// True where libcurl may unpack the body on its way, though nobody asked for that: little would become very much.
    bool isPacked() const {
        curl_header* found = nullptr;
        for (std::size_t i = 0;
             curl_easy_header(easy_.get(), "Transfer-Encoding", i, CURLH_HEADER, -1, &found) == CURLHE_OK; ++i)
            if (curl_strequal(found->value, "chunked") == 0) return true;
        return false;
    }

    /// Decides from the response's header how to use its body.
    void begin() {
        begun_ = true;
        const long code = status();
        if (code == 206 && begun_at_ > 0) return beginRest();
        if (code == 416 && begun_at_ > 0) return beginAfterEnd();
        if (code != 200) return refuseStatus(code);
        if (isPacked()) return finish(End::Refused, kPacked);
        begun_at_ = 0;
        curl_off_t length = -1;
        curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        total_ = std::max<std::int64_t>(0, length);
        if (!checkTotal(length >= 0)) return;
        sent_end_ = total_;
        // Networks with a log-in page answer every request with it. Checked before the part is emptied, if no size has
        // revealed it.
        if ((length < 0 || job_.expected_bytes == 0) && header("Content-Type").starts_with("text/html"))
            return finish(End::Refused, "sent a web page instead of the file");
        file_.emplace(job_.part, DatasetOutputFile::Mode::Append);
        file_->empty();
        size_ = 0;
        saveRecord();
        checkRoom();
    }

    void beginRest() {
        if (isPacked()) return finish(End::Refused, kPacked);
        const auto range = sentRange(header("Content-Range"));
        curl_off_t length = -1;
        curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
        if (!range || range->from != begun_at_ || (length >= 0 && length != range->to - range->from + 1)) {
            startOver();
            return finish(End::Cut, "sent another part than it was asked for");
        }
        // The part was asked for up to the end of the file.
        total_ = range->total > 0 || job_.expected_bytes > 0 ? range->total : range->to + 1;
        if (!checkTotal(total_ > 0)) return;
        sent_end_ = std::min(range->to + 1, total_);
        file_.emplace(job_.part, DatasetOutputFile::Mode::Append);
        saveRecord();
        checkRoom();
    }

    /// The server's file is no longer than our part.
    void beginAfterEnd() {
        const auto total = lengthAfterEnd(header("Content-Range"));
        if (total && job_.expected_bytes == 0 && *total == begun_at_) return finish(End::Whole, {});
        // The server's file is another one. The part may be the beginning of the right one, from another address.
        if (total && job_.expected_bytes > 0 && *total != job_.expected_bytes) return refuseSize(*total);
        startOver();
        finish(End::Cut, "has a shorter file than the part that is here");
    }

    void startOver() {
        removePart(job_.part);
        size_ = 0;
        begun_at_ = 0;
    }

    bool checkTotal(bool known) {
        if (!known) total_ = job_.expected_bytes;
        if (job_.expected_bytes > 0 && total_ != job_.expected_bytes) {
            refuseSize(total_);
        } else if (total_ > job_.most_bytes && job_.expected_bytes == 0) {
            finish(End::Refused,
                   "offers " + grouped(total_) + " bytes, more than the " + grouped(job_.most_bytes) + " allowed");
        }
        return !end_;
    }

    void refuseStatus(long code) {
        const bool busy = code == 408 || code == 425 || code == 429 || code >= 500;
        curl_off_t seconds = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &seconds);
        retry_after_ = std::chrono::seconds(std::clamp<curl_off_t>(seconds, 0, 86'400));
        finish(busy ? End::Cut : End::Refused, statusWords(code));
    }

    void saveRecord() {
        std::string etag = header("ETag");
        // A weak tag does not guarantee the same bytes, so If-Range must not use it (RFC 9110, section 13.1.5).
        record_.validator = etag.starts_with('"') ? etag : header("Last-Modified");
        // It is sent back to the server, and written into a file that a line end would tear apart.
        constexpr std::size_t kLongest = 1000;
        if (record_.validator.size() > kLongest || !isPlainLine(record_.validator)) record_.validator.clear();
        record_.total = total_;
        record_.save(job_.part);
    }

    void checkRoom() const {
        std::error_code failure;
        const auto space = fs::space(job_.part.parent_path(), failure);
        if (!failure && total_ > 0 && static_cast<std::int64_t>(space.available) < total_ - size_)
            throw diskError(job_.part, ENOSPC);
    }

    void receive(std::span<const std::byte> bytes) {
        const auto count = static_cast<std::int64_t>(bytes.size());
        const std::int64_t limit = sent_end_ > 0 ? sent_end_ : job_.most_bytes;
        if (count > limit - size_) {
            startOver();
            return finish(End::Refused, "sent more than " + grouped(limit) + " bytes");
        }
        file_->write(bytes);
        size_ += count;
        received_ += count;
        report(false);
    }

    void report(bool always) {
        if (!job_.progress || !begun_ || !(interval_.due() || always)) return;
        try {
            job_.progress({size_, total_, speed_(size_)});
        } catch (...) {
            failure_ = std::current_exception();
            finish(End::Refused, {});
        }
    }

    TransferResult unproven(const std::string& reason) {
        TransferResult refused = result(End::Refused, reason);
        refused.untrusted = true;
        return refused;
    }

    TransferResult verdict(CURLcode code) {
        if (code == CURLE_OK) {
            if (total_ > 0 && size_ < total_) return result(End::Cut, "ended after " + ofTotal(size_, total_));
            file_->sync();
            return result(End::Whole);
        }
        // They can repeat what the server sent.
        std::string words = plainLine(words_[0] != '\0' ? words_.data() : curl_easy_strerror(code));
        while (words.ends_with(' ')) words.pop_back();
        long proxy = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_HTTP_CONNECTCODE, &proxy);
        if (proxy >= 300)
            return result(End::Unreachable, "could not be reached, since the proxy " + statusWords(proxy));
        switch (code) {
            case CURLE_COULDNT_RESOLVE_PROXY:
            case CURLE_COULDNT_RESOLVE_HOST:
            case CURLE_COULDNT_CONNECT:
            case CURLE_PROXY:
                return result(End::Unreachable, "could not be reached (" + words + ")");
            case CURLE_SSL_CONNECT_ERROR:
                return result(End::Unreachable, "could not agree on a secure connection (" + words + ")");
            case CURLE_OPERATION_TIMEDOUT:
                return result(begun_ ? End::Cut : End::Unreachable, "did not answer (" + words + ")");
            case CURLE_PARTIAL_FILE:
            case CURLE_GOT_NOTHING:
            case CURLE_RECV_ERROR:
            case CURLE_SEND_ERROR:
            case CURLE_HTTP2:
            case CURLE_HTTP2_STREAM:
                return result(End::Cut, "cut the connection after " + ofTotal(size_, total_));
            case CURLE_TOO_MANY_REDIRECTS:
                return result(End::Refused, "sends from one address to the next without end");
            case CURLE_WEIRD_SERVER_REPLY:
                return result(End::Refused, "does not answer as a web server does (" + words + ")");
            case CURLE_UNSUPPORTED_PROTOCOL:
                // libcurl says the same of versions of HTTP that it does not know, and takes an answer without any
                // header for one of the first version.
                if (!words.starts_with("Protocol "))
                    return result(End::Refused, "does not answer as a web server does (" + words + ")");
                return result(End::Refused, "leads to an address that is not fetched from (" + words + ")");
            case CURLE_BAD_CONTENT_ENCODING:
                return result(End::Refused, kPacked);
            case CURLE_OUT_OF_MEMORY:
#if LIBCURL_VERSION_NUM >= 0x080600
            case CURLE_TOO_LARGE:
#endif
                // libcurl says so of a header that is longer than any that it takes.
                return result(End::Refused, "sent headers that there is no room for (" + words + ")");
            case CURLE_URL_MALFORMAT:
                return result(End::Refused, "is not an address to fetch from (" + words + ")");
            case CURLE_PEER_FAILED_VERIFICATION:
                return unproven("could not prove who it is (" + words + ")");
            case CURLE_SSL_CACERT_BADFILE:
                return unproven("could not be asked who it is (" + words + ")");
            default:
                return result(End::Refused, "failed (" + words + ")");
        }
    }

    TransferResult result(End end, std::string reason = {}) const {
        return {end, std::move(reason), begun_at_, retry_after_, stalled_, received_};
    }

    const DownloadJob& job_;
    const std::string& url_;
    PartRecord record_;
    std::int64_t size_ = 0;  // of the part
    std::int64_t begun_at_ = 0;
    std::int64_t total_ = 0;     // 0: unknown
    std::int64_t sent_end_ = 0;  // size of the part after this answer; 0: unknown
    std::int64_t received_ = 0;  // in this transfer
    std::int64_t header_bytes_ = 0;
    Clock::time_point window_{};  // since when the pace is measured
    std::int64_t window_bytes_ = 0;
    bool begun_ = false;
    bool stalled_ = false;
    std::optional<End> end_;
    std::string reason_;
    std::chrono::milliseconds retry_after_{0};
    std::exception_ptr failure_;
    std::optional<DatasetOutputFile> file_;
    ProgressInterval interval_;
    SpeedMeter speed_;
    std::array<char, CURL_ERROR_SIZE> words_{};
    // Destroyed in reverse order: the multi handle before the easy handle, and that before its headers.
    std::unique_ptr<curl_slist, ListFree> headers_;
    std::unique_ptr<CURL, EasyFree> easy_;
    std::unique_ptr<CURLM, MultiFree> multi_;
};

}  // namespace

std::string withoutPassword(const std::string& url) {
    const auto slashes = url.find("://");
    if (slashes == std::string::npos) return url;
    const auto host = slashes + 3;
    const auto end = std::min(url.find_first_of("/?#", host), url.size());
    const auto at = url.rfind('@', end);
    return at == std::string::npos || at < host ? url : url.substr(0, host) + url.substr(at + 1);
}

fs::path PartRecord::fileOf(const fs::path& part) {
    return part.string() + ".source";
}

PartRecord PartRecord::load(const fs::path& part) {
    std::istringstream file;
    try {
        constexpr std::uint64_t kMost = std::uint64_t{64} << 10U;
        file.str(readTextFile(fileOf(part), FilePlace::InFolder, kMost));
    } catch (const Error&) {
        return {};
    }
    PartRecord record;
    std::string total;
    std::string end;
    const bool whole = std::getline(file, record.url) && std::getline(file, record.validator) &&
                       std::getline(file, total) && std::getline(file, end) && end == "end";
    const auto [stop, code] = std::from_chars(total.data(), total.data() + total.size(), record.total);
    if (!whole || code != std::errc() || stop != total.data() + total.size() || record.total < 0) return {};
    return record;
}

void PartRecord::save(const fs::path& part) const {
    const std::string text = url + "\n" + validator + "\n" + std::to_string(total) + "\nend\n";
    errno = 0;
    try {
        replaceTextFile(fileOf(part), text, Keep::Written, FilePlace::InFolder);
    } catch (const Error&) {
        throw diskError(fileOf(part), errno != 0 ? errno : EIO);
    }
}

TransferResult transfer(const DownloadJob& job, const std::string& url) {
    return Transfer(job, url).run();
}

}  // namespace palimpsest
