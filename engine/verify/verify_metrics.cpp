// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/verify_cases.h"

#include <optional>

#include "engine/metrics/metrics.h"
#include "engine/verify/case_check.h"
#include "engine/verify/golden_file.h"

namespace palimpsest {
namespace {

using nlohmann::json;

/// Tolerance for a different order of summation only.
constexpr double kTolerance = 1e-12;
constexpr std::int64_t kMostClasses = 1'000'000;

void compare(const std::string& what, std::optional<double> got, const json& expected, CaseCheck& check) {
    if (expected.is_null())
        check.require(!got, what + " has a value although it is not defined here");
    else if (!got)
        check.fail(what + " is missing");
    else
        check.near(what, *got, expected.get<double>(), kTolerance);
}

void compareClasses(const std::string& what, const std::vector<Hits>& classes, const json& expected, CaseCheck& check) {
    check.same(what + "'s number of classes", static_cast<std::int64_t>(classes.size()),
               static_cast<std::int64_t>(expected.size()));
    for (std::size_t k = 0; k < std::min(classes.size(), expected.size()); ++k)
        check.near(what + "'s accuracy of class " + std::to_string(k), static_cast<double>(classAccuracy(classes[k])),
                   expected[k].get<double>(), kTolerance);
}

std::vector<Hits> readHits(const json& session) {
    const auto samples = session.at("num").get<std::vector<double>>();
    const auto correct = session.at("correct").get<std::vector<double>>();
    if (samples.size() != correct.size()) throw inputError("num and correct have different lengths.");
    std::vector<Hits> hits;
    for (std::size_t k = 0; k < samples.size(); ++k)
        hits.push_back({static_cast<std::int64_t>(correct[k]), static_cast<std::int64_t>(samples[k])});
    return hits;
}

void verifyOfficial(const json& golden, CaseCheck& check) {
    std::vector<double> anytime;
    for (const json& evaluation : golden.at("anytime_correct_total")) {
        const Hits hits{evaluation.at(0).get<std::int64_t>(), evaluation.at(1).get<std::int64_t>()};
        anytime.push_back(microAccuracy(std::span(&hits, 1)));
    }
    std::vector<std::vector<Hits>> sessions;
    std::vector<double> ends;
    const json& classes = golden.at("cls_acc");
    for (const json& session : golden.at("sessions")) {
        sessions.push_back(readHits(session));
        ends.push_back(microAccuracy(sessions.back()));
        compareClasses("session " + std::to_string(sessions.size()), sessions.back(), classes.at(sessions.size() - 1),
                       check);
    }
    check.same("the number of sessions", static_cast<std::int64_t>(sessions.size()),
               golden.at("n_tasks").get<std::int64_t>());
    const json& expected = golden.at("expected");
    compare("A_AUC", areaUnderCurve(anytime), expected.at("A_AUC"), check);
    compare("A_avg", averageAccuracy(ends), expected.at("A_avg"), check);
    compare("A_Last", ends.empty() ? std::nullopt : std::optional(ends.back()), expected.at("A_Last"), check);
    compare("F_Last", classwiseForgetting(sessions), expected.at("F_Last"), check);
}

void verifyPaper(const json& golden, CaseCheck& check) {
    RMatrix matrix;
    for (const json& row : golden.at("R")) {
        matrix.emplace_back();
        for (const json& entry : row)
            matrix.back().push_back(entry.is_null() ? std::nullopt : std::optional(entry.get<double>()));
    }
    check.same("the number of sessions", static_cast<std::int64_t>(matrix.size()), golden.at("T").get<std::int64_t>());
    const json& expected = golden.at("expected");
    compare("A_Last", lastAccuracy(matrix), expected.at("A_Last"), check);
    compare("F_Last", lastForgetting(matrix), expected.at("F_Last"), check);
    compare("A_AUC", areaUnderCurve(golden.at("anytime").get<std::vector<double>>()), expected.at("A_AUC"), check);
}

void verifyPredictions(const json& golden, CaseCheck& check) {
    const auto truth = golden.at("y").get<std::vector<std::int64_t>>();
    const auto predicted = golden.at("pred").get<std::vector<std::int64_t>>();
    const std::vector<Hits> hits = countHits(truth, predicted, wholeAt(golden, "n_classes", 1, kMostClasses));
    const std::vector<Hits> expected = readHits(golden);
    for (std::size_t k = 0; k < std::max(hits.size(), expected.size()); ++k) {
        const std::string name = "class " + std::to_string(k);
        const Hits got = k < hits.size() ? hits[k] : Hits{};
        const Hits right = k < expected.size() ? expected[k] : Hits{};
        check.same(name + "'s samples", got.samples, right.samples);
        check.same(name + "'s correct samples", got.correct, right.correct);
    }
    compareClasses("the evaluation", hits, golden.at("cls_acc"), check);
    compare("the accuracy", microAccuracy(hits), golden.at("avg_acc"), check);
}

}  // namespace

std::size_t verifyMetrics(const std::filesystem::path& file, const CaseReport& report) {
    const json golden = readGolden(file, "metrics-v1");
    std::size_t count = 0;
    const auto verify = [&](const std::string& name, const json& one, void (*body)(const json&, CaseCheck&)) {
        const std::string full = "metrics/" + name;
        report(guarded(full, [&] {
            CaseCheck check(full);
            body(one, check);
            return check.result();
        }));
        ++count;
    };
    if (const auto cases = golden.find("official"); cases != golden.end() && cases->is_array())
        for (const json& one : *cases) {
            const bool named = one.is_object() && one.contains("case") && one["case"].is_string();
            verify(named ? one["case"].get<std::string>() : "official-" + std::to_string(count + 1), one,
                   verifyOfficial);
        }
    if (const auto one = golden.find("interpret_pred"); one != golden.end())
        verify("interpret_pred", *one, verifyPredictions);
    if (const auto cases = golden.find("paper_sessionwise"); cases != golden.end() && cases->is_array())
        for (std::size_t i = 0; i < cases->size(); ++i)
            verify("paper_sessionwise-" + std::to_string(i + 1), (*cases)[i], verifyPaper);
    if (count == 0) throw inputError("The golden file " + file.string() + " has no cases.", "Copy it again.");
    return count;
}

}  // namespace palimpsest
