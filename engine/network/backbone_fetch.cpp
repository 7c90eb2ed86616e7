// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/backbone_fetch.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigitsInName = 8;

/// "cd65a155" of "deit_small_patch16_224-cd65a155.pth": the first digits of the file's SHA-256, a custom of PyTorch's
/// hub. Empty for other names.
std::string digitsInName(const std::string& file) {
    const std::string stem = fs::path(file).stem().string();
    if (!file.ends_with(".pth") || stem.size() <= kDigitsInName || stem[stem.size() - kDigitsInName - 1] != '-')
        return {};
    std::string digits = stem.substr(stem.size() - kDigitsInName);
    const auto isDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    return std::ranges::all_of(digits, isDigit) ? digits : std::string();
}

std::string sha256Of(const fs::path& file, const std::stop_token& stop) {
    const std::optional<Checksum> checksum = fileChecksum(file, DigestKind::Sha256, {}, stop);
    if (!checksum) throw GivenUp();
    return checksum->text();
}

/// Shape of the network that a file of the card must hold; null: any will do.
const VitShape* shapeOf(const BackboneCard& card) {
    if (card.shape) return &*card.shape;
    return card.kind.empty() || card.kind == "any" ? nullptr : &backboneKind(card.kind).shape;
}

/// A sentence for the middle of another one, without the path of a file that has not its name yet.
std::string withinSentence(std::string what, const std::string& path, const std::string& name) {
    for (std::size_t at = what.find(path); at != std::string::npos; at = what.find(path, at + name.size()))
        what.replace(at, path.size(), name);
    if (what.ends_with('.')) what.pop_back();
    return what;
}

/// Why a file is not the card's, to follow its name; empty: it may be.
std::string faultOf(const BackboneCard& card, const fs::path& file, const std::stop_token& stop) {
    if (const std::string digits = digitsInName(card.file); !digits.empty()) {
        const std::string found = Checksum::parse(sha256Of(file, stop)).hex;
        if (!found.starts_with(digits))
            return "has the SHA-256 " + found + ", which does not begin with the digits " + digits + " of its name";
    }
    try {
        const BackboneFile read = readBackbone(file);
        const VitShape* const wanted = shapeOf(card);
        if (wanted == nullptr || sameKind(*wanted, read.shape)) return {};
        return "is of " + vitName(read.shape) + " where " + vitName(*wanted) + " is expected";
    } catch (const Error& error) {
        return "is no such backbone (" + withinSentence(error.what(), file.string(), card.file) + ")";
    }
}

void remember(const fs::path& record, const std::string& checksum, const std::string& origin) {
    std::error_code fault;
    fs::create_directories(record.parent_path(), fault);
    // A folder that cannot be made is said by what cannot be written into it.
    replaceTextFile(record, checksum + "\n" + origin + "\n");
}

}  // namespace

BackboneFetchOutcome fetchBackbone(const BackboneCard& card, const BackboneFetchSettings& settings) {
    if (card.embedded)
        throw inputError("The backbone " + card.name + " comes with the program.", embeddedBackboneRemedy(card.name));
    const StopScope scope(settings.stop);
    const fs::path folder = settings.folder.empty() ? knownBackbonesFolder() : settings.folder;
    const std::string known =
        card.checksum.empty() && !settings.new_file ? rememberedChecksum(folder, card.name) : card.checksum;

    DatasetInfo info;
    info.name = card.name;
    info.title = card.title;
    info.homepage = card.address;
    DatasetFile file;
    file.name = card.file;
    file.size = card.bytes;
    file.checksum = known;
    file.urls = card.urls;
    info.files = {file};

    BackboneFetchOutcome outcome;
    outcome.file = folder / card.name / card.file;
    bool checked = false, another = false;
    FetchSettings fetching{settings, folder / card.name};
    fetching.renew = settings.new_file;
    // One that was there before may have come from anywhere.
    std::string origin = "not known";
    fetching.on_origin = [&](const DatasetFile&, const std::string& from) { origin = from; };
    fetching.on_other_checksum = [&](const DatasetFile&) { another = true; };
    fetching.fault = [&](const fs::path& part) {
        if (settings.progress) {
            FetchProgress reading;
            reading.step = FetchProgress::Step::Checking;
            reading.file = card.file;
            settings.progress(reading);
        }
        std::string fault = faultOf(card, part, settings.stop);
        checked = fault.empty();
        return fault;
    };
    try {
        const FetchOutcome fetched = fetchDataset(info, fetching);
        outcome.stopped = fetched.stopped || settings.stop.stop_requested();
        if (outcome.stopped) return outcome;
        outcome.there = !checked;
        // What was there before is not taken for the right one unread.
        if (!checked && known.empty())
            if (const std::string fault = faultOf(card, outcome.file, settings.stop); !fault.empty())
                throw inputError("The file " + outcome.file.string() + " " + fault + ".",
                                 "Move it away or delete it, then fetch it again.");
        outcome.checksum = card.checksum.empty() ? sha256Of(outcome.file, settings.stop) : card.checksum;
    } catch (const GivenUp&) {
        outcome.stopped = true;
        return outcome;
    } catch (const Error& error) {
        if (card.checksum.empty() && another)
            throw Error(error.kind(), error.what(),
                        "That is the checksum of the file that was fetched first. Where its makers have changed it, "
                        "fetch it with --new-file.");
        throw;
    }
    if (card.checksum.empty() && outcome.checksum != known)
        remember(firstFetchedRecord(folder, card.name), outcome.checksum, plainLine(origin));
    return outcome;
}

}  // namespace palimpsest
