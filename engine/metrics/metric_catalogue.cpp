// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/metrics/metric_catalogue.h"

#include <algorithm>
#include <array>

namespace palimpsest {
namespace {

const std::array kMetrics{
    Metric{"a_auc", "A_AUC", "Area under the anytime accuracy", MetricFamily::Both, true, true,
           "A<sub>AUC</sub> = (1 / L) · Σ<sub>l = 1…L</sub> a<sub>l</sub>",
           "The plain mean of the L anytime evaluations, each over the test images of all classes seen so far. "
           "Evaluations at the end of a session do not count. Paper and code agree.",
           "Not defined where the stream ends before it is evaluated on the way.", "", &Summary::a_auc},
    Metric{"a_last", "A_Last by session", "Last accuracy, session by session", MetricFamily::Paper, true, false,
           "A<sub>Last</sub> = (1 / T) · Σ<sub>j = 1…T</sub> R<sub>T,j</sub>",
           "After the last session: the mean over sessions of the accuracy on each session's test images. T counts the "
           "sessions that have any.",
           "Not defined where no session has test images.", "a_last_overall", &Summary::a_last},
    Metric{"f_last", "F_Last by session", "Forgetting, session by session", MetricFamily::Paper, false, false,
           "F<sub>Last</sub> = (1 / T) · Σ<sub>j = 1…T</sub> ( max<sub>i</sub> R<sub>i,j</sub> − R<sub>T,j</sub> )",
           "How far each session's accuracy has fallen from its best. Never negative; the last session adds 0. T "
           "counts the "
           "sessions that have test images.",
           "Not defined for a single session: what was measured once cannot have been forgotten.", "f_last_classwise",
           &Summary::f_last},
    Metric{"a_last_overall", "A_Last overall", "Last accuracy, image by image", MetricFamily::OfficialCode, true, false,
           "A<sub>Last</sub> = right answers / test images of all classes seen",
           "The accuracy of the last end-of-session evaluation: every test image weighs the same, not every session.",
           "Not defined before a session has ended.", "a_last", &Summary::a_last_overall},
    Metric{
        "f_last_classwise", "F_Last by class", "Forgetting, class by class", MetricFamily::OfficialCode, false, false,
        "F<sub>Last</sub> = mean over classes k with max<sub>t&lt;T</sub> a<sub>t,k</sub> &gt; 0 of "
        "( max<sub>t&lt;T</sub> a<sub>t,k</sub> − a<sub>T,k</sub> )",
        "The best is taken before the last session only, so that a class that gained at the end counts as negative; "
        "classes never answered rightly before are left out.",
        "Not defined for a single session, where the code itself reports −999.", "f_last", &Summary::f_last_classwise},
    Metric{"a_avg", "A_Avg", "Mean accuracy at the ends of sessions", MetricFamily::OfficialCode, true, false,
           "A<sub>Avg</sub> = (1 / T) · Σ<sub>t = 1…T</sub> a<sub>t</sub>",
           "The mean of the T end-of-session evaluations; the code prints it, the paper does not use it.",
           "Not defined before a session has ended.", "", &Summary::a_avg},
    Metric{"bwt_last", "BWT_Last", "Backward transfer", MetricFamily::OtherCode, true, false,
           "BWT<sub>Last</sub> = mean over classes k of ( a<sub>T,k</sub> − a<sub>f(k),k</sub> ),   f(k): the first "
           "session after which a<sub>t,k</sub> &gt; 0",
           "What later sessions have given to a class since it was first answered rightly, or taken from it. FlyGCL's "
           "code reports it. Classes never answered rightly are left out.",
           "Not defined for a single session.", "", &Summary::bwt_last},
    Metric{"ncm_a_auc", "A_AUC of NCM", "Reference: area under the curve of the nearest class mean",
           MetricFamily::Reference, true, true, "A<sub>AUC</sub> = (1 / L) · Σ<sub>l = 1…L</sub> n<sub>l</sub>",
           "n_l is the accuracy of the nearest class mean, by cosine on the features of the frozen backbone after its "
           "last block, with each image of the stream counted once: the same for all methods on one stream. A method "
           "that stays below it gains nothing from what it learns.",
           "Only runs of methods that use features of a frozen backbone have it, less CLIB, which learns from its "
           "memory alone.",
           "", &Summary::ncm_a_auc},
    Metric{"ncm_a_last_overall", "A_Last of NCM", "Reference: last accuracy of the nearest class mean",
           MetricFamily::Reference, true, false, "A<sub>Last</sub> = right answers / test images of all classes seen",
           "The last end-of-session accuracy of the nearest class mean on the same features.",
           "Only runs of methods that use features of a frozen backbone have it, less CLIB, which learns from its "
           "memory alone.",
           "", &Summary::ncm_a_last_overall},
    Metric{"router_accuracy", "Router accuracy", "How often the right prompt or expert is chosen", MetricFamily::Own,
           true, false,
           "(1 / N) · Σ<sub>x</sub> [ e(x) = argmax<sub>e</sub> n<sub>y,e</sub> ],   n<sub>y,e</sub>: images of class "
           "y learned with prompt e, in all updates",
           "The share of the N test images x of all classes seen for which the method chooses the prompt, or the "
           "expert, that most images of their class y had while they were learned, replayed ones included. Where "
           "several are chosen, the nearest counts. Of the last end-of-session evaluation. A method that always takes "
           "the same one is always right, so look at how many are in use, too.",
           "Only runs of methods that choose one for each image have it: DualPrompt, L2P, MVP and FlyPrompt.", "",
           &Summary::router_accuracy},
    Metric{"head_agreement", "Head agreement", "How often all heads agree", MetricFamily::Own, true, false,
           "test images to which all heads give the same class / test images of all classes seen",
           "How often the heads that decide together would have answered alike: where they always agree, one would do. "
           "Of the last end-of-session evaluation.",
           "Only runs of FlyPrompt have it, whose head and two moving averages decide together.", "",
           &Summary::head_agreement},
};

const std::array kCurves{
    CurveMeaning{
        "anytime", "a_l", "Anytime accuracy", "a<sub>l</sub> = right answers / test images of all classes seen",
        "The l-th evaluation on the way, over the test images of all classes that have come. It drops when new "
        "classes join the test before they are learned; that alone is not forgetting. Paper and code agree.",
        "Nothing was evaluated on the way yet."},
    CurveMeaning{"retention", "R_i,j", "Retention",
                 "R<sub>i,j</sub> = right answers / test images of session j, after session i",
                 "The same test images, session after session: a fall is forgetting. The code prints it for disjoint "
                 "classes alone; the paper leaves open to which session a blurry class belongs.",
                 "No session has ended yet."},
};

std::string rule(const char* title) {
    return std::string("**") + title + "**";
}

std::string paragraph(const std::string& head, const char* formula, const std::string& words) {
    return head + "\n\n    " + plainFormula(formula) + "\n\n" + words + "\n\n";
}

template <class Entry, std::size_t kCount>
const Entry* found(const std::array<Entry, kCount>& entries, std::string_view key) {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
    return at == entries.end() ? nullptr : &*at;
}

}  // namespace

std::span<const Metric> metrics() {
    return kMetrics;
}

const Metric* findMetric(std::string_view key) {
    return found(kMetrics, key);
}

std::span<const CurveMeaning> curveMeanings() {
    return kCurves;
}

const CurveMeaning* findCurve(std::string_view key) {
    return found(kCurves, key);
}

const char* toText(MetricFamily family) {
    switch (family) {
        case MetricFamily::Both:
            return "paper, and published code and tables";
        case MetricFamily::Paper:
            return "paper's text";
        case MetricFamily::OfficialCode:
            return "published code and tables";
        case MetricFamily::OtherCode:
            return "FlyGCL's code";
        case MetricFamily::Reference:
            return "nearest class mean";
        case MetricFamily::Own:
            return "Palimpsest";
    }
    return "";
}

std::string plainFormula(std::string_view html) {
    constexpr std::string_view kOpen = "<sub>", kClose = "</sub>";
    std::string text;
    while (!html.empty()) {
        if (html.starts_with(kOpen)) {
            const std::size_t end = html.find(kClose);
            const std::string inside = plainFormula(html.substr(kOpen.size(), end - kOpen.size()));
            const bool word = std::all_of(inside.begin(), inside.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ',';
            });
            text += word ? "_" + inside : "_{" + inside + "}";
            html.remove_prefix(end + kClose.size());
        } else if (html.starts_with("&lt;") || html.starts_with("&gt;")) {
            text += html[1] == 'l' ? '<' : '>';
            html.remove_prefix(4);
        } else {
            text += html.front();
            html.remove_prefix(1);
        }
    }
    return text;
}

std::string metricMarkdown() {
    std::string text;
    for (const CurveMeaning& curve : kCurves)
        text += paragraph(rule(curve.title) + ", " + curve.symbol + ".", curve.formula, curve.meaning);
    for (const Metric& metric : kMetrics)
        text += paragraph(rule(metric.symbol) + " (" + toText(metric.family) + "): " + metric.title + "; " +
                              (metric.higher_is_better ? "higher" : "lower") + " is better. `" + metric.key + "`.",
                          metric.formula, std::string(metric.meaning) + " " + metric.undefined);
    return text;
}

}  // namespace palimpsest
