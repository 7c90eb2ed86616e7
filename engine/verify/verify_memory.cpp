// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/replay_memory.h"
#include "engine/verify/case_check.h"
#include "engine/verify/golden_file.h"
#include "engine/verify/verify_learning.h"

namespace palimpsest {
namespace {

VerifiedCase verifyReservoir(const nlohmann::json& golden, const std::string& name) {
    CaseCheck check(name);
    ReplayMemory memory(golden.at("memory_size").get<std::int64_t>());
    const auto& batches = golden.at("batches");
    for (std::size_t b = 0; b < batches.size(); ++b) {
        const auto& draws = golden.at("draws").at(b);
        std::size_t used = 0;
        const auto draw = [&](std::int64_t n) -> std::int64_t {
            if (used >= draws.size()) {
                check.fail("batch " + std::to_string(b + 1) + " draws more numbers than the official code");
                return 0;
            }
            check.same("upper end of a draw", n, draws[used].at(1).get<std::int64_t>());
            const auto drawn = draws[used++].at(2).get<std::int64_t>();
            if (drawn < 0 || drawn >= n) throw inputError("A draw of " + std::to_string(drawn) + " is out of range.");
            return drawn;
        };
        std::vector<std::int64_t> samples;
        for (const auto& sample : batches[b]) samples.push_back(sample.at(0).get<std::int64_t>());
        memory.offer(samples, draw);
        check.same("number of draws", static_cast<std::int64_t>(used), static_cast<std::int64_t>(draws.size()));
        check.require(memory.samples() == golden.at("states").at(b).at("indices").get<std::vector<std::int64_t>>(),
                      "the memory differs after batch " + std::to_string(b + 1));
    }
    return check.result();
}

}  // namespace

std::size_t verifyMemory(const std::filesystem::path& json, const CaseReport& report) {
    const nlohmann::json golden = readGolden(json, "memory-decisions-v1");
    const nlohmann::json& cases = goldenCases(golden, json);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string plain = caseName(cases[i], "case", i + 1), name = "memory/" + plain;
        report(guarded(name, [&]() -> VerifiedCase {
            if (cases[i].at("case").get<std::string>().rfind("er_reservoir", 0) == 0)
                return verifyReservoir(cases[i], name);
            return {name, CaseResult::Todo, 0, 0, "its method is still to come"};
        }));
    }
    return cases.size();
}

}  // namespace palimpsest
