// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// The one door to files. A run, a sweep or a library may come from somebody whom the user does not trust: below its
// folder no link is followed, and nothing but a regular file is opened, of which no more is read than its kind may
// have.

namespace palimpsest {

/// Where a file lies: how many of its last components must not be links.
enum class FilePlace {
    Named = 0,        ///< named by the user or by an experiment
    InFolder = 1,     ///< in the folder of a run, a sweep or a library
    InSubfolder = 2,  ///< in a folder within such a folder
};

/// Most bytes of a file of each kind, far beyond what one of the largest experiments has.
namespace file_limit {
inline constexpr std::uint64_t kDocument = std::uint64_t{64} << 20U;  ///< run.json, a checkpoint's description
inline constexpr std::uint64_t kSettings = std::uint64_t{16} << 20U;  ///< experiment.toml, a grid
inline constexpr std::uint64_t kTable = std::uint64_t{256} << 20U;    ///< a CSV file that is read as a whole
inline constexpr std::uint64_t kList = std::uint64_t{1} << 30U;       ///< an index list, predictions, labels
}  // namespace file_limit

/// Opens a regular file; returns a descriptor. Never waits for the other end of a pipe. Throws Error(Input) that says
/// why not: also for a link among the components that must be none, for a folder, a pipe and a device. `flags`: of
/// open(2), O_CLOEXEC and O_NONBLOCK are added.
int openRegularFile(const std::filesystem::path& file, FilePlace place, int flags);

/// A text that changes when a file does, made of its time and size; empty where there is none. A folder's changes with
/// its listing.
std::string changeStamp(const std::filesystem::path& file);

/// Makes an empty file; false where the name is taken. Of several programs, only one makes it. Throws Error(Input) as
/// openRegularFile() does.
bool makeFile(const std::filesystem::path& file, FilePlace place);

/// A regular file that is open for reading; what openRegularFile() says holds.
class InputFile : public std::istream {
public:
    explicit InputFile(const std::filesystem::path& file, FilePlace place = FilePlace::Named);
    ~InputFile() override;

    /// In bytes, when it was opened.
    std::uint64_t size() const;

private:
    class Buffer;
    std::unique_ptr<Buffer> buffer_;
};

/// The whole file. Throws Error(Input) that says why it cannot be read; also where it has more than `most` bytes, or
/// more than 16 MB of which most were never written (a sparse file), before memory is taken for them.
std::string readTextFile(const std::filesystem::path& file, FilePlace place = FilePlace::Named,
                         std::uint64_t most = file_limit::kList);

/// True for a regular file that no link leads to. Never throws.
bool isPlainFile(const std::filesystem::path& file);
/// Throws Error(Input) for a path whose last component is a link, and for one that is there and no folder.
void requirePlainFolder(const std::filesystem::path& folder);
/// Paths of all entries of a folder, in no order; none where the folder does not exist. Throws Error(Input) where it
/// cannot be read: a folder that cannot be looked into is not an empty one.
std::vector<std::filesystem::path> folderEntries(const std::filesystem::path& folder);
/// Subfolders among folderEntries(); links to folders are none.
std::vector<std::filesystem::path> plainFoldersIn(const std::filesystem::path& folder);

enum class Keep {
    Written,
    OnDisk,          ///< also after a loss of power, as soon as the folder is on the disk
    OnDiskWithName,  ///< the folder, too
};

/// A file that is written beside its place, under a name that nobody can foresee and that nothing has, and renamed in
/// the end: a reader sees the old content or the new, and never half of either. Without publish() it is removed.
class AsideFile {
public:
    /// Throws Error(Input) where it cannot be made, and where something stands in its place that no file replaces: a
    /// folder, a link, a device, a pipe.
    explicit AsideFile(std::filesystem::path file, FilePlace place = FilePlace::Named);
    ~AsideFile();
    AsideFile(const AsideFile&) = delete;
    AsideFile& operator=(const AsideFile&) = delete;

    /// Where it is until publish().
    const std::filesystem::path& path() const { return aside_; }
    /// Throw Error(Input) when the disk refuses.
    void write(std::string_view bytes);
    void sync();
    /// Only once, as the last call.
    void publish(Keep keep = Keep::Written);

private:
    [[noreturn]] void fail(int reason) const;

    std::filesystem::path file_, aside_;
    FilePlace place_;
    int open_ = -1;
    bool published_ = false;
};

/// True for a name that an AsideFile makes.
bool isAsideName(std::string_view name);
/// Writes a file by way of an AsideFile. Throws Error(Input) that says why it cannot be written. What killed programs
/// left beside a Named file goes.
void replaceTextFile(const std::filesystem::path& file, std::string_view text, Keep keep = Keep::Written,
                     FilePlace place = FilePlace::Named);
/// Removes what killed programs left beside their files in a folder, or beside the file of one name; what is still
/// being written stays. Never throws.
void removeAsideFiles(const std::filesystem::path& folder, std::string_view of = {});

/// Copies the first `length` bytes of a file of a run, or all (-1), to a file that is not there yet. Throws
/// Error(Input).
void copyPlainFile(const std::filesystem::path& from, const std::filesystem::path& to, FilePlace place,
                   std::int64_t length = -1);

/// Brings what was written to a file, or the names in a folder, to the disk. Throws Error(Input) when the disk refuses.
void syncFile(const std::filesystem::path& file);

/// The same for the names in a folder, but does nothing where the folder may not be read.
void syncNames(const std::filesystem::path& folder);

/// Room kept on the disk from the start of a run, so that its final state and numbers can be written even when
/// the disk has become full meanwhile. It is a file without a name: nothing of it is seen in the folder, and nothing is
/// left after a crash. A file system that cannot reserve room is no reason to refuse a run: then nothing is kept.
class DiskReserve {
public:
    /// More than run.json and summary.json of 1000 classes and 100 sessions take together, in bytes.
    static constexpr std::int64_t kSize = 256 * 1024;

    explicit DiskReserve(const std::filesystem::path& folder);
    ~DiskReserve() { release(); }
    DiskReserve(const DiskReserve&) = delete;
    DiskReserve& operator=(const DiskReserve&) = delete;

    void release() noexcept;

private:
    int file_ = -1;
};

}  // namespace palimpsest
