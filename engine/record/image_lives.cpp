// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/image_lives.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "engine/record/predictions.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

TestClasses listIn(const std::filesystem::path& file, std::int64_t most = kMostTestImages) {
    return std::make_shared<const std::vector<std::int32_t>>(readClassList(file, most));
}

/// At most so many of the moments, evenly spread, the last one among them.
std::vector<std::int64_t> thinned(const std::vector<std::int64_t>& moments, std::size_t most) {
    if (moments.size() <= most) return moments;
    std::vector<std::int64_t> some;
    for (std::size_t i = 1; i <= most; ++i) some.push_back(moments[i * moments.size() / most - 1]);
    return some;
}

}  // namespace

std::int32_t ImageLives::answer(std::size_t moment, std::size_t image) const {
    const std::vector<std::int32_t>& list = *answers[moment];
    return image < list.size() ? list[image] : kNotTested;
}

std::size_t ImageLives::momentUpTo(std::int64_t samplesSeen) const {
    const auto after = std::ranges::upper_bound(moments, samplesSeen);
    return after == moments.begin() ? moments.size() : static_cast<std::size_t>(after - moments.begin()) - 1;
}

ImageLives readImageLives(const std::filesystem::path& run, const ImageLives& before) {
    ImageLives lives;
    const std::vector<std::int64_t> all = predictionMoments(run);
    if (all.empty())
        throw inputError("The folder " + run.string() + " has no predictions.",
                         "Runs of this version record what every test image is taken for.");
    lives.truth = before.truth ? before.truth : listIn(trueClassesFile(run));
    std::exception_ptr failure;
    for (const std::int64_t moment :
         thinned(all, std::max<std::size_t>(1, kMostAnswers / std::max<std::size_t>(1, lives.images())))) {
        const auto known = std::ranges::lower_bound(before.moments, moment);
        const bool read = known != before.moments.end() && *known == moment;
        try {
            lives.answers.push_back(read ? before.answers[static_cast<std::size_t>(known - before.moments.begin())]
                                         : listIn(predictionsFile(run, moment), std::ssize(*lives.truth)));
            lives.moments.push_back(moment);
        } catch (const Error&) {
            if (!failure) failure = std::current_exception();
        }
    }
    if (lives.moments.empty()) std::rethrow_exception(failure);
    lives.left_out = all.size() - lives.moments.size();
    return lives;
}

ImageTopClasses readTopClassesOf(const std::filesystem::path& run, const std::vector<std::int64_t>& moments,
                                 const std::vector<std::int64_t>& images) {
    ImageTopClasses found(images.size(), std::vector<TopClasses>(moments.size()));
    for (std::size_t moment = 0; moment < moments.size(); ++moment) {
        const std::filesystem::path file = topClassesFile(run, moments[moment]);
        std::error_code ignored;
        if (!std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) continue;
        try {
            const std::vector<TopClasses> all = readTopClasses(file, images);
            for (std::size_t row = 0; row < images.size(); ++row) found[row][moment] = all[row];
        } catch (const Error&) {
            // One damaged file takes one moment, whose answers are still there.
        }
    }
    return found;
}

std::vector<ForgottenImage> forgottenImages(const ImageLives& lives, std::size_t moment) {
    std::vector<ForgottenImage> forgotten;
    if (moment >= lives.moments.size()) return forgotten;
    for (std::size_t image = 0; image < lives.images(); ++image) {
        const std::int32_t label = (*lives.truth)[image], answer = lives.answer(moment, image);
        if (answer == label || answer == kNotTested) continue;
        std::size_t next = moment;  // the first moment behind the last right answer
        for (std::size_t at = moment; at-- > 0;) {
            const std::int32_t then = lives.answer(at, image);
            if (then == kNotTested) continue;
            if (then == label) {
                forgotten.push_back(
                    {static_cast<std::int64_t>(image), label, lives.moments[at], lives.moments[next], answer});
                break;
            }
            next = at;
        }
    }
    std::ranges::stable_sort(forgotten, std::greater<>(), &ForgottenImage::wrong_since);
    return forgotten;
}

}  // namespace palimpsest
