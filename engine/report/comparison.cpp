// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/comparison.h"

#include "engine/support/format.h"

namespace palimpsest::report {

Comparison compared(const std::map<std::int64_t, double>& own, const std::map<std::int64_t, double>& baseline) {
    const std::vector<double> differences = pairedDifferences(own, baseline);
    return {pairedEvidence(differences), signFlipTest(differences), {}};
}

void correctForAll(const std::vector<Comparison*>& comparisons) {
    std::vector<std::optional<double>> p;
    for (const Comparison* comparison : comparisons) p.push_back(comparison->p);
    const std::vector<std::optional<double>> corrected = holmCorrected(p);
    for (std::size_t i = 0; i < comparisons.size(); ++i) comparisons[i]->p_holm = corrected[i];
}

std::string intervalText(const PairedEvidence& evidence) {
    if (!evidence.half_width) return "–";
    return "[" + signedPerCent(evidence.low()) + "; " + signedPerCent(evidence.high()) + "]";
}

std::string pText(const std::optional<double>& p) {
    if (!p) return "–";
    return *p < 0.001 ? "< 0.001" : fixedText(*p, 3);
}

std::string findingText(const Metric& metric, const PairedEvidence& evidence) {
    if (!evidence.distinguishable()) return evidenceText(evidence);
    return metric.higher_is_better == (evidence.difference.mean > 0) ? "better" : "worse";
}

std::string evidenceCaption(std::size_t comparisons) {
    std::string text =
        "How sure the differences are: 95 % confidence interval (Student's t) in percentage points, and p of the "
        "sign-flip test, exact up to 20 seeds and with n seeds never below 2 / 2^n. A row is called better or worse "
        "only if its interval, over three seeds or more, excludes 0; how many seeds would be needed is a rough "
        "estimate from this mean and "
        "deviation. Seeds: how many both have.";
    if (comparisons > 1)
        text += " p (Holm) is corrected for all " + grouped(static_cast<std::int64_t>(comparisons)) +
                " comparisons of this table; without correction, about one of 20 intervals excludes 0 by chance.";
    return text;
}

}  // namespace palimpsest::report
