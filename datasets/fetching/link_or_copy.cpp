// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/link_or_copy.h"

#include <optional>
#include <system_error>
#include <vector>

#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/files/output_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

class LinkOrCopy {
public:
    LinkOrCopy(const ByteProgress& progress, std::stop_token stop) : progress_(progress), stop_(std::move(stop)) {}

    bool add(const fs::path& from, const fs::path& to) {
        return fs::is_directory(from) ? addFolder(from, to) : addFile(from, to);
    }

private:
    bool addFolder(const fs::path& from, const fs::path& to) {
        fs::create_directories(to);
        for (const auto& entry : fs::directory_iterator(from)) {
            // A link to a folder may lead in a circle.
            if (entry.is_symlink() && entry.is_directory())
                throw inputError(entry.path().string() + " is a link to a folder.",
                                 "Give a folder that holds its files itself.");
            if (!add(entry.path(), to / entry.path().filename())) return false;
        }
        return true;
    }

    bool addFile(const fs::path& from, const fs::path& to) {
        if (stop_.stop_requested()) return false;
        std::error_code failure;
        fs::create_hard_link(fs::canonical(from), to, failure);
        if (failure) return copy(from, to);
        done_ += static_cast<std::int64_t>(fs::file_size(to));
        return report();
    }

    bool copy(const fs::path& from, const fs::path& to) {
        std::optional<InputFile> opened;
        try {
            opened.emplace(from);
        } catch (const Error&) {
            // Said below.
        }
        if (!opened) throw inputError("The file " + from.string() + " cannot be read.", "Check that you may read it.");
        InputFile& source = *opened;
        DatasetOutputFile target(to, DatasetOutputFile::Mode::Fresh);
        std::vector<char> block(1 << 20);
        while (source) {
            source.read(block.data(), static_cast<std::streamsize>(block.size()));
            if (source.bad()) throw inputError("The file " + from.string() + " cannot be read.", "Check the disk.");
            target.write(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(source.gcount()))));
            done_ += source.gcount();
            if (!report()) return false;
        }
        target.sync();
        return true;
    }

    bool report() {
        if (progress_ && interval_.due()) progress_(done_, 0);
        return !stop_.stop_requested();
    }

    const ByteProgress& progress_;
    std::stop_token stop_;
    ProgressInterval interval_;
    std::int64_t done_ = 0;
};

/// Refuses a target inside the source: copying would find its own copies, again and again.
void refuseInside(const fs::path& from, const fs::path& to) {
    std::error_code ignored;
    if (!fs::is_directory(from, ignored)) return;
    const fs::path below = fs::weakly_canonical(to, ignored).lexically_relative(fs::canonical(from, ignored));
    if (below.empty() || *below.begin() == "..") return;
    throw inputError("The folder " + from.string() + " holds the place that it would be taken to, " + to.string() + ".",
                     std::string("Keep data sets outside of it, or name it in ") + kRootOption + " as it is.");
}

void clear(const fs::path& path) {
    std::error_code ignored;
    fs::remove_all(path, ignored);
}

}  // namespace

bool linkOrCopy(const fs::path& from, const fs::path& to, const ByteProgress& progress, std::stop_token stop) {
    refuseInside(from, to);
    clear(to);
    try {
        if (LinkOrCopy(progress, std::move(stop)).add(from, to)) return true;
        clear(to);
        return false;
    } catch (const fs::filesystem_error& error) {
        clear(to);
        throw inputError("Cannot take over " + from.string() + " (" + error.code().message() + ").",
                         "Check that you may read all of it.");
    } catch (...) {
        clear(to);
        throw;
    }
}

}  // namespace palimpsest
