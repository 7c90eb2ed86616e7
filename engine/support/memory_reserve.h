// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Holds back some memory for the moment when the system has none left. operator new then takes it, once, so that what
/// is under way ends in order: many destructors of libraries ask for a little memory, and must not fail. To be called
/// at the beginning of a program, and again where work begins or has come to a border: false where the memory that was
/// held back has been needed and cannot be had again, so that the work should end. Any thread.
bool holdMemoryBack();

/// Gives memory that is free, but kept by the C library for later, back to the system where that is much. For the end
/// of work that took much. Any thread; others that ask for memory meanwhile may wait for some milliseconds.
void giveMemoryBack() noexcept;

}  // namespace palimpsest
