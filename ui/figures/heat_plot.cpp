// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_plot.h"

#include <qcustomplot.h>

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "ui/figures/heat_scale.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr double kEmptyHeatStream = 6000;
constexpr double kNoPush = 1;        // end of the colours while nothing was pushed
constexpr int kMostNameWidth = 120;  // pixels of a row's name
constexpr int kLeastRow = 13;        // pixels between two names

/// Sketch of the figure to come: blocks that light up later and later, and fade.
QVector<QPolygonF> heatGhost() {
    QVector<QPolygonF> lines;
    for (int i = 0; i < 5; ++i) {
        const double y = 0.9 - 0.19 * i, x = 0.2 * i;
        lines.push_back({{x, y}, {1, y}});
    }
    return lines;
}

QString shareText(double share) {
    return percentText(share) + QStringLiteral(" %");
}

QString numberText(double value) {
    return countText(std::llround(value));
}

struct HeatPlotText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::HeatPlotText)
};

QString signedNumberText(double value) {
    const QString number = QLocale().toString(std::abs(value), 'f', 1);
    return std::abs(value) < 0.05 ? number : (value > 0 ? QStringLiteral("+") : QStringLiteral("−")) + number;
}

QString notRead(const RunHistory* history) {
    return history ? QString() : HeatPlotText::tr("Reading the run folder …");
}

}  // namespace

/// Draws the content of a heat map; each moment reaches half way to its neighbours, or back to the one before it. Costs
/// the pixels it covers, however many moments and rows there are.
class HeatMap : public QCPAbstractPlottable {
public:
    HeatMap(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    HeatContent& content() { return content_; }
    const HeatContent& content() const { return content_; }

    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain = QCP::sdBoth) const override {
        found = !content_.xs.empty();
        return found ? QCPRange(content_.xs.front(), content_.xs.back()) : QCPRange();
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain = QCP::sdBoth, const QCPRange& = QCPRange()) const override {
        found = !content_.rows.isEmpty();
        return {0, static_cast<double>(content_.rows.size())};
    }

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    HeatContent content_;
};

/// The numbers of a heat map: a row a moment, a column a row of the map.
class HeatTable : public FigureTable {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::HeatTable)
public:
    /// `text`: of a value on screen. `scale`: what a value is multiplied by in a file.
    HeatTable(std::function<QString(double)> text, double scale) : text_(std::move(text)), scale_(scale) {}
    /// `content`: null when there are no numbers any more. `bring_up` is called before its numbers are read.
    void setContent(const HeatContent* content, std::function<void()> bring_up) {
        content_ = content;
        bring_up_ = std::move(bring_up);
    }

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || !content_ ? 0 : std::min(rows_, static_cast<int>(content_->xs.size()));
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || columns_ == 0 || !content_ ? 0 : columns_ + 1;
    }
    void refresh() override;
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override {
        return column == 0 ? tr("Images seen") : content_->rows.value(column - 1);
    }

private:
    const HeatContent* content_ = nullptr;
    std::function<void()> bring_up_;
    const std::function<QString(double)> text_;
    const double scale_;
    int rows_ = 0, columns_ = 0;  ///< that the views know of
};

void HeatMap::draw(QCPPainter* painter) {
    const auto rows = static_cast<std::size_t>(content_.rows.size());
    const QRect area = mKeyAxis->axisRect()->rect();
    if (content_.xs.empty() || rows == 0 || area.isEmpty()) return;
    const double ratio = painter->device()->devicePixelRatioF();
    const int width = static_cast<int>(std::ceil(area.width() * ratio));
    const int height = static_cast<int>(std::ceil(area.height() * ratio));
    // As far as measured: from the first moment back half a step, and to the last.
    const std::vector<double>& xs = content_.xs;
    const double half = content_.between ? xs[0] : xs.size() > 1 ? (xs[1] - xs[0]) / 2 : xs[0] / 2;
    const double first = mKeyAxis->coordToPixel(std::max(mKeyAxis->range().lower, xs.front() - half));
    const double last = mKeyAxis->coordToPixel(xs.back());
    std::vector<int> moments(static_cast<std::size_t>(width), -1);
    for (int x = 0; x < width; ++x) {
        const double pixel = area.left() + (x + 0.5) / ratio;
        if (pixel >= first && pixel <= std::max(last, first + 2))
            moments[static_cast<std::size_t>(x)] = static_cast<int>(content_.momentAt(mKeyAxis->pixelToCoord(pixel)));
    }
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    std::size_t before = rows;
    for (int y = 0; y < height; ++y) {
        const double value = mValueAxis->pixelToCoord(area.top() + (y + 0.5) / ratio);
        if (value < 0 || value >= static_cast<double>(rows)) continue;
        const auto row = static_cast<std::size_t>(value);
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        if (row == before) {
            std::memcpy(line, image.constScanLine(y - 1), static_cast<std::size_t>(width) * sizeof(QRgb));
            continue;
        }
        before = row;
        for (int x = 0; x < width; ++x) {
            const int moment = moments[static_cast<std::size_t>(x)];
            if (moment < 0) continue;
            const float share = content_.at(static_cast<std::size_t>(moment), row);
            if (!std::isnan(share)) line[x] = content_.colourOf(share);
        }
    }
    image.setDevicePixelRatio(ratio);
    painter->drawImage(area.topLeft(), image);
}

QString HeatTable::cellText(int row, int column) const {
    const auto moment = static_cast<std::size_t>(row);
    if (column == 0) return countText(static_cast<qint64>(content_->xs[moment]));
    const float value = content_->at(moment, static_cast<std::size_t>(column - 1));
    return std::isnan(value) ? QString() : text_(value);
}

void HeatTable::refresh() {
    if (!content_) return;
    bring_up_();
    const int rows = static_cast<int>(content_->xs.size()), columns = static_cast<int>(content_->rows.size());
    if (columns != columns_ || rows < rows_) {
        beginResetModel();
        rows_ = rows;
        columns_ = columns;
        endResetModel();
    } else if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
}

QString HeatTable::csv() const {
    QString text = QStringLiteral("samples_seen");
    for (const QString& row : content_->rows) text += ',' + csvQuoted(row);
    text += '\n';
    for (std::size_t moment = 0; moment < content_->xs.size(); ++moment) {
        text += QString::number(content_->xs[moment], 'f', 0);
        for (int row = 0; row < content_->rows.size(); ++row) {
            const float value = content_->at(moment, static_cast<std::size_t>(row));
            text += ',' + (std::isnan(value) ? QString() : QString::number(value * scale_, 'g', 7));
        }
        text += '\n';
    }
    return text;
}

HeatPlot::HeatPlot(RunSet* store, HistoryStore* histories, const Texts& texts, const Kind& kind, QWidget* parent)
    : PlotView(store, new HeatTable(kind.text, kind.scale), texts, parent),
      histories_(histories),
      map_(new HeatMap(canvas()->xAxis, canvas()->yAxis)),
      scale_(new HeatScale(texts.name + "Scale")),
      kind_(kind),
      caption_(texts.caption) {
    numbers_ = static_cast<HeatTable*>(const_cast<FigureTable*>(&table()));
    numbers_->setContent(&map_->content(), [this] { bringUp(); });
    scale_->setTitle(kind_.axis);
    addHeaderWidget(scale_);
    if (!kind_.meaning.isEmpty()) {
        meaning_ = new FittingLabel;
        meaning_->setObjectName(texts.name + "Meaning");
        styleLabel(meaning_, text_size::kText, QFont::Normal, true);
        meaning_->setTexts(kind_.meaning);
        meaning_->setAccessibleName(kind_.meaning.front());
        panel()->body()->addWidget(meaning_);
    }
    canvas()->yAxis->setRangeReversed(true);
    canvas()->yAxis->grid()->setVisible(false);
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    setWholeRange(0, kEmptyHeatStream);
    connect(histories_, &HistoryStore::changed, this, [this](const QString& run) {
        if (shownRun() == run) schedule();
    });
}

HeatPlot::~HeatPlot() {
    // The map goes with the canvas, while the table may still be asked.
    numbers_->setContent(nullptr, {});
}

QString HeatPlot::shownRun() const {
    return store()->selected() ? store()->selected()->id : QString();
}

const HeatContent& HeatPlot::content() const {
    return map_->content();
}

std::function<report::Publication()> HeatPlot::source() const {
    if (content().xs.empty() || content().rows.isEmpty()) return {};
    // Counts are no shares, so their numbers stand alone.
    const bool shares = kind_.scale == 100;
    return [words = kind_.published, content = content(), csv = numbers_->csv(), shares] {
        return onePiece(words, shares ? std::optional(heatFigure(words, content)) : std::nullopt, csv);
    };
}

void HeatPlot::bringUp() {
    HeatContent& content = map_->content();
    const ShownRun* run = store()->selected();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    if (history != shown_ || shownRun() != run_) {
        content = {};
        shown_ = history;
        run_ = shownRun();
    }
    if (run && history) fill(content, *run, *history);
}

void HeatPlot::sync() {
    bringUp();
    const HeatContent& content = map_->content();
    const ShownRun* run = store()->selected();
    const bool empty = content.xs.empty() || content.rows.isEmpty();
    double whole = kEmptyHeatStream;
    if (run) whole = static_cast<double>(std::max(run->facts->total_samples, run->points.samplesSeen()));
    setWholeRange(0, whole > 0 ? whole : kEmptyHeatStream);
    canvas()->yAxis->setRange(0, std::max<qsizetype>(1, content.rows.size()));
    decor().setBorders(sessionBorders(run));
    overlay().setInvitation(run ? reason(*run, shown_.get()) : tr("Press |{startRun}| to start"),
                            run ? QVector<QPolygonF>() : heatGhost());
    overlay().setEmpty(empty);
    panel()->setCaption(store()->captionFor(run, caption_));
    const bool whole_share = kind_.scale == 100 && content.top == 1;
    scale_->setEnds(content.two_sided ? kind_.text(-content.top) : QStringLiteral("0"),
                    whole_share ? tr("100 %") : kind_.text(content.top),  // as the matrices write it
                    content.two_sided);
    scale_->setVisible(!empty);
    if (meaning_) meaning_->setVisible(!empty);
    nameRows();
}

/// As many names as there is room for.
void HeatPlot::nameRows() {
    const QStringList& rows = content().rows;
    const int height = canvas()->axisRect()->height();
    if (rows == named_ && height == named_height_) return;
    named_ = rows;
    named_height_ = height;
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    const QFontMetrics metrics(canvas()->yAxis->tickLabelFont());
    const int most = std::max(1, height / std::max(scaled(kLeastRow), metrics.height()));
    const int step = static_cast<int>((rows.size() + most - 1) / most);
    int widest = 0;
    for (int i = 0; i < rows.size(); i += std::max(1, step)) {
        const QString name = metrics.elidedText(rows[i], Qt::ElideRight, scaled(kMostNameWidth));
        widest = std::max(widest, metrics.horizontalAdvance(name));
        ticker->addTick(i + 0.5, name);
    }
    canvas()->yAxis->setTicker(ticker);
    setLeftRoom(widest);
}

void HeatPlot::restyle(const Theme&) {
    canvas()->yAxis->grid()->setVisible(false);
    named_height_ = 0;
    nameRows();
}

QString HeatPlot::describe() const {
    const HeatContent& now = content();
    if (now.xs.empty()) return overlay().invitation().remove('|');
    QStringList parts;
    const std::size_t last = now.xs.size() - 1;
    for (const std::size_t row : worthReading(now, last))
        parts.push_back(now.rows.value(static_cast<qsizetype>(row)) + ' ' + kind_.text(now.at(last, row)));
    return tr("After %1 images: %2")
        .arg(countText(static_cast<qint64>(now.xs.back())), parts.join(QStringLiteral(", ")));
}

std::vector<std::size_t> HeatPlot::worthReading(const HeatContent& content, std::size_t moment) const {
    constexpr std::size_t kEach = 3;  // highest, and as many lowest
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < static_cast<std::size_t>(content.rows.size()); ++row)
        if (!std::isnan(content.at(moment, row))) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return content.at(moment, a) > content.at(moment, b); });
    if (rows.size() > 2 * kEach) rows.erase(rows.begin() + kEach, rows.end() - static_cast<std::ptrdiff_t>(kEach));
    return rows;
}

Readout HeatPlot::readoutAt(double place) const {
    Readout out;
    const HeatContent& now = content();
    out.x = canvas()->xAxis->coordToPixel(place);
    out.heading = tr("%1 images").arg(countText(static_cast<qint64>(place)));
    if (now.xs.empty()) return out;
    const std::size_t moment = now.momentAt(place);
    std::vector<std::size_t> rows = worthReading(now, moment);
    if (row_ && *row_ >= 0 && *row_ < static_cast<double>(now.rows.size())) {
        const auto under = static_cast<std::size_t>(*row_);
        std::erase(rows, under);
        rows.insert(rows.begin(), under);
    }
    for (const std::size_t row : rows) {
        const float value = now.at(moment, row);
        const bool known = !std::isnan(value);
        out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(static_cast<double>(row) + 0.5)),
                            now.rows.value(static_cast<qsizetype>(row)),
                            known                             ? kind_.text(value)
                            : row < now.values[moment].size() ? kind_.absent
                                                              : tr("not yet"),
                            known ? QColor(now.colourOf(value)) : theme().line, MarkerShape::Square});
    }
    return out;
}

void HeatPlot::hovered(const QPointF& point) {
    row_ = canvas()->axisRect()->rect().contains(point.toPoint())
               ? std::optional(canvas()->yAxis->pixelToCoord(point.y()))
               : std::nullopt;
}

ClassHeatPlot::ClassHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(store, histories,
               {QStringLiteral("classHeat"), tr("Classes"), tr("accuracy on each class, in the order they came"),
                tr("How well each class is known while the network learns, the first ones at the top.\n"
                   "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
               {shareText,
                100,
                {QStringLiteral("class-accuracy"), tr("Classes"),
                 tr("Accuracy on each class over the images seen, in per cent.")}},
               parent) {}

void ClassHeatPlot::fill(HeatContent& content, const ShownRun& run, const RunHistory& history) {
    for (auto i = static_cast<std::size_t>(content.rows.size()); i < history.seen.size(); ++i)
        content.rows.push_back(run.facts->class_names.name(history.seen[i]));
    for (std::size_t i = content.xs.size(); i < history.classes.size(); ++i) {
        const ClassMoment& moment = history.classes[i];
        std::vector<float> row;
        for (const std::int32_t label : history.seen) {
            const auto place = static_cast<std::size_t>(label);
            row.push_back(place < moment.accuracy.size() ? moment.accuracy[place]
                                                         : std::numeric_limits<float>::quiet_NaN());
        }
        content.xs.push_back(static_cast<double>(moment.samples_seen));
        content.values.push_back(std::move(row));
    }
}

QString ClassHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    return run.inProgress() ? tr("First column at the first evaluation")
                            : tr("The folder of this run says nothing of single classes.");
}

PromptHeatPlot::PromptHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(store, histories,
               {QStringLiteral("promptHeat"), tr("Prompts"), tr("share of all choices since the evaluation before"),
                tr("Which prompts of the pool were chosen, and when.\n"
                   "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
               {shareText,
                100,
                {QStringLiteral("prompt-use"), tr("Prompts"),
                 tr("Share of all choices of a prompt since the evaluation before, in per cent.")}},
               parent) {}

void PromptHeatPlot::fill(HeatContent& content, const ShownRun&, const RunHistory& history) {
    if (content.xs.empty()) content.top = 0;
    for (std::size_t i = content.xs.size(); i < history.prompts.size(); ++i) {
        const std::vector<std::int64_t>& now = history.prompts[i].uses;
        for (auto k = static_cast<std::size_t>(content.rows.size()); k < now.size(); ++k)
            content.rows.push_back(tr("prompt %1").arg(k + 1));
        std::vector<double> since;
        double sum = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            const auto before = i > 0 && k < history.prompts[i - 1].uses.size() ? history.prompts[i - 1].uses[k] : 0;
            since.push_back(static_cast<double>(std::max<std::int64_t>(0, now[k] - before)));
            sum += since.back();
        }
        std::vector<float> row;
        for (const double uses : since) {
            row.push_back(sum > 0 ? static_cast<float>(uses / sum) : 0);
            content.top = std::max(content.top, static_cast<double>(row.back()));
        }
        content.xs.push_back(static_cast<double>(history.prompts[i].samples_seen));
        content.values.push_back(std::move(row));
    }
    if (content.top <= 0) content.top = 1;
}

QString PromptHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    if (run.inProgress() && history->classes.empty()) return tr("First column at the first evaluation");
    return tr("This run chose no prompts from a pool, or an older version wrote its folder.");
}

PushHeatPlot::PushHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(
          store, histories,
          {QStringLiteral("pushHeat"), tr("Pushes"), tr("push on each class since the evaluation before"),
           tr("How far each class was pulled up or pushed down while the network learned, the first ones at the "
              "top; grey: hardly at all.\n"
              "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
          {signedNumberText,
           1,
           {QStringLiteral("pushes"), tr("Pushes"),
            tr("Sum of y - p over the images of all updates since the evaluation before, by class.")},
           tr("hidden by the mask"),
           tr("push, in images"),
           {tr("The push on a class is the sum of y − p over the images learned since the evaluation before: y is 1 "
               "for the image’s own class, else 0; p is the probability that the network gave the class."),
            tr("Sum of y − p over the images since the evaluation before; y: 1 for the own class, else 0; p: "
               "probability of the class."),
            tr("Sum of y − p over the images since the evaluation before (y: 1 or 0; p: probability)."),
            tr("Sum of y − p over the images (y: 1 or 0; p: probability).")}},
          parent) {}

void PushHeatPlot::fill(HeatContent& content, const ShownRun& run, const RunHistory& history) {
    content.two_sided = content.between = true;
    if (content.xs.empty() || content.top == kNoPush) content.top = 0;
    for (auto i = static_cast<std::size_t>(content.rows.size()); i < history.seen.size(); ++i)
        content.rows.push_back(run.facts->class_names.name(history.seen[i]));
    for (std::size_t i = content.xs.size(); i < history.pushes.size(); ++i) {
        const PushMoment& moment = history.pushes[i];
        std::vector<float> row;
        // Those that had come by then: behind them the row ends.
        for (const std::int32_t label : history.seen) {
            const auto place = static_cast<std::size_t>(label);
            if (place >= moment.since.size() || std::isnan(moment.since[place])) break;
            row.push_back(moment.push[place]);
            if (!std::isnan(row.back())) content.top = std::max(content.top, std::abs(static_cast<double>(row.back())));
        }
        content.xs.push_back(static_cast<double>(moment.samples_seen));
        content.values.push_back(std::move(row));
    }
    if (content.top <= 0) content.top = kNoPush;
}

QString PushHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    if (run.inProgress() && history->classes.empty()) return tr("First column at the first evaluation");
    return tr("This method learns without pushing classes, or an older version wrote its folder.");
}

MemoryHeatPlot::MemoryHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(
          store, histories,
          {QStringLiteral("memoryHeat"), tr("Memory"), tr("images kept of each class, in the order they came"),
           tr("How many images of each class the memory keeps.\n"
              "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
          {numberText,
           1,
           {QStringLiteral("memory-balance"), tr("Memory"), tr("Images kept of each class over the images seen.")}},
          parent) {}

void MemoryHeatPlot::fill(HeatContent& content, const ShownRun& run, const RunHistory& history) {
    if (content.xs.empty()) {
        labels_.clear();
        content.top = 1;
    }
    for (std::size_t i = content.xs.size(); i < history.memory.size(); ++i) {
        const MemoryBalance& balance = history.memory[i];
        // Between two evaluations several classes may come; among them the data set's order stands.
        for (std::size_t label = 0; label < balance.kept.size(); ++label) {
            if (!balance.kept[label] || std::ranges::find(labels_, label) != labels_.end()) continue;
            labels_.push_back(label);
            content.rows.push_back(run.facts->class_names.name(static_cast<int>(label)));
        }
        std::vector<float> row;
        for (const std::size_t label : labels_) {
            const auto count = label < balance.kept.size() ? balance.kept[label] : std::nullopt;
            row.push_back(count ? static_cast<float>(*count) : std::numeric_limits<float>::quiet_NaN());
            if (count) content.top = std::max(content.top, static_cast<double>(*count));
        }
        content.xs.push_back(static_cast<double>(balance.samples_seen));
        content.values.push_back(std::move(row));
    }
}

QString MemoryHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (run.facts->experiment.memory.size == 0)
        return tr("This run keeps no past images; the setting Memory gives the next one some.");
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    return run.inProgress() ? tr("First column at the first evaluation")
                            : tr("The folder of this run does not say what its memory kept.");
}

}  // namespace palimpsest
