// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/record/principal_axes.h"

namespace palimpsest {

/// The file of a run folder: `samples_seen,class,image,values`. A row is the feature of a test image as the head got
/// it, or, where `image` is empty, the head's row of the class; `values` are its float32 numbers, little-endian, in
/// base64. A row is written when it is new or has other bits than the last one of that image or class, so a feature
/// that stands still is written once.
inline constexpr const char* kFeatureFile = "features.csv";
inline constexpr const char* kFeatureHeader = "samples_seen,class,image,values";

/// The first classes to come are recorded: they have the most time to be forgotten, and no later class changes which
/// they are, so that nothing of the stream to come must be known.
inline constexpr std::int64_t kFeatureClasses = 10;
/// Test images of each, spread evenly over those of the class in data set order, the same at every evaluation.
inline constexpr std::int64_t kFeatureImages = 20;
/// About the most that a run records, in bytes of the file.
inline constexpr std::int64_t kMostFeatureBytes = 24'000'000;
/// The largest file that is written, by a network whose features are so wide that few evaluations are more than that,
/// and that is read.
inline constexpr std::int64_t kLargestFeatureFile = 64'000'000;

/// Features and head rows at one evaluation.
struct FeatureMoment {
    static constexpr std::int64_t kHead = -1;
    struct Row {
        std::int32_t label = 0;      ///< raw
        std::int64_t image = kHead;  ///< place in the test set; kHead: the head's row of the class
        bool operator==(const Row&) const = default;
    };
    std::int64_t samples_seen = 0;
    std::size_t width = 0;      ///< D
    bool still = false;         ///< the features can never change
    std::vector<Row> rows;      ///< classes in order of first appearance, images ascending, then the heads'
    std::vector<float> values;  ///< [rows, D]; a row with a number that is not finite is not recorded

    std::span<const float> row(std::size_t i) const { return std::span(values).subspan(i * width, width); }
};

struct FeatureMap;

/// Decides which evaluations are recorded, and which rows of them. What it needs to know of the past stands in the
/// file, so that a run that is resumed goes on with the same bits.
class FeatureLog {
public:
    FeatureLog() = default;
    /// Goes on behind what was recorded.
    explicit FeatureLog(const FeatureMap& past);
    /// The stream of `total` images is cut into as many equal parts as evaluations fit kMostFeatureBytes, 8 at least
    /// where they fit kLargestFeatureFile, and the first evaluation of a part is recorded.
    bool wants(const FeatureMoment& moment, std::int64_t total) const;
    /// Lines of the file, and notes that they are recorded. Empty where nothing has changed.
    std::vector<std::array<std::string, 4>> lines(const FeatureMoment& moment);

private:
    std::int64_t last_ = -1;                                       // samples seen at the last lines
    std::unordered_map<std::int64_t, std::vector<float>> images_;  // by place in the test set
    std::unordered_map<std::int64_t, std::vector<float>> heads_;   // by label
};

/// What was recorded of a run's features. A moment has everything that came until then, as it was last.
struct FeatureMap {
    struct Point {
        std::int32_t label = 0;  ///< raw
        std::int64_t image = 0;  ///< place in the test set
    };
    std::size_t width = 0;                   ///< D
    std::vector<std::int32_t> classes;       ///< raw labels in order of first appearance
    std::vector<Point> points;               ///< likewise
    std::vector<std::int64_t> moments;       ///< images seen, ascending
    std::vector<std::vector<int>> features;  ///< by moment and point: its row of values; -1: not there yet
    std::vector<std::vector<int>> heads;     ///< by moment and class; -1: the class has none
    std::vector<float> values;               ///< [rows, D]
    std::vector<std::string> warnings;       ///< "features.csv line 7: ..."; such lines are skipped

    bool empty() const { return moments.empty(); }
    /// Empty where it is not there.
    std::span<const float> feature(std::size_t moment, std::size_t point) const {
        return rowOf(features[moment], point);
    }
    std::span<const float> head(std::size_t moment, std::size_t place) const { return rowOf(heads[moment], place); }
    bool hasHeads() const;

private:
    std::span<const float> rowOf(const std::vector<int>& rows, std::size_t place) const {
        if (place >= rows.size() || rows[place] < 0) return {};
        return std::span(values).subspan(static_cast<std::size_t>(rows[place]) * width, width);
    }
};

/// Reads the file; an empty map where a run has none. Lines that say nothing are skipped with a warning. Throws
/// Error(Input) where the file cannot be read, or is longer than kLargestFeatureFile.
FeatureMap readFeatureMap(const std::filesystem::path& run);

/// How far things are, at one moment, from where they were when they came.
struct FeatureChange {
    std::size_t points = 0;  ///< that are there
    double moved = 0;        ///< mean distance of the points in all D directions, as a share of the spread of those
                             ///< of the first moment (root of their mean squared distance from their mean)
    std::size_t arrows = 0;  ///< with a direction, then and now
    double turned = 0;       ///< mean angle between then and now, in degrees, in all D directions
    double most_turned = 0;  ///< the largest of them
    std::size_t most_turned_at = 0;  ///< its place among the classes
    bool operator==(const FeatureChange&) const = default;
};

/// Angle in degrees, in all D directions, between the head's row of a class then and when it came; nothing where it has
/// no direction.
std::optional<double> headTurn(const FeatureMap& map, std::size_t moment, std::size_t place);

/// A feature map as a picture: coordinates in the plane of the principal axes, of every moment.
struct FeaturePicture {
    using Place = std::array<double, 2>;
    PrincipalAxes axes;
    std::size_t basis = 0;                    ///< the moment whose features they are those of
    std::vector<std::vector<Place>> points;   ///< by moment and point; not numbers: not there yet
    std::vector<std::vector<Place>> arrows;   ///< by moment and class: the tip of the head's row from the mean, all in
                                              ///< one scale; not numbers: none
    std::vector<Place> first;                 ///< where each point stood when it came
    std::vector<FeatureChange> changes;       ///< by moment
    std::array<double, 4> box{-1, 1, -1, 1};  ///< left, right, bottom, top of everything at any moment
};

/// `basis`: the moment whose features give the axes. The head's rows are directions: a feature scores the higher for a
/// class the farther it lies along its arrow. The bias, which a head adds to a class's score besides, is not in them:
/// of two classes that a feature lies as far along, that with the larger bias wins. The longest arrow of all moments is
/// as long as half the larger side of the box around the points.
FeaturePicture pictureOf(const FeatureMap& map, std::size_t basis = 0);
/// The same, without measuring anew what no axes change: `changes` are those of another picture of this map.
FeaturePicture pictureOf(const FeatureMap& map, std::size_t basis, std::vector<FeatureChange> changes);

/// "Points moved by 12 % of their spread, arrows turned by 34° on average since they came; most: three (71°)." `names`:
/// of the classes, in the map's order.
std::string changeSentence(const FeatureChange& change, const std::vector<std::string>& names);

/// A line for each point and each arrow at each moment: samples_seen,kind,class,image,x,y. `names`: likewise.
std::string featureTable(const FeatureMap& map, const FeaturePicture& picture, const std::vector<std::string>& names);

}  // namespace palimpsest
