// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/library/run_notes.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_run_notes {

FUZZ_TARGET(run_notes, 1500) {
    static fuzz::InputFolder run({"library.json"});
    run.fill(input);
    const RunNotes notes = readNotes(run.path());
    fuzz::requireLines(notes.tags);
    fuzz::requireLine(notes.colour);
    for (std::size_t from = 0; from <= notes.note.size();) {
        const std::size_t end = std::min(notes.note.find('\n', from), notes.note.size());
        fuzz::requireLine(std::string_view(notes.note).substr(from, end - from));
        from = end + 1;
    }
    fuzz::require(tagsIn(tagsText(notes.tags)) == notes.tags, "tags read back as others");
}

}  // namespace palimpsest::fuzz_run_notes
