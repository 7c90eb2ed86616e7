// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/lesson/lesson.h"

namespace palimpsest {

/// A lesson that can be opened.
struct ShelvedLesson {
    std::string name;  ///< of its file, without ending; what was done of a lesson is remembered under it and the title
    std::filesystem::path file;
    bool own = false;  ///< did not come with the program
    std::shared_ptr<const Lesson> lesson;
};

/// What was read of some folders and files: lessons, and a sentence on each file that is none.
struct LessonShelf {
    std::vector<ShelvedLesson> lessons;
    std::vector<std::string> faults;
};
/// The lessons that come with the program, those of a folder of the user's, which may be absent, and single files. A
/// file that cannot be read keeps no other from the shelf. Blocks; may be called from any thread.
LessonShelf readShelf(const OptionTable& table, const std::filesystem::path& own,
                      const std::vector<std::filesystem::path>& files);

/// The lessons, the one that is open and its step, and which goals were met, which stay met. No widgets and no files.
class LessonBook : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    const std::vector<ShelvedLesson>& lessons() const { return lessons_; }
    /// The lesson that is open stays, where it is still there.
    void setLessons(std::vector<ShelvedLesson> lessons);

    /// Number of the open lesson; -1: the list is shown.
    int current() const { return current_; }
    const Lesson* lesson() const {
        return current_ < 0 ? nullptr : lessons_[static_cast<std::size_t>(current_)].lesson.get();
    }
    /// Opens a lesson where it was left; -1 leaves it.
    void open(int lesson);
    /// From 0.
    int step() const { return step_; }
    const LessonStep* shownStep() const;
    /// Nothing keeps anybody from the next step. Beyond the ends nothing happens.
    void go(int step);

    bool met(int lesson, int step) const;
    /// All goals of the lesson were met, of which there is one at least.
    bool finished(int lesson) const;
    /// Steps of the open lesson whose goals are met by these facts are met from now on.
    void judge(const LessonFacts& facts);
    /// Some goal of the open lesson has not been met yet.
    bool waits() const;
    /// Goals of the open lesson are to be met anew.
    void forget();

    /// What was met, as it is remembered from one start of the program to the next.
    QStringList kept() const { return {met_.begin(), met_.end()}; }
    void recall(const QStringList& kept);

Q_SIGNALS:
    /// Lessons, the open one or its step changed.
    void changed();
    /// Steps of the open lesson whose goals were just met.
    void reached(const QList<int>& steps);
    void keptChanged(const QStringList& kept);

private:
    QString keyOf(int lesson, int step) const;

    std::vector<ShelvedLesson> lessons_;
    int current_ = -1, step_ = 0;
    QHash<QString, int> left_at_;  ///< step of each lesson, by its name
    QSet<QString> met_;
};

}  // namespace palimpsest
