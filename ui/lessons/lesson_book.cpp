// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_book.h"

#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr qsizetype kMostKept = 3000;

void shelve(LessonShelf& shelf, const OptionTable& table, const LessonFile& file, bool own) {
    try {
        shelf.lessons.push_back(
            {file.name, file.file, own, std::make_shared<const Lesson>(readLesson(table, file.file))});
    } catch (const Error& error) {
        shelf.faults.emplace_back(error.what());
    }
}

QString nameOf(const ShelvedLesson& shelved) {
    return QString::fromStdString(shelved.name + '\t' + shelved.lesson->title);
}

}  // namespace

LessonShelf readShelf(const OptionTable& table, const std::filesystem::path& own,
                      const std::vector<std::filesystem::path>& files) {
    LessonShelf shelf;
    const auto folder = [&](const std::filesystem::path& place, bool theirs) {
        try {
            for (const LessonFile& file : lessonFiles(place)) shelve(shelf, table, file, theirs);
        } catch (const Error& error) {
            shelf.faults.emplace_back(error.what());
        }
    };
    folder({}, false);
    if (!own.empty()) folder(own, true);
    for (const std::filesystem::path& file : files) shelve(shelf, table, {plainLine(file.stem().string()), file}, true);
    return shelf;
}

void LessonBook::setLessons(std::vector<ShelvedLesson> lessons) {
    const QString open = current_ < 0 ? QString() : nameOf(lessons_[static_cast<std::size_t>(current_)]);
    lessons_ = std::move(lessons);
    const auto found = std::ranges::find(lessons_, open, nameOf);
    current_ = open.isEmpty() || found == lessons_.end() ? -1 : static_cast<int>(found - lessons_.begin());
    if (current_ >= 0) step_ = std::min(step_, static_cast<int>(lesson()->steps.size()) - 1);
    Q_EMIT changed();
}

void LessonBook::open(int lesson) {
    if (lesson == current_ || lesson >= static_cast<int>(lessons_.size())) return;
    if (current_ >= 0) left_at_[nameOf(lessons_[static_cast<std::size_t>(current_)])] = step_;
    current_ = std::max(lesson, -1);
    step_ = 0;
    if (current_ >= 0)
        step_ = std::min(left_at_.value(nameOf(lessons_[static_cast<std::size_t>(current_)])),
                         static_cast<int>(this->lesson()->steps.size()) - 1);
    Q_EMIT changed();
}

const LessonStep* LessonBook::shownStep() const {
    const Lesson* open = lesson();
    return open ? &open->steps[static_cast<std::size_t>(step_)] : nullptr;
}

void LessonBook::go(int step) {
    if (!lesson() || step < 0 || step >= static_cast<int>(lesson()->steps.size()) || step == step_) return;
    step_ = step;
    Q_EMIT changed();
}

QString LessonBook::keyOf(int lesson, int step) const {
    const ShelvedLesson& shelved = lessons_[static_cast<std::size_t>(lesson)];
    return nameOf(shelved) + '\t' +
           QString::fromStdString(shelved.lesson->steps[static_cast<std::size_t>(step)].heading);
}

bool LessonBook::met(int lesson, int step) const {
    return met_.contains(keyOf(lesson, step));
}

bool LessonBook::finished(int lesson) const {
    const Lesson& asked = *lessons_[static_cast<std::size_t>(lesson)].lesson;
    if (asked.goals() == 0) return false;
    for (std::size_t step = 0; step < asked.steps.size(); ++step)
        if (asked.steps[step].goal && !met(lesson, static_cast<int>(step))) return false;
    return true;
}

bool LessonBook::waits() const {
    return lesson() && lesson()->goals() > 0 && !finished(current_);
}

void LessonBook::judge(const LessonFacts& facts) {
    const Lesson* open = lesson();
    if (!open) return;
    QList<int> now;
    for (std::size_t step = 0; step < open->steps.size(); ++step) {
        const LessonStep& each = open->steps[step];
        if (!each.goal || met(current_, static_cast<int>(step)) || !each.goal->met(facts)) continue;
        if (met_.size() >= kMostKept) met_.clear();
        met_.insert(keyOf(current_, static_cast<int>(step)));
        now.append(static_cast<int>(step));
    }
    if (now.isEmpty()) return;
    Q_EMIT keptChanged(kept());
    Q_EMIT reached(now);
}

void LessonBook::forget() {
    if (!lesson()) return;
    for (std::size_t step = 0; step < lesson()->steps.size(); ++step)
        met_.remove(keyOf(current_, static_cast<int>(step)));
    step_ = 0;
    Q_EMIT keptChanged(kept());
    Q_EMIT changed();
}

void LessonBook::recall(const QStringList& kept) {
    met_ = {kept.begin(), kept.begin() + std::min(kept.size(), kMostKept)};
    Q_EMIT changed();
}

}  // namespace palimpsest
