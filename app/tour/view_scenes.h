// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/tour/tour_stage.h"

namespace palimpsest {

/// Scenes of what a network sees and forgets: the feature map, forgotten images, the mask lens, attention, a class of
/// one's own, a lesson, and the stage with a talk.
class ViewScenes : public TourStage {
public:
    using TourStage::TourStage;

    /// Learns a run of its own.
    void show();

private:
    void showFeatures();
    void showForgotten();
    void showLens();
    void showAttention();
    void showDrawing();
    void showLesson();
    void showTalk();
};

}  // namespace palimpsest
