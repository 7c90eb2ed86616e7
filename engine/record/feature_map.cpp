// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/feature_map.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <utility>

#include "engine/support/append_file.h"
#include "engine/support/base64.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

// Bounds of what is read, well above what a run writes.
constexpr std::size_t kMostWidth = 16'384;
constexpr std::size_t kMostMoments = 5'000;
constexpr std::size_t kMostPoints = 400;
constexpr std::size_t kMostFeatureWarnings = 20;

constexpr std::int64_t kMostRecorded = 200;  // evaluations, however small they are
constexpr std::int64_t kFewestRecorded = 8;  // where the largest file has room for them
constexpr std::int64_t kOtherCells = 48;     // bytes of a line but its values, at most about
constexpr double kArrowShare = 0.5;          // of the longest arrow in the larger side of the box around the points
constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

bool allFinite(std::span<const float> values) {
    return std::ranges::all_of(values, [](float x) { return std::isfinite(x); });
}

bool sameBits(std::span<const float> a, std::span<const float> b) {
    return std::ranges::equal(
        a, b, {}, [](float x) { return std::bit_cast<std::uint32_t>(x); },
        [](float x) { return std::bit_cast<std::uint32_t>(x); });
}

std::string textOf(std::span<const float> values) {
    std::vector<std::byte> bytes;
    bytes.reserve(values.size() * sizeof(float));
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(bits >> shift & 0xFFU));
    }
    return base64(bytes);
}

std::optional<std::vector<float>> valuesIn(std::string_view text) {
    const auto bytes = bytesOfBase64(text);
    if (!bytes || bytes->empty() || bytes->size() % sizeof(float) != 0) return std::nullopt;
    std::vector<float> values;
    values.reserve(bytes->size() / sizeof(float));
    for (std::size_t i = 0; i < bytes->size(); i += sizeof(float)) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < sizeof(float); ++k) bits |= static_cast<std::uint32_t>((*bytes)[i + k]) << (8 * k);
        values.push_back(std::bit_cast<float>(bits));
    }
    if (!allFinite(values)) return std::nullopt;
    return values;
}

/// A whole number from 0 on.
std::optional<std::int64_t> placeIn(std::string_view cell) {
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
    if (error != std::errc() || stop != cell.data() + cell.size() || number < 0) return std::nullopt;
    return number;
}

/// Parts of a stream, of each of which one evaluation is recorded, and one more at its end.
std::int64_t recordedParts(const FeatureMoment& moment) {
    constexpr std::int64_t kAllImages = kFeatureClasses * kFeatureImages;
    const std::int64_t row = static_cast<std::int64_t>(moment.width * sizeof(float)) * 4 / 3 + kOtherCells;
    const std::int64_t once = moment.still ? kAllImages * row : 0;
    const std::int64_t each = (kFeatureClasses + (moment.still ? 0 : kAllImages)) * row;
    const std::int64_t room = (kLargestFeatureFile - once) / each - 1;
    return std::min(std::clamp(kMostFeatureBytes / each, kFewestRecorded, kMostRecorded), room);
}

/// Gathers the lines of a file.
class FeatureReader {
public:
    void line(std::size_t number, std::string_view text) {
        if (const char* fault = take(text)) warn(number, fault);
    }
    FeatureMap result() {
        if (odd_ > kMostFeatureWarnings)
            map_.warnings.push_back(std::string(kFeatureFile) + ": " +
                                    grouped(static_cast<std::int64_t>(odd_ - kMostFeatureWarnings)) +
                                    " more lines were skipped.");
        return std::move(map_);
    }
    void warn(std::size_t number, const char* fault) {
        if (++odd_ <= kMostFeatureWarnings)
            map_.warnings.push_back(std::string(kFeatureFile) + " line " + std::to_string(number) + ": " + fault + ".");
    }

private:
    /// Null: it was taken; else why not.
    const char* take(std::string_view text) {
        const std::vector<std::string_view> cells = csvCells(text);
        if (cells.size() != 4) return "not four cells";
        const auto seen = placeIn(cells[0]), label = placeIn(cells[1]);
        const auto image = cells[2].empty() ? std::optional(FeatureMoment::kHead) : placeIn(cells[2]);
        if (!seen || !label || *label > std::numeric_limits<std::int32_t>::max() || !image) return "not whole numbers";
        if (!map_.moments.empty() && *seen < map_.moments.back()) return "a moment before the one above it";
        const bool fresh = map_.moments.empty() || *seen > map_.moments.back();
        if (fresh && map_.moments.size() >= kMostMoments) return "more moments than are read";
        const auto values = valuesIn(cells[3]);
        if (!values) return "the values are no base64 of finite float32 numbers";
        if (values->size() > kMostWidth) return "more values than are read";
        if (map_.width != 0 && values->size() != map_.width) return "not as many values as the lines above it";
        const auto place = placeOf(static_cast<std::int32_t>(*label), *image);
        if (!place) return "more classes or images than are read";
        map_.width = values->size();
        if (fresh) begin(*seen);
        const auto row = static_cast<int>(map_.values.size() / map_.width);
        map_.values.insert(map_.values.end(), values->begin(), values->end());
        std::vector<int>& rows = *image < 0 ? map_.heads.back() : map_.features.back();
        rows.resize(std::max(rows.size(), *place + 1), -1);
        rows[*place] = row;
        return nullptr;
    }

    /// The place of a class among the heads, or of an image among the points; nothing: there are too many.
    std::optional<std::size_t> placeOf(std::int32_t label, std::int64_t image) {
        const auto known = classes_.find(label);
        if (known == classes_.end() && map_.classes.size() >= static_cast<std::size_t>(kFeatureClasses))
            return std::nullopt;
        const auto point = image < 0 ? points_.end() : points_.find(image);
        if (image >= 0 && point == points_.end() && map_.points.size() >= kMostPoints) return std::nullopt;
        const std::size_t at = known == classes_.end() ? map_.classes.size() : known->second;
        if (known == classes_.end()) {
            classes_[label] = at;
            map_.classes.push_back(label);
        }
        if (image < 0) return at;
        if (point != points_.end()) return point->second;
        points_[image] = map_.points.size();
        map_.points.push_back({label, image});
        return map_.points.size() - 1;
    }

    void begin(std::int64_t seen) {
        const bool first = map_.moments.empty();
        map_.moments.push_back(seen);
        map_.features.push_back(first ? std::vector<int>() : map_.features.back());
        map_.heads.push_back(first ? std::vector<int>() : map_.heads.back());
    }

    FeatureMap map_;
    std::map<std::int32_t, std::size_t> classes_;
    std::map<std::int64_t, std::size_t> points_;
    std::size_t odd_ = 0;
};

double lengthOf(std::span<const float> a) {
    double sum = 0;
    for (const float x : a) sum += static_cast<double>(x) * static_cast<double>(x);
    return std::sqrt(sum);
}

double distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = static_cast<double>(a[i]) - static_cast<double>(b[i]);
        sum += apart * apart;
    }
    return std::sqrt(sum);
}

/// In degrees, exact for small ones (Kahan, 2006); nothing where one has no direction.
std::optional<double> angleBetween(std::span<const float> a, std::span<const float> b) {
    const double la = lengthOf(a), lb = lengthOf(b);
    if (!(la > 0) || !(lb > 0)) return std::nullopt;
    double apart = 0, together = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double x = static_cast<double>(a[i]) * lb, y = static_cast<double>(b[i]) * la;
        apart += (x - y) * (x - y);
        together += (x + y) * (x + y);
    }
    return 2 * std::atan2(std::sqrt(apart), std::sqrt(together)) * kDegrees;
}

/// For each place the first row that it had; -1: none yet.
std::vector<int> firstRows(const std::vector<std::vector<int>>& moments, std::size_t count) {
    std::vector<int> first(count, -1);
    for (const std::vector<int>& rows : moments)
        for (std::size_t i = 0; i < std::min(rows.size(), count); ++i)
            if (first[i] < 0) first[i] = rows[i];
    return first;
}

std::vector<float> pointsAt(const FeatureMap& map, std::size_t moment) {
    std::vector<float> all;
    for (std::size_t i = 0; i < map.points.size(); ++i) {
        const auto feature = map.feature(moment, i);
        all.insert(all.end(), feature.begin(), feature.end());
    }
    return all;
}

/// Root of the mean squared distance from the mean.
double spreadOf(std::span<const float> points, std::size_t width) {
    const std::size_t n = width > 0 ? points.size() / width : 0;
    double sum = 0;
    for (std::size_t k = 0; k < width && n > 0; ++k) {
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) mean += static_cast<double>(points[i * width + k]);
        mean /= static_cast<double>(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double apart = static_cast<double>(points[i * width + k]) - mean;
            sum += apart * apart;
        }
    }
    return n > 0 ? std::sqrt(sum / static_cast<double>(n)) : 0;
}

std::vector<FeatureChange> changesOf(const FeatureMap& map) {
    std::vector<FeatureChange> changes;
    if (map.empty()) return changes;
    const double spread = spreadOf(pointsAt(map, 0), map.width);
    const std::vector<int> points = firstRows(map.features, map.points.size());
    const std::vector<int> heads = firstRows(map.heads, map.classes.size());
    const auto row = [&](int at) {
        return std::span(map.values).subspan(static_cast<std::size_t>(at) * map.width, map.width);
    };
    for (std::size_t moment = 0; moment < map.moments.size(); ++moment) {
        FeatureChange change;
        double moved = 0, turned = 0;
        for (std::size_t i = 0; i < map.points.size(); ++i) {
            const auto now = map.feature(moment, i);
            if (now.empty()) continue;
            ++change.points;
            moved += distance(now, row(points[i]));
        }
        for (std::size_t i = 0; i < map.classes.size(); ++i) {
            const auto now = map.head(moment, i);
            const auto angle = now.empty() ? std::nullopt : angleBetween(now, row(heads[i]));
            if (!angle) continue;
            turned += *angle;
            if (change.arrows++ == 0 || *angle > change.most_turned) {
                change.most_turned = *angle;
                change.most_turned_at = i;
            }
        }
        if (change.points > 0 && spread > 0) change.moved = moved / static_cast<double>(change.points) / spread;
        if (change.arrows > 0) change.turned = turned / static_cast<double>(change.arrows);
        changes.push_back(change);
    }
    return changes;
}

/// Of everything that is a number, with the origin.
void widen(std::array<double, 4>& box, const FeaturePicture::Place& place) {
    if (!std::isfinite(place[0]) || !std::isfinite(place[1])) return;
    box = {std::min(box[0], place[0]), std::max(box[1], place[0]), std::min(box[2], place[1]),
           std::max(box[3], place[1])};
}

std::string wholeDegrees(double degrees) {
    return (degrees > 0 && degrees < 0.5 ? "less than 1" : fixedText(degrees, 0)) + "°";
}

}  // namespace

FeatureLog::FeatureLog(const FeatureMap& past) {
    if (past.empty()) return;
    last_ = past.moments.back();
    const std::size_t moment = past.moments.size() - 1;
    const auto kept = [](std::span<const float> values) { return std::vector<float>(values.begin(), values.end()); };
    for (std::size_t i = 0; i < past.points.size(); ++i)
        if (const auto feature = past.feature(moment, i); !feature.empty())
            images_[past.points[i].image] = kept(feature);
    for (std::size_t i = 0; i < past.classes.size(); ++i)
        if (const auto head = past.head(moment, i); !head.empty()) heads_[past.classes[i]] = kept(head);
}

bool FeatureLog::wants(const FeatureMoment& moment, std::int64_t total) const {
    if (moment.width == 0 || moment.width > kMostWidth || moment.samples_seen <= last_) return false;
    if (last_ < 0 || total <= 0) return true;
    const std::int64_t parts = recordedParts(moment);
    return moment.samples_seen * parts / total > last_ * parts / total;
}

std::vector<std::array<std::string, 4>> FeatureLog::lines(const FeatureMoment& moment) {
    std::vector<std::array<std::string, 4>> all;
    for (std::size_t i = 0; i < moment.rows.size(); ++i) {
        const FeatureMoment::Row& row = moment.rows[i];
        const std::span<const float> values = moment.row(i);
        if (!allFinite(values)) continue;
        const bool head = row.image == FeatureMoment::kHead;
        std::vector<float>& before = head ? heads_[row.label] : images_[row.image];
        if (sameBits(before, values)) continue;
        before.assign(values.begin(), values.end());
        all.push_back({csvCell(moment.samples_seen), csvCell(std::int64_t{row.label}),
                       head ? std::string() : csvCell(row.image), textOf(values)});
    }
    if (!all.empty()) last_ = moment.samples_seen;
    return all;
}

bool FeatureMap::hasHeads() const {
    return std::ranges::any_of(heads, [](const std::vector<int>& rows) { return !rows.empty(); });
}

std::optional<double> headTurn(const FeatureMap& map, std::size_t moment, std::size_t place) {
    const auto now = map.head(moment, place);
    if (now.empty()) return std::nullopt;
    std::size_t first = 0;
    while (map.head(first, place).empty()) ++first;
    return angleBetween(now, map.head(first, place));
}

FeatureMap readFeatureMap(const std::filesystem::path& run) {
    const std::filesystem::path file = run / kFeatureFile;
    std::error_code ignored;
    if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) return {};
    const std::string text = readTextFile(file, FilePlace::InFolder, kLargestFeatureFile);
    FeatureReader reader;
    std::string_view rest = text;
    for (std::size_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = rest.find('\n');
        // The last line of a run that is being written may be half there.
        if (end == std::string_view::npos) break;
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        if (number > 1) {
            reader.line(number, line);
        } else if (line != kFeatureHeader) {
            reader.warn(number, "the columns are not samples_seen,class,image,values");
            break;
        }
    }
    return reader.result();
}

FeaturePicture pictureOf(const FeatureMap& map, std::size_t basis) {
    return pictureOf(map, basis, changesOf(map));
}

FeaturePicture pictureOf(const FeatureMap& map, std::size_t basis, std::vector<FeatureChange> changes) {
    FeaturePicture picture;
    if (map.empty()) return picture;
    picture.changes = std::move(changes);
    picture.basis = std::min(basis, map.moments.size() - 1);
    picture.axes = principalAxes(pointsAt(map, picture.basis), map.width);
    // A file may have heads alone.
    if (picture.axes.empty()) picture.axes = principalAxes(std::vector<float>(map.width, 0.0F), map.width);
    const FeaturePicture::Place nowhere{kNowhere, kNowhere};

    // Rows that stand still are projected once.
    std::vector<std::optional<FeaturePicture::Place>> known(map.values.size() / map.width);
    const auto placeOf = [&](int row, bool head) {
        if (row < 0) return nowhere;
        auto& place = known[static_cast<std::size_t>(row)];
        const auto values = std::span(map.values).subspan(static_cast<std::size_t>(row) * map.width, map.width);
        if (!place) place = head ? picture.axes.direction(values) : picture.axes.place(values);
        return *place;
    };
    const auto placed = [&](const std::vector<int>& rows, std::size_t count, bool head) {
        std::vector<FeaturePicture::Place> places(count, nowhere);
        for (std::size_t i = 0; i < std::min(rows.size(), count); ++i) places[i] = placeOf(rows[i], head);
        return places;
    };
    std::array<double, 4> box{};
    double longest = 0;
    for (std::size_t moment = 0; moment < map.moments.size(); ++moment) {
        picture.points.push_back(placed(map.features[moment], map.points.size(), false));
        picture.arrows.push_back(placed(map.heads[moment], map.classes.size(), true));
        for (const auto& place : picture.points.back()) widen(box, place);
        for (const auto& tip : picture.arrows.back())
            if (std::isfinite(tip[0])) longest = std::max(longest, std::hypot(tip[0], tip[1]));
    }
    picture.first = placed(firstRows(map.features, map.points.size()), map.points.size(), false);
    const double side = std::max({box[1] - box[0], box[3] - box[2], std::numeric_limits<double>::min()});
    const double scale = longest > 0 ? kArrowShare * side / longest : 1;
    for (auto& tips : picture.arrows)
        for (FeaturePicture::Place& tip : tips) {
            tip = {tip[0] * scale, tip[1] * scale};
            widen(box, tip);
        }
    if (box[1] > box[0] || box[3] > box[2]) picture.box = box;
    return picture;
}

std::string changeSentence(const FeatureChange& change, const std::vector<std::string>& names) {
    std::string text;
    if (change.points > 0) {
        const std::string moved = trimmedText(100 * change.moved, change.moved < 0.095 ? 1 : 0);
        text = change.moved == 0 ? "Points stand still"
               : moved == "0"    ? "Points moved by less than 0.1 % of their spread"
                                 : "Points moved by " + moved + " % of their spread";
    }
    if (change.arrows > 0) {
        text += text.empty() ? "Arrows" : ", arrows";
        text += change.turned == 0 ? " have not turned" : " turned by " + wholeDegrees(change.turned) + " on average";
    }
    if (text.empty()) return text;
    text += " since they came";
    if (change.arrows > 1 && change.most_turned > 0 && change.most_turned_at < names.size())
        text += "; most: " + plainLine(names[change.most_turned_at]) + " (" + wholeDegrees(change.most_turned) + ")";
    return text + ".";
}

std::string featureTable(const FeatureMap& map, const FeaturePicture& picture, const std::vector<std::string>& names) {
    std::string text = "samples_seen,kind,class,image,x,y\n";
    const auto named = [&](std::int32_t label) {
        const auto at = std::ranges::find(map.classes, label);
        const auto place = static_cast<std::size_t>(at - map.classes.begin());
        return place < names.size() ? tableCell(plainLine(names[place])) : std::to_string(label);
    };
    const auto add = [&](std::int64_t seen, const char* kind, std::int32_t label, const std::string& image,
                         const FeaturePicture::Place& place) {
        if (!std::isfinite(place[0]) || !std::isfinite(place[1])) return;
        text += csvCell(seen) + "," + kind + "," + named(label) + "," + image + "," + csvCell(place[0]) + "," +
                csvCell(place[1]) + "\n";
    };
    for (std::size_t moment = 0; moment < picture.points.size(); ++moment) {
        for (std::size_t i = 0; i < map.points.size(); ++i)
            add(map.moments[moment], "image", map.points[i].label, csvCell(map.points[i].image),
                picture.points[moment][i]);
        for (std::size_t i = 0; i < map.classes.size(); ++i)
            add(map.moments[moment], "head", map.classes[i], "", picture.arrows[moment][i]);
    }
    return text;
}

}  // namespace palimpsest
