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
                       "class, and afterwards it never meets it again, so such a class is forgotten most easily."),
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
                    tr("So many classes of equal size would be as mixed as those that came. Four classes count as "
                       "four where each brings as many images, and nearly as two where two of them bring almost all."),
                    "stream",
                    "how-balanced-a-stream-is",
                    tr("balance imbalance entropy")};
        case Term::Logit:
            return {"logit",
                    tr("Logits and their mask"),
                    tr("A logit is the network's score for a class; the highest one names the image. Training raises "
                       "the right logit and pushes the others down. A logit mask hides classes from that step, so "
                       "those that are absent now are not pushed down: that is much of forgetting."),
                    "masks",
                    "the-remedy",
                    tr("score logit mask hide")};
        case Term::Prompt:
            return {"prompt",
                    tr("Prompt"),
                    tr("Prompts are short rows of numbers that are put before the pieces of an image. The large "
                       "network stays as it is, and the prompts learn. From a pool of them, those whose keys resemble "
                       "the image best are selected."),
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
            return {"forgetting",
                    tr("F_Last, forgetting"),
                    tr("How far a class has fallen from its best to the end of the stream, in points, on average over "
                       "the classes. 0 means that nothing was lost; less is better."),
                    "metrics",
                    "all-of-them",
                    tr("f_last forget drop")};
    }
    Q_UNREACHABLE();
}

}  // namespace palimpsest
