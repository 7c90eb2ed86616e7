// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/image_file.h"

#include "datasets/files/file_content.h"
#include "datasets/files/picture_codecs.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <string>
#include <string_view>

namespace palimpsest {
namespace {

enum class ImageFormat { Unknown, Jpeg, Png, Bmp, Pnm, Tiff, WebP };

/// Facts in the first bytes of a picture, without decoding it. Sources: ITU-T T.81 (JPEG), ISO/IEC 15948 (PNG), the
/// netpbm manual (PNM), TIFF 6.0, RFC 9649 (WebP), BITMAPINFOHEADER (BMP).
struct ImageHeader {
    ImageFormat format = ImageFormat::Unknown;
    std::int64_t width = 0;  ///< 0: unknown, or damaged
    std::int64_t height = 0;
    bool complete = true;  ///< false: the end that the format demands is missing
};

/// Bytes of a file; beyond the end they read as zero, which no format accepts as a size.
class Bytes {
public:
    Bytes(std::span<const std::uint8_t> bytes, bool bigEndian) : bytes_(bytes), big_endian_(bigEndian) {}

    std::size_t size() const { return bytes_.size(); }
    std::uint32_t number(std::size_t at, std::size_t length) const {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < length; ++k) {
            const std::size_t from = at + (big_endian_ ? k : length - 1 - k);
            value = value << 8U | (from < bytes_.size() ? bytes_[from] : 0U);
        }
        return value;
    }
    std::string_view text() const { return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()}; }

private:
    std::span<const std::uint8_t> bytes_;
    bool big_endian_;
};

ImageHeader jpeg(const Bytes& in) {
    ImageHeader header{.format = ImageFormat::Jpeg, .complete = false};
    std::size_t at = 2;
    while (at + 4 <= in.size()) {
        const std::uint32_t marker = in.number(at, 2);
        if (marker == 0xffff) {  // a fill byte
            ++at;
            continue;
        }
        if (marker < 0xffc0) return header;
        const bool frame = marker <= 0xffcf && marker != 0xffc4 && marker != 0xffc8 && marker != 0xffcc;
        if (frame) {
            header.height = in.number(at + 5, 2);
            header.width = in.number(at + 7, 2);
        }
        at += 2 + (marker >= 0xffd0 && marker <= 0xffd8 ? 0 : in.number(at + 2, 2));
        if (marker == 0xffda) break;
    }
    // The marker is searched from the end, since thumbnails in the header end with the same one.
    const std::size_t end = in.text().rfind("\xff\xd9");
    header.complete = end != std::string_view::npos && end >= at;
    return header;
}

ImageHeader png(const Bytes& in) {
    const std::size_t end = in.text().rfind("IEND");
    return {ImageFormat::Png, in.number(16, 4), in.number(20, 4),
            end != std::string_view::npos && end + 8 <= in.size()};
}

ImageHeader bmp(const Bytes& in) {
    if (in.number(14, 4) == 12) return {ImageFormat::Bmp, in.number(18, 2), in.number(20, 2)};
    // Rows stored from the top have a negative height.
    const auto signedHeight = static_cast<std::int32_t>(in.number(22, 4));
    return {ImageFormat::Bmp, in.number(18, 4), std::abs(std::int64_t{signedHeight})};
}

ImageHeader pnm(const Bytes& in) {
    const std::string_view text = in.text();
    std::size_t at = 2;
    const auto next = [&] {
        while (at < text.size() && (text[at] == '#' || (text[at] >= '\t' && text[at] <= '\r') || text[at] == ' ')) {
            const bool comment = text[at] == '#';
            ++at;
            while (comment && at < text.size() && text[at] != '\n') ++at;
        }
        std::int64_t value = 0;
        for (int digits = 0; digits < 10 && at < text.size() && text[at] >= '0' && text[at] <= '9'; ++digits, ++at)
            value = value * 10 + (text[at] - '0');
        return value;
    };
    ImageHeader header{.format = ImageFormat::Pnm};
    header.width = next();
    header.height = next();
    return header;
}

ImageHeader tiff(const Bytes& in) {
    ImageHeader header{.format = ImageFormat::Tiff};
    const std::size_t directory = in.number(4, 4);
    const std::uint32_t entries = in.number(directory, 2);
    for (std::size_t at = directory + 2; at < directory + 2 + 12 * std::size_t{entries} && at + 12 <= in.size();
         at += 12) {
        const std::uint32_t tag = in.number(at, 2);
        const std::uint32_t value = in.number(at + 8, in.number(at + 2, 2) == 3 ? 2 : 4);
        // The larger value of a repeated tag counts, since each decoder chooses differently.
        if (tag == 256) header.width = std::max<std::int64_t>(header.width, value);
        if (tag == 257) header.height = std::max<std::int64_t>(header.height, value);
    }
    return header;
}

ImageHeader webP(const Bytes& in) {
    ImageHeader header{.format = ImageFormat::WebP};
    header.complete = in.size() >= std::size_t{in.number(4, 4)} + 8;
    const std::string_view kind = in.text().substr(12, 4);
    if (kind == "VP8X") {
        header.width = in.number(24, 3) + 1;
        header.height = in.number(27, 3) + 1;
    } else if (kind == "VP8L") {
        const std::uint32_t sides = in.number(21, 4);
        header.width = (sides & 0x3fffU) + 1;
        header.height = (sides >> 14U & 0x3fffU) + 1;
    } else if (kind == "VP8 ") {
        header.width = in.number(26, 2) & 0x3fffU;
        header.height = in.number(28, 2) & 0x3fffU;
    }
    return header;
}

ImageHeader readImageHeader(std::span<const std::uint8_t> bytes) {
    using std::string_view_literals::operator""sv;
    const Bytes big(bytes, true);
    const Bytes little(bytes, false);
    const std::string_view text = big.text();
    if (text.starts_with("\xff\xd8\xff")) return jpeg(big);
    if (text.starts_with("\x89PNG\r\n\x1a\n")) return png(big);
    if (text.starts_with("BM")) return bmp(little);
    if (text.size() > 2 && text[0] == 'P' && text[1] >= '1' && text[1] <= '6') return pnm(big);
    if (text.starts_with("II*\0"sv)) return tiff(little);
    if (text.starts_with("MM\0*"sv)) return tiff(big);
    if (text.starts_with("RIFF") && text.size() > 16 && text.substr(8, 4) == "WEBP") return webP(little);
    return {};
}

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
constexpr std::int64_t kMostPixels = 100'000'000;
constexpr std::int64_t kLongestSide = 1'000'000;

/// Silences OpenCV, which would print its errors to the terminal; they are reported as Error.
void silenceOpenCv() {
    static const bool once = [] {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        return true;
    }();
    static_cast<void>(once);
}

cv::Mat decoded(const std::vector<std::uint8_t>& bytes) {
    const PictureCodecs& codecs = pictureCodecs();
    cv::Mat picture;
    try {
        picture = codecs.decode(bytes);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        const auto* const refused = dynamic_cast<const cv::Exception*>(&error);
        if (refused && refused->code == cv::Error::StsNoMem) throw std::bad_alloc();
        // Decoders of several libraries may throw anything; the caller reports the failure with the file's name.
        return {};
    }
    if (!picture.empty()) cv::cvtColor(picture, picture, cv::COLOR_BGR2RGB);
    return picture;
}

}  // namespace

bool isImageName(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kEndings{".jpg", ".jpeg", ".png",  ".ppm", ".bmp",
                                                              ".pgm", ".tif",  ".tiff", ".webp"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return name.size() >= ending.size() &&
               std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                          [&](char e, char n) { return e == asciiLower(n); });
    });
}

cv::Mat readImageFile(const std::filesystem::path& path) {
    silenceOpenCv();
    const std::vector<std::uint8_t> bytes = readFileBytes(path, kMostBytes);
    const ImageHeader header = readImageHeader(bytes);
    const std::string file = plainLine(path.string());
    if (header.format == ImageFormat::Unknown)
        throw inputError(bytes.empty() ? "The picture " + file + " is empty."
                                       : "The file " + file + " is not a picture of a known kind.",
                         "JPEG, PNG, BMP, PPM, TIFF and WebP are read.");
    if (header.width > kLongestSide || header.height > kLongestSide || header.width * header.height > kMostPixels)
        throw inputError("The picture " + file + " has " + std::to_string(header.width) + " by " +
                             std::to_string(header.height) + " pixels, where at most " + std::to_string(kMostPixels) +
                             " in all are read.",
                         "Make it smaller.");
    if (!header.complete)
        throw inputError("The picture " + file + " is cut short at " + std::to_string(bytes.size()) + " bytes.",
                         "Get it again, or take it out.");
    // A header without a size would bypass the limit above.
    cv::Mat picture = header.width > 0 && header.height > 0 ? decoded(bytes) : cv::Mat();
    if (picture.empty())
        throw inputError("The picture " + file + " is damaged and cannot be decoded.", "Get it again, or take it out.");
    return picture;
}

}  // namespace palimpsest
