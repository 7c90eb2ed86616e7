// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/trust.h"

#include <utility>

namespace palimpsest {
namespace {

constexpr TrustCheckInfo kChecks[] = {
    {"batch-size", "Test batch size",
     "Does an image get the same prediction whatever number of test images is handed over together?"},
    {"order", "Order of the test images", "Does an image get the same prediction in whatever order the others come?"},
    {"labels", "Permuted labels",
     "Does the method fall to chance when the labels of the training images are mixed up at random?"},
    {"looking", "Looking changes nothing", "Does it learn the same however often it is evaluated on the way?"},
    {"seeds", "A seed's luck", "How far apart do the results of ten seeds lie when only a linear head learns?"},
    {"overlap", "Test images among the training images",
     "Has the network been shown pictures of the test set while it learned?"},
    {"precision", "Precision and threads",
     "Do the same bits come out twice, and how much do threads and number format change?"},
};

/// Passes everything on; the end goes through the gate, so that the service is free by then.
class TrustEndKeeper : public TrustObserver {
public:
    TrustEndKeeper(TrustObserver& observer, EndGate& gate) : observer_(observer), gate_(gate) {}
    void onChecking(const TrustCheckInfo& check, std::int64_t number, std::int64_t total) override {
        observer_.onChecking(check, number, total);
    }
    void onProgress(const std::string& detail) override { observer_.onProgress(detail); }
    void onVerdict(const TrustVerdict& verdict) override { observer_.onVerdict(verdict); }
    void onEnded(const TrustEnded& event) override {
        gate_.pass([&] { observer_.onEnded(event); });
    }

private:
    TrustObserver& observer_;
    EndGate& gate_;
};

}  // namespace

std::span<const TrustCheckInfo> trustChecks() {
    return kChecks;
}

const TrustCheckInfo& trustCheck(const std::string& name) {
    std::string known;
    for (const TrustCheckInfo& check : kChecks) {
        if (name == check.name) return check;
        known += (known.empty() ? "" : ", ") + std::string(check.name);
    }
    throw inputError("There is no check \"" + name + "\".", "Choose among " + known + ".");
}

const char* toText(TrustColour colour) {
    switch (colour) {
        case TrustColour::Green:
            return "green";
        case TrustColour::Amber:
            return "amber";
        case TrustColour::Red:
            return "red";
    }
    return "";
}

void TrustService::start(const TrustRequest& request, TrustObserver& observer) {
    begin(
        [function = function_, request, &observer](RunControl& control, EndGate& gate) {
            TrustEndKeeper keeper(observer, gate);
            function(request, control, keeper);
        },
        [&observer](const Error& error) {
            TrustEnded event;
            event.how = TrustEnded::How::Failed;
            event.error = error.what();
            event.hint = error.hint();
            event.kind = error.kind();
            observer.onEnded(event);
        });
}

}  // namespace palimpsest
