// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/matrix_view.h"

namespace palimpsest {

class CurveCursor;
class RunSet;
struct ShownRun;

/// The R matrix of the selected run: accuracy after each session on the test images of each session so far. Where
/// a moment is chosen, as far as it had come by then.
class SessionMatrix : public MatrixView {
    Q_OBJECT
public:
    SessionMatrix(RunSet* store, CurveCursor* cursor, QWidget* parent = nullptr);

protected:
    void bringUp() override;

private:
    /// With the rows of so many sessions.
    MatrixContent contentOf(const ShownRun& run, std::int64_t ended) const;

    RunSet* store_;
    CurveCursor* cursor_;
};

}  // namespace palimpsest
