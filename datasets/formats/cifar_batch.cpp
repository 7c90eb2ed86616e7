// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/cifar_batch.h"

#include "datasets/formats/python_pickle.h"
#include "engine/support/error.h"

#include <functional>

namespace palimpsest {
namespace {

const char* const kFetchCifarAgain = "Get the data set again.";

std::int32_t checkedLabel(std::int64_t label, std::size_t sample, const CifarLayout& layout,
                          const std::string& origin) {
    if (label >= 0 && label < layout.classes) return static_cast<std::int32_t>(label);
    throw inputError("The file " + origin + " gives picture " + std::to_string(sample) + " the label " +
                         std::to_string(label) + ", where 0 to " + std::to_string(layout.classes - 1) +
                         " are expected.",
                     kFetchCifarAgain);
}

}  // namespace

CifarBatch readCifarBinary(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin) {
    CifarBatch batch;
    batch.first = layout.label_bytes;
    batch.stride = layout.label_bytes + kCifarImageBytes;
    if (bytes.empty() || bytes.size() % batch.stride != 0)
        throw inputError("The file " + origin + " is cut short or damaged: whole pictures of " +
                             std::to_string(batch.stride) + " bytes each are expected, but it has " +
                             std::to_string(bytes.size()) + " bytes.",
                         kFetchCifarAgain);
    for (std::size_t at = layout.label_bytes - 1; at < bytes.size(); at += batch.stride)
        batch.labels.push_back(checkedLabel(bytes[at], batch.labels.size(), layout, origin));
    batch.bytes = std::move(bytes);
    return batch;
}

CifarBatch readCifarPickle(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin) {
    const Pickle pickle(bytes, origin);
    const auto* const data = pickle.find(pickle.root(), "data");
    const auto* const labels = pickle.find(pickle.root(), layout.label_key);
    if (data == nullptr || data->kind != Pickle::Kind::Array || labels == nullptr || labels->kind != Pickle::Kind::List)
        throw inputError("The file " + origin +
                             " is not the one expected: it should hold an array \"data\" and a list \"" +
                             layout.label_key + "\".",
                         kFetchCifarAgain);
    if (data->shape.size() != 2 || data->shape[1] != static_cast<std::int64_t>(kCifarImageBytes) ||
        data->shape[0] != static_cast<std::int64_t>(labels->items.size()) || labels->items.empty())
        throw inputError("The file " + origin + " is damaged: " + std::to_string(labels->items.size()) +
                             " labels and as many rows of " + std::to_string(kCifarImageBytes) +
                             " bytes are expected, but the array has " + std::to_string(data->bytes.size()) + " bytes.",
                         kFetchCifarAgain);
    CifarBatch batch;
    for (const auto item : labels->items) {
        const auto& label = pickle[item];
        if (label.kind != Pickle::Kind::Integer)
            throw inputError("The file " + origin + " is damaged: label " + std::to_string(batch.labels.size()) +
                                 " is not a whole number.",
                             kFetchCifarAgain);
        batch.labels.push_back(checkedLabel(label.integer, batch.labels.size(), layout, origin));
    }
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(data->bytes.data());
    const std::less<const std::uint8_t*> before;
    const bool inFile = !before(pixels, bytes.data()) && before(pixels, bytes.data() + bytes.size());
    if (inFile) {
        batch.first = static_cast<std::size_t>(pixels - bytes.data());
        batch.bytes = std::move(bytes);
    } else {
        batch.bytes.assign(pixels, pixels + data->bytes.size());
    }
    return batch;
}

}  // namespace palimpsest
