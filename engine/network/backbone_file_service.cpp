// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/backbone_file_service.h"

#include <cctype>

#include "datasets/files/file_content.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/network/backbone_fetch.h"
#include "engine/network/weights.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

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

std::unique_ptr<BackboneService> makeBackboneService() {
    return std::make_unique<Backbones>();
}

}  // namespace palimpsest
