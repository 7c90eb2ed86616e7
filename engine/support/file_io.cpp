// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/file_io.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <streambuf>
#include <system_error>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/file_lock.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBuffer = std::size_t{32} << 10U;
/// Bytes that a file may claim without being asked whether it holds them.
constexpr std::int64_t kTrustedClaim = std::int64_t{16} << 20U;
constexpr std::size_t kRandomDigits = 16;
constexpr std::size_t kLongestStem = 200;  // of a name beside a file, so that its ending fits as well
constexpr std::string_view kAsideEnding = ".part";

Error cannotRead(const fs::path& file, const std::string& reason) {
    return inputError("Cannot read " + file.string() + ": " + reason + ".", "Check its name and its permissions.");
}

Error cannotWrite(const fs::path& file, int reason) {
    return inputError("Cannot write " + file.string() + ": " + std::strerror(reason) + ".",
                      "Choose a folder you may write to, with space left.");
}

Error isLink(const fs::path& path) {
    return inputError(path.string() + " is a link, and a link within a run, a sweep or a library is never followed.",
                      "Put what it leads to in its place, if you trust both.");
}

bool linkAt(const fs::path& path) {
    std::error_code ignored;
    return fs::is_symlink(fs::symlink_status(path, ignored));
}

/// Opens the folder of a file; -1 with errno where it cannot. A subfolder of a run must be no link.
int openParent(const fs::path& file, FilePlace place) {
    const fs::path parent = file.has_parent_path() ? file.parent_path() : ".";
    const int more = place == FilePlace::InSubfolder ? O_NOFOLLOW : 0;
    return open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | more);
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ < 0) return;
        const int kept = errno;
        close(number_);
        errno = kept;
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return number_; }
    int release() { return std::exchange(number_, -1); }

private:
    int number_;
};

int openAt(const fs::path& file, FilePlace place, int flags) {
    flags |= O_CLOEXEC | O_NONBLOCK;
    if (place == FilePlace::Named) return open(file.c_str(), flags, 0666);
    if (place == FilePlace::InFolder) return open(file.c_str(), flags | O_NOFOLLOW, 0666);
    const Descriptor parent(openParent(file, place));
    return parent.get() < 0 ? -1 : openat(parent.get(), file.filename().c_str(), flags | O_NOFOLLOW, 0666);
}

std::string randomDigits() {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != static_cast<ssize_t>(sizeof number))
        throw runError("The system gives no random numbers.", "Try again.");
    std::string digits;
    for (std::size_t i = 0; i < kRandomDigits; ++i, number >>= 4U) digits += "0123456789abcdef"[number & 15U];
    return digits;
}

/// How the names begin that an AsideFile makes for a file.
std::string asideStem(std::string_view name) {
    return std::string(name.substr(0, kLongestStem));
}

/// Refuses to take the place of what no file replaces. `parent`: its open folder.
void requireReplaceable(int parent, const fs::path& file) {
    if (!file.has_filename()) throw inputError("\"" + file.string() + "\" names no file.", "Name the file to write.");
    struct stat now {};
    if (fstatat(parent, file.filename().c_str(), &now, AT_SYMLINK_NOFOLLOW) != 0 || S_ISREG(now.st_mode)) return;
    if (S_ISDIR(now.st_mode)) throw cannotWrite(file, EISDIR);
    if (S_ISLNK(now.st_mode))
        throw inputError(file.string() + " is a link, and a link is never replaced.",
                         "Name the file that it leads to, or remove the link.");
    throw inputError(file.string() + " is no file but a device or a pipe, which is never replaced.", "Name a file.");
}

}  // namespace

int openRegularFile(const fs::path& file, FilePlace place, int flags) {
    Descriptor opened(openAt(file, place, flags));
    const bool writes = (flags & O_ACCMODE) != O_RDONLY;
    if (opened.get() < 0) {
        const int reason = errno;
        if (place != FilePlace::Named && linkAt(file)) throw isLink(file);
        if (place == FilePlace::InSubfolder && linkAt(file.parent_path())) throw isLink(file.parent_path());
        if (reason == ENXIO) throw inputError(file.string() + " is no file but a pipe.", "Name a file.");
        if (writes) throw cannotWrite(file, reason);
        throw cannotRead(file, std::strerror(reason));
    }
    struct stat now {};
    if (fstat(opened.get(), &now) != 0) throw cannotRead(file, std::strerror(errno));
    if (S_ISDIR(now.st_mode)) throw inputError(file.string() + " is a folder, not a file.", "Name the file itself.");
    if (!S_ISREG(now.st_mode))
        throw inputError(file.string() + " is no file but a device or a pipe.",
                         "Name a file, or put one in its place.");
    return opened.release();
}

std::string changeStamp(const fs::path& file) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    if (error) return {};
    const auto size = fs::file_size(file, error);
    return std::to_string(time.time_since_epoch().count()) + ":" + (error ? "" : std::to_string(size)) + ";";
}

bool makeFile(const fs::path& file, FilePlace place) {
    const Descriptor made(openAt(file, place, O_WRONLY | O_CREAT | O_EXCL));
    if (made.get() >= 0) return true;
    const int reason = errno;
    if (place != FilePlace::Named && linkAt(file)) throw isLink(file);
    if (reason == EEXIST) return false;
    if (place == FilePlace::InSubfolder && linkAt(file.parent_path())) throw isLink(file.parent_path());
    throw cannotWrite(file, reason);
}

class InputFile::Buffer : public std::streambuf {
public:
    explicit Buffer(int file) : file_(file), bytes_(std::make_unique_for_overwrite<char[]>(kBuffer)) {
        struct stat now {};
        if (fstat(file_, &now) == 0) size_ = static_cast<std::uint64_t>(now.st_size);
    }
    ~Buffer() override { close(file_); }

    std::uint64_t size() const { return size_; }

protected:
    int_type underflow() override {
        if (gptr() == egptr() && !fill()) return traits_type::eof();
        return traits_type::to_int_type(*gptr());
    }

    std::streamsize xsgetn(char* out, std::streamsize wanted) override {
        std::streamsize done = std::min<std::streamsize>(wanted, egptr() - gptr());
        std::copy_n(gptr(), done, out);
        gbump(static_cast<int>(done));
        // Large pieces go where they are wanted without a copy in between.
        while (wanted - done >= static_cast<std::streamsize>(kBuffer)) {
            const ssize_t got = readAt(out + done, static_cast<std::size_t>(wanted - done));
            if (got == 0) return done;
            done += got;
        }
        while (done < wanted && fill()) {
            const std::streamsize more = std::min<std::streamsize>(wanted - done, egptr() - gptr());
            std::copy_n(gptr(), more, out + done);
            gbump(static_cast<int>(more));
            done += more;
        }
        return done;
    }

    pos_type seekoff(off_type by, std::ios_base::seekdir from, std::ios_base::openmode) override {
        const off_type here = next_ - (egptr() - gptr());
        const off_type base = from == std::ios_base::beg   ? 0
                              : from == std::ios_base::cur ? here
                                                           : static_cast<off_type>(size_);
        return seekpos(base + by, std::ios_base::in);
    }

    pos_type seekpos(pos_type to, std::ios_base::openmode) override {
        const off_type place = to;
        if (place < 0) return pos_type(off_type(-1));
        const off_type begin = next_ - (egptr() - eback());
        if (place >= begin && place <= next_) {
            setg(eback(), eback() + (place - begin), egptr());
        } else {
            next_ = place;
            setg(nullptr, nullptr, nullptr);
        }
        return to;
    }

private:
    /// Bytes read behind all that was read so far; 0 at the end. What is thrown makes the stream bad().
    ssize_t readAt(char* out, std::size_t most) {
        ssize_t got = 0;
        do got = pread(file_, out, most, next_);
        while (got < 0 && errno == EINTR);
        if (got < 0) throw std::system_error(errno, std::generic_category());
        if (got > 0) {
            next_ += got;
            if (out != bytes_.get()) setg(nullptr, nullptr, nullptr);
        }
        return got;
    }

    bool fill() {
        const ssize_t got = readAt(bytes_.get(), kBuffer);
        if (got == 0) return false;
        setg(bytes_.get(), bytes_.get(), bytes_.get() + got);
        return true;
    }

    const int file_;
    std::unique_ptr<char[]> bytes_;
    std::uint64_t size_ = 0;
    off_type next_ = 0;  // place in the file behind the buffer
};

InputFile::InputFile(const fs::path& file, FilePlace place)
    : std::istream(nullptr), buffer_(std::make_unique<Buffer>(openRegularFile(file, place, O_RDONLY))) {
    rdbuf(buffer_.get());
}

InputFile::~InputFile() = default;

std::uint64_t InputFile::size() const {
    return buffer_->size();
}

namespace {

/// A file can claim any size and hold nothing: memory would be taken for zeros that nobody wrote. The system's word is
/// asked twice, since a file system that compresses holds fewer bytes than a file has.
void requireNoClaim(const fs::path& file, int descriptor, const struct stat& now) {
    constexpr std::int64_t kBlock = 512;  // of st_blocks
    const auto size = static_cast<std::int64_t>(now.st_size), held = static_cast<std::int64_t>(now.st_blocks) * kBlock;
    if (size <= kTrustedClaim || held >= size / 2) return;
#ifdef SEEK_HOLE
    const off_t hole = lseek(descriptor, 0, SEEK_HOLE);
    lseek(descriptor, 0, SEEK_SET);
    if (hole < 0 || hole >= now.st_size) return;
    throw inputError("The file " + file.string() + " says that it has " + std::to_string(size >> 20U) +
                         " MB, but most of it was never written.",
                     "Copy it again from where it came from.");
#endif
}

}  // namespace

std::string readTextFile(const fs::path& file, FilePlace place, std::uint64_t most) {
    const Descriptor opened(openRegularFile(file, place, O_RDONLY));
    struct stat now {};
    if (fstat(opened.get(), &now) != 0) throw cannotRead(file, std::strerror(errno));
    const auto tooLarge = [&] {
        return inputError("The file " + file.string() + " is larger than any of its kind: more than " +
                              std::to_string(most >> 20U) + " MB.",
                          "Check that it is the file you mean.");
    };
    if (static_cast<std::uint64_t>(now.st_size) > most) throw tooLarge();
    requireNoClaim(file, opened.get(), now);
    // One byte more shows the end without asking twice. Files of /proc say that they are empty.
    std::string text(now.st_size > 0 ? static_cast<std::size_t>(now.st_size) + 1 : kBuffer, '\0');
    std::size_t done = 0;
    for (;;) {
        const ssize_t got = read(opened.get(), text.data() + done, text.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw cannotRead(file, std::strerror(errno));
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
        // It grows while it is read.
        if (done > most) throw tooLarge();
        if (done == text.size()) text.resize(2 * text.size());
    }
    text.resize(done);
    return text;
}

bool isPlainFile(const fs::path& file) {
    struct stat now {};
    return lstat(file.c_str(), &now) == 0 && S_ISREG(now.st_mode);
}

void requirePlainFolder(const fs::path& folder) {
    struct stat now {};
    if (lstat(folder.c_str(), &now) != 0 || S_ISDIR(now.st_mode)) return;
    if (S_ISLNK(now.st_mode)) throw isLink(folder);
    throw inputError(folder.string() + " is no folder.", "Remove it, or choose another folder.");
}

std::vector<fs::path> folderEntries(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    // An error that ends the listing makes `entry` the end as well.
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        found.push_back(entry->path());
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
        throw inputError("Cannot read the folder " + folder.string() + ": " + error.message() + ".",
                         "Check its permissions and its disk.");
    return found;
}

std::vector<fs::path> plainFoldersIn(const fs::path& folder) {
    std::vector<fs::path> found = folderEntries(folder);
    std::erase_if(found, [](const fs::path& entry) {
        std::error_code ignored;
        return fs::symlink_status(entry, ignored).type() != fs::file_type::directory;
    });
    return found;
}

bool isAsideName(std::string_view name) {
    if (!name.ends_with(kAsideEnding)) return false;
    name.remove_suffix(kAsideEnding.size());
    if (name.size() <= kRandomDigits || name[name.size() - kRandomDigits - 1] != '.') return false;
    return name.substr(name.size() - kRandomDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

AsideFile::AsideFile(fs::path file, FilePlace place) : file_(std::move(file)), place_(place) {
    const Descriptor parent(openParent(file_, place_));
    if (parent.get() < 0) {
        const int reason = errno;
        if (place_ == FilePlace::InSubfolder && linkAt(file_.parent_path())) throw isLink(file_.parent_path());
        throw cannotWrite(file_, reason);
    }
    requireReplaceable(parent.get(), file_);
    const std::string stem = asideStem(file_.filename().string());
    do {
        aside_ = file_.parent_path() / (stem + "." + randomDigits() + std::string(kAsideEnding));
        open_ =
            openat(parent.get(), aside_.filename().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    } while (open_ < 0 && errno == EEXIST);
    if (open_ < 0) throw cannotWrite(file_, errno);
    // It says to removeAsideFiles() that somebody is at work.
    tryLock(open_);
}

AsideFile::~AsideFile() {
    if (open_ >= 0) close(open_);
    if (!published_) unlink(aside_.c_str());
}

void AsideFile::fail(int reason) const {
    throw cannotWrite(file_, reason);
}

void AsideFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(open_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail(written < 0 ? errno : ENOSPC);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

void AsideFile::sync() {
    // Some file systems cannot be asked, and keep what they are given all the same.
    if (fsync(open_) != 0 && errno != EINVAL) fail(errno);
}

void AsideFile::publish(Keep keep) {
    if (keep != Keep::Written) sync();
    // The lock stays until the file has its name.
    const Descriptor locked(dup(open_));
    if (close(std::exchange(open_, -1)) != 0 && errno != EINTR) fail(errno);
    const Descriptor parent(openParent(file_, place_));
    if (parent.get() < 0) fail(errno);
    requireReplaceable(parent.get(), file_);
    if (renameat(parent.get(), aside_.filename().c_str(), parent.get(), file_.filename().c_str()) != 0) fail(errno);
    published_ = true;
    if (keep == Keep::OnDiskWithName) syncNames(file_.has_parent_path() ? file_.parent_path() : ".");
}

void replaceTextFile(const fs::path& file, std::string_view text, Keep keep, FilePlace place) {
    AsideFile aside(file, place);
    aside.write(text);
    aside.publish(keep);
    // Folders of runs are cleaned when a run is gone on with. Nobody else comes back to a file that a person has named.
    if (place == FilePlace::Named)
        removeAsideFiles(file.has_parent_path() ? file.parent_path() : ".", file.filename().string());
}

void removeAsideFiles(const fs::path& folder, std::string_view of) {
    std::vector<fs::path> left;
    std::error_code error, ignored;
    const std::string begin = of.empty() ? std::string() : asideStem(of) + ".";
    const std::size_t length = begin.size() + kRandomDigits + kAsideEnding.size();
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (isAsideName(name) && (of.empty() || (name.size() == length && name.starts_with(begin))))
            left.push_back(entry->path());
    }
    for (const fs::path& file : left) {
        const Descriptor leftover(open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        // A file that cannot be asked may be somebody's who is at work.
        if (leftover.get() < 0 && errno != ELOOP) continue;
        if (leftover.get() >= 0 && !tryLock(leftover.get())) continue;
        // It does not remove what a link leads to.
        unlink(file.c_str());
    }
}

void copyPlainFile(const fs::path& from, const fs::path& to, FilePlace place, std::int64_t length) {
    InputFile in(from, place);
    const Descriptor out(openRegularFile(to, place, O_WRONLY | O_CREAT | O_EXCL));
    std::uint64_t left = length < 0 ? in.size() : static_cast<std::uint64_t>(length);
    if (left > in.size())
        throw inputError("The file " + from.string() + " is shorter than it was.", "Check that the run is whole.");
    const auto block = std::make_unique_for_overwrite<char[]>(kBuffer);
    while (left > 0) {
        in.read(block.get(), static_cast<std::streamsize>(std::min<std::uint64_t>(left, kBuffer)));
        std::string_view bytes(block.get(), static_cast<std::size_t>(in.gcount()));
        if (bytes.empty()) throw cannotRead(from, "it ends too early");
        left -= bytes.size();
        while (!bytes.empty()) {
            const ssize_t written = write(out.get(), bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) throw cannotWrite(to, written < 0 ? errno : ENOSPC);
            bytes.remove_prefix(static_cast<std::size_t>(written));
        }
    }
}

void syncFile(const fs::path& file) {
    const Descriptor opened(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    // Some file systems cannot be asked, and keep what they are given all the same.
    if ((opened.get() < 0 || fsync(opened.get()) != 0) && errno != EINVAL)
        throw inputError("Cannot write " + file.string() + ": " + std::strerror(errno) + ".",
                         "Check the disk that it lies on.");
}

void syncNames(const fs::path& folder) {
    if (access(folder.c_str(), R_OK) == 0) syncFile(folder);
}

DiskReserve::DiskReserve(const std::filesystem::path& folder) {
    file_ = open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (file_ < 0) {
        // A file system that knows only files with names. One may be left of a program that was killed between the two.
        const std::filesystem::path name = folder / ".reserve";
        unlink(name.c_str());
        file_ = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ < 0) return;
        unlink(name.c_str());
    }
    if (posix_fallocate(file_, 0, kSize) != 0) release();
}

void DiskReserve::release() noexcept {
    if (file_ >= 0) close(std::exchange(file_, -1));
}

}  // namespace palimpsest
