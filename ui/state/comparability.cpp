// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/comparability.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstring>
#include <set>

#include "engine/support/text.h"

namespace palimpsest {
namespace {

struct StreamDifference {
    Q_DECLARE_TR_FUNCTIONS(StreamDoubt)
};

std::set<std::int64_t> seedsOf(const std::vector<StreamKey>& runs) {
    std::set<std::int64_t> seeds;
    for (const StreamKey& run : runs) seeds.insert(run.seed);
    return seeds;
}

bool imported(const std::vector<StreamKey>& runs) {
    return std::any_of(runs.begin(), runs.end(), [](const StreamKey& run) { return run.imported; });
}

/// "Seq-CIFAR100" and "cifar-100" are one data set: letters and digits, without what programs put before its name.
std::string plainDataset(const std::string& name) {
    std::string plain;
    for (const char c : name)
        if (const char small = asciiLower(c); (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9'))
            plain += small;
    for (const char* before : {"seq", "split"})
        if (plain.starts_with(before)) plain.erase(0, std::strlen(before));
    return plain;
}

/// False also where a name is not known.
bool otherData(const StreamKey& one, const StreamKey& beside) {
    return !one.dataset.empty() && !beside.dataset.empty() && plainDataset(one.dataset) != plainDataset(beside.dataset);
}

}  // namespace

StreamDoubt streamDoubt(const std::vector<StreamKey>& own, const std::vector<StreamKey>& other,
                        const std::function<bool()>& otherKind) {
    if (own.empty() || other.empty()) return StreamDoubt::None;
    const bool foreign = imported(own) || imported(other);
    bool known = false, shared = false;
    for (const StreamKey& one : own)
        for (const StreamKey& beside : other) {
            if (foreign && otherData(one, beside)) return StreamDoubt::OtherStream;
            if (!foreign && one.length > 0 && beside.length > 0 && one.length != beside.length)
                return StreamDoubt::OtherStream;
            if (one.fingerprint.empty() || beside.fingerprint.empty()) continue;
            known = true;
            shared = shared || one.fingerprint == beside.fingerprint;
            if (!foreign && one.seed == beside.seed && one.fingerprint != beside.fingerprint)
                return StreamDoubt::OtherStream;
        }
    const bool mean = own.size() > 1 || other.size() > 1;
    if (known && !shared && (!mean || otherKind())) return StreamDoubt::OtherStream;
    if (foreign || (known && !mean)) return StreamDoubt::None;
    if (mean && (own.size() == 1 || other.size() == 1)) return StreamDoubt::OneSeed;
    return seedsOf(own) == seedsOf(other) ? StreamDoubt::None : StreamDoubt::OtherSeeds;
}

QString doubtText(StreamDoubt doubt) {
    switch (doubt) {
        case StreamDoubt::OneSeed:
            return StreamDifference::tr("one seed");
        case StreamDoubt::OtherSeeds:
            return StreamDifference::tr("other seeds");
        case StreamDoubt::OtherStream:
            return StreamDifference::tr("other stream");
        case StreamDoubt::None:
            break;
    }
    return {};
}

QString doubtTip(StreamDoubt doubt, const QString& name) {
    switch (doubt) {
        case StreamDoubt::OneSeed:
            return StreamDifference::tr(
                "One seed beside a mean over seeds: part of the difference may be that seed's alone, and "
                "not the method's.");
        case StreamDoubt::OtherSeeds:
            return StreamDifference::tr(
                       "%1 has other seeds, and another seed is another stream: the difference is not the "
                       "method's alone.")
                .arg(name);
        case StreamDoubt::OtherStream:
            return StreamDifference::tr(
                       "%1 learned another stream, so the two numbers are no comparison of how they learned.")
                .arg(name);
        case StreamDoubt::None:
            break;
    }
    return {};
}

QString evidenceTip(const PairedEvidence& evidence) {
    QString text = QString::fromStdString(evidenceText(evidence));
    text.front() = text.front().toUpper();
    return text;
}

}  // namespace palimpsest
