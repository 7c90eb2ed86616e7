// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/trust_printers.h"

#include <cctype>
#include <sstream>

#include "engine/support/format.h"

namespace palimpsest {
namespace {

const char* endText(TrustEnded::How how) {
    switch (how) {
        case TrustEnded::How::Finished:
            return "finished";
        case TrustEnded::How::Stopped:
            return "stopped";
        case TrustEnded::How::Failed:
            break;
    }
    return "failed";
}

std::string upperCase(std::string word) {
    for (char& letter : word) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    return word;
}

}  // namespace

void ConsoleTrustPrinter::onChecking(const TrustCheckInfo& check, std::int64_t number, std::int64_t total) {
    heading_ = std::to_string(number) + " of " + std::to_string(total) + ": " + check.title;
    bar_.show(heading_ + " ...");
}

void ConsoleTrustPrinter::onProgress(const std::string& detail) {
    bar_.show(heading_ + ": " + detail + " ...");
}

void ConsoleTrustPrinter::onVerdict(const TrustVerdict& verdict) {
    bar_.show({});
    const TrustCheckInfo& check = trustCheck(verdict.check);
    std::ostringstream page;
    page << upperCase(toText(verdict.colour)) << "  " << check.title << " (" << check.name << ", "
         << duration(verdict.seconds) << ")\n"
         << wrapped(check.question, 2) << wrapped(verdict.sentence, 2);
    std::vector<std::pair<std::string, std::string>> rows;
    for (const TrustEvidence& evidence : verdict.evidence) rows.emplace_back("    " + evidence.what, evidence.value);
    page << twoColumns(rows);
    if (!verdict.cut.empty()) page << wrapped(verdict.cut, 2);
    bar_.line(page.str());
}

void ConsoleTrustPrinter::onEnded(const TrustEnded& event) {
    bar_.show({});
    if (event.how == TrustEnded::How::Failed) return;
    bar_.line((event.how == TrustEnded::How::Stopped ? "Stopped: " : "") + std::to_string(event.green) + " green, " +
              std::to_string(event.amber) + " amber, " + std::to_string(event.red) + " red in " +
              duration(event.seconds));
}

void JsonTrustPrinter::onVerdict(const TrustVerdict& verdict) {
    const TrustCheckInfo& check = trustCheck(verdict.check);
    Json evidence = Json::array();
    for (const TrustEvidence& each : verdict.evidence) evidence.push_back({{"what", each.what}, {"value", each.value}});
    printLine({{"event", "verdict"},
               {"check", verdict.check},
               {"title", check.title},
               {"question", check.question},
               {"colour", toText(verdict.colour)},
               {"sentence", verdict.sentence},
               {"evidence", evidence},
               {"cut", orNull(verdict.cut)},
               {"seconds", verdict.seconds}});
}

void JsonTrustPrinter::onEnded(const TrustEnded& event) {
    printLine({{"event", "ended"},
               {"state", endText(event.how)},
               {"green", event.green},
               {"amber", event.amber},
               {"red", event.red},
               {"seconds", event.seconds},
               {"error", orNull(event.error)},
               {"hint", orNull(event.hint)}});
}

}  // namespace palimpsest
