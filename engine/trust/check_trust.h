// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/trust.h"

namespace palimpsest {

struct TrustParts;

/// Carries out the checks of a request on the calling thread, as TrustFunction says. A check that cannot be decided, or
/// that fails, gets an amber verdict with the reason; only a request that cannot be read (no such run, no such check,
/// options that contradict each other) fails as a whole.
void checkTrust(const TrustRequest& request, RunControl& control, TrustObserver& observer);
/// The same on other parts.
void checkTrust(const TrustRequest& request, const TrustParts& parts, RunControl& control, TrustObserver& observer);

}  // namespace palimpsest
