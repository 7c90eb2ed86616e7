// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/record/run_folder.h"
#include "engine/run/run_events.h"
#include "engine/support/json.h"

namespace palimpsest {

struct SharedPast;

/// run.json of a run folder: what is known of the run besides its numbers. The order of the keys is that of the file.
class RunDocument {
public:
    RunDocument() = default;
    /// Document of a run that begins now, in this process.
    explicit RunDocument(const Experiment& experiment);
    /// Document as it was at a FolderPosition. `ownWarnings`: how many of its warnings come before those of images left
    /// out. Throws Error(Input) for one that no run wrote.
    RunDocument(Json run, std::size_t ownWarnings);

    const Json& json() const { return run_; }
    std::size_t ownWarnings() const { return own_warnings_; }
    std::size_t classCount() const {
        const auto names = run_.find("class_names");
        return names == run_.end() ? 0 : names->size();
    }

    /// Notes that this process computes the run where its folder is a copy from elsewhere, whose own process nobody
    /// here asks. Throws Error(Input) where the folder cannot be marked.
    void setFolder(const std::filesystem::path& folder);
    /// This process resumes the run.
    void resume(std::int64_t samplesSeen);
    /// This process begins a fork of the run.
    void fork(const Experiment& experiment, const std::filesystem::path& origin, std::int64_t samplesSeen);
    void addVersion(const std::string& program, const std::string& version);
    /// Adds what is known once the run learns.
    void describe(const RunStarted& event);
    /// The program of somebody else's that learns from here on; absent: none does.
    void setProgram(const std::optional<ProgramIdentity>& program);
    /// Learner that the run waits for; absent: none any more.
    void setWait(const std::optional<LearnerWait>& wait);
    /// Warnings that are new when the run is resumed, such as a checkpoint that was passed over.
    void addWarnings(const std::vector<std::string>& warnings);
    /// False: there is a state of this moment already.
    bool addState(std::int64_t samplesSeen, const std::string& hash);
    void setSharedPast(const SharedPast& past);
    SharedPast sharedPast() const;
    /// The first 20 images are named among the warnings, the others are counted. False: it need not be written now,
    /// since another image or the end of the run writes it.
    bool addLeftOut(const ImageLeftOut& event);
    /// Moves the starts of `session` and those behind it: the plan's numbers no longer hold once images were left out.
    void moveStarts(std::int64_t session, std::int64_t seen);
    void end(RecordedState state, const std::string& error, const std::string& hint);

private:
    void setProcess();

    Json run_;
    std::size_t own_warnings_ = 0;
};

/// Content of summary.json.
Json summaryDocument(const Summary& summary, std::int64_t samplesSeen, std::int64_t updates);

/// Text of a JSON file; bytes that are not UTF-8 (a strange path) are replaced rather than refused.
std::string documentText(const Json& json);

}  // namespace palimpsest
