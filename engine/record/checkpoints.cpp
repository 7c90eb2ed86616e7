// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/checkpoints.h"

#include <algorithm>
#include <charconv>
#include <exception>
#include <optional>
#include <set>

#include "engine/record/copy_mark.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

constexpr int kFormat = 1;
constexpr std::size_t kDigits = 8;
constexpr const char* kDescription = ".json";

std::string numberName(std::int64_t samplesSeen) {
    const std::string digits = std::to_string(samplesSeen);
    return std::string(digits.size() < kDigits ? kDigits - digits.size() : 0, '0') + digits;
}

Error noDescription(const fs::path& file) {
    return inputError("The file " + file.string() + " describes no checkpoint.", "Resume from another one.");
}

constexpr const char* kNoneEarlier = "Fork a run that has one, or start a run of its own.";

/// True also when that is not known: the caller that uses the checkpoint reports the reason.
bool mayBeForked(const fs::path& run, std::int64_t samplesSeen) {
    try {
        return !endsStream(readCheckpointRecord(checkpointDescription(run, samplesSeen)));
    } catch (const std::exception&) {
        return true;
    }
}

constexpr std::size_t kAlwaysKept = 2;

/// The description first: without it the tensors are no checkpoint.
void drop(const fs::path& run, std::int64_t samplesSeen) {
    std::error_code ignored;
    if (fs::is_symlink(checkpointsFolder(run), ignored)) return;
    fs::remove(checkpointDescription(run, samplesSeen), ignored);
    fs::remove(checkpointTensors(run, samplesSeen), ignored);
}

/// Removes what a program that was killed while it wrote left behind: tensors that nothing describes.
void dropLeftovers(const fs::path& run) {
    std::error_code ignored;
    std::vector<fs::path> left;
    if (fs::is_symlink(checkpointsFolder(run), ignored)) return;
    for (fs::directory_iterator entry(checkpointsFolder(run), ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        const fs::path file = entry->path();
        fs::path description = file;
        description.replace_extension(".json");
        if (file.extension() != ".json" && !fs::exists(description, ignored)) left.push_back(file);
        if (file.extension() == ".part" || file.extension() == ".new") left.push_back(file);
    }
    for (const fs::path& file : left) fs::remove(file, ignored);
}

}  // namespace

fs::path checkpointsFolder(const fs::path& run) {
    return run / "checkpoints";
}
fs::path checkpointTensors(const fs::path& run, std::int64_t samplesSeen) {
    return checkpointsFolder(run) / (numberName(samplesSeen) + ".safetensors");
}
fs::path checkpointDescription(const fs::path& run, std::int64_t samplesSeen) {
    return checkpointsFolder(run) / (numberName(samplesSeen) + kDescription);
}

void writeCheckpointRecord(const fs::path& run, const CheckpointRecord& record) {
    const Json json = {{"format", kFormat},
                       {"samples_seen", record.samples_seen},
                       {"session", record.session},
                       {"batches", record.batches},
                       {"updates", record.updates},
                       {"bytes", record.bytes},
                       {"state_hash", record.state_hash},
                       {"checksum", record.checksum},
                       {"written", record.written},
                       {"seconds", record.seconds},
                       {"training_seconds", record.training_seconds},
                       {"lengths", record.mark.lengths},
                       {"hashes", record.mark.hashes},
                       {"facts", record.facts},
                       {"folder", Json::parse(record.mark.notes)}};
    const fs::path file = checkpointDescription(run, record.samples_seen);
    replaceTextFile(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n", Keep::OnDiskWithName,
                    FilePlace::InSubfolder);
}

CheckpointRecord readCheckpointRecord(const fs::path& file) {
    const Json json = parsedJson(readTextFile(file, FilePlace::InSubfolder, file_limit::kDocument));
    try {
        if (json.at("format") != kFormat) throw noDescription(file);
        CheckpointRecord record;
        json.at("samples_seen").get_to(record.samples_seen);
        json.at("session").get_to(record.session);
        json.at("batches").get_to(record.batches);
        json.at("updates").get_to(record.updates);
        json.at("bytes").get_to(record.bytes);
        json.at("state_hash").get_to(record.state_hash);
        json.at("checksum").get_to(record.checksum);
        json.at("written").get_to(record.written);
        json.at("seconds").get_to(record.seconds);
        json.at("training_seconds").get_to(record.training_seconds);
        json.at("lengths").get_to(record.mark.lengths);
        if (const auto hashes = json.find("hashes"); hashes != json.end()) hashes->get_to(record.mark.hashes);
        json.at("facts").get_to(record.facts);
        // They are opened below the folder of the run, and cut.
        for (const auto& [name, length] : record.mark.lengths)
            if (fs::path(name).filename() != name || !name.ends_with(".csv") || !isPlainLine(name) || length < 0)
                throw noDescription(file);
        record.mark.notes = json.at("folder").dump();
        return record;
    } catch (const Json::exception&) {
        throw noDescription(file);
    }
}

std::vector<std::int64_t> listCheckpoints(const fs::path& run) {
    std::vector<std::int64_t> found;
    std::error_code ignored;
    // A link in place of the folder leads to files that are not the run's.
    if (fs::is_symlink(checkpointsFolder(run), ignored)) return found;
    for (const fs::path& file : folderEntries(checkpointsFolder(run))) {
        const std::string name = file.stem().string();
        std::int64_t samples = 0;
        const auto [stop, bad] = std::from_chars(name.data(), name.data() + name.size(), samples);
        if (file.extension() == kDescription && bad == std::errc() && stop == name.data() + name.size() &&
            numberName(samples) == name)
            found.push_back(samples);
    }
    std::sort(found.rbegin(), found.rend());
    return found;
}

namespace {

/// SHA-256 of a file's first bytes, for each of these lengths, in one pass. A length that the file does not reach is
/// missing; all are where it cannot be read.
std::map<std::int64_t, std::string> prefixHashes(const fs::path& file, const std::set<std::int64_t>& lengths) {
    std::map<std::int64_t, std::string> hashes;
    try {
        InputFile in(file, FilePlace::InFolder);
        Sha256 hash;
        std::vector<char> block(std::size_t{1} << 16U);
        std::uint64_t done = 0;
        for (const std::int64_t length : lengths) {
            const auto end = static_cast<std::uint64_t>(length);
            if (length < 0 || end > in.size()) continue;
            while (done < end) {
                in.read(block.data(), static_cast<std::streamsize>(std::min<std::uint64_t>(end - done, block.size())));
                const auto got = static_cast<std::size_t>(in.gcount());
                if (got == 0) return hashes;
                hash.add(std::as_bytes(std::span(block.data(), got)));
                done += got;
            }
            hashes[length] = hash.hex();
        }
    } catch (const Error&) {
        hashes.clear();
    }
    return hashes;
}

}  // namespace

GrowingHashes growingHashes(const fs::path& run, const std::vector<CheckpointRecord>& records) {
    std::map<std::string, std::set<std::int64_t>> lengths;
    for (const CheckpointRecord& record : records)
        for (const auto& [name, hash] : record.mark.hashes)
            if (const auto length = record.mark.lengths.find(name); length != record.mark.lengths.end())
                lengths[name].insert(length->second);
    GrowingHashes hashes;
    for (const auto& [name, wanted] : lengths) hashes[name] = prefixHashes(run / name, wanted);
    return hashes;
}

std::string growingFileDamage(const fs::path& run, const CheckpointRecord& record, const std::string& name,
                              const GrowingHashes& known) {
    const fs::path file = run / name;
    const std::int64_t length = record.mark.lengths.at(name);
    if (!isPlainFile(file)) {
        std::error_code ignored;
        return name + (fs::exists(fs::symlink_status(file, ignored)) ? " is no plain file" : " is not there");
    }
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error || static_cast<std::int64_t>(size) < length) return name + " has lost its end";
    const auto hash = record.mark.hashes.find(name);
    if (hash == record.mark.hashes.end()) return {};
    std::string now;
    if (const auto lengths = known.find(name); lengths != known.end() && lengths->second.contains(length))
        now = lengths->second.at(length);
    else
        now = fileHash(file, FilePlace::InFolder, length);
    return now == hash->second ? std::string() : name + " is damaged";
}

std::string checkpointDamage(const fs::path& run, const CheckpointRecord& record, const GrowingHashes& known) {
    for (const auto& [name, length] : record.mark.lengths)
        if (std::string damage = growingFileDamage(run, record, name, known); !damage.empty()) return damage;
    return tensorDamage(run, record);
}

std::string tensorDamage(const fs::path& run, const CheckpointRecord& record) {
    const fs::path file = checkpointTensors(run, record.samples_seen);
    std::error_code error;
    const auto size = fs::file_size(file, error);
    if (error) return file.filename().string() + " is not there";
    if (static_cast<std::int64_t>(size) != record.bytes || fileHash(file, FilePlace::InSubfolder) != record.checksum)
        return file.filename().string() + " is damaged";
    return {};
}

namespace {

std::vector<CheckpointRecord> readableRecords(const fs::path& run, const std::vector<std::int64_t>& among) {
    std::vector<CheckpointRecord> records;
    for (const std::int64_t samples : among) {
        try {
            records.push_back(readCheckpointRecord(checkpointDescription(run, samples)));
        } catch (const Error&) {
            // Whoever looks at that checkpoint finds the same.
        }
    }
    return records;
}

/// True for a run that learned here, whatever its folder lies in.
bool learnedHere(const fs::path& run) {
    try {
        const Json json = parsedJson(readTextFile(run / "run.json", FilePlace::InFolder, file_limit::kDocument));
        const auto mark = json.find("computed_in");
        return mark != json.end() && mark->is_string() && isComputedHere(run, mark->get<std::string>());
    } catch (const std::exception&) {
        return false;
    }
}

/// What to do about a run that holds no checkpoint: a copy may have left them on its machine.
std::string wayToCheckpoints(const fs::path& run, const std::string& otherwise) {
    const std::optional<CopyOf> copy = copyAround(run);
    if (!copy || learnedHere(run)) return otherwise;
    return "It is a copy, and its checkpoints, if it kept any, are where it learned. Fetch them with palimpsest-cli "
           "follow " +
           shellWord(copy->place) + " --into " + shellWord(copy->folder.string()) +
           " --with-checkpoints --once, or in the window with \"Bring checkpoints here\".";
}

}  // namespace

SoundCheckpoint newestSoundCheckpoint(const fs::path& run) {
    return newestSoundCheckpoint(run, listCheckpoints(run));
}

SoundCheckpoint newestSoundCheckpoint(const fs::path& run, const std::vector<std::int64_t>& among) {
    requirePlainFolder(checkpointsFolder(run));
    SoundCheckpoint sound;
    std::optional<GrowingHashes> known;
    for (const std::int64_t samples : among) {
        // The newest is mostly sound. Where it is not, all others are looked at with one pass over each file.
        if (!sound.passed_over.empty() && !known) known = growingHashes(run, readableRecords(run, among));
        std::string damage;
        try {
            sound.record = readCheckpointRecord(checkpointDescription(run, samples));
            damage = sound.record.samples_seen == samples
                         ? checkpointDamage(run, sound.record, known.value_or(GrowingHashes()))
                         : "its description is another one's";
        } catch (const Error& error) {
            damage = "its description cannot be read";
        }
        if (damage.empty()) return sound;
        sound.passed_over.push_back("The checkpoint at " + grouped(samples) + " samples is passed over: " + damage +
                                    ".");
    }
    if (sound.passed_over.empty())
        throw inputError("The run " + run.string() + " " + kNoCheckpoint + ".",
                         wayToCheckpoints(run, "Start it anew."));
    throw inputError(
        "The run " + run.string() + " " + kNoCheckpoint + ": all of them are damaged. " + sound.passed_over.back(),
        "`palimpsest-cli runs check` says what is damaged; start the run anew.");
}

std::string checkpointsNear(const fs::path& run, std::int64_t samplesSeen) {
    const std::vector<std::int64_t> all = listCheckpoints(run);
    if (all.empty()) return wayToCheckpoints(run, "It has none at all.");
    // Newest first.
    const auto before = std::find_if(all.begin(), all.end(), [&](std::int64_t each) { return each <= samplesSeen; });
    if (before == all.end()) return "The next is at " + grouped(all.back()) + ".";
    if (before == all.begin()) return "The last is at " + grouped(*before) + ".";
    return "The nearest are at " + grouped(*before) + " and " + grouped(*std::prev(before)) + ".";
}

CheckpointRecord soundCheckpoint(const fs::path& run, std::int64_t samplesSeen) {
    const fs::path file = checkpointDescription(run, samplesSeen);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
        throw inputError("The run " + run.string() + " has no checkpoint at " + grouped(samplesSeen) + " samples.",
                         checkpointsNear(run, samplesSeen));
    CheckpointRecord record = readCheckpointRecord(file);
    if (const std::string damage = checkpointDamage(run, record); !damage.empty())
        throw inputError("The checkpoint at " + grouped(samplesSeen) + " samples of " + run.string() +
                             " cannot be used: " + damage + ".",
                         "Take another one.");
    return record;
}

std::string factDifferences(const CheckpointFacts& saved, const CheckpointFacts& now) {
    const auto valueIn = [](const CheckpointFacts& facts, const std::string& key) -> std::string {
        const auto found = facts.find(key);
        return found == facts.end() ? "not there" : found->second.empty() ? "empty" : found->second;
    };
    CheckpointFacts keys = saved;
    keys.insert(now.begin(), now.end());
    std::string differences;
    for (const auto& [key, ignored] : keys) {
        const std::string there = valueIn(saved, key), here = valueIn(now, key);
        if (there != here) differences += (differences.empty() ? "" : "; ") + key + " was " + there + " and is " + here;
    }
    return differences;
}

bool endsStream(const CheckpointRecord& record) {
    const Json notes = parsedJson(record.mark.notes);
    const Json run = notes.is_object() ? notes.value("run", Json::object()) : Json::object();
    if (!run.is_object()) return false;
    if (const auto total = run.find("total_samples"); total != run.end() && total->is_number_integer())
        if (const auto samples = total->get<std::int64_t>(); samples > 0 && record.samples_seen >= samples) return true;
    // Images that were left out let a run end before its nominal end.
    const auto starts = run.find("session_starts");
    return starts != run.end() && starts->is_array() && !starts->empty() &&
           record.session >= static_cast<std::int64_t>(starts->size());
}

std::vector<std::int64_t> forkableCheckpoints(const fs::path& run) {
    std::vector<std::int64_t> samples = listCheckpoints(run);
    std::erase_if(samples, [&](std::int64_t each) { return !mayBeForked(run, each); });
    return samples;
}

SoundCheckpoint newestForkableCheckpoint(const fs::path& run) {
    const std::vector<std::int64_t> samples = forkableCheckpoints(run);
    if (samples.empty() && !listCheckpoints(run).empty())
        throw inputError("The run " + run.string() + " has checkpoints at the end of its stream alone, and a fork " +
                             "would learn nothing.",
                         kNoneEarlier);
    return newestSoundCheckpoint(run, samples);
}

CheckpointRecord forkableCheckpoint(const fs::path& run, std::int64_t samplesSeen) {
    CheckpointRecord record = soundCheckpoint(run, samplesSeen);
    if (!endsStream(record)) return record;
    const std::vector<std::int64_t> earlier = forkableCheckpoints(run);
    throw inputError("The checkpoint at " + grouped(samplesSeen) + " samples of " + run.string() +
                         " is the end of its stream, and a fork would learn nothing.",
                     earlier.empty() ? kNoneEarlier
                                     : "Choose an earlier moment: its newest checkpoint before the end is at " +
                                           grouped(earlier.front()) + ".");
}

std::vector<std::int64_t> thinnedOut(std::vector<KeptCheckpoint> kept, std::int64_t budget) {
    std::vector<std::int64_t> given;
    std::int64_t bytes = 0;
    for (const KeptCheckpoint& one : kept) bytes += one.bytes;
    while (bytes > budget && kept.size() > kAlwaysKept) {
        const double newest = static_cast<double>(kept.back().samples_seen);
        std::size_t best = 0;
        double least = 0;
        for (std::size_t i = 0; i + kAlwaysKept < kept.size(); ++i) {
            const std::int64_t before = i == 0 ? 0 : kept[i - 1].samples_seen;
            const double gap = static_cast<double>(kept[i + 1].samples_seen - before);
            const double share = gap / (newest - static_cast<double>(kept[i].samples_seen) + 1);
            if (i == 0 || share < least) {
                best = i;
                least = share;
            }
        }
        given.push_back(kept[best].samples_seen);
        bytes -= kept[best].bytes;
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return given;
}

void thinCheckpoints(const fs::path& run, std::int64_t budget) {
    std::vector<std::int64_t> samples;
    try {
        samples = listCheckpoints(run);
    } catch (const Error&) {
        return;
    }
    std::vector<KeptCheckpoint> kept;
    for (auto one = samples.rbegin(); one != samples.rend(); ++one) {
        std::error_code unreadable;
        const auto bytes = fs::file_size(checkpointTensors(run, *one), unreadable);
        kept.push_back({*one, unreadable ? 0 : static_cast<std::int64_t>(bytes)});
    }
    for (const std::int64_t one : thinnedOut(std::move(kept), budget)) drop(run, one);
    dropLeftovers(run);
}

void dropCheckpointsAfter(const fs::path& run, std::int64_t samplesSeen) {
    for (const std::int64_t one : listCheckpoints(run))
        if (one > samplesSeen) drop(run, one);
    dropLeftovers(run);
}

}  // namespace palimpsest
