// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/talk_book.h"

#include <algorithm>

#include "engine/record/example_runs.h"
#include "engine/record/talk_caption.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::size_t kLongestWish = 30;

}  // namespace

void TalkBook::open(const Talk& talk, const QString& file) {
    talk_ = talk;
    keep(talk, file);
}

void TalkBook::keep(const Talk& talk, const QString& file) {
    saved_ = talk;
    file_ = file;
    Q_EMIT changed();
}

void TalkBook::setTitle(const QString& title) {
    const std::string line = plainLine(title.simplified().left(static_cast<int>(kLongestCaption)).toStdString());
    if (line == talk_.title) return;
    talk_.title = line;
    Q_EMIT changed();
}

bool TalkBook::add(const TalkScene& scene) {
    if (talk_.scenes.size() >= kMostScenes) return false;
    if (talk_.title.empty()) talk_.title = tr("My talk").toStdString();
    talk_.scenes.push_back(scene);
    Q_EMIT changed();
    return true;
}

QString TalkBook::setCaption(int scene, const QString& caption) {
    if (!has(scene)) return {};
    const QString line = caption.simplified();
    if (line.isEmpty()) return tr("A scene needs a caption.");
    if (line.toUcs4().size() > static_cast<qsizetype>(kLongestCaption))
        return tr("A caption has at most %1 characters.").arg(kLongestCaption);
    const std::string text = plainLine(line.toStdString());
    if (const std::string problem = captionProblem(talk_, text); !problem.empty()) {
        QString sentence = QString::fromStdString(problem) + (problem.ends_with('?') ? "" : ".");
        sentence[0] = sentence[0].toUpper();
        return sentence;
    }
    std::string& kept = talk_.scenes[static_cast<std::size_t>(scene)].caption;
    if (kept == text) return {};
    kept = text;
    Q_EMIT changed();
    return {};
}

QString TalkBook::setNote(int scene, const QString& note) {
    if (!has(scene)) return {};
    const QString line = note.simplified();
    if (line.toUcs4().size() > static_cast<qsizetype>(kLongestNote))
        return tr("A note has at most %1 characters.").arg(kLongestNote);
    std::string& kept = talk_.scenes[static_cast<std::size_t>(scene)].note;
    const std::string text = plainLine(line.toStdString());
    if (kept == text) return {};
    kept = text;
    Q_EMIT changed();
    return {};
}

void TalkBook::move(int scene, int by) {
    if (!has(scene) || !has(scene + by)) return;
    // What a scene takes over from the one before it must not change with its place.
    const auto settle = [this](int which) {
        if (has(which)) talk_.scenes[static_cast<std::size_t>(which)] = talk_.scene(static_cast<std::size_t>(which));
    };
    const int first = std::min(scene, scene + by);
    for (int which = first + 2; which >= first; --which) settle(which);
    std::swap(talk_.scenes[static_cast<std::size_t>(scene)], talk_.scenes[static_cast<std::size_t>(scene + by)]);
    Q_EMIT changed();
}

void TalkBook::remove(int scene) {
    if (!has(scene)) return;
    const auto place = static_cast<std::size_t>(scene);
    if (has(scene + 1)) talk_.scenes[place + 1] = talk_.scene(place + 1);
    talk_.scenes.erase(talk_.scenes.begin() + scene);
    Q_EMIT changed();
}

std::string TalkBook::nameOf(const std::string& folder, const std::string& wish) {
    const bool recorded = std::ranges::find(kDemoRuns, folder) != kDemoRuns.end();
    for (const TalkRun& run : talk_.runs)
        if ((recorded ? run.recorded : run.folder) == folder) return run.name;
    if (talk_.runs.size() >= kMostTalkRuns) return {};
    std::string name = slug(recorded ? folder : wish, kLongestWish);
    if (name.empty()) name = "run";
    const std::string stem = name;
    for (int number = 2; talk_.run(name); ++number) name = stem + "-" + std::to_string(number);
    TalkRun run;
    run.name = name;
    (recorded ? run.recorded : run.folder) = folder;
    talk_.runs.push_back(run);
    Q_EMIT changed();
    return name;
}

}  // namespace palimpsest
