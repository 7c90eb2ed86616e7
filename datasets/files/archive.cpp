// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <locale.h>
#include <unistd.h>
#include <zlib.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <system_error>
#include <utility>

#include "datasets/files/file_content.h"
#include "datasets/files/output_file.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kArchiveBlock = 1 << 18;
/// Longest path on Linux; formats allow far longer ones, and names appear in messages.
constexpr std::size_t kLongestName = 4096;
constexpr const char* kFetchAgain = "Fetch it again.";
constexpr const char* kDistrust = "Nothing of it was kept; get the archive from its makers' own address.";

struct Stopped {};

std::string inQuotes(const std::string& name) {
    return "\"" + plainLine(name) + "\"";
}

/// Sets a UTF-8 locale: libarchive converts names to the locale's encoding and drops what it cannot convert, in the C
/// locale everything but ASCII.
class Utf8Names {
public:
    Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
        if (locale_ != nullptr) previous_ = uselocale(locale_);
    }
    ~Utf8Names() {
        if (locale_ == nullptr) return;
        uselocale(previous_);
        freelocale(locale_);
    }
    Utf8Names(const Utf8Names&) = delete;
    Utf8Names& operator=(const Utf8Names&) = delete;

private:
    locale_t locale_;
    locale_t previous_{};
};

/// Fills the block with what stands at a place of the file, however many calls that takes. False where it cannot.
template <class Block>
bool readWhole(int file, Block& block, std::int64_t place) {
    for (std::size_t done = 0; done < block.size();) {
        const ssize_t got = pread(file, block.data() + done, block.size() - done, place + static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        done += static_cast<std::size_t>(got);
    }
    return true;
}

/// Bytes for libarchive. It does not check gzip's own checksum, so zlib unpacks gzipped files.
class Source {
public:
    explicit Source(const fs::path& path, std::stop_token stop) : stop_(std::move(stop)), block_(kArchiveBlock) {
        std::error_code failure;
        if (!fs::is_regular_file(path, failure))
            throw inputError("There is no archive " + path.string() + ".", "Check the folder and the name.");
        total = static_cast<std::int64_t>(fs::file_size(path, failure));
        file_ = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (file_ < 0)
            throw inputError("The archive " + path.string() + " cannot be opened (" + std::strerror(errno) + ").",
                             "Check its permissions.");
        std::array<unsigned char, 2> magic{};
        gzipped = readWhole(file_, magic, 0) && magic[0] == 0x1f && magic[1] == 0x8b;
        if (gzipped) gz_ = gzdopen(dup(file_), "rb");
        if (gz_ != nullptr) gzbuffer(gz_, kArchiveBlock);
    }
    ~Source() {
        if (gz_ != nullptr) gzclose(gz_);
        close(file_);
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::int64_t position() const {
        return std::min(total, gz_ != nullptr ? static_cast<std::int64_t>(gzoffset(gz_)) : bytes_read_);
    }

    /// True if the file's last 512 bytes are zero, as at the end of a complete tar file.
    bool endsInZeros() const {
        std::array<char, 512> tail{};
        return total >= 512 && readWhole(file_, tail, total - 512) &&
               std::ranges::all_of(tail, [](char c) { return c == 0; });
    }

    /// Reads up to zlib's checksum, which follows all content; returns its fault, or an empty text.
    std::string drain(std::int64_t most) {
        std::string reason;
        for (std::int64_t got = 1; got > 0 && reason.empty() && !stop_.stop_requested(); most -= got) {
            if (most < 0) return "there is much behind its end";
            got = readBlock(reason);
        }
        return reason;
    }

    static la_ssize_t onRead(struct archive* handle, void* self, const void** buffer) {
        auto* const source = static_cast<Source*>(self);
        if (source->stop_.stop_requested()) {
            archive_set_error(handle, ECANCELED, "stopped");
            return ARCHIVE_FATAL;
        }
        std::string reason;
        const std::int64_t got = source->readBlock(reason);
        if (!reason.empty()) {
            archive_set_error(handle, EIO, "%s", reason.c_str());
            return ARCHIVE_FATAL;
        }
        *buffer = source->block_.data();
        return static_cast<la_ssize_t>(got);
    }
    static la_int64_t onSeek(struct archive*, void* self, la_int64_t offset, int whence) {
        const off_t place = lseek(static_cast<Source*>(self)->file_, offset, whence);
        return place < 0 ? la_int64_t{ARCHIVE_FATAL} : la_int64_t{place};
    }

    std::int64_t total = 0;
    bool gzipped = false;

private:
    std::int64_t readBlock(std::string& reason) {
        if (!gzipped) {
            ssize_t got = 0;
            do got = ::read(file_, block_.data(), block_.size());
            while (got < 0 && errno == EINTR);
            if (got < 0) reason = std::strerror(errno);
            bytes_read_ += std::max<ssize_t>(got, 0);
            return got;
        }
        if (gz_ == nullptr) {
            reason = "out of memory";
            return -1;
        }
        const int got = gzread(gz_, block_.data(), static_cast<unsigned>(block_.size()));
        // A truncated stream reads as short first, and as an error only afterwards.
        int code = Z_OK;
        const std::string words = gzerror(gz_, &code);
        if (code == Z_BUF_ERROR) {
            reason = "it ends too early";
        } else if (got < 0) {
            reason = words;
        }
        return got;
    }

    std::stop_token stop_;
    std::vector<char> block_;
    int file_ = -1;
    gzFile gz_ = nullptr;
    std::int64_t bytes_read_ = 0;
};

struct Entry {
    std::string name;
    std::int64_t size = 0;
    bool folder = false;
};

/// Reads entries and refuses those that no honest archive contains.
class Reader {
public:
    Reader(fs::path path, const ArchiveSettings& settings)
        : path_(std::move(path)), settings_(settings), source_(path_, settings.stop), archive_(archive_read_new()) {
        most_bytes_ = settings.most_bytes > 0 ? settings.most_bytes : 100 * source_.total + (std::int64_t{64} << 20);
        // Each entry takes a place on the disk, however little of the archive it needs.
        most_entries_ = std::min(settings.most_entries, 50'000 + source_.total / 20);
        if (archive_ == nullptr) throw runError("There is no memory to read " + path_.string() + ".");
        struct archive* const handle = archive_.get();
        archive_read_support_format_tar(handle);
        if (!source_.gzipped) {
            // Zip files are read by the directory at their end: without it, a truncated zip would look complete.
            archive_read_support_format_zip_seekable(handle);
            archive_read_support_filter_bzip2(handle);
            archive_read_set_seek_callback(handle, Source::onSeek);
        }
        archive_read_set_read_callback(handle, Source::onRead);
        archive_read_set_callback_data(handle, &source_);
        if (archive_read_open1(handle) != ARCHIVE_OK) refuse();
    }

    std::optional<Entry> next() {
        progress();
        struct archive_entry* header = nullptr;
        const int result = archive_read_next_header(archive_.get(), &header);
        if (result == ARCHIVE_EOF) {
            finish();
            return std::nullopt;
        }
        // A warning concerns a name or a time that this machine cannot represent, never content.
        if (result != ARCHIVE_OK && result != ARCHIVE_WARN) refuse();
        if (++entries_ > most_entries_)
            throw inputError(
                "The archive " + path_.string() + " holds more than " + grouped(most_entries_) + " entries.",
                kDistrust);
        Entry entry;
        entry.folder = archive_entry_filetype(header) == AE_IFDIR;
        entry.name = checkedName(header);
        entry.size = entry.folder ? 0 : std::max<std::int64_t>(0, archive_entry_size(header));
        entry_ = entry.name;
        checkKind(header);
        if (entry.size > most_bytes_ - bytes_) tooLarge();
        return entry;
    }

    /// Reads the next part of the entry's content; 0 at its end.
    std::size_t read(std::span<std::byte> to) {
        progress();
        const la_ssize_t got = archive_read_data(archive_.get(), to.data(), to.size());
        if (got < 0) refuse();
        bytes_ += got;
        if (bytes_ > most_bytes_) tooLarge();
        return static_cast<std::size_t>(got);
    }

    /// Throws for an entry whose name occurred before.
    [[noreturn]] void refuseTwice() const {
        throw inputError("The archive " + path_.string() + " holds " + inQuotes(entry_) + " twice.", kDistrust);
    }

private:
    struct Free {
        void operator()(struct archive* handle) const { archive_read_free(handle); }
    };

    void progress() {
        if (settings_.stop.stop_requested()) throw Stopped{};
        if (settings_.progress && interval_.due()) settings_.progress({source_.position(), source_.total, entry_});
    }

    [[noreturn]] void refuse() {
        const char* const words = archive_error_string(archive_.get());
        damaged(words != nullptr ? words : "it cannot be read");
    }

    [[noreturn]] void damaged(const std::string& reason) {
        if (settings_.stop.stop_requested()) throw Stopped{};
        if (entries_ == 0)
            throw inputError("The file " + path_.string() + " is not a whole tar or zip archive (" + reason + ").",
                             kFetchAgain);
        throw inputError("The archive " + path_.string() + " is damaged or incomplete at or after " + inQuotes(entry_) +
                             " (" + reason + ").",
                         kFetchAgain);
    }

    [[noreturn]] void tooLarge() {
        throw inputError("The archive " + path_.string() + " unpacks to more than " + grouped(most_bytes_) +
                             " bytes at " + inQuotes(entry_) + ".",
                         kDistrust);
    }

    /// The name without "." and doubled slashes; never absolute, never upwards.
    std::string checkedName(struct archive_entry* header) {
        const char* const raw = archive_entry_pathname(header);
        if (raw == nullptr) damaged("an entry has no readable name");
        const std::string whole = raw;
        if (whole.size() > kLongestName)
            throw inputError("The archive " + path_.string() + " holds a name of " +
                                 grouped(static_cast<std::int64_t>(whole.size())) + " bytes.",
                             kDistrust);
        std::string name;
        bool leaves = whole.starts_with('/');
        for (std::size_t begin = 0; begin <= whole.size();) {
            const std::size_t end = std::min(whole.find('/', begin), whole.size());
            const std::string part = whole.substr(begin, end - begin);
            begin = end + 1;
            leaves = leaves || part == "..";
            if (!part.empty() && part != ".") name += (name.empty() ? "" : "/") + part;
        }
        if (leaves)
            throw inputError("The archive " + path_.string() + " holds the path " + inQuotes(whole) +
                                 ", which leaves the folder it is unpacked into.",
                             kDistrust);
        return name;
    }

    void checkKind(struct archive_entry* header) const {
        const auto type = archive_entry_filetype(header);
        const char* what = nullptr;
        if (archive_entry_hardlink(header) != nullptr) {
            what = "a hard link";
        } else if (type == AE_IFLNK) {
            what = "a symbolic link";
        } else if (type == AE_IFCHR || type == AE_IFBLK) {
            what = "a device";
        } else if (type == AE_IFIFO || type == AE_IFSOCK) {
            what = "a pipe or socket";
        } else if ((type != AE_IFREG && type != AE_IFDIR) || (type == AE_IFREG && entry_.empty())) {
            what = "something that is neither file nor folder";
        }
        if (what != nullptr)
            throw inputError("The archive " + path_.string() + " holds " + what + ", " + inQuotes(entry_) +
                                 ", where a data set has files and folders only.",
                             kDistrust);
    }

    void finish() {
        if (entries_ == 0) damaged("it is empty");
        const bool tar = (archive_format(archive_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_TAR;
        const bool plain = !source_.gzipped && archive_filter_code(archive_.get(), 0) == ARCHIVE_FILTER_NONE;
        if (tar && plain && !source_.endsInZeros()) damaged("it ends too early");
        if (source_.gzipped) {
            const std::string reason = source_.drain(most_bytes_);
            if (!reason.empty()) damaged(reason);
        }
        if (settings_.stop.stop_requested()) throw Stopped{};
        if (settings_.progress) settings_.progress({source_.total, source_.total, entry_});
    }

    Utf8Names utf8_names_;
    fs::path path_;
    const ArchiveSettings& settings_;
    Source source_;
    std::unique_ptr<struct archive, Free> archive_;
    ProgressInterval interval_;
    std::int64_t most_bytes_ = 0;
    std::int64_t most_entries_ = 0;
    std::int64_t bytes_ = 0;
    std::int64_t entries_ = 0;
    std::string entry_;
};

void writeEntries(Reader& reader, const fs::path& folder) {
    std::vector<std::byte> block(kArchiveBlock);
    while (const auto entry = reader.next()) {
        const fs::path path = folder / entry->name;
        std::error_code failure;
        fs::create_directories(entry->folder ? path : path.parent_path(), failure);
        if (failure == std::errc::not_a_directory) reader.refuseTwice();
        if (failure) throw diskError(path, failure.value());
        if (entry->folder) continue;
        if (fs::exists(path, failure)) reader.refuseTwice();
        DatasetOutputFile file(path, DatasetOutputFile::Mode::Fresh);
        while (const std::size_t got = reader.read(block)) file.write(std::span(block).first(got));
    }
}

/// A folder that the destructor deletes.
class Scratch {
public:
    explicit Scratch(fs::path folder) : folder_(std::move(folder)) {
        clear();
        makeFolder(folder_);
    }
    ~Scratch() { clear(); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

private:
    void clear() const {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    fs::path folder_;
};

}  // namespace

bool extractArchive(const fs::path& archive, const fs::path& target, const ArchiveSettings& settings) {
    std::error_code ignored;
    if (fs::exists(target, ignored))
        throw inputError(target.string() + " is already there, so " + archive.string() + " is not unpacked into it.",
                         "Move it away first.");
    const fs::path part = target.string() + ".part";
    try {
        Reader reader(archive, settings);
        const Scratch scratch(part);
        writeEntries(reader, part);
        publish(part, target);
        return true;
    } catch (const Stopped&) {
        return false;
    }
}

bool visitArchive(const fs::path& archive, const std::function<bool(const ArchiveMember&)>& visit,
                  const ArchiveSettings& settings) {
    try {
        Reader reader(archive, settings);
        while (const auto entry = reader.next()) {
            if (entry->folder) continue;
            const auto read = [&reader, size = entry->size] {
                std::vector<std::uint8_t> content;
                content.reserve(static_cast<std::size_t>(std::min<std::int64_t>(size, 64 << 20)));
                std::vector<std::byte> block(kArchiveBlock);
                while (const std::size_t got = reader.read(block)) {
                    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(block.data());
                    content.insert(content.end(), bytes, bytes + got);
                }
                return content;
            };
            if (!visit({entry->name, entry->size, read})) break;
        }
    } catch (const Stopped&) {
        return false;
    }
    return true;
}

}  // namespace palimpsest
