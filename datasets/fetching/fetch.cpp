// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/fetch.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/dataset_files.h"
#include "datasets/fetching/link_or_copy.h"
#include "datasets/fetching/transfer.h"
#include "datasets/files/archive.h"
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/files/folder_lock.h"
#include "datasets/files/output_file.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
using State = DatasetFileStatus::State;
using Step = FetchProgress::Step;

namespace {

/// Thrown to end a fetch that was asked to stop.
struct FetchStopped {};

/// Moves everything of one folder into another, over older files. The path `last` is moved last, so that its presence
/// means that everything is there.
void moveInto(const fs::path& from, const fs::path& to, const fs::path& last) {
    if (!fs::is_directory(from) || !fs::is_directory(to)) return publish(from, to);
    std::vector<fs::path> names;
    for (const auto& entry : fs::directory_iterator(from)) names.push_back(entry.path().filename());
    const fs::path first_of_last = last.empty() ? fs::path() : *last.begin();
    std::ranges::stable_partition(names, [&](const fs::path& name) { return name != first_of_last; });
    for (const fs::path& name : names)
        moveInto(from / name, to / name, name == first_of_last ? last.lexically_relative(first_of_last) : fs::path());
    fs::remove(from);
}

/// Folders that a fetch has to make; the destructor removes those that are still empty.
class NewFolders {
public:
    NewFolders(const DatasetInfo& info, const fs::path& folder) {
        for (const DatasetFile& file : info.files)
            for (fs::path place = (folder / file.name).parent_path();
                 !place.empty() && !pathExists(place) && place != place.parent_path(); place = place.parent_path())
                missing_.insert(place);
    }
    ~NewFolders() {
        std::error_code ignored;  // folders that are not empty fail, too
        for (auto place = missing_.rbegin(); place != missing_.rend(); ++place) fs::remove(*place, ignored);
    }
    NewFolders(const NewFolders&) = delete;
    NewFolders& operator=(const NewFolders&) = delete;

private:
    std::set<fs::path> missing_;  // a folder precedes those in it
};

class Fetch {
public:
    Fetch(const DatasetInfo& info, const FetchSettings& settings, fs::path folder)
        : info_(info), settings_(settings), folder_(std::move(folder)) {}

    /// True if all files of one form are present and none is damaged.
    bool isWhole() {
        if (settings_.renew) return false;
        std::vector<DatasetFileStatus> statuses = quickStatuses(info_, folder_);
        if (!isComplete(info_, statuses)) return false;
        for (std::size_t i = 0; i < statuses.size(); ++i)
            if (statuses[i].state == State::Present && !damageOf(info_.files[i]).empty())
                statuses[i].state = State::WrongChecksum;
        return isComplete(info_, statuses);
    }

    /// Forgets known damage, since another fetch may have changed the files.
    void forgetDamage() { damage_.clear(); }

    void run() {
        findUserFiles();
        const std::string form = chosenForm();
        std::vector<const DatasetFile*> wanted;
        for (const DatasetFile& file : info_.files)
            if (belongsTo(file, form)) wanted.push_back(&file);
        try {
            copyUserFiles(wanted);
            completeAll(wanted);
        } catch (const Error& error) {
            if (copied_.empty()) throw;
            std::string rest;
            for (const DatasetFile* file : wanted)
                if (quickStatus(info_, *file, folder_).state != State::Present && !completed_.contains(file))
                    rest += (rest.empty() ? "" : ", ") + file->name;
            throw Error(
                error.kind(), error.what(),
                "Yours is kept: " + copied_ + (rest.empty() ? ". " : "; still missing: " + rest + ". ") + error.hint());
        }
    }

private:
    /// Fault of the content of an existing file, to follow its path; empty if there is none or no checksum.
    const std::string& damageOf(const DatasetFile& file) {
        const auto known = damage_.find(&file);
        if (known != damage_.end()) return known->second;
        const fs::path path = folder_ / file.name;
        const std::string found = file.checksum.empty() || !pathExists(path) ? "" : fault(file, path);
        return damage_.emplace(&file, found).first->second;
    }

    /// Reason why a file cannot be used as it is; empty when it can.
    std::string lackOf(const DatasetFile& file) {
        if (completed_.contains(&file)) return {};
        if (settings_.renew && pathExists(folder_ / file.name))
            return (folder_ / file.name).string() + " is to be replaced by a new one";
        const auto status = quickStatus(info_, file, folder_);
        if (status.state != State::Present && status.state != State::NotUnpacked) return factOf(status, folder_);
        const std::string& damage = damageOf(file);
        return damage.empty() ? "" : (folder_ / file.name).string() + " " + damage;
    }

    /// Refuses to replace a damaged file in a folder of another name, since it may belong to another data set.
    void refuseForeign(const DatasetFile& file) {
        const fs::path path = folder_ / file.name;
        if (hasNameOf(info_, folder_) || !pathExists(path)) return;
        throw inputError("The file " + path.string() + " " + damageOf(file) +
                             "; it is left alone, as its folder is not " + info_.name + ".",
                         "Move it away or delete it, then fetch " + info_.title + " again.");
    }

    ByteProgress reporter(Step step, const std::string& file) const {
        if (!settings_.progress) return {};
        return [this, step, file](std::int64_t bytes, std::int64_t total) {
            settings_.progress({step, file, bytes, total, 0});
        };
    }

    void stopIf(bool stopped) const {
        if (stopped || settings_.stop.stop_requested()) throw FetchStopped{};
    }

    std::string fault(const DatasetFile& file, const fs::path& path) const {
        const auto found = contentFault(file, path, reporter(Step::Checking, file.name), settings_.stop);
        stopIf(!found);
        return *found;
    }

    /// The same for a file that is about to get its name.
    std::string faultOfNew(const DatasetFile& file, const fs::path& path) const {
        // A known size is the better reason: it is told in place of whatever else the file is.
        if (const std::string page = file.size <= 0 ? webPageWords(path) : ""; !page.empty()) return "is " + page;
        const std::string found = fault(file, path);
        std::error_code unknown;
        const bool sized = file.size <= 0 || static_cast<std::int64_t>(fs::file_size(path, unknown)) == file.size;
        if (!found.empty() && sized && settings_.on_other_checksum) settings_.on_other_checksum(file);
        return found.empty() && settings_.fault ? settings_.fault(path) : found;
    }

    void findUserFiles() {
        const fs::path& have = settings_.have;
        if (have.empty()) return;
        std::error_code ignored;
        const bool folder = fs::is_directory(have, ignored);
        if (!folder && !fs::is_regular_file(have, ignored))
            throw inputError("There is no file or folder " + have.string() + ".", "Give one that you have.");
        std::string wanted;
        for (const DatasetFile& file : info_.files) {
            const fs::path name = fs::path(file.name).filename();
            if (folder) {
                for (const fs::path& path : {have / file.name, have / name})
                    if (fs::is_regular_file(path, ignored)) had_files_.emplace(&file, path);
                if (file.archive && !file.unpacked.empty()) {
                    const fs::path top = fs::path(file.unpacked).filename();
                    if (pathExists(have / file.unpacked)) {
                        had_unpacked_.emplace(&file, have / file.unpacked);
                    } else if (fs::weakly_canonical(have, ignored).filename() == top) {
                        had_unpacked_.emplace(&file, have);
                    }
                }
            } else if (have.filename() == name) {
                had_files_.emplace(&file, have);
            }
            wanted += (wanted.empty() ? "" : ", ") + name.string();
        }
        if (had_files_.empty() && had_unpacked_.empty() && !folder) matchRenamed(have);
        if (had_files_.empty() && had_unpacked_.empty())
            throw inputError(have.string() + " is nothing of " + info_.title + ".", "Expected: " + wanted + ".");
    }

    /// Recognises a file under another name by its size, or because only one file is possible.
    void matchRenamed(const fs::path& have) {
        std::error_code unknown;
        const auto size = static_cast<std::int64_t>(fs::file_size(have, unknown));
        for (const DatasetFile& file : info_.files)
            if ((file.size > 0 ? file.size == size : info_.files.size() == 1) && had_files_.empty())
                had_files_.emplace(&file, have);
    }

    /// The form that the user has, or that is partly present, or the catalogue's first.
    std::string chosenForm() const {
        const auto forms = formsOf(info_);
        const auto firstWith = [&](const auto& has) -> const std::string* {
            for (const std::string& form : forms)
                for (const DatasetFile& file : info_.files)
                    if (file.form == form && !form.empty() && has(file)) return &form;
            return nullptr;
        };
        const auto* form = firstWith(
            [this](const DatasetFile& file) { return had_files_.contains(&file) || had_unpacked_.contains(&file); });
        if (form == nullptr)
            form = firstWith(
                [this](const DatasetFile& file) { return quickStatus(info_, file, folder_).state != State::Missing; });
        return form != nullptr ? *form : forms.front();
    }

    /// Copies all correct files that the user has, whatever else is missing.
    void copyUserFiles(const std::vector<const DatasetFile*>& wanted) {
        std::string refused;
        for (const DatasetFile* file : wanted) {
            const auto had = had_files_.find(file);
            const fs::path path = folder_ / file->name;
            std::error_code ignored;
            const bool same = had != had_files_.end() && fs::equivalent(had->second, path, ignored);
            if (had == had_files_.end() || (same && !settings_.renew) || lackOf(*file).empty()) continue;
            refuseForeign(*file);
            makeFolder(path.parent_path());
            const std::string wrong = same ? faultOfNew(*file, path) : copyUserFile(*file, had->second, path);
            if (wrong.empty()) {
                copied_ += (copied_.empty() ? "" : ", ") + file->name;
                completed_.insert(file);
            } else {
                refused += (refused.empty() ? "" : " ") + ("Your file " + had->second.string()) + " " + wrong +
                           ", so it is not " + file->name + " of " + info_.title + ".";
            }
        }
        if (!refused.empty()) throw inputError(refused, "Get it again; your file was left as it is.");
    }

    void completeAll(const std::vector<const DatasetFile*>& wanted) {
        std::vector<const DatasetFile*> lacking;
        for (const DatasetFile* file : wanted) {
            stopIf(false);
            if (settings_.offline && !had_unpacked_.contains(file) && !lackOf(*file).empty())
                lacking.push_back(file);
            else
                complete(*file);
        }
        if (!lacking.empty()) refuseOffline(lacking);
    }

    [[noreturn]] void refuseOffline(const std::vector<const DatasetFile*>& lacking) {
        std::string lacks;
        std::string missing;
        std::size_t names = 0;
        for (const DatasetFile* file : lacking) {
            if (quickStatus(info_, *file, folder_).state == State::Missing) {
                missing += (names++ == 0 ? "" : ", ") + file->name;
            } else {
                lacks += (lacks.empty() ? "" : "; ") + lackOf(*file);
            }
        }
        if (names > 0)
            lacks += (lacks.empty() ? "" : "; ") + missing + (names == 1 ? " is" : " are") + " missing in " +
                     folder_.string();
        throw inputError(
            "Offline, " + info_.title + " cannot be completed: " + lacks + ".",
            lacking.size() == 1
                ? "Put the file there by hand, give it as one that you have, or fetch with a network."
                : "Put the files there by hand, give them as ones that you have, or fetch with a network.");
    }

    void complete(const DatasetFile& file) {
        const fs::path path = folder_ / file.name;
        if (const std::string lack = lackOf(file); !lack.empty()) {
            makeFolder(path.parent_path());
            if (copyUnpacked(file)) return;
            refuseForeign(file);
            if (settings_.offline) refuseOffline({&file});
            fetchFile(file, path);
            completed_.insert(&file);
        }
        // Files unpacked from a damaged archive are replaced, since they may be damaged, too.
        if (completed_.contains(&file) ? file.archive && !file.unpacked.empty()
                                       : quickStatus(info_, file, folder_).state == State::NotUnpacked)
            unpack(file, path);
    }

    /// Copies the user's file. Returns its fault, to follow its path; empty when it was copied.
    std::string copyUserFile(const DatasetFile& file, const fs::path& mine, const fs::path& path) const {
        const fs::path part = path.string() + ".taken.part";
        stopIf(!linkOrCopy(mine, part, reporter(Step::Checking, file.name), settings_.stop));
        std::string wrong;
        try {
            wrong = faultOfNew(file, part);
        } catch (...) {
            removePart(part);
            throw;
        }
        if (!wrong.empty()) {
            removePart(part);
            return wrong;
        }
        publish(part, path);
        removePart(partOf(path));
        if (settings_.on_origin) settings_.on_origin(file, fs::absolute(mine).string());
        return {};
    }

    bool copyUnpacked(const DatasetFile& file) const {
        const auto had = had_unpacked_.find(&file);
        const fs::path target = folder_ / file.unpacked;
        if (had == had_unpacked_.end() || pathExists(target)) return false;
        const fs::path part = partOf(target);
        makeFolder(target.parent_path());
        stopIf(!linkOrCopy(had->second, part, reporter(Step::Unpacking, file.unpacked), settings_.stop));
        publish(part, target);
        return true;
    }

    std::vector<std::string> addresses(const DatasetFile& file) const {
        std::vector<std::string> urls;
        const std::string name = fs::path(file.name).filename();
        for (const std::string& mirror : settings_.mirrors) {
            const bool whole = mirror.ends_with("/" + name);
            urls.push_back(whole ? mirror : mirror + (mirror.ends_with('/') ? "" : "/") + name);
        }
        urls.insert(urls.end(), file.urls.begin(), file.urls.end());
        return urls;
    }

    void fetchFile(const DatasetFile& file, const fs::path& path) const {
        DownloadJob job;
        job.name = file.name;
        job.urls = addresses(file);
        if (job.urls.empty())
            throw inputError(info_.title + " cannot be fetched from here: there is no address for " + file.name + ".",
                             info_.homepage.empty()
                                 ? "Give the file if you already have it."
                                 : "Ask for it at " + info_.homepage + ", then give it as a file that you have.");
        job.part = partOf(path);
        job.expected_bytes = file.size;
        if (!file.checksum.empty() || settings_.fault)
            job.wrong = [this, &file](const fs::path& part) { return faultOfNew(file, part); };
        if (settings_.progress)
            job.progress = [this, &file](const DownloadProgress& now) {
                settings_.progress({Step::Downloading, file.name, now.bytes, now.total, now.bytes_per_second});
            };
        if (settings_.on_origin) job.served = [&](const std::string& url) { settings_.on_origin(file, url); };
        job.stop = settings_.stop;
        job.patience = settings_.patience;
        stopIf(!download(job));
        publish(job.part, path);
    }

    void unpack(const DatasetFile& file, const fs::path& path) const {
        const fs::path place = path.parent_path();
        const fs::path fresh = place / (".unpacking-" + path.filename().string());
        std::error_code ignored;
        fs::remove_all(fresh, ignored);
        ArchiveSettings limits;
        limits.stop = settings_.stop;
        if (settings_.progress)
            limits.progress = [this, &file](const ArchiveProgress& now) {
                settings_.progress({Step::Unpacking, file.name, now.bytes, now.total, 0});
            };
        try {
            stopIf(!extractArchive(path, fresh, limits));
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Input || !file.checksum.empty()) throw;
            // Without a checksum the archive would be considered complete again each time, so it loses its name.
            publish(path, path.string() + ".damaged");
            throw inputError(error.what(), "Fetch it again; the damaged file now has the ending .damaged.");
        }
        // `unpacked` is relative to the data set's folder, names inside the archive are relative to the archive.
        const fs::path marker = fs::path(file.unpacked).lexically_relative(fs::path(file.name).parent_path() / ".");
        if (!pathExists(fresh / marker)) {
            fs::remove_all(fresh, ignored);
            throw inputError("The archive " + path.string() + " does not hold " + marker.string() + ".",
                             "Check that it is the file that " + info_.title + " is distributed in.");
        }
        try {
            syncFolder(fresh);
            moveInto(fresh, place, marker);
        } catch (const fs::filesystem_error& error) {
            throw diskError(place, error.code().value());
        }
    }

    const DatasetInfo& info_;
    const FetchSettings& settings_;
    fs::path folder_;
    std::map<const DatasetFile*, fs::path> had_files_;
    std::map<const DatasetFile*, fs::path> had_unpacked_;
    std::map<const DatasetFile*, std::string> damage_;  // of the files checked so far
    std::set<const DatasetFile*> completed_;            // copied or fetched, and checked
    std::string copied_;                                // names of the files copied from the user
};

[[noreturn]] void refuseWithoutFiles(const DatasetInfo& info) {
    const DatasetInfo& source = info.part_of.empty() ? info : catalogueEntry(info.part_of);
    throw inputError(
        "There is nothing to fetch for " + info.title +
            (info.part_of.empty() ? "." : ", which is a part of " + source.title + "."),
        source.homepage.empty() ? "Give the folder that holds its images." : remedyFor(source, source.packages));
}

/// Folder in which the loader finds the complete data set, if a fetch would not fill that one: a system package's, or
/// another program's. Empty if there is none.
fs::path placeElsewhere(const DatasetInfo& info) {
    const fs::path own = datasetFolder(info, {});
    if ((info.files.empty() && info.packages.empty()) || isComplete(info, quickStatuses(info, own))) return {};
    try {
        const fs::path found = openDataset({.name = info.name}).folder;
        return found == own ? fs::path() : found;
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void requireMirrors(const std::vector<std::string>& mirrors) {
    for (const std::string& mirror : mirrors) {
        const std::string begin = asciiLowered(mirror.substr(0, std::string_view("https://").size()));
        if (!begin.starts_with("http://") && !begin.starts_with("https://"))
            throw inputError("The mirror \"" + withoutPassword(mirror) + "\" is not an address.",
                             "Write one that begins with https:// or http://.");
    }
}

FetchOutcome fetchDataset(const std::string& name, const FetchSettings& settings) {
    const DatasetInfo& info = catalogueEntry(name);
    if (settings.root.empty() && settings.have.empty())
        if (const fs::path place = placeElsewhere(info); !place.empty()) return {place, false, true};
    return fetchDataset(info, settings);
}

FetchOutcome fetchDataset(const DatasetInfo& info, const FetchSettings& settings) {
    requireMirrors(settings.mirrors);
    if (info.procedural) return {};
    if (info.files.empty()) refuseWithoutFiles(info);
    const fs::path folder = folderToFill(info, settings.root);
    Fetch fetch(info, settings, folder);
    try {
        if (fetch.isWhole()) return {folder};
        const NewFolders made(info, folder);
        makeFolder(folder);
        const auto onWait = [&] {
            fetch.forgetDamage();
            FetchProgress waiting;
            waiting.step = Step::Waiting;
            if (settings.progress) settings.progress(waiting);
        };
        const FolderLock lock(folder, onWait, settings.stop);
        if (!lock.held()) return {folder, true};
        if (fetch.isWhole()) return {folder};
        fetch.run();
    } catch (const FetchStopped&) {
        return {folder, true};
    } catch (const fs::filesystem_error& error) {
        throw diskError(error.path1().empty() ? folder : error.path1(), error.code().value());
    }
    return {folder};
}

DatasetStatus datasetStatus(const std::string& name, const fs::path& root, bool thorough, std::stop_token stop) {
    return datasetStatus(catalogueEntry(name), root, thorough, std::move(stop));
}

DatasetStatus datasetStatus(const DatasetInfo& info, const fs::path& root, bool thorough, std::stop_token stop) {
    DatasetStatus status;
    status.folder = datasetFolder(info, root);
    status.files = quickStatuses(info, status.folder);
    for (std::size_t i = 0; thorough && i < info.files.size(); ++i) {
        DatasetFileStatus& file = status.files[i];
        const fs::path path = status.folder / info.files[i].name;
        // An archive may be deleted after unpacking.
        std::error_code ignored;
        const bool whole = file.state == State::Present || file.state == State::NotUnpacked;
        if (!whole || !fs::exists(path, ignored)) continue;
        const auto fault = contentFault(info.files[i], path, {}, stop);
        if (!fault || fault->empty()) continue;
        file.state = State::WrongChecksum;
        file.detail = path.string() + " " + *fault + "; " +
                      (hasNameOf(info, status.folder) ? "fetch " + info.title + " again, which replaces it."
                                                      : "delete it and fetch " + info.title + " again.");
    }
    status.complete = isComplete(info, status.files);
    return status;
}

}  // namespace palimpsest
