// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/mask_lens.h"

#include <algorithm>
#include <stdexcept>

#include "engine/support/format.h"

namespace palimpsest {
namespace {

/// "the 3 classes of this batch", "the one class of this batch".
std::string batchWords(const MaskLens& lens) {
    return lens.batch.size() == 1 ? std::string("the one class of this batch")
                                  : "the " + grouped(std::ssize(lens.batch)) + " classes of this batch";
}

/// "7 others are pushed down, by 4.2 in all (3 of them are outputs that no class has taken yet)".
std::string othersWords(const PushedOthers& others) {
    std::string text = counted(others.count(), "other is", "others are") + " pushed down, by " +
                       fixedText(-others.push, 1) + (others.count() > 1 ? " in all" : "");
    if (others.unnamed > 0 && others.classes == 0)
        text +=
            others.unnamed == 1 ? ", an output that no class has taken yet" : ", outputs that no class has taken yet";
    else if (others.unnamed > 0)
        text += others.unnamed == 1
                    ? " (one of them is an output that no class has taken yet)"
                    : " (" + grouped(others.unnamed) + " of them are outputs that no class has taken yet)";
    return text;
}

}  // namespace

const MaskView& MaskLens::view(MaskKind mask) const {
    const auto found = std::ranges::find(views, mask, &MaskView::mask);
    if (found == views.end()) throw std::out_of_range("The lens has no such mask.");
    return *found;
}

PushedOthers pushedOthers(const MaskLens& lens, MaskKind mask) {
    const MaskView& view = lens.view(mask);
    PushedOthers others;
    for (const ClassPush& push : view.pushes) {
        if (!push.push || std::ranges::find(lens.batch, push.label) != lens.batch.end()) continue;
        if (*push.push > -kLeastPush) continue;
        ++others.classes;
        others.push += *push.push;
    }
    if (view.unnamed_push <= -kLeastPush) {
        others.unnamed = view.unnamed;
        others.push += view.unnamed_push;
    }
    return others;
}

std::string lensSentence(const MaskLens& lens) {
    if (lens.views.empty()) return {};
    const PushedOthers none = pushedOthers(lens, MaskKind::None);
    std::string text = "Through the batch mask only " + batchWords(lens) + " " +
                       (lens.batch.size() == 1 ? "is" : "are") + " pulled or pushed.";
    if (none.count() == 0) return text + " Here the other masks hardly differ: no other class is pushed down by much.";
    text += " Without a mask " + othersWords(none) + ".";
    const PushedOthers seen = pushedOthers(lens, MaskKind::Seen), session = pushedOthers(lens, MaskKind::Session);
    const auto amount = [](const PushedOthers& others) {
        return others.count() == 0 ? std::string("none of them")
                                   : grouped(others.count()) + ", by " + fixedText(-others.push, 1);
    };
    return text + " With the seen mask: " + amount(seen) + "; with the session mask: " + amount(session) + ".";
}

std::string inferenceSentence(const MaskLens& lens) {
    if (!lens.inference || lens.inference->images == 0) return {};
    const LensInference& found = *lens.inference;
    const auto share = [&](std::int64_t right) {
        return perCent(static_cast<double>(right) / static_cast<double>(found.images)) + " %";
    };
    const bool sample = found.images < found.all;
    return "Of " + counted(found.images, "test image", "test images") +
           (sample ? ", an even sample of the " + grouped(found.all) : std::string()) + " of " +
           (lens.classes_seen == 1 ? std::string("the one class seen so far")
                                   : "the " + grouped(lens.classes_seen) + " classes seen so far") +
           ", " + share(found.right) + " are right where every output may answer, and " +
           share(found.right_among_seen) + " where only classes seen may." +
           (sample ? " The curves count more images, so they may differ by a few points." : "");
}

}  // namespace palimpsest
