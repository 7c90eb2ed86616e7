// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <numeric>

#include "engine/trust/image_views.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_image_views {

namespace {

/// Image i is one pixel of the shade i; its label is i / 10.
class Shades : public ImageTable {
public:
    Shades() : labels_(40) {
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i / 10);
    }
    std::int64_t size() const override { return std::ssize(labels_); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override { return cv::Mat(1, 1, CV_8UC1, cv::Scalar(double(index))); }
    std::string identity() const override { return "shades"; }

private:
    std::vector<std::int32_t> labels_;
};

/// Test images that are their own positions; every seventh cannot be read.
class Positions : public TestSource {
public:
    Positions() : labels_(30) { std::iota(labels_.begin(), labels_.end(), 100); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    void expect(std::span<const std::int64_t> samples) override { expected.assign(samples.begin(), samples.end()); }
    ShownImages images(std::span<const std::int64_t> samples) override {
        ShownImages shown;
        for (const std::int64_t sample : samples)
            if (sample % 7 != 0) shown.samples.push_back(sample);
        shown.images = at::tensor(shown.samples).to(at::kFloat);
        return shown;
    }
    std::vector<std::int64_t> expected;

private:
    std::vector<std::int32_t> labels_;
};

}  // namespace

class TestImageViews : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aSubsetKeepsPicturesAndLabelsTogether() {
        const auto part = subsetOf(std::make_shared<Shades>(), {3, 17, 39});
        QCOMPARE(part->size(), std::int64_t{3});
        QCOMPARE(int(part->image(1).at<std::uint8_t>(0, 0)), 17);
        QCOMPARE(part->labels()[1], 1);
        QCOMPARE(part->name(2), std::string("image 39"));
        // A cache of the whole table would give pictures of other positions.
        QVERIFY(part->identity().empty());
    }

    void permutedLabelsKeepTheirNumbersAndLeaveTheirPlaces() {
        const Shades table;
        const auto permuted = permutedLabels(table.labels(), 1);
        QVERIFY(permuted == permutedLabels(table.labels(), 1));
        QVERIFY(permuted != permutedLabels(table.labels(), 2));
        for (const std::int32_t label : {0, 1, 2, 3}) QCOMPARE(std::count(permuted.begin(), permuted.end(), label), 10);
        std::int64_t stayed = 0;
        for (std::size_t i = 0; i < permuted.size(); ++i) stayed += permuted[i] == table.labels()[i];
        QVERIFY(stayed < 20);
        const auto view = relabelled(std::make_shared<Shades>(), permuted);
        QCOMPARE(view->labels()[5], permuted[5]);
        QCOMPARE(int(view->image(5).at<std::uint8_t>(0, 0)), 5);
    }

    void aCutStreamKeepsTheShareOfEachSession() {
        StreamPlan plan;
        plan.sessions = {{}, std::vector<std::int64_t>(100), std::vector<std::int64_t>(300)};
        std::iota(plan.sessions[1].begin(), plan.sessions[1].end(), 0);
        std::iota(plan.sessions[2].begin(), plan.sessions[2].end(), 100);
        const StreamPlan cut = cutStream(plan, 40);
        QVERIFY(cut.sessions[0].empty());
        QCOMPARE(std::ssize(cut.sessions[1]), std::ptrdiff_t{10});
        QCOMPARE(std::ssize(cut.sessions[2]), std::ptrdiff_t{30});
        QCOMPARE(cut.sessions[1][1], std::int64_t{10});
        QVERIFY(std::is_sorted(cut.sessions[2].begin(), cut.sessions[2].end()));
        QVERIFY(cutStream(plan, 0).sessions == plan.sessions);
        QVERIFY(cutStream(plan, 500).sessions == plan.sessions);
        QCOMPARE(cutStream(plan, 1).totalSamples(), std::int64_t{2});
    }

    void reorderedTestImagesKeepTheirLabels() {
        Positions source;
        std::vector<std::int64_t> order(30);
        std::iota(order.rbegin(), order.rend(), 0);
        ReorderedTest reordered(source, order);
        QCOMPARE(reordered.labels()[0], 129);
        const std::vector<std::int64_t> wanted{0, 1, 2, 20};
        reordered.expect(wanted);
        QVERIFY((source.expected == std::vector<std::int64_t>{29, 28, 27, 9}));
        const ShownImages shown = reordered.images(wanted);
        // 28 cannot be read.
        QVERIFY((shown.samples == std::vector<std::int64_t>{0, 2, 20}));
        QCOMPARE(shown.images[1].item<double>(), 27.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestImageViews)

}  // namespace tst_image_views

#include "tst_image_views.moc"
