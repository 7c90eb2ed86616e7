// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/term.h"

#include <QCoreApplication>

namespace palimpsest {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Term", text);
}

}  // namespace

TermText textOf(Term term) {
    switch (term) {
        case Term::Disjoint:
            return {"disjoint",
                    tr("Disjoint class"),
                    tr("All images of a disjoint class come in one session. Before it the network has never met the "
                       "class, and afterwards the stream never brings it again; only a memory can."),
                    "stream",
                    "how-it-is-made",
                    tr("session once")};
        case Term::Blurry:
            return {"blurry",
                    tr("Blurry class"),
                    tr("A blurry class is at home in one session, and a few of its images come in the others. Sessions "
                       "have no sharp border then, and the class is refreshed a little all along."),
                    "stream",
                    "how-it-is-made",
                    tr("si-blurry border")};
        case Term::EffectiveClasses:
            return {"effective-classes",
                    tr("Effective classes"),
                    tr("So many classes of equal size would be as mixed as those of a session. Four classes count as "
                       "four where each brings as many images, and nearly as two where two of them bring almost all. "
                       "The line under the stream gives the mean over its sessions."),
                    "stream",
                    "how-balanced-a-stream-is",
                    tr("balance imbalance entropy")};
        case Term::Logit:
            return {"logit",
                    tr("Logits and their mask"),
                    tr("A logit is the network's score for a class; the highest one names the image. Training raises "
                       "the right logit and pushes the others down, and much of what looks like forgetting is this "
                       "pushing down. A logit mask hides classes from that step: the batch mask all that are absent "
                       "from the batch, others fewer."),
                    "masks",
                    "the-remedy",
                    tr("score logit mask hide")};
        case Term::Push:
            return {"push",
                    tr("The push on a class"),
                    tr("Each image pulls the score of its own class up and pushes all others down, by as much as the "
                       "network believed in them. A class whose images do not come is only ever pushed down: that is "
                       "forgetting at work. What the mask hides is not pushed at all."),
                    "masks",
                    "the-push",
                    tr("push pull gradient up down score")};
        case Term::Prompt:
            return {"prompt",
                    tr("Prompt"),
                    tr("Prompts are short rows of numbers that join the pieces of an image in the network. The large "
                       "network stays as it is; the prompts and the head learn. Where a method has a pool of prompts, "
                       "those whose keys resemble the image best are selected."),
                    "methods",
                    "dualprompt",
                    tr("pool token key selected")};
        case Term::Anytime:
            return {"anytime",
                    tr("A_AUC, anytime accuracy"),
                    tr("The accuracy is measured all along the stream, on the test images of the classes that have "
                       "come so far. A_AUC is the mean height of that curve: it counts how well the network knows "
                       "things at any time, and not only at the end."),
                    "metrics",
                    "during-the-run",
                    tr("a_auc area under curve accuracy")};
        case Term::Forgetting:
            return {
                "forgetting",
                tr("F_Last, forgetting"),
                tr("How far accuracy has fallen from its best to the end of the stream, in points; less is better. One "
                   "form is a mean over sessions. The other is a mean over classes: its best is taken before the last "
                   "session, and a class that gained there counts as negative, so that gains can hide losses."),
                "metrics",
                "at-the-end-by-session-the-papers-text",
                tr("f_last forget drop")};
    }
    Q_UNREACHABLE();
}

}  // namespace palimpsest
