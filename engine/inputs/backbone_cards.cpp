// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/backbone_cards.h"

#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "engine/config/backbone_names.h"
#include "engine/inputs/known_backbones.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kLongestFirstFetched = 1 << 16;

BackboneCard embeddedCard(const char* name, const char* title, const char* summary) {
    BackboneCard card;
    card.name = name;
    card.title = title;
    card.summary = summary;
    card.origin = "Palimpsest";
    card.licence = "GPL-3.0-or-later";
    card.file = embeddedBackboneFile(card.name).filename().string();
    card.embedded = true;
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(embeddedBackboneFile(card.name), missing);
    if (missing) return card;
    card.bytes = static_cast<std::int64_t>(bytes);
    if (const auto checksum = fileChecksum(embeddedBackboneFile(card.name), DigestKind::Sha256))
        card.checksum = checksum->text();
    return card;
}

}  // namespace

std::filesystem::path knownBackbonesFolder() {
    return dataFolder() / "backbones";
}

std::filesystem::path firstFetchedRecord(const std::filesystem::path& folder, const std::string& name) {
    return folder / "first-fetched" / (name + ".txt");
}

std::string rememberedChecksum(const std::filesystem::path& folder, const std::string& name) {
    const std::filesystem::path record = firstFetchedRecord(folder, name);
    std::error_code missing;
    if (!std::filesystem::exists(record, missing)) return {};
    const std::string text = readTextFile(record, FilePlace::Named, kLongestFirstFetched);
    try {
        return Checksum::parse(text.substr(0, text.find('\n'))).text();
    } catch (const Error&) {
        throw inputError("The file " + record.string() + " holds no checksum in its first line.",
                         "Delete it: the next file that is fetched is then taken for the right one.");
    }
}

std::vector<BackboneCard> backboneCards() {
    std::vector<BackboneCard> cards = {
        embeddedCard("palimpsest-stem-vit", "Palimpsest ViT with a stem",
                     "Small, for images of 32 x 32 pixels, trained on formulas, glyphs and free pictures."),
        embeddedCard("palimpsest-vit", "Palimpsest ViT",
                     "For images of 32 x 32 pixels, trained on images drawn by formulas alone; half as fast.")};
    for (BackboneCard& card : cards) card.place = embeddedBackboneFile(card.name);
    for (BackboneCard card : knownBackbones()) {
        std::error_code unreadable;
        card.place = knownBackbonesFolder() / card.name / card.file;
        card.present = std::filesystem::is_regular_file(card.place, unreadable);
        try {
            if (card.checksum.empty()) card.remembered = rememberedChecksum(knownBackbonesFolder(), card.name);
        } catch (const Error&) {
            // The next fetch says so.
        }
        cards.push_back(std::move(card));
    }
    return cards;
}

std::filesystem::path embeddedBackboneFile(std::string_view name) {
    return resourceFolder() / "backbones" / (std::string(name) + ".safetensors");
}

const BackboneCard& knownBackbone(const std::string& name) {
    std::vector<std::string> names;
    for (const BackboneCard& card : knownBackbones()) {
        if (card.name == name) return card;
        names.push_back(card.name);
    }
    for (const char* embedded : kEmbeddedBackbones)
        if (name == embedded)
            throw inputError("The backbone " + name + " comes with the program; there is nothing to fetch.",
                             embeddedBackboneRemedy(name));
    throw inputError("There are no well-known weights \"" + name + "\".",
                     backboneMeant(name, names, "`palimpsest-cli backbones` lists them."));
}

std::filesystem::path knownBackboneFile(const std::string& name) {
    for (const BackboneCard& card : knownBackbones())
        if (card.name == name) return knownBackbonesFolder() / card.name / card.file;
    return {};
}

std::string embeddedBackboneRemedy(std::string_view name) {
    return "Set backbone.name to " + std::string(name) + " and backbone.weights to embedded.";
}

std::string knownBackboneRemedy(const std::string& name) {
    for (const BackboneCard& card : knownBackbones()) {
        if (card.name != name) continue;
        if (!card.urls.empty()) return "Fetch it with: palimpsest-cli backbones fetch " + card.name;
        return "Get " + card.file + " from " + card.address + " and put it at " +
               shellQuoted(knownBackboneFile(name).string()) + ".";
    }
    return {};
}

}  // namespace palimpsest
