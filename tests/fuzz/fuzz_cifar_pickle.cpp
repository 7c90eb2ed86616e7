// SPDX-License-Identifier: GPL-3.0-or-later
#include <span>

#include "datasets/formats/python_pickle.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_cifar_pickle {

FUZZ_TARGET(cifar_pickle, 5000) {
    const std::span bytes(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    fuzz::answers([&] {
        const Pickle pickle(bytes, "data_batch_1");
        for (const char* key : {"data", "labels", "fine_labels"}) {
            const Pickle::Value* value = pickle.find(pickle.root(), key);
            if (value == nullptr) continue;
            for (const Pickle::Ref item : value->items) static_cast<void>(pickle[item].kind);
            // Every byte of an array is there.
            std::size_t sum = 0;
            for (const char byte : value->bytes) sum += static_cast<unsigned char>(byte);
            fuzz::require(sum <= 255 * value->bytes.size(), "a sum of bytes");
        }
    });
}

}  // namespace palimpsest::fuzz_cifar_pickle
