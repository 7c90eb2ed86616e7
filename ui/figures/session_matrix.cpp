// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/session_matrix.h"

#include <algorithm>
#include <limits>

#include "ui/plots/run_axis.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/widgets/panel.h"

namespace palimpsest {

namespace {

QString usualSessionCaption() {
    return SessionMatrix::tr("accuracy after each session on each session so far");
}

}  // namespace

SessionMatrix::SessionMatrix(RunSet* store, CurveCursor* cursor, QWidget* parent)
    : MatrixView({QStringLiteral("sessions"),
                  tr("R matrix"),
                  usualSessionCaption(),
                  tr("Down a column: what is left of a session. Its first cell is how well it was learned.\n"
                     "Rest the mouse on a cell, or walk there with the arrow keys, to read it."),
                  {QStringLiteral("r-matrix"), tr("R matrix"),
                   tr("Accuracy after one session (rows) on the test images of another (columns), in per cent.")}},
                 parent),
      store_(store),
      cursor_(cursor) {
    panel()->setTitleTip(
        tr("R matrix: the accuracy after each session, a row each, on the test images of each session so far, a column "
           "each."));
    connect(store_, &RunSet::changed, this, [this](const QString&, CurveKind kind) {
        if (kind == CurveKind::Retention) schedule();
    });
    connect(store_, &RunSet::runsChanged, this, [this] { schedule(); });
    connect(cursor_, &CurveCursor::moved, this, [this] { schedule(); });
    // A row is a moment: its session's end.
    connect(canvas(), &MatrixCanvas::chosen, this, [this](int row, int) {
        if (const ShownRun* run = store_->selected())
            cursor_->pin(static_cast<std::int64_t>(samplesAtSession(*run, row + 1)));
    });
}

MatrixContent SessionMatrix::contentOf(const ShownRun& run, std::int64_t ended) const {
    MatrixContent content;
    content.row_title = tr("after session");
    content.column_title = tr("on session");
    const auto sessions = static_cast<int>(run.facts->sessions());
    for (int i = 0; i < sessions; ++i) content.rows.push_back(QString::number(i + 1));
    content.columns = content.rows;
    const auto cells = static_cast<std::size_t>(sessions) * static_cast<std::size_t>(sessions);
    content.shares.assign(cells, std::numeric_limits<double>::quiet_NaN());
    // Other programs do not say how many images a session is tested on.
    if (!run.facts->imported) content.counts.assign(cells, 0);
    for (const auto& [session, points] : run.points.retention())
        for (const RetentionPoint& point : points) {
            if (point.after_session < 0 || point.after_session >= std::min<std::int64_t>(sessions, ended) ||
                session < 0 || session >= sessions)
                continue;
            const std::size_t place = content.place(static_cast<int>(point.after_session), static_cast<int>(session));
            content.shares[place] = point.accuracy;
            if (!run.facts->imported) content.counts[place] = point.samples;
        }
    return content;
}

void SessionMatrix::bringUp() {
    constexpr std::int64_t kMost = 1000;  // sessions; more are no picture
    const ShownRun* run = store_->selected();
    const CurveCursor::Moment chosen = cursor_->pinned(), moment = cursor_->moment();
    panel()->setCaption(
        store_->captionFor(run, run && chosen ? tr("after %1 images").arg(countText(*chosen)) : usualSessionCaption()));
    if (!run) return present({}, tr("Press |{startRun}| to start"));
    if (run->points.retention().empty())
        return present(
            {}, run->inProgress() ? tr("First row when session 1 has ended") : tr("No session of this run has ended."));
    if (run->facts->sessions() > kMost)
        return present({}, tr("More than 1,000 sessions are no picture; the files hold them all."));
    present(contentOf(*run, chosen ? sessionsEnded(*run, *chosen) : run->facts->sessions()), {});
    canvas()->setMarkedRow(moment ? static_cast<int>(sessionsEnded(*run, *moment)) - 1 : -1);
}

}  // namespace palimpsest
