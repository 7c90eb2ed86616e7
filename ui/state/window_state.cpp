// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/window_state.h"

#include <utility>

namespace palimpsest {

WindowState::WindowState(Laboratory services, const std::filesystem::path& runs)
    : laboratory(std::move(services)),
      table(laboratory.catalogue),
      library(&table, runs),
      files(&table),
      controller(&table, laboratory.run, laboratory.resume, laboratory.fork),
      saved(controller.draft()),
      lane_b(controller.draft()) {
    figures.runs.setCatalogue(laboratory.catalogue);
}

}  // namespace palimpsest
