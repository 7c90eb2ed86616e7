// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/metrics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {

namespace {

std::optional<double> mean(std::span<const double> values) {
    if (values.empty()) return std::nullopt;
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

}  // namespace

std::vector<Hits> countHits(std::span<const std::int64_t> truth, std::span<const std::int64_t> predicted,
                            std::int64_t classes) {
    if (truth.size() != predicted.size()) throw runError("An evaluation has more labels than predictions, or fewer.");
    std::vector<Hits> hits(static_cast<std::size_t>(classes));
    for (std::size_t i = 0; i < truth.size(); ++i) {
        if (truth[i] < 0 || truth[i] >= classes)
            throw runError("An evaluation met class " + std::to_string(truth[i]) + " of " + std::to_string(classes) +
                           ".");
        Hits& own = hits[static_cast<std::size_t>(truth[i])];
        ++own.samples;
        own.correct += predicted[i] == truth[i];
    }
    return hits;
}

std::optional<double> areaUnderCurve(std::span<const double> anytimeAccuracies) {
    return mean(anytimeAccuracies);
}

std::optional<double> lastAccuracy(const RMatrix& r) {
    if (r.empty()) return std::nullopt;
    std::vector<double> last;
    for (const auto& entry : r.back())
        if (entry) last.push_back(*entry);
    return mean(last);
}

std::optional<double> lastForgetting(const RMatrix& r) {
    if (r.empty()) return std::nullopt;
    std::vector<double> drops;
    for (std::size_t j = 0; j < r.back().size(); ++j) {
        if (!r.back()[j]) continue;
        double best = *r.back()[j];
        for (const auto& row : r)
            if (j < row.size() && row[j]) best = std::max(best, *row[j]);
        drops.push_back(best - *r.back()[j]);
    }
    return mean(drops);
}

double microAccuracy(std::span<const Hits> classes) {
    Hits all;
    for (const Hits& hits : classes) {
        all.correct += hits.correct;
        all.samples += hits.samples;
    }
    return all.samples == 0 ? 0.0 : static_cast<double>(all.correct) / static_cast<double>(all.samples);
}

std::optional<double> averageAccuracy(std::span<const double> sessionEndAccuracies) {
    return mean(sessionEndAccuracies);
}

float classAccuracy(const Hits& hits) {
    return static_cast<float>(hits.correct) / (static_cast<float>(hits.samples) + 1e-5f);
}

std::optional<double> classwiseForgetting(std::span<const std::vector<Hits>> sessions) {
    if (sessions.empty()) return std::nullopt;
    if (sessions.size() == 1) return -999.0;
    std::vector<double> drops;
    for (std::size_t k = 0; k < sessions.back().size(); ++k) {
        float best = 0;
        for (const std::vector<Hits>& session : sessions.first(sessions.size() - 1))
            if (k < session.size()) best = std::max(best, classAccuracy(session[k]));
        // The accuracies are float32, their differences and mean are not.
        if (best > 0)
            drops.push_back(static_cast<double>(best) - static_cast<double>(classAccuracy(sessions.back()[k])));
    }
    return mean(drops);
}

std::optional<double> backwardTransfer(std::span<const std::vector<Hits>> sessions) {
    if (sessions.empty()) return std::nullopt;
    std::vector<double> changes;
    for (std::size_t k = 0; k < sessions.back().size(); ++k) {
        const auto first = std::find_if(sessions.begin(), sessions.end(), [k](const std::vector<Hits>& session) {
            return k < session.size() && session[k].correct > 0;
        });
        if (first != sessions.end())
            changes.push_back(static_cast<double>(classAccuracy(sessions.back()[k])) -
                              static_cast<double>(classAccuracy((*first)[k])));
    }
    return mean(changes);
}

Spread spread(std::span<const double> values) {
    Spread result;
    result.count = static_cast<std::int64_t>(values.size());
    result.mean = mean(values).value_or(0);
    double squares = 0;
    for (const double value : values) squares += (value - result.mean) * (value - result.mean);
    if (values.size() > 1) result.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1));
    return result;
}

std::string spreadPerCent(const Spread& fractions) {
    if (fractions.count == 0) return "–";
    const std::string mean = perCent(fractions.mean);
    return fractions.count == 1 ? mean : mean + " ± " + perCent(fractions.deviation);
}

std::string sessionList(std::span<const std::size_t> sessions) {
    std::vector<std::string> parts;
    for (std::size_t first = 0; first < sessions.size();) {
        std::size_t last = first;
        while (last + 1 < sessions.size() && sessions[last + 1] == sessions[last] + 1) ++last;
        // Two neighbours are no shorter as a range.
        if (last - first < 2) last = first;
        const std::string from = std::to_string(sessions[first] + 1);
        parts.push_back(last == first ? from : from + "–" + std::to_string(sessions[last] + 1));
        first = last + 1;
    }
    std::string text = sessions.size() == 1 ? "session " : "sessions ";
    for (std::size_t k = 0; k < parts.size(); ++k)
        text += (k == 0 ? "" : k + 1 == parts.size() ? " and " : ", ") + parts[k];
    return text;
}

}  // namespace palimpsest
