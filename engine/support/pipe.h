// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Both ends of a pipe to another program. The destructor closes those that were not taken; neither is passed on to a
/// program that is started, and neither has the number of a standard file, which dup2() onto itself would leave to be
/// closed at that start. Throws Error(Run) where there is none.
class Pipe {
public:
    Pipe();
    ~Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    int reading() const { return ends_[0]; }
    int writing() const { return ends_[1]; }
    /// The caller closes it.
    int takeReading();
    int takeWriting();
    void closeWriting();

private:
    int ends_[2] = {-1, -1};
};

}  // namespace palimpsest
