// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/part_record.h"

#include <cerrno>
#include <charconv>
#include <fstream>

#include "datasets/files/output_file.h"

namespace palimpsest {

namespace fs = std::filesystem;

fs::path PartRecord::fileOf(const fs::path& part) {
    return part.string() + ".source";
}

PartRecord PartRecord::load(const fs::path& part) {
    std::ifstream file(fileOf(part));
    PartRecord record;
    std::string total;
    std::string end;
    const bool whole = std::getline(file, record.url) && std::getline(file, record.validator) &&
                       std::getline(file, total) && std::getline(file, end) && end == "end";
    const auto [stop, code] = std::from_chars(total.data(), total.data() + total.size(), record.total);
    if (!whole || code != std::errc() || stop != total.data() + total.size() || record.total < 0) return {};
    return record;
}

void PartRecord::save(const fs::path& part) const {
    std::ofstream file(fileOf(part), std::ios::trunc);
    file << url << '\n' << validator << '\n' << total << "\nend\n" << std::flush;
    if (!file) throw diskError(fileOf(part), errno);
}

}  // namespace palimpsest
