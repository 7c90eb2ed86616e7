// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx.h"

#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

#include <zlib.h>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <system_error>

namespace palimpsest {
namespace {

constexpr std::uint32_t kImagesMagic = 0x00000803;
constexpr std::uint32_t kLabelsMagic = 0x00000801;
constexpr std::uint32_t kLongestIdxSide = 16384;
constexpr std::uint64_t kChunk = 1 << 20;
/// Largest compression ratio of deflate (zlib's technical notes: 1032 to 1).
constexpr std::uint64_t kDensestPacking = 1040;
const char* const kFetchIdxAgain = "Install or download the data set again.";

/// Bytes of a file, unpacked when it is gzipped.
class PlainBytes {
public:
    explicit PlainBytes(const std::filesystem::path& path) : path_(path) {
        std::error_code failure;
        const auto status = std::filesystem::status(path, failure);
        if (!std::filesystem::exists(status))
            throw inputError("The file " + path.string() + " does not exist.", "Check the folder and the name.");
        if (!std::filesystem::is_regular_file(status))
            throw inputError(path.string() + " is not a file.", "Give an IDX file, gzipped or not.");
        packed_size_ = std::filesystem::file_size(path, failure);
        file_.reset(gzopen(path.c_str(), "rb"));
        if (failure || !file_)
            throw inputError("The file " + path.string() + " cannot be opened.", "Check its permissions.");
        gzbuffer(file_.get(), 1 << 17);
    }

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t packedSize() const { return packed_size_; }

    /// Reads `count` bytes; fewer only at the end of the file.
    std::uint64_t read(std::uint8_t* to, std::uint64_t count) {
        std::uint64_t done = 0;
        while (done < count) {
            StopScope::check();
            const auto part = static_cast<unsigned>(std::min<std::uint64_t>(count - done, kChunk));
            const int got = gzread(file_.get(), to + done, part);
            // A truncated gzip stream reads as short first, and as an error only afterwards.
            int code = Z_OK;
            const char* const reason = gzerror(file_.get(), &code);
            if (got < 0 || code == Z_BUF_ERROR) damaged(code == Z_BUF_ERROR ? "it ends too early" : reason);
            if (got == 0) break;
            done += static_cast<std::uint64_t>(got);
        }
        return done;
    }

private:
    struct Close {
        void operator()(gzFile_s* file) const { gzclose(file); }
    };

    [[noreturn]] void damaged(std::string reason) const {
        // zlib prefixes its message with the path, which this sentence already has.
        const std::string prefix = path_.string() + ": ";
        if (reason.rfind(prefix, 0) == 0) reason.erase(0, prefix.size());
        throw inputError("The gzipped file " + path_.string() + " is damaged: " + reason + ".", kFetchIdxAgain);
    }

    std::filesystem::path path_;
    std::uint64_t packed_size_ = 0;
    std::unique_ptr<gzFile_s, Close> file_;
};

std::string hex(std::uint32_t value) {
    std::array<char, 11> text{};
    std::snprintf(text.data(), text.size(), "0x%08x", static_cast<unsigned>(value));
    return text.data();
}

std::uint32_t readNumber(PlainBytes& bytes, const char* what) {
    std::array<std::uint8_t, 4> raw{};
    if (bytes.read(raw.data(), raw.size()) < raw.size())
        throw inputError("The file " + bytes.path().string() + " is cut short: it ends before its " + what + ".",
                         kFetchIdxAgain);
    return std::uint32_t{raw[0]} << 24U | std::uint32_t{raw[1]} << 16U | std::uint32_t{raw[2]} << 8U | raw[3];
}

void checkMagic(PlainBytes& bytes, std::uint32_t expected) {
    const std::uint32_t found = readNumber(bytes, "magic number");
    if (found == expected) return;
    const bool images = expected == kImagesMagic;
    const bool swapped = found == kImagesMagic || found == kLabelsMagic;
    throw inputError("The file " + bytes.path().string() + " is not an IDX " + (images ? "image" : "label") +
                         " file: it should begin with " + hex(expected) + " but begins with " + hex(found) + ".",
                     swapped ? (images ? "It holds labels; give the file with the images."
                                       : "It holds images; give the file with the labels.")
                             : "Give the data set's own file, gzipped or unpacked.");
}

/// Reads exactly `total` bytes, keeps the first `kept`, and checks that nothing follows.
std::vector<std::uint8_t> readBody(PlainBytes& bytes, std::uint64_t total, std::uint64_t kept,
                                   const std::string& promise) {
    const std::string file = "The file " + bytes.path().string();
    const auto cutShort = [&](std::uint64_t found) {
        return inputError(file + " is cut short: " + promise + " need " + std::to_string(total) +
                              " bytes, but it holds " + std::to_string(found) + ".",
                          kFetchIdxAgain);
    };
    // The buffer grows as bytes arrive, so that a false size in the header cannot claim memory the file never fills.
    if (total > bytes.packedSize() * kDensestPacking)
        throw inputError(file + " promises " + promise + ", far more than its " + std::to_string(bytes.packedSize()) +
                             " bytes can hold.",
                         kFetchIdxAgain);
    std::vector<std::uint8_t> body;
    while (body.size() < kept) {
        const std::uint64_t done = body.size();
        body.resize(std::min(kept, done + std::max<std::uint64_t>(kChunk, done)));
        const std::uint64_t got = bytes.read(body.data() + done, body.size() - done);
        if (done + got < body.size()) throw cutShort(done + got);
    }
    std::vector<std::uint8_t> rest(kChunk);
    for (std::uint64_t done = kept; done < total;) {
        const std::uint64_t part = std::min<std::uint64_t>(total - done, rest.size());
        const std::uint64_t got = bytes.read(rest.data(), part);
        done += got;
        if (got < part) throw cutShort(done);
    }
    if (bytes.read(rest.data(), 1) != 0)
        throw inputError(file + " is too long: more bytes follow after " + promise + ".", kFetchIdxAgain);
    return body;
}

}  // namespace

IdxImages readIdxImages(const std::filesystem::path& path, std::int64_t keep) {
    PlainBytes bytes(path);
    checkMagic(bytes, kImagesMagic);
    const std::uint32_t count = readNumber(bytes, "number of images");
    const std::uint32_t rows = readNumber(bytes, "number of rows");
    const std::uint32_t columns = readNumber(bytes, "number of columns");
    if (rows == 0 || columns == 0 || rows > kLongestIdxSide || columns > kLongestIdxSide)
        throw inputError("The file " + path.string() + " promises images of " + std::to_string(rows) + " by " +
                             std::to_string(columns) + " pixels, where 1 to " + std::to_string(kLongestIdxSide) +
                             " a side are possible.",
                         kFetchIdxAgain);
    IdxImages images;
    images.in_file = count;
    images.count = keep > 0 ? std::min<std::int64_t>(keep, count) : count;
    images.rows = rows;
    images.columns = columns;
    const std::uint64_t each = std::uint64_t{rows} * columns;
    images.pixels = readBody(
        bytes, each * count, each * static_cast<std::uint64_t>(images.count),
        std::to_string(count) + " images of " + std::to_string(rows) + " by " + std::to_string(columns) + " pixels");
    return images;
}

std::vector<std::uint8_t> readIdxLabels(const std::filesystem::path& path) {
    PlainBytes bytes(path);
    checkMagic(bytes, kLabelsMagic);
    const std::uint32_t count = readNumber(bytes, "number of labels");
    return readBody(bytes, count, count, std::to_string(count) + " labels");
}

}  // namespace palimpsest
