// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/method.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

constexpr const char* kPrompts = "Prompts";
constexpr const char* kHead = "A head alone";
constexpr const char* kReplay = "A head and a memory";
constexpr const char* kNetwork = "The whole network";

// Declares the maker that a method's file defines where it is named, so that one line registers a method.
#define MADE_BY(maker)                                     \
    [](const MethodSetup& setup) {                         \
        std::unique_ptr<Method> maker(const MethodSetup&); \
        return maker(setup);                               \
    }

}  // namespace

const std::vector<MethodEntry>& methodList() {
    static const std::vector<MethodEntry> list = {
        {{"dualprompt", "DualPrompt", "Frozen backbone with a general prompt and a pool of expert prompts that learn.",
          kPrompts, "Nothing of the stream.", "Two passes an image: one to choose the prompt, one with it.",
          "Wang et al., DualPrompt, ECCV 2022; MISA, ICLR 2025"},
         MADE_BY(makeDualPrompt)},
        {{"l2p", "L2P", "Frozen backbone; each image takes several prompts of a pool, whose outputs are its feature.",
          kPrompts, "Nothing of the stream.", "Two passes an image, one of them with 25 tokens more.",
          "Wang et al., Learning to Prompt, CVPR 2022"},
         MADE_BY(makeL2p)},
        {{"mvp", "MVP", "A pool of prompts with a learned mask, contrastive keys and more weight for minor classes.",
          kPrompts, "How often each prompt was chosen.", "Two passes an image.", "Moon et al., MVP, ICCV 2023"},
         MADE_BY(makeMvp)},
        {{"single-prompt", "SinglePrompt", "One set of prompts for all images, and a head that compares angles.",
          kPrompts, "Nothing of the stream.", "One pass an image: the least of all prompts.",
          "SinglePrompt, arXiv 2604.04420, 2026"},
         MADE_BY(makeSinglePrompt)},
        {{"fly-prompt", "FlyPrompt",
          "Experts that learn in turn; a regression chooses one, three heads decide together.", kPrompts,
          "Sums of random features: 400 MB of 10,000, 8 MB of 1,000. It is told how long the stream is.",
          "Two passes an image, and a large system of equations for each evaluation.",
          "FlyPrompt, arXiv 2602.01976, ICLR 2026"},
         MADE_BY(makeFlyPrompt)},
        {{"coda-prompt", "CODA-Prompt", "Each image mixes its prompt from all components; every session adds new ones.",
          kPrompts, "Nothing of the stream. It is told where sessions end.", "Two passes an image.",
          "Smith et al., CODA-Prompt, CVPR 2023"},
         MADE_BY(makeCodaPrompt)},
        {{"linear-probe", "Linear probe", "Frozen backbone; only the linear head learns.", kHead, "Nothing.",
          "One pass an image, and none of it backwards.", "MISA, ICLR 2025: the lower bound"},
         MADE_BY(makeLinearProbe)},
        {{"lwf", "LwF", "Linear head; keeps to what it said one batch ago, without a memory.", kHead,
          "A copy of the head.", "As the linear probe.", "Li and Hoiem, Learning without Forgetting, ECCV 2016"},
         MADE_BY(makeLwf)},
        {{"analytic-head", "Analytic head",
          "No training: class statistics of the frozen features decide in closed form.", kHead,
          "Sums of features: 400 MB of 10,000 random ones, 8 MB of 1,000.",
          "One pass an image, and a system of equations for each evaluation.",
          "McDonnell et al., RanPAC, NeurIPS 2023; Hayes and Kanan, SLDA, CVPRW 2020"},
         MADE_BY(makeAnalyticHead)},
        {{"er", "ER", "Linear head; images from the memory join every batch.", kReplay, "Numbers of past images.",
          "Twice the images of a linear probe.", "Chaudhry et al., On Tiny Episodic Memories, 2019"},
         MADE_BY(makeExperienceReplay)},
        {{"er-ace", "ER-ACE", "Linear head; new images do not push old classes down, remembered ones see all classes.",
          kReplay, "Numbers of past images.", "Twice the images of a linear probe.",
          "Caccia et al., ER-ACE, ICLR 2022"},
         MADE_BY(makeErAce)},
        {{"derpp", "DER++", "Linear head; the memory also keeps what the network said, and holds it to that.", kReplay,
          "Numbers of past images, each with its logits.", "Three times the images of a linear probe.",
          "Buzzega et al., Dark Experience, NeurIPS 2020"},
         MADE_BY(makeDerPlusPlus)},
        {{"rainbow-memory", "Rainbow Memory",
          "Linear head; a class-balanced memory, and many epochs over it after each session.", kReplay,
          "Numbers of past images.", "The epochs after each session: more than all the rest.",
          "Bang et al., Rainbow Memory, CVPR 2021"},
         MADE_BY(makeRainbowMemory)},
        {{"clib", "CLIB", "Linear head; learns from a class-balanced memory alone, at a learning rate it finds itself.",
          kReplay, "Numbers of past images, each with its feature.", "As the linear probe.",
          "Koh et al., CLIB, ICLR 2022"},
         MADE_BY(makeClib)},
        {{"finetune", "Fine-tuning", "Every parameter learns; the plainest way to forget.", kNetwork, "Nothing.",
          "A pass forwards and backwards through the whole network.", "MISA, ICLR 2025: the lower bound"},
         MADE_BY(makeFinetune)},
        {{"ewcpp", "EWC++", "Every parameter learns, but those that mattered before are held back.", kNetwork,
          "Three more values for each parameter.", "Twice the steps of fine-tuning.",
          "Chaudhry et al., Riemannian Walk, ECCV 2018"},
         MADE_BY(makeEwcPlusPlus)},
        {{"online-ewc", "Online EWC", "As EWC++, but what mattered is found by a look back at each session.", kNetwork,
          "Two more values for each parameter.", "As fine-tuning, and a pass over each session, image by image.",
          "Schwarz et al., Progress and Compress, ICML 2018"},
         MADE_BY(makeOnlineEwc)},
    };
    return list;
}

#undef MADE_BY

std::unique_ptr<Method> makeMethod(const MethodSetup& setup) {
    std::string known;
    for (const auto& entry : methodList()) {
        if (entry.choice.value == setup.method.name) return entry.make(setup);
        known += (known.empty() ? "" : ", ") + entry.choice.value;
    }
    throw inputError("There is no method \"" + setup.method.name + "\".", "Choose one of: " + known + ".");
}

}  // namespace palimpsest
