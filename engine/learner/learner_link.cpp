// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_link.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLogits = "logits.safetensors";
/// A name for all states: some formats write the file's name into its content.
constexpr const char* kState = "state.bin";
/// The time that it has to say goodbye in.
constexpr std::chrono::milliseconds kDismissal{5000};

LearnerCommand allowedCommand(const LearnerStart& start) {
    LearnerCommand found = start.found ? *start.found : learnerCommand(start.command);
    requireAllowed(found);
    return found;
}

/// A learner is called by the name of the script, where an interpreter runs one, or of the program, until it has said
/// its own.
std::string calledBy(const LearnerCommand& command) {
    std::error_code ignored;
    const auto script = std::find_if(command.words.begin() + 1, command.words.end(), [&](const std::string& word) {
        return !word.starts_with('-') && fs::is_regular_file(word, ignored);
    });
    const fs::path file = script != command.words.end() ? *script : command.words.front();
    return "The learner " + shortLine(file.filename().string());
}

/// True for the words with which programs say that they got no memory.
bool tellsOfMemory(std::string_view words) {
    const std::string small = asciiLowered(words);
    return std::ranges::any_of(
        std::array{"memoryerror", "bad_alloc", "out of memory", "not enough memory", "cannot allocate memory",
                   "can't allocate memory", "unable to allocate", "could not allocate", "outofmemory"},
        [&](const char* word) { return small.find(word) != std::string::npos; });
}

LearnerProcess::Limits limitsOf(const LearnerStart& start) {
    LearnerProcess::Limits limits;
    limits.answer = std::chrono::milliseconds(static_cast<std::int64_t>(start.timeout * 1000));
    limits.memory = start.memory_mb << 20U;
    if (start.memory_mb > 0)
        limits.memory_advice = "Each of its processes may take " + grouped(start.memory_mb) + " MB: raise " +
                               start.memory_setting + ", or set it to 0 for no limit.";
    limits.line = learner_limit::kLine;
    limits.stop = start.stop;
    limits.answer_setting = start.timeout_setting;
    limits.advice = start.advice;
    return limits;
}

Error cannotExchange(const fs::path& file, int reason) {
    return runError("The file " + file.string() + " for a learner could not be written: " + std::strerror(reason) + ".",
                    "Make room there, or name another folder in TMPDIR.");
}

}  // namespace

/// A file of tensors that is written again for each batch. By system calls and not by a map: a disk without room is an
/// error then, and no signal.
class LearnerLink::Outbox {
public:
    Outbox(const fs::path& folder, std::string name) : name_(std::move(name)), path_(folder / name_) {
        file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file_ < 0) throw cannotExchange(path_, errno);
    }
    ~Outbox() { close(file_); }
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;
    const std::string& name() const { return name_; }

    void write(std::span<const LearnerTensor> tensors) {
        Json header = Json::object();
        std::uint64_t offset = 0;
        for (const LearnerTensor& tensor : tensors) {
            header[tensor.name] = {{"dtype", tensor.type},
                                   {"shape", tensor.shape},
                                   {"data_offsets", {offset, offset + tensor.bytes.size()}}};
            offset += tensor.bytes.size();
        }
        std::string text = header.dump();
        text.resize((text.size() + 7) / 8 * 8, ' ');  // keeps the data aligned for readers that map the file
        std::string begin;
        for (std::uint64_t n = text.size(), i = 0; i < 8; ++i, n >>= 8U) begin += static_cast<char>(n & 0xffU);
        begin += text;
        const std::uint64_t size = begin.size() + offset;
        if (size != size_ && ftruncate(file_, static_cast<off_t>(size)) != 0) throw cannotExchange(path_, errno);
        size_ = size;
        put(std::as_bytes(std::span(begin)), 0);
        std::uint64_t at = begin.size();
        for (const LearnerTensor& tensor : tensors) {
            put(tensor.bytes, at);
            at += tensor.bytes.size();
        }
    }

private:
    void put(std::span<const std::byte> bytes, std::uint64_t at) const {
        while (!bytes.empty()) {
            const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(at));
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) throw cannotExchange(path_, written < 0 ? errno : ENOSPC);
            bytes = bytes.subspan(static_cast<std::size_t>(written));
            at += static_cast<std::uint64_t>(written);
        }
    }

    std::string name_;
    fs::path path_;
    int file_ = -1;
    std::uint64_t size_ = 0;
};

template <class Work>
auto LearnerLink::orEnd(const Work& work) {
    try {
        return work();
    } catch (const Error& error) {
        process_->kill();
        throw explained(runError(error.what(), error.hint()));
    } catch (...) {
        process_->kill();
        throw;
    }
}

Error LearnerLink::explained(const Error& error) const {
    if (!memory_advice_.empty() && tellsOfMemory(error.what()))
        return Error(error.kind(), error.what(), memory_advice_);
    return error;
}

LearnerLink::LearnerLink(const LearnerStart& start) : command_(allowedCommand(start)), who_(calledBy(command_)) {
    LearnerProcess::Limits limits = limitsOf(start);
    memory_advice_ = limits.memory_advice;
    if (start.waiting)
        limits.waiting = [this, tell = start.waiting, most = start.timeout](std::chrono::seconds waited) {
            if (waited.count() == 0) return tell(std::nullopt);
            tell(LearnerWait{hello_.name.empty() ? "the learner" : hello_.name,
                             static_cast<std::int64_t>(waited.count()), most});
        };
    process_ = std::make_unique<LearnerProcess>(command_.words, limits);
    const Json hello{{"verb", "hello"},
                     {"protocol", kLearnerProtocol},
                     {"program", "palimpsest"},
                     {"folder", folder_.path().string()}};
    const Json answer = ask(hello, "was asked who it is");
    orEnd([&] { hello_ = learnerHello(answer, who_); });
    who_ = "The learner " + hello_.name;
    batches_ = std::make_unique<Outbox>(folder_.path(), "batch.safetensors");
    tests_ = std::make_unique<Outbox>(folder_.path(), "test.safetensors");
}

LearnerLink::~LearnerLink() {
    try {
        leave();
    } catch (...) {
        // It is gone in any case.
    }
}

bool LearnerLink::leave() {
    return process_->dismiss(Json{{"verb", "bye"}}.dump(), kDismissal);
}

Json LearnerLink::ask(const Json& request, const std::string& doing) {
    const std::string line = [&] {
        try {
            return process_->ask(request.dump(-1, ' ', false, Json::error_handler_t::replace), who_, doing);
        } catch (const Error& error) {
            throw explained(error);
        }
    }();
    return orEnd([&] { return learnerAnswer(line, who_); });
}

void LearnerLink::begin(const LearnerBegin& begin) {
    classes_ = begin.classes;
    if (hello_.needs_sessions && !begin.sessions)
        throw inputError(who_ + " has to be told where sessions end, and the experiment tells it nothing of them.",
                         "Set method.external_sessions to true, and say so beside its numbers.");
    Json request{{"verb", "begin"},
                 {"classes", begin.classes},
                 {"image", {3, begin.image_size, begin.image_size}},
                 {"features", begin.width},
                 {"batch_size", begin.batch_size},
                 {"learning_rate", begin.learning_rate},
                 {"seed", begin.seed},
                 {"threads", begin.threads},
                 {"options", learnerOptionValues(hello_, begin.options)}};
    if (begin.sessions) request["sessions"] = *begin.sessions;
    if (begin.samples) request["samples"] = *begin.samples;
    ask(request, "was told what it will learn");
}

LearnerObserved LearnerLink::observe(std::span<const LearnerTensor> tensors, const LearnerBatch& batch) {
    batches_->write(tensors);
    Json request{{"verb", "observe"},          {"tensors", batches_->name()}, {"update", batch.update},
                 {"streamed", batch.streamed}, {"seen", batch.seen},          {"visible", batch.visible},
                 {"hidden", batch.hidden}};
    if (batch.session) request["session"] = *batch.session;
    const Json answer = ask(request, "learned a batch");
    return orEnd([&] { return learnerObserved(answer, who_); });
}

void LearnerLink::predict(std::span<const LearnerTensor> tensors, std::int64_t seen, std::span<float> logits) {
    tests_->write(tensors);
    // An answer of before must not be taken for the one to come.
    std::error_code ignored;
    fs::remove(folder_.path() / kLogits, ignored);
    ask({{"verb", "predict"}, {"tensors", tests_->name()}, {"logits", kLogits}, {"seen", seen}},
        "was asked about test images");
    orEnd([&] { readLogits(tensors.front().shape.front(), logits); });
}

void LearnerLink::readLogits(std::int64_t images, std::span<float> logits) {
    const fs::path file = folder_.path() / kLogits;
    if (!isPlainFile(file))
        throw inputError(who_ + " was asked about test images, but wrote no file " + kLogits + ".",
                         "It must be in the folder of its hello when it answers.");
    InputFile in(file, FilePlace::InFolder);
    std::string begin(std::min<std::uint64_t>(in.size(), 8 + learner_limit::kHeader), '\0');
    in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    const LogitsPlace place = logitsPlace(begin, in.size(), images, classes_, who_);
    in.clear();
    in.seekg(static_cast<std::streamoff>(place.begin));
    in.read(reinterpret_cast<char*>(logits.data()), static_cast<std::streamsize>(logits.size_bytes()));
    if (!in) throw inputError(who_ + " changed its file of logits while it was read.", "Answer when it is whole.");
    if (!std::ranges::all_of(logits, [](float v) { return std::isfinite(v); }))
        throw inputError(who_ + " answers with logits that are no finite numbers.",
                         "Look why it got them; of classes that it does not know, give a very small number.");
}

void LearnerLink::endSession(std::int64_t session) {
    ask({{"verb", "session_end"}, {"session", session}}, "was told that a session had ended");
}

std::string LearnerLink::save() {
    std::error_code ignored;
    fs::remove(folder_.path() / kState, ignored);
    ask({{"verb", "save"}, {"file", kState}}, "saved its state");
    return orEnd([&] {
        const fs::path file = folder_.path() / kState;
        if (!isPlainFile(file))
            throw inputError(who_ + " was asked for its state, but wrote no file " + kState + ".",
                             "It must be in the folder of its hello when it answers.");
        if (const std::uintmax_t size = fs::file_size(file); size > learner_limit::kState)
            throw inputError(who_ + " gave a state of " + grouped(static_cast<std::int64_t>(size >> 20U)) +
                                 " MB, and a state may have " + grouped(learner_limit::kState >> 20U) + " MB.",
                             "Save only what later answers depend on: what is frozen, or computed anew from its seed, "
                             "need not be in it.");
        std::string state = readTextFile(file, FilePlace::InFolder, learner_limit::kState);
        fs::remove(file, ignored);
        return state;
    });
}

void LearnerLink::load(std::string_view state) {
    const fs::path file = folder_.path() / kState;
    replaceTextFile(file, state, Keep::Written, FilePlace::InFolder);
    ask({{"verb", "load"}, {"file", kState}}, "took up its saved state");
    std::error_code ignored;
    fs::remove(file, ignored);
}

}  // namespace palimpsest
