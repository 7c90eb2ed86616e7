// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/wordnet.h"

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

#include "datasets/files/file_content.h"

namespace palimpsest {
namespace {

constexpr std::size_t kNumberLength = 9;

/// Names by WordNet number, from one file.
std::map<std::string, std::string> readNames(const std::filesystem::path& file) {
    std::map<std::string, std::string> names;
    for (const auto& line : readTextLines(file)) {
        const std::string number = line.substr(0, kNumberLength);
        if (line.size() < kNumberLength + 2 || !isWordnetNumber(number)) continue;
        const std::size_t begin = line.find_first_not_of(" \t", kNumberLength);
        if (begin == kNumberLength || begin == std::string::npos) continue;
        std::string name = line.substr(begin, line.find(',', begin) - begin);
        std::replace(name.begin(), name.end(), '_', ' ');
        names.emplace(number, std::move(name));
    }
    return names;
}

struct Range {
    std::size_t first, last;
};

constexpr std::array<Range, 174> kRanges{
    {{0, 0},     {5, 6},     {8, 8},     {10, 13},   {15, 15},   {21, 23},   {27, 27},   {29, 29},   {33, 34},
     {36, 39},   {43, 43},   {47, 47},   {51, 53},   {56, 60},   {64, 64},   {66, 66},   {72, 74},   {77, 77},
     {80, 80},   {82, 82},   {84, 84},   {91, 91},   {95, 95},   {100, 103}, {110, 110}, {119, 121}, {134, 134},
     {136, 137}, {141, 141}, {152, 152}, {156, 156}, {158, 158}, {161, 162}, {164, 166}, {168, 169}, {174, 174},
     {177, 177}, {181, 182}, {184, 185}, {189, 189}, {192, 194}, {198, 198}, {202, 202}, {204, 205}, {211, 219},
     {221, 228}, {232, 233}, {247, 247}, {250, 255}, {257, 259}, {261, 262}, {276, 276}, {290, 290}, {292, 293},
     {295, 300}, {302, 307}, {310, 310}, {312, 312}, {316, 318}, {320, 322}, {324, 324}, {326, 328}, {330, 337},
     {339, 340}, {342, 344}, {346, 346}, {348, 348}, {350, 352}, {355, 364}, {366, 366}, {368, 371}, {373, 381},
     {395, 396}, {441, 444}, {446, 446}, {449, 456}, {459, 461}, {464, 465}, {468, 469}, {472, 473}, {475, 479},
     {481, 484}, {486, 487}, {489, 491}, {493, 495}, {497, 497}, {501, 507}, {510, 510}, {512, 516}, {518, 524},
     {527, 531}, {533, 541}, {544, 556}, {558, 561}, {563, 564}, {566, 566}, {569, 569}, {571, 572}, {574, 575},
     {577, 603}, {606, 611}, {613, 613}, {615, 618}, {620, 620}, {622, 624}, {626, 626}, {628, 634}, {636, 644},
     {646, 651}, {653, 654}, {656, 674}, {676, 676}, {679, 681}, {684, 686}, {688, 703}, {705, 706}, {708, 715},
     {717, 719}, {721, 730}, {732, 732}, {736, 736}, {738, 738}, {740, 743}, {745, 746}, {748, 757}, {759, 759},
     {762, 764}, {766, 767}, {769, 773}, {775, 778}, {780, 780}, {782, 785}, {787, 800}, {802, 805}, {807, 807},
     {809, 810}, {812, 814}, {816, 816}, {818, 820}, {822, 825}, {827, 836}, {838, 838}, {840, 841}, {843, 844},
     {846, 848}, {851, 852}, {854, 861}, {863, 865}, {867, 872}, {875, 876}, {878, 878}, {880, 886}, {889, 889},
     {891, 898}, {901, 908}, {911, 916}, {918, 922}, {925, 927}, {930, 931}, {933, 934}, {936, 937}, {939, 944},
     {946, 946}, {948, 949}, {952, 953}, {955, 956}, {958, 961}, {965, 966}, {968, 969}, {971, 971}, {974, 974},
     {976, 977}, {979, 987}, {989, 999}}};

}  // namespace

bool isWordnetNumber(const std::string& text) {
    return text.size() == kNumberLength && text[0] == 'n' &&
           std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> wordnetNames(const std::vector<std::string>& classes,
                                      const std::vector<std::filesystem::path>& files) {
    std::error_code ignored;
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& candidate) {
        return std::filesystem::is_regular_file(candidate, ignored);
    });
    if (file == files.end()) return classes;
    const auto known = readNames(*file);
    std::vector<std::string> names;
    std::map<std::string, int> uses;
    for (const auto& number : classes) {
        const auto found = known.find(number);
        names.push_back(found == known.end() ? number : found->second);
        ++uses[names.back()];
    }
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (uses[names[c]] > 1) names[c] += " (" + classes[c] + ")";
    return names;
}

std::vector<std::size_t> imagenet611Ranks() {
    std::vector<std::size_t> ranks;
    for (const auto& [first, last] : kRanges)
        for (std::size_t rank = first; rank <= last; ++rank) ranks.push_back(rank);
    return ranks;
}

}  // namespace palimpsest
