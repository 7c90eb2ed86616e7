// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/verify_cases.h"

#include <set>

#include "engine/stream/stream_plan.h"
#include "engine/support/digest.h"
#include "engine/verify/case_check.h"
#include "engine/verify/golden_file.h"

namespace palimpsest {
namespace {

using nlohmann::json;
using Lists = std::vector<std::vector<std::int64_t>>;

std::string checksum(std::span<const std::int32_t> values) {
    Sha256 hash;
    hash.add(values);
    return hash.hex();
}

std::vector<std::int32_t> readLabels(const json& golden, const LabelSource& source) {
    const json& labels = golden.at("labels");
    if (labels.contains("values")) return labels.at("values").get<std::vector<std::int32_t>>();
    return labelsByRule(labels.at("kind").get<std::string>(), labels.at("rule").get<std::string>(), source);
}

StreamSettings readSettings(const json& golden) {
    StreamSettings settings;
    settings.classes = golden.at("num_classes").get<std::int64_t>();
    settings.sessions = golden.at("num_tasks").get<std::int64_t>();
    settings.disjoint_percent = golden.at("n").get<std::int64_t>();
    settings.blurry_percent = golden.at("m").get<std::int64_t>();
    settings.seed = golden.at("seed").get<std::uint64_t>();
    settings.partition = golden.at("varying").get<bool>() ? Partition::Stochastic : Partition::Uniform;
    return settings;
}

void compareSession(const json& golden, const std::vector<std::int64_t>& session, const std::string& name,
                    CaseCheck& check) {
    check.same(name + "'s length", static_cast<std::int64_t>(session.size()), golden.at("length").get<std::int64_t>());
    const bool whole = golden.contains("indices");
    const auto indices = golden.at(whole ? "indices" : "first32").get<std::vector<std::int64_t>>();
    const std::size_t wanted = whole ? session.size() : std::min<std::size_t>(session.size(), 32);
    check.same(name + "'s number of indices given", static_cast<std::int64_t>(indices.size()),
               static_cast<std::int64_t>(wanted));
    for (std::size_t i = 0; i < std::min(indices.size(), session.size()); ++i)
        check.same(name + "'s index " + std::to_string(i), session[i], indices[i]);
    const std::vector<std::int32_t> narrow(session.begin(), session.end());
    check.require(checksum(narrow) == golden.at("sha256").get<std::string>(),
                  name + "'s indices have another checksum");
}

void comparePlan(const json& golden, const StreamPlan& plan, CaseCheck& check) {
    check.same("the number of disjoint classes", plan.disjoint_count, golden.at("disjoint_num").get<std::int64_t>());
    check.same("the number of blurry classes", plan.blurry_count, golden.at("blurry_num").get<std::int64_t>());
    check.require(plan.disjoint_classes == golden.at("disjoint_classes").get<Lists>(), "other disjoint classes");
    check.require(plan.blurry_classes == golden.at("blurry_classes").get<Lists>(), "other blurry classes");
    const json& sessions = golden.at("sessions");
    check.same("the number of sessions", static_cast<std::int64_t>(plan.sessions.size()),
               static_cast<std::int64_t>(sessions.size()));
    for (std::size_t j = 0; j < std::min(plan.sessions.size(), sessions.size()); ++j)
        compareSession(sessions[j], plan.sessions[j], "session " + std::to_string(j + 1), check);
    check.same("the number of samples", plan.totalSamples(), golden.at("total").get<std::int64_t>());
    std::set<std::int64_t> distinct;
    for (const auto& session : plan.sessions) distinct.insert(session.begin(), session.end());
    check.same("the number of distinct samples", static_cast<std::int64_t>(distinct.size()),
               golden.at("distinct").get<std::int64_t>());
}

VerifiedCase verifyCase(const json& golden, const LabelSource& source, const std::string& name) {
    CaseCheck check(name);
    const std::vector<std::int32_t> labels = readLabels(golden, source);
    check.same("the number of labels", static_cast<std::int64_t>(labels.size()),
               golden.at("num_samples").get<std::int64_t>());
    check.require(checksum(labels) == golden.at("labels").at("sha256").get<std::string>(),
                  "the labels have another checksum");
    const StreamSettings settings = readSettings(golden);
    const std::string result = golden.at("result").get<std::string>();
    if (result == "crash") {
        try {
            planStream(labels, settings);
            check.fail("the stream was planned although the official sampler refuses it");
        } catch (const Error&) {
        }
    } else if (result == "ok") {
        comparePlan(golden, planStream(labels, settings), check);
    } else {
        check.fail("the result \"" + result + "\" is not understood");
    }
    return check.result();
}

}  // namespace

std::size_t verifyStreams(const std::filesystem::path& file, const LabelSource& labels, const CaseReport& report) {
    const auto verify = [&](const json& one, const std::string& name) { return verifyCase(one, labels, name); };
    return verifyEachCase(readGolden(file, "streams-v1"), file, "streams/", "id", report, verify);
}

}  // namespace palimpsest
