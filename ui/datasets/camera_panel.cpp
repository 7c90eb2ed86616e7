// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/camera_panel.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMetaObject>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/support/text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kCameraUsualSide = 390, kCameraLeastSide = 198, kCameraFrame = 3;
constexpr int kCornerShare = 4;  // of the view's side is the picture's in the corner
constexpr qsizetype kMostVideos = 20;

QImage imageOf(const Thumbnail& thumbnail) {
    const int side = thumbnail.size;
    if (side < 1 || std::ssize(thumbnail.rgb) != qsizetype(3) * side * side) return {};
    return QImage(thumbnail.rgb.data(), side, side, qsizetype(3) * side, QImage::Format_RGB888)
        .convertToFormat(QImage::Format_RGB32);
}

}  // namespace

CameraView::CameraView(QWidget* parent) : QWidget(parent) {
    setObjectName("cameraView");
    setAccessibleName(tr("What the camera sees"));
    setToolTip(tr("Space takes the picture that the corner shows"));
    setFocusPolicy(Qt::StrongFocus);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void CameraView::setFrame(const QImage& preview, const QImage& picture, bool mirrored) {
    preview_ = preview;
    picture_ = picture;
    mirrored_ = mirrored;
    words_.clear();
    hint_.clear();
    setAccessibleDescription({});
    update();
}

void CameraView::setWords(const QString& words, const QString& hint) {
    preview_ = picture_ = QImage();
    words_ = words;
    hint_ = hint;
    setAccessibleDescription(words + ' ' + hint);
    update();
}

QSize CameraView::sizeHint() const {
    return {kCameraUsualSide, kCameraUsualSide};
}

QSize CameraView::minimumSizeHint() const {
    return {kCameraLeastSide, kCameraLeastSide};
}

void CameraView::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    const int side = std::min(width(), height()) - 2 * kCameraFrame;
    const QRect place((width() - side) / 2, (height() - side) / 2, side, side);
    painter.setPen(Qt::NoPen);
    painter.setBrush(hasFocus() ? theme.accent : theme.line);
    painter.drawRoundedRect(place.adjusted(-kCameraFrame, -kCameraFrame, kCameraFrame, kCameraFrame), kCameraFrame,
                            kCameraFrame);
    if (!hasFrame()) {
        painter.fillRect(place, theme.raised);
        const QRect room = place.adjusted(24, 24, -24, -24);
        const QString text = hint_.isEmpty() ? words_ : words_ + "\n\n" + hint_;
        painter.setFont(textFont(font(), text_size::kText, QFont::Normal));
        painter.setPen(theme.text);
        painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, text);
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    if (mirrored_) {
        painter.save();
        painter.translate(2 * place.left() + side, 0);
        painter.scale(-1, 1);
        painter.drawImage(place, preview_);
        painter.restore();
    } else {
        painter.drawImage(place, preview_);
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    // Whole pixels, so that all of them are squares.
    const int pixel = std::max(1, side / kCornerShare / std::max(1, picture_.width())),
              corner = pixel * picture_.width();
    const QRect small(place.right() + 1 - corner - 8, place.bottom() + 1 - corner - 8, corner, corner);
    painter.fillRect(small.adjusted(-2, -2, 2, 2), theme.ground);
    painter.drawImage(small, picture_);
}

void CameraView::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyPressEvent(event);
    // A key that is held takes one picture.
    if (!event->isAutoRepeat()) Q_EMIT asked();
}

void CameraView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void CameraView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

CameraPanel::CameraPanel(std::shared_ptr<const CameraService> service, int side, QWidget* parent)
    : QWidget(parent),
      service_(std::move(service)),
      side_(side),
      view_(new CameraView),
      choice_(new QComboBox),
      words_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      take_(makeButton("takePicture", tr("Take picture"), tr("Into the next empty place (Space on the preview)"))),
      look_(makeButton("lookForCameras", tr("Look again"), tr("Look for cameras that were plugged in since"))),
      video_(makeButton("cameraVideo", tr("Video file …"), tr("Take pictures out of a video in place of a camera"))),
      back_(makeButton("backToPad", tr("Back to the pad"), tr("Close the camera and draw (Esc)"))) {
    choice_->setObjectName("cameraChoice");
    choice_->setAccessibleName(tr("Camera"));
    choice_->setToolTip(tr("Which camera, or which of the videos that were opened"));
    choice_->setMinimumContentsLength(12);
    choice_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    words_->setObjectName("cameraWords");
    words_->setWordWrap(true);
    words_->setTextFormat(Qt::PlainText);
    take_->setProperty("primary", true);
    withIcon(take_, "camera", &Theme::on_accent);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    column->addWidget(view_, 1);
    column->addWidget(words_);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kRow);
    row->addWidget(choice_, 1);
    row->addWidget(look_);
    row->addWidget(video_);
    column->addLayout(row);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(spacing::kRow);
    buttons->addWidget(back_);
    buttons->addStretch(1);
    buttons->addWidget(take_);
    column->addLayout(buttons);
    connect(view_, &CameraView::asked, this, &CameraPanel::take);
    connect(take_, &QPushButton::clicked, this, &CameraPanel::take);
    connect(look_, &QPushButton::clicked, this, &CameraPanel::look);
    connect(video_, &QPushButton::clicked, this, &CameraPanel::askForVideo);
    connect(back_, &QPushButton::clicked, this, &CameraPanel::left);
    connect(choice_, &QComboBox::activated, this, &CameraPanel::choose);
    list();
    refresh();
}

CameraPanel::~CameraPanel() = default;

void CameraPanel::setRoom(bool room) {
    room_ = room;
    refresh();
}

void CameraPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    look();
}

void CameraPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    background_.cancelNewest();
    camera_.reset();
    view_->setWords({});
    refresh();
}

void CameraPanel::look() {
    camera_.reset();
    view_->setWords(tr("Looking for cameras …"));
    refresh();
    background_.runNewest([service = service_] { return service->cameras(); },
                          [this](const std::vector<CameraChoice>& cameras) { found(cameras); },
                          [this](const Failure& failure) {
                              found({});
                              view_->setWords(failure.message, failure.hint);
                          });
}

void CameraPanel::found(const std::vector<CameraChoice>& cameras) {
    cameras_ = QList<CameraChoice>(cameras.begin(), cameras.end());
    const auto isChosen = [this](const CameraChoice& each) { return each.file == chosen_.file; };
    if (!std::ranges::any_of(videos_, isChosen) && !std::ranges::any_of(cameras_, isChosen))
        chosen_ = cameras_.isEmpty() ? CameraChoice() : cameras_.first();
    list();
    open();
}

void CameraPanel::list() {
    const QSignalBlocker quiet(choice_);
    choice_->clear();
    int chosen = -1;
    for (const CameraChoice& each : cameras_ + videos_) {
        if (each.file == chosen_.file) chosen = choice_->count();
        choice_->addItem(QString::fromStdString(each.name));
    }
    choice_->setEnabled(choice_->count() > 0);
    if (choice_->count() == 0) {
        choice_->addItem(tr("No camera"));
        chosen = 0;
    }
    choice_->setCurrentIndex(chosen);
}

void CameraPanel::choose(int index) {
    const QList<CameraChoice> all = cameras_ + videos_;
    if (index < 0 || index >= all.size()) return;
    chosen_ = all[index];
    open();
    view_->setFocus(Qt::OtherFocusReason);
}

void CameraPanel::askForVideo() {
    auto* dialog = new QFileDialog(this, tr("A video in place of a camera"));
    dialog->setObjectName("cameraVideoDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters(
        {tr("Videos (*.avi *.mp4 *.m4v *.mov *.mkv *.webm *.mpg *.mpeg *.ogv)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) { openVideo(file.toStdString()); });
    dialog->show();
}

void CameraPanel::openVideo(const std::filesystem::path& file) {
    chosen_ = {shortLine(file.filename().string()), file, true};
    videos_.removeIf([&](const CameraChoice& each) { return each.file == file; });
    videos_.prepend(chosen_);
    if (videos_.size() > kMostVideos) videos_.removeLast();
    list();
    if (isVisible()) open();
}

void CameraPanel::open() {
    camera_.reset();
    remark_.clear();
    if (chosen_.file.empty()) {
        view_->setWords(tr("No camera was found."), tr("Plug one in and press Look again, or open a video file."));
        return refresh();
    }
    view_->setWords(tr("Opening %1 …").arg(QString::fromStdString(chosen_.name)));
    // Called on another thread, but not after the camera is gone, which goes before this.
    camera_ = service_->open(chosen_, side_,
                             [this] { QMetaObject::invokeMethod(this, &CameraPanel::readNews, Qt::QueuedConnection); });
    refresh();
}

void CameraPanel::readNews() {
    if (!camera_) return;
    const CameraNews news = camera_->take();
    if (news.ended) {
        camera_.reset();
        view_->setWords(QString::fromStdString(news.message), QString::fromStdString(news.hint));
        return refresh();
    }
    if (!news.message.empty()) remark_ = QString::fromStdString(news.message);
    const bool first = news.frame && !view_->hasFrame();
    if (news.frame) view_->setFrame(imageOf(news.frame->preview), imageOf(news.frame->picture), !chosen_.video);
    if (first || !news.message.empty()) refresh();
}

void CameraPanel::take() {
    if (!room_ || view_->picture().isNull()) return;
    Q_EMIT taken(view_->picture());
}

void CameraPanel::refresh() {
    take_->setEnabled(room_ && view_->hasFrame());
    QString words = chosen_.video ? tr("The corner shows what is taken.")
                                  : tr("The preview is mirrored, the picture that is taken, in the corner, is not.");
    if (!room_) words = tr("All nine are there. Select one on the right and press Delete to take it again.");
    if (!remark_.isEmpty() && room_) words = remark_;
    words_->setText(view_->hasFrame() ? words : QString());
}

}  // namespace palimpsest
