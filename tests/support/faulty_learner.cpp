// SPDX-License-Identifier: GPL-3.0-or-later
// A learner that speaks the protocol until the fault that its first argument names. Its "method": the loss falls with
// each batch, and the logits are made of the number of batches, so that a state can be told from another.
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

std::string g_fault, g_argument, g_hanging, g_folder;
std::int64_t g_batches = 0, g_classes = 0;

bool has(const char* fault) {
    return g_fault == fault;
}

/// Whether this is the moment of a fault that may come at any request, which its second argument names.
bool hasAt(const char* fault, const std::string& verb) {
    return has(fault) && g_argument == verb;
}

/// Makes the file that the last argument names, so that a test knows that the moment has come.
[[noreturn]] void hang() {
    if (!g_hanging.empty()) std::ofstream(g_hanging) << "hangs";
    while (true) pause();
}

void say(const std::string& line) {
    std::cout << line << std::endl;
}

std::int64_t rowsOf(const std::string& name) {
    std::ifstream in(g_folder + "/" + name, std::ios::binary);
    std::uint64_t length = 0;
    in.read(reinterpret_cast<char*>(&length), sizeof length);
    std::string text(length, '\0');
    in.read(text.data(), static_cast<std::streamsize>(length));
    return Json::parse(text).begin().value().at("shape").at(0);
}

void writeLogits(const std::string& name, std::int64_t rows) {
    std::int64_t classes = g_classes + (has("shape") ? 1 : 0);
    std::vector<float> values(static_cast<std::size_t>(rows * classes));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>((i * 7 + static_cast<std::size_t>(g_batches)) % 5);
    if (has("nan-logits")) values.back() = std::numeric_limits<float>::quiet_NaN();
    Json header{{"logits",
                 {{"dtype", has("type") ? "F64" : "F32"},
                  {"shape", {rows, classes}},
                  {"data_offsets", {0, has("offsets") ? 8 : values.size() * 4}}}}};
    const std::string text = has("header") ? "{\"logits\":" : header.dump();
    const std::uint64_t length = has("huge-header") ? std::uint64_t{1} << 60U : text.size();
    const std::string place = g_folder + "/" + name;
    if (has("no-file")) return;
    if (has("link")) {
        std::error_code ignored;
        fs::create_symlink("/etc/hostname", place, ignored);
        return;
    }
    if (has("fifo")) {
        mkfifo(place.c_str(), 0600);
        return;
    }
    if (has("pipe-file")) {
        fs::create_directory(place);
        return;
    }
    std::ofstream out(place, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << text;
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * 4 - (has("short-file") ? 4 : 0)));
}

Json hello() {
    if (has("rubbish")) say("Loading the model, one moment please");
    if (has("no-name")) return {{"protocol", 1}, {"takes", {"features"}}};
    if (has("takes-nothing")) return {{"protocol", 1}, {"name", "faulty"}};
    if (has("protocol")) return {{"protocol", 2}, {"name", "faulty"}, {"takes", {"features"}}};
    if (has("option"))
        return {{"protocol", 1},
                {"name", "faulty"},
                {"takes", {"features"}},
                {"options", {{{"key", "lr"}, {"type", "real"}, {"default", "fast"}}}}};
    return {{"protocol", 1},
            {"name", "faulty"},
            {"version", has("version") ? g_argument : "1"},
            {"takes", {"features"}},
            {"needs", has("sessions") ? Json{"sessions"} : Json::array()},
            {"options", {{{"key", "rate"}, {"type", "real"}, {"default", 0.5}, {"minimum", 0}, {"maximum", 1}}}}};
}

Json observe() {
    ++g_batches;
    if (has("die-once") && g_batches >= 12 && fs::exists(g_argument)) {
        fs::remove(g_argument);
        std::cerr << "The file of weights went missing.\n";
        std::exit(3);
    }
    if (has("hang-once") && g_batches >= 12 && fs::exists(g_argument)) {
        fs::remove(g_argument);
        hang();
    }
    if (has("crash") && g_batches >= 3) std::abort();
    if (has("slow") && g_batches >= 3) hang();
    if (has("rubbish-later")) say("epoch 1: fine");
    if (has("not-object")) return 5;
    if (has("no-loss")) return {{"accuracy", 1}};
    if (has("accuracy")) return {{"loss", 1}, {"accuracy", 1.5}};
    if (has("gives-up")) return {{"error", "no more\nmemory \x1b[31m here"}};
    return {{"loss", 1.0 / static_cast<double>(g_batches)}, {"accuracy", 0.5}};
}

Json save(const std::string& name) {
    if (has("no-state")) return Json::object();
    if (has("huge-state")) {
        // It takes no room: nothing was ever written there.
        std::ofstream(g_folder + "/" + name, std::ios::binary | std::ios::trunc);
        fs::resize_file(g_folder + "/" + name, std::uintmax_t{5} << 30U);
        return Json::object();
    }
    std::ofstream out(g_folder + "/" + name, std::ios::binary | std::ios::trunc);
    static std::int64_t saved = 0;
    out << g_batches << (has("state-differs") ? " " + std::to_string(++saved) : "");
    return Json::object();
}

Json answer(const Json& request) {
    const std::string verb = request.at("verb");
    if (verb == "hello") {
        g_folder = request.at("folder");
        return hello();
    }
    if (verb == "begin") {
        g_classes = request.at("classes");
        if (has("hog")) {
            std::vector<std::vector<char>> all;
            while (true) all.emplace_back(std::size_t{1} << 24U, 'x');
        }
    }
    if (verb == "observe") return observe();
    if (verb == "predict") writeLogits(request.at("logits"), rowsOf(request.at("tensors")));
    if (verb == "predict" && has("changes")) ++g_batches;
    if (verb == "save") return save(request.at("file"));
    if (verb == "load" && !has("forgets"))
        std::ifstream(g_folder + "/" + request.at("file").get<std::string>()) >> g_batches;
    return Json::object();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1) g_fault = argv[1];
    if (argc > 2) g_argument = argv[2];
    if (has("deaf"))
        g_hanging = g_argument;
    else if (argc > 3)
        g_hanging = argv[3];
    if (has("exit")) return 7;
    if (has("deaf")) hang();
    if (has("closed")) {
        close(STDOUT_FILENO);
        close(STDIN_FILENO);
        hang();
    }
    if (has("forks")) {
        // The child's number goes to a file; it holds nothing of the learner's pipes.
        if (const pid_t child = fork(); child > 0) {
            std::ofstream(g_argument) << child;
        } else {
            for (int file = 0; file < 3; ++file) close(file);
            hang();
        }
    }
    if (has("chatty-line")) std::cerr << std::string(std::size_t{32} << 20U, '.');
    if (has("chatty"))
        for (int i = 0; i < 100'000; ++i) std::cerr << "A warning that comes again and again, number " << i << ".\n";
    for (std::string line; std::getline(std::cin, line);) {
        const Json request = Json::parse(line);
        const std::string verb = request.at("verb");
        if (verb == "bye") {
            if (has("stays")) hang();
            return 0;
        }
        if (has("long-line")) {
            const std::string part(std::size_t{1} << 16U, 'x');
            while (std::cout << part << std::flush) continue;
        }
        if (hasAt("hangs", verb)) hang();
        if (hasAt("half", verb)) {
            std::cout << R"({"loss": 1, "accu)" << std::flush;
            return 4;
        }
        if (hasAt("trickles", verb))
            while (std::cout << ' ' << std::flush) usleep(20'000);
        if (has("nested") && verb == "observe") {
            say(std::string(400'000, '[') + std::string(400'000, ']'));
            continue;
        }
        if (has("infinite") && verb == "observe") {
            say(R"({"loss": 1e999, "accuracy": 0.5})");
            continue;
        }
        if (has("no-text") && verb == "observe") {
            say(std::string("\xff\xfe\0 \x1b[2J", 8));
            continue;
        }
        if (has("nan") && verb == "observe") {
            say(R"({"loss": NaN, "accuracy": 0.5})");
            continue;
        }
        // In one piece, so that the second line is there when the first one is read.
        say(answer(request).dump() + (has("twice") ? "\n{}" : ""));
        if (has("closes-later") && verb == "observe") close(STDOUT_FILENO);
    }
    return 0;
}
