// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "datasets/formats/wordnet.h"
#include "engine/adaptation/adaptation_data.h"
#include "engine/adaptation/adaptation_learner.h"
#include "engine/adaptation/ood_source.h"
#include "engine/support/error.h"
#include "tests/support/shade_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_adaptation_data {

using testing::NoiseTable;
using testing::ShadeTable;

namespace {

using List = std::vector<std::int64_t>;

Experiment shapes(std::int64_t classes, std::int64_t others) {
    Experiment e;
    e.seed = 1;
    e.stream.dataset = "fashion-mnist";
    e.initial_session.prompts = "fam";
    e.initial_session.dataset = "shapes";
    e.initial_session.classes = classes;
    e.initial_session.other_classes = others;
    e.initial_session.images_per_class = 6;
    e.initial_session.other_drawn = 1;
    return e;
}

/// Samples of class c: 100 c, 100 c + 1, ...
std::vector<List> classLists(std::int64_t classes, std::int64_t each) {
    std::vector<List> lists;
    for (std::int64_t c = 0; c < classes; ++c) {
        lists.emplace_back(static_cast<std::size_t>(each));
        std::iota(lists.back().begin(), lists.back().end(), 100 * c);
    }
    return lists;
}

OodDraws draws(double resample, std::int64_t drawn = 3, std::int64_t batch = 4, std::uint64_t seed = 1) {
    return OodDraws(classLists(8, 5), {.seed = seed, .drawn = drawn, .batch_size = batch, .resample = resample});
}

PictureSettings pictures(std::shared_ptr<ReadPool> pool = nullptr) {
    PictureSettings settings;
    settings.image_size = 8;
    settings.deviation = {1, 1, 1};
    settings.pool = std::move(pool);
    return settings;
}

}  // namespace

class TestAdaptationData : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void classesAreSplitAsAskedOrInProportion_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<qint64>("present");
        QTest::addColumn<qint64>("classes");
        QTest::addColumn<qint64>("others");
        QTest::addColumn<qint64>("learned");
        QTest::addColumn<qint64>("kept");
        const auto row = [](const char* name, const char* dataset, qint64 present, qint64 classes, qint64 others,
                            qint64 learned, qint64 kept) {
            QTest::newRow(name) << dataset << present << classes << others << learned << kept;
        };
        row("ImageNet-1k", "imagenet", 1000, 900, 100, 900, 100);
        row("CUB-200, as published", "cub200", 200, 900, 100, 175, 25);
        row("CUB-200, as asked", "cub200", 200, 100, 100, 100, 100);
        row("CIFAR-100", "cifar100", 100, 900, 100, 90, 10);
        row("CIFAR-10", "cifar10", 10, 900, 100, 9, 1);
        row("two classes", "folder", 2, 900, 100, 1, 1);
        row("half and half", "cifar100", 100, 80, 80, 50, 50);
        row("no others", "cifar100", 100, 900, 0, 100, 0);
        row("mostly others", "cifar10", 10, 1, 99, 1, 9);
    }
    void classesAreSplitAsAskedOrInProportion() {
        QFETCH(QString, dataset);
        QFETCH(qint64, present);
        QFETCH(qint64, classes);
        QFETCH(qint64, others);
        QFETCH(qint64, learned);
        QFETCH(qint64, kept);
        const ClassSplit split = splitClasses(dataset.toStdString(), present, classes, others);
        QCOMPARE(qint64(split.classes), learned);
        QCOMPARE(qint64(split.others), kept);
    }

    void fewerOtherClassesThanAreDrawnAtATimeAreAllDrawn() {
        Experiment e = shapes(6, 3);
        e.initial_session.other_drawn = 10;
        const AdaptationData data = openAdaptationData(e, 32);
        QCOMPARE(data.warnings,
                 std::vector<std::string>{"initial_session.other_drawn is 10, but there are only 3 other "
                                          "classes, so each draw takes all of them."});
        QCOMPARE(OodDraws(data.others, {.drawn = e.initial_session.other_drawn}).drawn().size(), std::size_t{3});
    }

    void noImageIsBothLearnedAndOther() {
        const AdaptationData data = openAdaptationData(shapes(6, 3), 32);
        QCOMPARE(data.text(), std::string("Shapes: 6 classes to learn, 3 others"));
        QVERIFY(data.warnings.empty());
        const std::span<const std::int32_t> labels = data.dataset.train->labels();
        std::map<std::int32_t, int> learned, others;
        for (const List& session : planAdaptation(data, 1, 1).sessions)
            for (const std::int64_t sample : session) ++learned[labels[static_cast<std::size_t>(sample)]];
        for (const List& list : data.others)
            for (const std::int64_t sample : list) ++others[labels[static_cast<std::size_t>(sample)]];
        QCOMPARE(learned, (std::map<std::int32_t, int>{{0, 6}, {1, 6}, {2, 6}, {3, 6}, {4, 6}, {5, 6}}));
        QCOMPARE(others, (std::map<std::int32_t, int>{{6, 6}, {7, 6}, {8, 6}}));
    }

    void aPartOfImageNetTakesItsOthersFromTheLastHundredClasses() {
        QTemporaryDir root;
        for (int c = 0; c < 1000; ++c) {
            const QString wnid = QString("n%1").arg(c + 1, 8, 10, QChar('0'));
            for (const QString& part : {"train/" + wnid, "val/" + wnid}) {
                QVERIFY(QDir(root.path()).mkpath("imgnt/" + part));
                // Pictures are empty, since nothing is decoded.
                QFile picture(root.filePath("imgnt/" + part + "/" + wnid + "_1.JPEG"));
                QVERIFY(picture.open(QIODevice::WriteOnly));
            }
        }
        Experiment e = shapes(900, 100);
        e.initial_session.dataset = e.stream.dataset = "imagenet611";
        e.stream.root = root.path().toStdString();
        const AdaptationData data = openAdaptationData(e, 224);
        QCOMPARE(data.classes, std::int64_t{611});
        std::set<std::string> learned, others;
        for (const List& session : planAdaptation(data, 1, 1).sessions)
            for (const std::int64_t sample : session) learned.insert(data.dataset.train->name(sample));
        for (const List& list : data.others)
            for (const std::int64_t sample : list) others.insert(data.other_table->name(sample));
        QCOMPARE(learned.size(), std::size_t{611});
        const std::vector<std::size_t> ranks = imagenet611Ranks();
        const auto shared = std::ranges::count_if(ranks, [](std::size_t rank) { return rank >= 900; });
        QVERIFY(shared > 0);
        QCOMPARE(others.size(), static_cast<std::size_t>(100 - shared));
        for (const std::string& name : others) QVERIFY(!learned.contains(name));
        QCOMPARE(data.text(), "ImageNet-611: 611 classes to learn, " + std::to_string(100 - shared) + " others");
    }

    void drawnSetsAreDrawnToOrderAtTheNetworksSize_data() {
        QTest::addColumn<QString>("dataset");
        for (const char* name : {"fractals", "formulas", "glyphs", "shapes"}) QTest::newRow(name) << name;
    }
    void drawnSetsAreDrawnToOrderAtTheNetworksSize() {
        QFETCH(QString, dataset);
        Experiment e = shapes(20, 5);
        e.initial_session.dataset = dataset.toStdString();
        e.initial_session.images_per_class = 700;
        const AdaptationData data = openAdaptationData(e, 48);
        QCOMPARE(data.dataset.train->size(), std::int64_t{25 * 700});
        QCOMPARE(data.dataset.train->image(3).rows, 48);
        QCOMPARE(data.samples.size(), std::size_t{20});
        QCOMPARE(data.others.size(), std::size_t{5});
        QCOMPARE(data.others.at(4).size(), std::size_t{700});
        QVERIFY(data.warnings.empty());
    }

    void allGlyphsAreDividedWhereMoreAreAskedFor() {
        Experiment e = shapes(900, 100);
        e.initial_session.dataset = "glyphs";
        const AdaptationData data = openAdaptationData(e, 32);
        QCOMPARE(data.text(), std::string("Glyphs: 85 classes to learn, 9 others"));
        QCOMPARE(data.dataset.class_names.size(), std::size_t{94});
        QCOMPARE(data.warnings.size(), std::size_t{1});
        QVERIFY(QString::fromStdString(data.warnings[0]).contains("Glyphs has 94 classes, fewer than the 900"));
        for (const List& list : data.samples) QCOMPARE(list.size(), std::size_t{6});
        for (const List& list : data.others) QCOMPARE(list.size(), std::size_t{6});
    }

    void fractalsAndContoursAreAmongTheLearnedAndTheOthers() {
        Experiment e = shapes(7, 2);
        e.initial_session.dataset = "formulas";
        const AdaptationData data = openAdaptationData(e, 32);
        const std::span<const std::int32_t> labels = data.dataset.train->labels();
        const auto kinds = [&](const std::vector<List>& lists) {
            std::set<std::string> found;
            for (const List& list : lists)
                for (const std::int64_t sample : list) {
                    const std::int32_t label = labels[static_cast<std::size_t>(sample)];
                    found.insert(data.dataset.class_names.at(static_cast<std::size_t>(label)).substr(0, 7));
                }
            return found;
        };
        const std::set<std::string> both{"contour", "fractal"};
        QCOMPARE(kinds(data.samples), both);
        QCOMPARE(kinds(data.others), both);
        QCOMPARE(data.text(), std::string("Formulas: 7 classes to learn, 2 others"));
    }

    void aStreamOfTheClassesToLearnIsNoted_data() {
        QTest::addColumn<QString>("learned");
        QTest::addColumn<QString>("streamed");
        QTest::addColumn<QString>("note");
        QTest::addColumn<int>("passed");
        const auto row = [](const char* learned, const char* streamed, const char* note, int passed = 0) {
            QTest::addRow("%s, then %s after %d", learned, streamed, passed) << learned << streamed << note << passed;
        };
        // The adaptation learns nine classes, including the others; every second formula is a fractal.
        row("fractals", "fractals", "The stream takes its images from Fractals, too, so prompts", 8);
        row("fractals", "fractals", "", 9);
        row("formulas", "fractals", "The stream's data set, Fractals, has classes of Formulas, so prompts", 4);
        row("formulas", "fractals", "", 5);
        row("fractals", "formulas", "The stream's data set, Formulas, has classes of Fractals, so prompts", 17);
        row("fractals", "formulas", "", 18);
        row("shapes", "shapes", "The stream takes its images from Shapes, too, so prompts");
        row("formulas", "fractals", "The stream's data set, Fractals, has classes of Formulas, so prompts");
        row("fractals", "formulas", "The stream's data set, Formulas, has classes of Fractals, so prompts");
        row("formulas", "formulas", "The stream takes its images from Formulas, too, so prompts");
        row("glyphs", "formulas", "");
        row("glyphs", "mnist", "");
    }
    void aStreamOfTheClassesToLearnIsNoted() {
        QFETCH(QString, learned);
        QFETCH(QString, streamed);
        QFETCH(QString, note);
        QFETCH(int, passed);
        Experiment e = shapes(6, 3);
        e.stream.first_class = passed;
        e.initial_session.dataset = learned.toStdString();
        e.stream.dataset = streamed.toStdString();
        const AdaptationData data = openAdaptationData(e, 32);
        QCOMPARE(data.warnings.empty(), note.isEmpty());
        if (note.isEmpty()) return;
        QCOMPARE(data.warnings.size(), std::size_t{1});
        QVERIFY2(QString::fromStdString(data.warnings[0]).startsWith(note), data.warnings[0].c_str());
    }

    void sessionsTakeTheClassesInTheirNumberedOrder() {
        const AdaptationData data = openAdaptationData(shapes(7, 3), 32);
        const std::span<const std::int32_t> labels = data.dataset.train->labels();
        const StreamPlan plan = planAdaptation(data, 3, 1);
        QCOMPARE(plan.sessions.size(), std::size_t{3});
        for (std::size_t s = 0; s < 3; ++s) {
            std::set<std::int32_t> classes;
            for (const std::int64_t sample : plan.sessions[s]) classes.insert(labels[static_cast<std::size_t>(sample)]);
            const auto first = static_cast<std::int32_t>(2 * s);
            QCOMPARE(classes, (std::set<std::int32_t>{first, first + 1}));
            QCOMPARE(plan.sessions[s].size(), std::size_t{12});
        }
        QVERIFY(planAdaptation(data, 3, 2).sessions != plan.sessions);
    }

    void theScheduleGoesOverEverySessionAsOftenAsAsked() {
        StreamPlan plan;
        plan.sessions = {{4, 7, 1}, {}, {9, 8}};
        const AdaptationSchedule schedule(plan, 2, 2, 3);
        struct Expected {
            std::int64_t session, epoch, batch;
            List samples;
            bool endsEpoch;
        };
        const std::vector<Expected> batches = {{0, 0, 1, {4, 7}, false}, {0, 0, 2, {1}, true},
                                               {0, 1, 3, {4, 7}, false}, {0, 1, 4, {1}, true},
                                               {2, 0, 5, {9, 8}, true},  {2, 1, 6, {9, 8}, true}};
        QCOMPARE(schedule.steps(), std::int64_t{18});
        for (std::int64_t step = 0; step < 18; ++step) {
            const Expected& expected = batches[static_cast<std::size_t>(step / 3)];
            const AdaptationSchedule::Position at = schedule.at(step);
            QCOMPARE(at.session, expected.session);
            QCOMPARE(at.epoch, expected.epoch);
            QCOMPARE(at.batch, expected.batch);
            QCOMPARE(at.update, step % 3);
            QCOMPARE(List(at.samples.begin(), at.samples.end()), expected.samples);
            QCOMPARE(at.ends_epoch, expected.endsEpoch && step % 3 == 2);
        }
        QVERIFY_EXCEPTION_THROWN(schedule.at(18), Error);
        QVERIFY_EXCEPTION_THROWN(AdaptationSchedule(plan, 0, 2, 3), Error);
    }

    void aDrawTakesEachClassOnceAndEachImageOnce() {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
            OodDraws others = draws(1, 3, 4, seed);
            for (std::int64_t pass = 0; pass < 4; ++pass) {
                std::set<std::int64_t> samples;
                for (const std::size_t size : {4, 4, 4, 3}) {
                    const OodDraws::Batch batch = others.next();
                    QCOMPARE(batch.samples.size(), size);
                    QCOMPARE(batch.places.size(), size);
                    for (std::size_t i = 0; i < size; ++i) {
                        QVERIFY(samples.insert(batch.samples[i]).second);
                        QCOMPARE(batch.classes[i], batch.samples[i] / 100);
                        QCOMPARE(others.drawn().at(static_cast<std::size_t>(batch.places[i])), batch.classes[i]);
                    }
                }
                QCOMPARE(samples.size(), std::size_t{15});
                QCOMPARE(std::set<std::int64_t>(others.drawn().begin(), others.drawn().end()).size(), std::size_t{3});
                QCOMPARE(others.position().draw, pass);
            }
        }
    }

    void moreThanThereAreMeansAll() {
        OodDraws others = draws(1, 100, 40);
        QCOMPARE(others.next().samples.size(), std::size_t{40});
        QCOMPARE(others.drawn().size(), std::size_t{8});
    }

    void withoutResamplingTheSameOrderComesAgain() {
        OodDraws others = draws(0);
        std::vector<List> first, second;
        for (int i = 0; i < 4; ++i) first.push_back(others.next().samples);
        for (int i = 0; i < 4; ++i) second.push_back(others.next().samples);
        QCOMPARE(first, second);
        QCOMPARE(others.position().draw, std::int64_t{0});
        QCOMPARE(others.position().batches, std::int64_t{8});
    }

    void newClassesAreDrawnAsOftenAsAsked() {
        OodDraws others = draws(0.67, 3, 15);
        constexpr int kPasses = 4000;
        std::map<std::int64_t, int> drawn;
        std::int64_t draw = -1;
        for (int pass = 0; pass < kPasses; ++pass) {
            others.next();
            if (others.position().draw == draw) continue;
            draw = others.position().draw;
            for (const std::int64_t c : others.drawn()) ++drawn[c];
        }
        // Five standard deviations of a coin with probability 0.67.
        const double share = static_cast<double>(draw) / (kPasses - 1);
        QVERIFY2(std::abs(share - 0.67) < 5 * std::sqrt(0.67 * 0.33 / kPasses), qPrintable(QString::number(share)));
        QCOMPARE(drawn.size(), std::size_t{8});
        for (const auto& [c, count] : drawn) QVERIFY(std::abs(count - 3.0 / 8 * static_cast<double>(draw)) < 150);
    }

    void theSequenceGoesOnFromASavedPosition() {
        OodDraws whole = draws(0.67);
        std::vector<List> batches;
        std::vector<OodDraws::Position> positions = {whole.position()};
        for (int i = 0; i < 40; ++i) {
            batches.push_back(whole.next().samples);
            positions.push_back(whole.position());
        }
        for (const std::size_t from : {0, 1, 4, 17, 39}) {
            OodDraws rest = draws(0.67);
            rest.restore(positions[from]);
            for (std::size_t i = from; i < batches.size(); ++i) {
                const OodDraws::Batch batch = rest.next();
                QCOMPARE(batch.samples, batches[i]);
                QCOMPARE(batch.number, static_cast<std::int64_t>(i) + 1);
            }
        }
        QVERIFY_EXCEPTION_THROWN(whole.restore({0, 0, 99, 0}), Error);
    }

    void readingAheadChangesNoImage() {
        const auto table = std::make_shared<NoiseTable>(30);
        const std::vector<List> lists = {{0, 3, 6, 9}, {1, 4, 7}, {2, 5, 8, 11, 14}};
        Augment augment;
        augment.policy = AutoAugmentPolicy::Cifar10;
        const OodDraws drawing(lists, {.seed = 3, .drawn = 2, .batch_size = 3, .resample = 0.5});
        OodSource alone(table, drawing, pictures(), augment);
        OodSource ahead(table, drawing, pictures(std::make_shared<ReadPool>(3)), augment);
        std::optional<OodDraws::Position> middle;
        std::vector<Tensor> later;
        for (int i = 0; i < 12; ++i) {
            const OodSource::Batch a = alone.next(), b = ahead.next();
            QCOMPARE(a.samples, b.samples);
            QVERIFY(at::equal(a.images, b.images));
            QVERIFY(alone.position() == ahead.position());
            if (middle) later.push_back(a.images);
            if (i == 6) middle = alone.position();
        }
        OodSource resumed(table, drawing, pictures(), augment);
        resumed.restore(*middle);
        for (const Tensor& images : later) QVERIFY(at::equal(resumed.next().images, images));
    }

    void imagesThatCannotBeReadAreLeftOut() {
        const auto table = std::make_shared<ShadeTable>(30, std::set<std::int64_t>{3, 4});
        OodSource source(table,
                         OodDraws({{3, 6, 9}, {4, 7, 10}}, {.seed = 1, .drawn = 2, .batch_size = 6, .resample = 0}),
                         pictures(), Augment(Augment::None));
        std::vector<std::int64_t> told;
        source.unreadable().listen([&](const UnreadableImage& image) { told.push_back(image.sample); });
        for (int pass = 0; pass < 3; ++pass) {
            const OodSource::Batch batch = source.next();
            QCOMPARE(std::set<std::int64_t>(batch.samples.begin(), batch.samples.end()),
                     (std::set<std::int64_t>{6, 7, 9, 10}));
            QCOMPARE(batch.images.size(0), std::int64_t{4});
            for (std::size_t i = 0; i < batch.samples.size(); ++i) {
                QCOMPARE(std::lround(batch.images[static_cast<std::int64_t>(i)][0][0][0].item<float>() * 255),
                         static_cast<long>(batch.samples[i]));
                QCOMPARE(batch.classes[i], batch.samples[i] % 3);
                QCOMPARE(batch.places[i] == batch.places[0], batch.classes[i] == batch.classes[0]);
            }
        }
        std::ranges::sort(told);
        QCOMPARE(told, (List{3, 4}));
    }

    void theStreamsFolderIsNoAdviceForOtherData_data() {
        QTest::addColumn<QString>("stream");
        QTest::addColumn<bool>("advised");
        QTest::newRow("other data") << "fashion-mnist" << false;
        QTest::newRow("the stream's") << "cub175" << true;
    }
    void theStreamsFolderIsNoAdviceForOtherData() {
        QFETCH(QString, stream);
        QFETCH(bool, advised);
        const QTemporaryDir empty;
        Experiment e = shapes(3, 1);
        e.initial_session.dataset = "cub175";
        e.stream.dataset = stream.toStdString();
        e.stream.root = empty.path().toStdString();
        qputenv("PALIMPSEST_DATA", empty.path().toUtf8());
        QString hint;
        try {
            openAdaptationData(e, 8);
        } catch (const Error& error) {
            hint = QString::fromStdString(error.hint());
        }
        qunsetenv("PALIMPSEST_DATA");
        QCOMPARE(hint.contains("stream.root"), advised);
        QVERIFY2(hint.contains("folder that holds it in") && hint.contains("PALIMPSEST_DATA"), qPrintable(hint));
    }

    void aDrawWithoutAnyImageIsAnError() {
        const auto table = std::make_shared<ShadeTable>(300, std::set<std::int64_t>{3, 4});
        OodSource source(table, OodDraws({{3}, {4}}, {.seed = 1, .drawn = 2, .batch_size = 2, .resample = 0}),
                         pictures(), Augment(Augment::None));
        QVERIFY_EXCEPTION_THROWN(source.next(), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAdaptationData)

}  // namespace tst_adaptation_data

#include "tst_adaptation_data.moc"
