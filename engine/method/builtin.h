// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"

namespace palimpsest {

std::unique_ptr<Method> makeDualPrompt(const MethodSetup& setup);
std::unique_ptr<Method> makeFinetune(const MethodSetup& setup);
std::unique_ptr<Method> makeLinearProbe(const MethodSetup& setup);

}  // namespace palimpsest
