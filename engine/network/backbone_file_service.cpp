// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/backbone_file_service.h"

#include <cctype>

#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "engine/network/backbone_fetch.h"
#include "engine/network/backbone_kinds.h"
#include "engine/network/known_backbones.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

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

/// All cards, the embedded weights' first, whose size and checksum are those of the file that is there.
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

std::string formatName(const BackboneFile& file) {
    if (file.format == "PyTorch") return "PyTorch state dictionary";
    return file.format == "NumPy .npz" ? "Google .npz" : file.format;
}

std::string titleOf(const VitShape& shape) {
    std::string title = vitName(shape);
    title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
    const std::string side = std::to_string(shape.image_size);
    return title + ", " + side + " x " + side + " pixels";
}

std::string backboneFor(const VitShape& shape) {
    for (const BackboneKind& kind : backboneKinds())
        if (kind.choice.value != "any" && sameKind(kind.shape, shape)) return kind.choice.value;
    return "any";
}

/// Id of the card whose file this is, or empty. Only files that may be a card's are hashed.
std::string cardOf(const std::filesystem::path& file, std::int64_t bytes) {
    std::string ours;
    for (const BackboneCard& card : backboneCards()) {
        const bool candidate = card.bytes > 0 ? card.bytes == bytes : file.filename() == card.file;
        if (card.checksum.empty() || !candidate) continue;
        const Checksum wanted = Checksum::parse(card.checksum);
        if (ours.empty()) {
            const auto found = fileChecksum(file, wanted.kind, {}, StopScope::token());
            if (!found) throw GivenUp();
            ours = found->text();
        }
        if (ours == wanted.text()) return card.name;
    }
    return {};
}

class Backbones : public BackboneService {
public:
    std::vector<BackboneCard> cards() const override { return backboneCards(); }

    BackboneFacts facts(const std::filesystem::path& file) const override {
        BackboneFile read = readBackbone(file);
        const VitShape& shape = read.shape;
        BackboneFacts facts;
        facts.file = file;
        facts.format = formatName(read);
        facts.layout = read.weights.layout;
        facts.title = titleOf(shape);
        facts.image_size = shape.image_size;
        facts.patch_size = shape.patch_size;
        facts.width = shape.width;
        facts.depth = shape.depth;
        facts.heads = shape.heads;
        facts.bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
        facts.head_classes = read.weights.head_classes;
        facts.pre_norm = shape.pre_norm;
        facts.quick_gelu = shape.quick_gelu;
        facts.backbone = backboneFor(shape);
        facts.notes = std::move(read.weights.notes);
        // Loading shows here already any fault that a run would report.
        Vit vit(shape);
        vit.load(read.weights.tensors, file.string(), read.weights.own);
        for (const auto& [name, tensor] : vit.parameters()) facts.parameters += tensor.numel();
        facts.known_as = cardOf(file, facts.bytes);
        return facts;
    }

    bool fetch(const std::string& name, const FetchOrigin& source,
               const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const override {
        BackboneFetchSettings settings;
        settings.have = source.have;
        if (!source.mirror.empty()) settings.mirrors = {source.mirror};
        settings.offline = source.offline;
        settings.stop = std::move(stop);
        if (progress)
            settings.progress = [&progress](const FetchProgress& now) {
                progress({stepName(now.step), now.file, now.bytes, now.total, now.bytes_per_second});
            };
        return !fetchBackbone(knownBackbone(name), settings).stopped;
    }
};

}  // namespace

const BackboneCard& knownBackbone(const std::string& name) {
    std::vector<std::string> names;
    for (const BackboneCard& card : knownBackbones()) {
        if (card.name == name) return card;
        names.push_back(card.name);
    }
    for (const char* embedded : kEmbeddedBackbones)
        if (name == embedded)
            throw inputError("The backbone " + name + " comes with the program; there is nothing to fetch.",
                             "Set backbone.weights to embedded.");
    const std::string near = nearestWord(name, names);
    throw inputError("There are no well-known weights \"" + name + "\".",
                     near.empty() ? "`palimpsest-cli backbones` lists them." : "Did you mean " + near + "?");
}

std::filesystem::path knownBackboneFile(const std::string& name) {
    for (const BackboneCard& card : knownBackbones())
        if (card.name == name) return knownBackbonesFolder() / card.name / card.file;
    return {};
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

std::unique_ptr<BackboneService> makeBackboneService() {
    return std::make_unique<Backbones>();
}

}  // namespace palimpsest
