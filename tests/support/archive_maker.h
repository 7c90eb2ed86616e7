// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <QString>
#include <clocale>
#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest::test {

/// An entry as an archive may hold it, honest or not.
struct MadeEntry {
    enum class Kind { File, Folder, Symlink, Hardlink, Device, Fifo };
    std::string name;
    std::string content{};  ///< of a file; target of a link
    Kind kind = Kind::File;
};

/// Writes an archive by its ending: .tar, .tar.gz, .tar.bz2 or .zip.
inline std::filesystem::path makeArchive(const QString& path, const std::vector<MadeEntry>& entries) {
    const std::string locale = std::setlocale(LC_CTYPE, nullptr);
    std::setlocale(LC_CTYPE, "C.UTF-8");  // makes zip files declare that their names are UTF-8
    struct archive* const out = archive_write_new();
    if (path.endsWith(".zip")) {
        archive_write_set_format_zip(out);
    } else {
        archive_write_set_format_ustar(out);
        if (path.endsWith(".gz")) archive_write_add_filter_gzip(out);
        if (path.endsWith(".bz2")) archive_write_add_filter_bzip2(out);
    }
    if (archive_write_open_filename(out, path.toLocal8Bit().constData()) != ARCHIVE_OK)
        qFatal("cannot write %s", qPrintable(path));
    for (const MadeEntry& made : entries) {
        using Kind = MadeEntry::Kind;
        struct archive_entry* const entry = archive_entry_new();
        archive_entry_set_pathname(entry, made.name.c_str());
        archive_entry_set_perm(entry, made.kind == Kind::Folder ? 0755 : 0644);
        archive_entry_set_mtime(entry, 1'600'000'000, 0);
        archive_entry_set_size(entry, 0);
        archive_entry_set_filetype(entry, AE_IFREG);
        switch (made.kind) {
            case Kind::File:
                archive_entry_set_size(entry, static_cast<la_int64_t>(made.content.size()));
                break;
            case Kind::Folder:
                archive_entry_set_filetype(entry, AE_IFDIR);
                break;
            case Kind::Symlink:
                archive_entry_set_filetype(entry, AE_IFLNK);
                archive_entry_set_symlink(entry, made.content.c_str());
                break;
            case Kind::Hardlink:
                archive_entry_set_hardlink(entry, made.content.c_str());
                break;
            case Kind::Device:
                archive_entry_set_filetype(entry, AE_IFCHR);
                break;
            case Kind::Fifo:
                archive_entry_set_filetype(entry, AE_IFIFO);
                break;
        }
        if (archive_write_header(out, entry) < ARCHIVE_WARN) qFatal("%s", archive_error_string(out));
        if (made.kind == Kind::File) archive_write_data(out, made.content.data(), made.content.size());
        archive_entry_free(entry);
    }
    if (archive_write_close(out) != ARCHIVE_OK) qFatal("%s", archive_error_string(out));
    archive_write_free(out);
    std::setlocale(LC_CTYPE, locale.c_str());
    return path.toStdString();
}

}  // namespace palimpsest::test
