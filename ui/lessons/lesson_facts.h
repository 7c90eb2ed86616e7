// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "engine/lesson/goal.h"

namespace palimpsest {

class GuessBook;
class RunSet;

/// What goals are judged by, of these runs as far as they are there, and of the guess that is drawn for the next one.
LessonFacts lessonFacts(const RunSet& runs, const QStringList& ids, const GuessBook& guesses);

}  // namespace palimpsest
