// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/metric_catalogue.h"

#include <array>

namespace palimpsest::report {
namespace {

const std::array kMetrics{
    Metric{"a_auc", "A_AUC", "Area under the anytime accuracy", MetricFamily::Both, true, true,
           "A<sub>AUC</sub> = (1 / L) · Σ<sub>l = 1…L</sub> a<sub>l</sub>",
           "The plain mean of the L anytime evaluations, each over the test images of all classes seen so far. "
           "Evaluations at the end of a session do not count. Paper and code agree.",
           &Summary::a_auc},
    Metric{"a_last", "A_Last", "Last accuracy, session by session", MetricFamily::Paper, true, false,
           "A<sub>Last</sub> = (1 / T) · Σ<sub>j = 1…T</sub> R<sub>T,j</sub>",
           "After the last session: the mean over sessions of the accuracy on each session's test images.",
           &Summary::a_last},
    Metric{"f_last", "F_Last", "Forgetting, session by session", MetricFamily::Paper, false, false,
           "F<sub>Last</sub> = (1 / T) · Σ<sub>j = 1…T</sub> ( max<sub>i</sub> R<sub>i,j</sub> − R<sub>T,j</sub> )",
           "How far each session's accuracy has fallen from its best. Never negative; the last session adds 0. Not "
           "defined for a single session.",
           &Summary::f_last},
    Metric{"a_last_overall", "A_Last overall", "Last accuracy, image by image", MetricFamily::OfficialCode, true, false,
           "A<sub>Last</sub> = right answers / test images of all classes seen",
           "The accuracy of the last end-of-session evaluation: every test image weighs the same, not every session.",
           &Summary::a_last_overall},
    Metric{"f_last_classwise", "F_Last class-wise", "Forgetting, class by class", MetricFamily::OfficialCode, false,
           false,
           "F<sub>Last</sub> = mean over classes k with max<sub>t&lt;T</sub> a<sub>t,k</sub> &gt; 0 of "
           "( max<sub>t&lt;T</sub> a<sub>t,k</sub> − a<sub>T,k</sub> )",
           "The best is taken before the last session only, so that a class that gained at the end counts as negative; "
           "classes never answered rightly before are left out. Not defined for a single session.",
           &Summary::f_last_classwise},
    Metric{"a_avg", "A_Avg", "Mean accuracy at the ends of sessions", MetricFamily::OfficialCode, true, false,
           "A<sub>Avg</sub> = (1 / T) · Σ<sub>t = 1…T</sub> a<sub>t</sub>",
           "The mean of the T end-of-session evaluations; the code prints it, the paper does not use it.",
           &Summary::a_avg},
};

}  // namespace

std::span<const Metric> metrics() {
    return kMetrics;
}

const char* toText(MetricFamily family) {
    switch (family) {
        case MetricFamily::Both:
            return "paper and official code";
        case MetricFamily::Paper:
            return "paper";
        case MetricFamily::OfficialCode:
            return "official code";
    }
    return "";
}

}  // namespace palimpsest::report
