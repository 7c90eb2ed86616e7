// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>

#include "engine/network/torch_pickle.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_torch_pickle {

FUZZ_TARGET(torch_pickle, 5000) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    fuzz::answers([&] {
        const TorchPickle pickle = readTorchPickle(bytes, "data.pkl");
        for (const TorchPickle::Place& place : pickle.tensors) {
            fuzz::requireLine(place.name);
            fuzz::require(place.storage < pickle.storages.size() && place.sizes.size() == place.strides.size() &&
                              liesInside(place, pickle.storages[place.storage].count),
                          "a tensor outside of its storage");
        }
    });
}

}  // namespace palimpsest::fuzz_torch_pickle
