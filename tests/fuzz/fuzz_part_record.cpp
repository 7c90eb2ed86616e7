// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/transfer.h"
#include "datasets/files/file_content.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_part_record {

FUZZ_TARGET(part_record, 3000) {
    std::filesystem::path part = fuzz::fileWith(input, "archive.part.source");
    part.replace_extension();
    const PartRecord record = PartRecord::load(part);
    fuzz::require(record.total >= 0, "a file of fewer than no bytes");
    fuzz::require(record.url.find('\n') == std::string::npos && record.validator.find('\n') == std::string::npos,
                  "a line end in a header");
    fuzz::answers([&] {
        const Checksum sum = Checksum::parse(std::string(input));
        fuzz::require(Checksum::parse(sum.text()).hex == sum.hex, "a checksum reads back as another");
    });
}

}  // namespace palimpsest::fuzz_part_record
