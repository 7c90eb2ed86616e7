// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/draw_class_dialog.h"

#include <QApplication>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ui/datasets/camera_panel.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/drawing_pad.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr int kDoodleSide = 52, kSwatchSide = 18, kNumberHeight = 14;
constexpr int kTestSlot = static_cast<int>(DrawnClass::kDrawings);
constexpr const char *kDrawFiles = "files", *kDrawDelete = "delete", *kDrawLeave = "leave";

struct InkChoice {
    QRgb colour;
    const char* name;
};
/// Ink that is offered: the eight that icons are drawn with most, and the two of grey pictures.
constexpr std::array<InkChoice, 8> kInks{{{0xff101010, QT_TRANSLATE_NOOP("DrawClassDialog", "Black")},
                                          {0xffffffff, QT_TRANSLATE_NOOP("DrawClassDialog", "White")},
                                          {0xff888888, QT_TRANSLATE_NOOP("DrawClassDialog", "Grey")},
                                          {0xffd83025, QT_TRANSLATE_NOOP("DrawClassDialog", "Red")},
                                          {0xfff0a51e, QT_TRANSLATE_NOOP("DrawClassDialog", "Orange")},
                                          {0xff3f9d3a, QT_TRANSLATE_NOOP("DrawClassDialog", "Green")},
                                          {0xff2f6fd0, QT_TRANSLATE_NOOP("DrawClassDialog", "Blue")},
                                          {0xff8a5a33, QT_TRANSLATE_NOOP("DrawClassDialog", "Brown")}}};

QIcon swatch(const QColor& colour, const QColor& rim) {
    QPixmap pixmap(kSwatchSide * 2, kSwatchSide * 2);
    pixmap.setDevicePixelRatio(2);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(colour);
    painter.setPen(QPen(rim, 1));
    painter.drawEllipse(QRectF(1.5, 1.5, kSwatchSide - 3, kSwatchSide - 3));
    return QIcon(pixmap);
}

/// A checkable button that shows that it is checked.
QToolButton* asToggle(QToolButton* button) {
    button->setCheckable(true);
    button->setProperty("link", QVariant());
    button->setProperty("toggle", true);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// What is read of pictures that somebody gave.
struct ReadPictures {
    QList<QImage> pictures;
    std::vector<Failure> failures;
};

}  // namespace

DoodleButton::DoodleButton(int number, QWidget* parent) : QAbstractButton(parent), number_(number) {
    setCheckable(true);
    setAutoExclusive(false);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setObjectName(number > 0 ? QString("doodle%1").arg(number) : QStringLiteral("doodleTest"));
    fitToText(this, [this] { setFixedSize(sizeHint()); });
    describe();
}

void DoodleButton::setDrawing(const QImage& drawing) {
    drawing_ = drawing;
    describe();
    update();
}

QString DoodleButton::title() const {
    return number_ > 0 ? tr("Drawing %1").arg(number_) : tr("Test drawing");
}

void DoodleButton::describe() {
    const QString what = title();
    setAccessibleName(drawing_.isNull() ? tr("%1, empty").arg(what) : what);
    setToolTip(number_ > 0 ? tr("%1 of 8: it is learned. Click to draw it, Delete empties it").arg(what)
                           : tr("Never learned: it shows whether your class is recognised. Delete empties it"));
}

QSize DoodleButton::sizeHint() const {
    return {scaled(kDoodleSide) + 6, scaled(kDoodleSide) + scaled(kNumberHeight) + 8};
}

void DoodleButton::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    const int side = scaled(kDoodleSide);
    const QRect frame(0, 0, side + 6, side + 6), inner = frame.adjusted(3, 3, -3, -3);
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? theme.accent : (underMouse() || hasFocus() ? theme.quiet : theme.line));
    painter.drawRoundedRect(frame, 4, 4);
    if (drawing_.isNull()) {
        painter.fillRect(isChecked() ? inner : frame.adjusted(1, 1, -1, -1), theme.raised);
    } else {
        painter.drawImage(inner, drawing_);
    }
    painter.setFont(textFont(font(), text_size::kCaption, isChecked() ? QFont::DemiBold : QFont::Normal));
    painter.setPen(hasFocus() || isChecked() ? theme.text : theme.quiet);
    const QRect words(0, frame.bottom() + 1, width(), height() - frame.height());
    painter.drawText(words, Qt::AlignCenter, number_ > 0 ? QString::number(number_) : tr("Test"));
    if (!hasFocus()) return;
    const int line = painter.fontMetrics().horizontalAdvance(number_ > 0 ? "8" : tr("Test"));
    painter.fillRect(QRect(words.center().x() - line / 2, height() - 2, line, 2), theme.accent);
}

DrawClassDialog::DrawClassDialog(const DrawnClasses& classes, std::shared_ptr<const CameraService> cameras,
                                 QWidget* parent)
    : QDialog(parent),
      classes_(classes),
      messages_(new MessageBar),
      choice_(new QComboBox),
      name_(new QLineEdit),
      pad_(new DrawingPad),
      left_(new QStackedWidget),
      camera_(cameras ? new CameraPanel(std::move(cameras), DrawingPad::kSide) : nullptr),
      slots_(new QButtonGroup(this)),
      brushes_(new QButtonGroup(this)),
      inks_(new QButtonGroup(this)) {
    setObjectName("drawClassDialog");
    setWindowTitle(tr("Draw a class"));
    setModal(false);
    setAcceptDrops(true);
    messages_->setObjectName("drawClassMessages");

    auto* middle = new QHBoxLayout;
    middle->setSpacing(spacing::kGap * 2);
    middle->addWidget(makeLeft(), 1);
    middle->addWidget(makeDrawings());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing::kGap, spacing::kGap, spacing::kGap, spacing::kGap);
    column->setSpacing(spacing::kGap);
    column->addWidget(messages_);
    column->addLayout(middle, 1);
    column->addLayout(makeFooter());

    connect(pad_, &DrawingPad::edited, this, &DrawClassDialog::takeOver);
    connect(pad_, &DrawingPad::historyChanged, this, &DrawClassDialog::refresh);
    connect(slots_, &QButtonGroup::idClicked, this, &DrawClassDialog::select);
    connect(name_, &QLineEdit::textChanged, this, [this] {
        edited_ = edited_ || name_->text() != former_;
        refresh();
    });
    connect(choice_, &QComboBox::activated, this, &DrawClassDialog::choose);
    begin({}, {});
}

DrawClassDialog::~DrawClassDialog() = default;

QWidget* DrawClassDialog::makeLeft() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    choice_->setObjectName("drawClassChoice");
    choice_->setAccessibleName(tr("Own class"));
    choice_->setToolTip(tr("A new class, or one that you drew before"));
    name_->setObjectName("drawClassName");
    name_->setAccessibleName(tr("Name of the class"));
    name_->setPlaceholderText(tr("What is it? For example: star"));
    name_->setToolTip(tr("The name that figures and lists show, and that of the folder"));
    name_->setMaxLength(static_cast<int>(DrawnClass::kLongestName));
    auto* names = new QHBoxLayout;
    names->setSpacing(spacing::kRow);
    names->addWidget(name_, 1);
    names->addWidget(choice_);
    column->addLayout(names);
    left_->addWidget(makePad());
    column->addWidget(left_, 1);
    if (!camera_) return part;
    camera_->setObjectName("cameraPanel");
    left_->addWidget(camera_);
    connect(camera_, &CameraPanel::taken, this, [this](const QImage& picture) {
        if (hasEmpty()) place(picture);
    });
    connect(camera_, &CameraPanel::left, this, [this] { showCamera(false); });
    return part;
}

QWidget* DrawClassDialog::makePad() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    pad_->setObjectName("drawingPad");
    column->addWidget(pad_, 1);
    column->addLayout(makeTools());
    auto* inks = new QHBoxLayout;
    inks->setSpacing(2);
    makeColours(inks);
    column->addLayout(inks);
    paper_words_ = makeTextLabel(text_size::kCaption, QFont::Normal, true);
    paper_words_->setObjectName("drawClassPaper");
    paper_words_->setWordWrap(true);
    column->addWidget(paper_words_);
    return part;
}

QLayout* DrawClassDialog::makeTools() {
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kClose);
    const QStringList sizes{tr("Fine"), tr("Medium"), tr("Broad")};
    for (std::size_t i = 0; i < DrawingPad::kBrushes.size(); ++i) {
        const int width = DrawingPad::kBrushes[i];
        QToolButton* button =
            makeLink(QString("brush%1").arg(width), sizes[static_cast<qsizetype>(i)],
                     tr("A brush %1 wide").arg(width == 1 ? tr("1 pixel") : tr("%1 pixels").arg(width)));
        asToggle(button);
        brushes_->addButton(button, width);
        row->addWidget(button);
    }
    brushes_->button(pad_->brush())->setChecked(true);
    connect(brushes_, &QButtonGroup::idClicked, pad_, &DrawingPad::setBrush);
    eraser_ = makeLink("eraser", tr("Eraser"), tr("Paint with the paper's colour; so does the right mouse button"));
    asToggle(eraser_);
    connect(eraser_, &QToolButton::toggled, pad_, &DrawingPad::setErasing);
    undo_ = makeLink("undoStroke", {}, tr("Take back the last stroke"));
    redo_ = makeLink("redoStroke", {}, tr("Draw it again"));
    clear_ = makeLink("clearPad", tr("Clear"), tr("An empty pad"));
    undo_->setAccessibleName(tr("Undo"));
    redo_->setAccessibleName(tr("Redo"));
    withIcon(undo_, "undo");
    withIcon(redo_, "redo");
    connect(undo_, &QToolButton::clicked, pad_, &DrawingPad::undo);
    connect(redo_, &QToolButton::clicked, pad_, &DrawingPad::redo);
    connect(clear_, &QToolButton::clicked, pad_, &DrawingPad::clear);
    QPushButton* next =
        makeButton("nextDoodle", tr("Next"), tr("On to the next empty drawing; Return on the pad does the same"));
    connect(next, &QPushButton::clicked, this, &DrawClassDialog::nextEmpty);
    row->addWidget(eraser_);
    row->addStretch(1);
    for (QToolButton* button : {undo_, redo_, clear_}) row->addWidget(button);
    row->addWidget(next);
    for (QToolButton* button : {eraser_, undo_, redo_, clear_}) button->setFocusPolicy(Qt::TabFocus);
    return row;
}

void DrawClassDialog::makeColours(QLayout* row) {
    const Theme& theme = Theme::of(this);
    for (std::size_t i = 0; i < kInks.size(); ++i) {
        const QString name = tr(kInks[i].name);
        QToolButton* button = makeLink(QString("ink%1").arg(i), {}, tr("Draw in this colour: %1").arg(name.toLower()));
        button->setAccessibleName(name);
        button->setIcon(swatch(QColor(kInks[i].colour), theme.quiet));
        button->setIconSize({kSwatchSide, kSwatchSide});
        button->setToolButtonStyle(Qt::ToolButtonIconOnly);
        asToggle(button);
        inks_->addButton(button, static_cast<int>(i));
        row->addWidget(button);
    }
    static_cast<QHBoxLayout*>(row)->addStretch(1);
    connect(inks_, &QButtonGroup::idClicked, this, [this](int index) {
        pad_->setInk(QColor(kInks[static_cast<std::size_t>(index)].colour));
        eraser_->setChecked(false);
    });
}

QWidget* DrawClassDialog::makeDrawings() {
    auto* part = new QWidget;
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    column->addWidget(makeLabel(tr("EIGHT TO LEARN FROM, ONE TO TEST"), text_size::kCaption, QFont::DemiBold, true));
    auto* grid = new QGridLayout;
    grid->setSpacing(spacing::kRow);
    for (int i = 0; i <= kTestSlot; ++i) {
        auto* doodle = new DoodleButton(i == kTestSlot ? 0 : i + 1);
        doodles_.push_back(doodle);
        slots_->addButton(doodle, i);
        grid->addWidget(doodle, i == kTestSlot ? 0 : i / 4, i == kTestSlot ? 4 : i % 4);
    }
    grid->setColumnStretch(5, 1);
    column->addLayout(grid);
    count_ = makeTextLabel(text_size::kText, QFont::Normal, true);
    count_->setObjectName("drawClassCount");
    count_->setWordWrap(true);
    column->addWidget(count_);
    auto* sources = new QHBoxLayout;
    sources->setSpacing(spacing::kRow);
    QPushButton* paste =
        makeButton("pasteDrawing", tr("Paste"), tr("A picture of the clipboard as a drawing (Ctrl+V)"));
    QPushButton* files = makeButton("drawingFiles", tr("From files …"),
                                    tr("Pictures of any size become drawings; dropping them here does the same"));
    withIcon(files, "picture");
    connect(paste, &QPushButton::clicked, this, &DrawClassDialog::paste);
    connect(files, &QPushButton::clicked, this, &DrawClassDialog::askForFiles);
    sources->addWidget(paste);
    sources->addWidget(files);
    if (camera_) sources->addWidget(from_camera_ = makeCameraButton());
    sources->addStretch(1);
    column->addLayout(sources);
    column->addSpacing(spacing::kGap);
    column->addLayout(makeStart());
    column->addStretch(1);
    place_words_ = makeTextLabel(text_size::kCaption, QFont::Normal, true);
    place_words_->setObjectName("drawClassPlace");
    place_words_->setWordWrap(true);
    column->addWidget(place_words_);
    fitToText(part, [part] { part->setFixedWidth(5 * (scaled(kDoodleSide) + 6 + spacing::kRow) + spacing::kGap); });
    return part;
}

QPushButton* DrawClassDialog::makeCameraButton() {
    QPushButton* button =
        makeButton("drawingCamera", tr("From camera"),
                   tr("Take pictures with a camera, or out of a video; press it again to go back to the pad"));
    withIcon(button, "camera");
    button->setCheckable(true);
    button->setProperty("toggle", true);
    connect(button, &QPushButton::clicked, this, &DrawClassDialog::showCamera);
    return button;
}

void DrawClassDialog::showCamera(bool shown) {
    if (!camera_) return;
    from_camera_->setChecked(shown);
    left_->setCurrentIndex(shown ? 1 : 0);
    (shown ? camera_->view() : static_cast<QWidget*>(pad_))->setFocus(Qt::OtherFocusReason);
    refresh();
}

QLayout* DrawClassDialog::makeStart() {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(spacing::kRow);
    grid->setVerticalSpacing(spacing::kRow);
    ground_words_ = makeTextLabel(text_size::kText, QFont::Normal, false);
    ground_words_->setObjectName("drawClassGround");
    ground_words_->setWordWrap(true);
    grid->addWidget(ground_words_, 0, 0, 1, 3);
    const auto row = [&](int at, const QString& title, QSpinBox*& box, const char* name, const QString& tip) {
        QLabel* label = makeLabel(title, text_size::kText, QFont::Normal, true);
        box = new QSpinBox;
        box->setButtonSymbols(QAbstractSpinBox::NoButtons);
        box->setObjectName(name);
        box->setAccessibleName(title);
        box->setToolTip(tip);
        label->setBuddy(box);
        grid->addWidget(label, at, 0);
        grid->addWidget(box, at, 1);
    };
    row(1, tr("Other classes"), base_classes_, "drawClassOthers",
        tr("How many of its classes are learned beside yours: fewer take less time"));
    base_classes_->setRange(static_cast<int>(kFewestClasses), static_cast<int>(kMostClasses));
    base_classes_->setValue(static_cast<int>(kUsualClasses));
    row(2, tr("Comes in session"), session_, "drawClassSession",
        tr("The part of the stream in which your class is learned; it is not seen again later"));
    session_->setRange(1, static_cast<int>(kSessions));
    session_->setSuffix(tr(" of %1").arg(kSessions));
    grid->setColumnStretch(2, 1);
    return grid;
}

QLayout* DrawClassDialog::makeFooter() {
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kRow);
    delete_ = makeButton("deleteDrawnClass", tr("Delete class"), tr("Delete this own class with its drawings"));
    withIcon(delete_, "trash");
    connect(delete_, &QPushButton::clicked, this, &DrawClassDialog::askToDelete);
    save_ = makeButton("saveDrawnClass", tr("Save"), tr("Keep the class as a folder of pictures"));
    start_ = makeButton("startDrawnClass", tr("Start with my class"),
                        tr("Save it, set up a short stream with it (Ctrl+Z in the window takes that back), and learn"));
    start_->setProperty("primary", true);
    QPushButton* close =
        makeButton("closeDrawClass", tr("Close"), tr("Close; drawings stay here until the program ends"));
    connect(save_, &QPushButton::clicked, this, [this] { save(false); });
    connect(start_, &QPushButton::clicked, this, [this] { save(true); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    row->addWidget(delete_);
    row->addStretch(1);
    row->addWidget(close);
    row->addWidget(save_);
    row->addWidget(start_);
    return row;
}

template <class Work, class Done>
void DrawClassDialog::run(Work work, Done done) {
    ++busy_;
    refresh();
    files_.run(
        std::move(work),
        [this, done = std::move(done)](auto&&... result) mutable {
            --busy_;
            done(std::forward<decltype(result)>(result)...);
            refresh();
        },
        [this](const Failure& failure) {
            --busy_;
            showFailure(failure.message, failure.hint);
            refresh();
        });
}

void DrawClassDialog::showFailure(const QString& message, const QString& hint) {
    messages_->showLatest(MessageBar::Kind::Error, kDrawFiles, message, hint);
}

void DrawClassDialog::setGround(const DrawingGround& ground) {
    // What is being drawn goes on, unless it is for another data set.
    const bool other = ground.base.dataset != ground_.base.dataset;
    ground_ = ground;
    pad_->setPaper(ground.grey ? Qt::black : Qt::white);
    const int ink = ground.grey ? 1 : 0;
    if (other) {
        inks_->button(ink)->setChecked(true);
        pad_->setInk(QColor(kInks[static_cast<std::size_t>(ink)].colour));
    }
    paper_words_->setText(tr("The pad is black because the pictures of %1 are light on black.").arg(ground.title));
    paper_words_->setVisible(ground.grey);
    ground_words_->setText(tr("Your class is added to the data set %1.").arg(ground.title));
    if (ground.classes > 0) base_classes_->setMaximum(static_cast<int>(std::min(ground.classes, kMostClasses)));
    const QString folder = QString::fromStdString(classes_.folder(ground.base.dataset).string());
    place_words_->setText(tr("Kept in %1, an ordinary folder of images.").arg(QDir::toNativeSeparators(folder)));
    if (other) begin({}, {});
    reload();
}

void DrawClassDialog::setCanStart(bool can) {
    can_start_ = can;
    refresh();
}

int DrawClassDialog::slot() const {
    return std::max(0, slots_->checkedId());
}

void DrawClassDialog::select(int slot) {
    slots_->button(slot)->setChecked(true);
    pad_->restart(doodles_[static_cast<std::size_t>(slot)]->drawing());
    refresh();
}

void DrawClassDialog::takeOver() {
    DoodleButton* doodle = doodles_[static_cast<std::size_t>(slot())];
    doodle->setDrawing(pad_->isBlank() ? QImage() : pad_->image());
    edited_ = true;
    refresh();
}

const DoodleButton* DrawClassDialog::nearlyEmpty() const {
    const auto found = std::ranges::find_if(doodles_, [this](const DoodleButton* doodle) {
        return !doodle->drawing().isNull() &&
               DrawingPad::inkOf(doodle->drawing(), pad_->paper()) < DrawnClass::kFewestInk;
    });
    return found == doodles_.end() ? nullptr : *found;
}

bool DrawClassDialog::hasEmpty() const {
    return std::ranges::any_of(doodles_, [](const DoodleButton* doodle) { return doodle->drawing().isNull(); });
}

void DrawClassDialog::nextEmpty() {
    const int all = static_cast<int>(doodles_.size());
    for (int step = 1; step <= all; ++step) {
        const int slot = (this->slot() + step) % all;
        if (!doodles_[static_cast<std::size_t>(slot)]->drawing().isNull()) continue;
        select(slot);
        break;
    }
    if (pad_->isVisible()) pad_->setFocus(Qt::OtherFocusReason);
}

void DrawClassDialog::place(const QImage& picture) {
    if (!doodles_[static_cast<std::size_t>(slot())]->drawing().isNull()) nextEmpty();
    pad_->setImage(picture);
}

void DrawClassDialog::paste() {
    if (const QMimeData* data = QApplication::clipboard()->mimeData()) readMime(*data);
}

void DrawClassDialog::readMime(const QMimeData& data) {
    QList<std::filesystem::path> files;
    for (const QUrl& url : data.urls())
        if (url.isLocalFile() && files.size() < kMostFiles) files.append(url.toLocalFile().toStdString());
    if (!files.isEmpty()) return readFiles(files);
    const auto picture = qvariant_cast<QImage>(data.imageData());
    if (picture.isNull())
        return messages_->showLatest(MessageBar::Kind::Note, kDrawFiles, tr("There is no picture to paste."),
                                     tr("Copy one in another program first."));
    // A large one takes a moment to scale.
    run([picture, paper = pad_->paper()] { return DrawingPad::fitted(picture, paper); },
        [this](const QImage& fitted) { place(fitted); });
}

void DrawClassDialog::readFiles(const QList<std::filesystem::path>& files) {
    run(
        [files, paper = pad_->paper()] {
            ReadPictures read;
            for (const auto& file : files) {
                if (read.pictures.size() > DrawnClass::kDrawings) break;
                if (auto failure = failureOf(
                        [&] { read.pictures.append(DrawingPad::fitted(DrawnClasses::readPicture(file), paper)); }))
                    read.failures.push_back(std::move(*failure));
            }
            return read;
        },
        [this](const ReadPictures& read) {
            for (const QImage& picture : read.pictures) place(picture);
            if (!read.failures.empty()) showFailure(read.failures.front().message, read.failures.front().hint);
        });
}

void DrawClassDialog::askForFiles() {
    auto* dialog = new QFileDialog(this, tr("Pictures as drawings"));
    dialog->setObjectName("drawingFilesDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setNameFilters({tr("Pictures (*.png *.jpg *.jpeg *.webp *.gif *.bmp *.ppm *.tif *.tiff)")});
    connect(dialog, &QFileDialog::filesSelected, this, [this](const QStringList& chosen) {
        QList<std::filesystem::path> files;
        for (const QString& file : chosen.mid(0, kMostFiles)) files.append(file.toStdString());
        readFiles(files);
    });
    dialog->show();
}

DrawnClass DrawClassDialog::drawn() const {
    DrawnClass drawn;
    drawn.name = DrawnClass::plainName(name_->text());
    for (int i = 0; i < kTestSlot; ++i)
        if (const QImage& drawing = doodles_[static_cast<std::size_t>(i)]->drawing(); !drawing.isNull())
            drawn.drawings.append(drawing);
    drawn.test = doodles_.back()->drawing();
    return drawn;
}

void DrawClassDialog::refresh() {
    // While the dialog is made, not all is there.
    if (!start_) return;
    const DrawnClass now = drawn();
    const auto count = now.drawings.size();
    QString words = count == 1 ? tr("1 drawing, shown %1 times with small shifts: %2 images to learn from.")
                                     .arg(kDrawingTimes)
                                     .arg(kDrawingTimes)
                               : tr("%1 drawings, shown %2 times each with small shifts: %3 images to learn from.")
                                     .arg(count)
                                     .arg(kDrawingTimes)
                                     .arg(count * kDrawingTimes);
    if (count == 0) words = tr("Draw the same thing eight times, a little differently each time.");
    if (count == DrawnClass::kDrawings && now.test.isNull()) words += ' ' + tr("The ninth is the test: draw it, too.");
    if (count > 0 && now.name.isEmpty()) words += ' ' + tr("Give your class a name.");
    const DoodleButton* faint = nearlyEmpty();
    if (faint)
        words = tr("%1 is nearly empty and cannot be learned: draw more of it, or empty it with Delete.")
                    .arg(faint->title());
    count_->setText(words);
    const bool whole = !now.name.isEmpty() && count > 0 && !now.test.isNull() && !faint && busy_ == 0;
    save_->setEnabled(whole && edited_);
    start_->setEnabled(whole && can_start_);
    delete_->setVisible(!former_.isEmpty());
    delete_->setEnabled(busy_ == 0);
    undo_->setEnabled(pad_->canUndo());
    redo_->setEnabled(pad_->canRedo());
    clear_->setEnabled(!pad_->isBlank());
    if (camera_) camera_->setRoom(hasEmpty());
}

void DrawClassDialog::reload() {
    run([classes = classes_, dataset = ground_.base.dataset] { return classes.names(dataset); },
        [this](const QStringList& names) {
            known_ = names;
            const QSignalBlocker quiet(choice_);
            choice_->clear();
            choice_->addItem(tr("New class"));
            choice_->addItems(names);
            choice_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, names.indexOf(former_) + 1)));
            choice_->setVisible(!names.isEmpty());
        });
}

void DrawClassDialog::choose(int index) {
    const QString name = index > 0 ? known_.value(index - 1) : QString();
    if (!edited_ || drawn().drawings.isEmpty()) return load(name);
    choice_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, known_.indexOf(former_) + 1)));
    messages_->showLatest(MessageBar::Kind::Note, kDrawLeave, tr("The drawings on the right are not saved."),
                          tr("Save them first, or leave them."), {{tr("Leave them"), [this, name] { load(name); }}});
}

void DrawClassDialog::load(const QString& name) {
    messages_->withdraw(kDrawLeave);
    if (name.isEmpty()) {
        begin({}, {});
        return;
    }
    run(
        [classes = classes_, dataset = ground_.base.dataset, name, paper = pad_->paper()] {
            DrawnClass drawn = classes.read(dataset, name);
            for (QImage& drawing : drawn.drawings) drawing = DrawingPad::fitted(drawing, paper);
            if (!drawn.test.isNull()) drawn.test = DrawingPad::fitted(drawn.test, paper);
            return drawn;
        },
        [this](const DrawnClass& drawn) { begin(drawn, drawn.name); });
}

void DrawClassDialog::begin(const DrawnClass& drawn, const QString& former) {
    former_ = former;
    name_->setText(drawn.name);
    const QColor paper = pad_->paper();
    for (int i = 0; i < kTestSlot; ++i)
        doodles_[static_cast<std::size_t>(i)]->setDrawing(
            i < drawn.drawings.size() ? DrawingPad::fitted(drawn.drawings[i], paper) : QImage());
    doodles_.back()->setDrawing(drawn.test.isNull() ? QImage() : DrawingPad::fitted(drawn.test, paper));
    select(0);
    edited_ = false;
    choice_->setCurrentIndex(static_cast<int>(std::max<qsizetype>(0, known_.indexOf(former_) + 1)));
    refresh();
}

void DrawClassDialog::save(bool start) {
    const DrawnClass now = drawn();
    const DrawnStart wanted{ground_.base, now.name, base_classes_->value(), session_->value() - 1};
    if (!edited_ && now.name == former_) {
        if (start) Q_EMIT startAsked(wanted);
        return;
    }
    run([classes = classes_, base = ground_.base, now, former = former_] { classes.save(base, now, former); },
        [this, wanted, start] {
            former_ = wanted.name;
            name_->setText(wanted.name);
            edited_ = false;
            messages_->withdraw(kDrawFiles);
            reload();
            Q_EMIT filesChanged();
            if (start)
                Q_EMIT startAsked(wanted);
            else
                messages_->showPassing(kDrawFiles, tr("Saved %1.").arg(wanted.name), {});
        });
}

void DrawClassDialog::askToDelete() {
    messages_->showLatest(MessageBar::Kind::Note, kDrawDelete, tr("Delete %1 and its drawings?").arg(former_),
                          tr("Runs that learned it stay, but can no longer show its pictures."),
                          {{tr("Delete"), [this] { removeFormer(); }}});
}

void DrawClassDialog::removeFormer() {
    run([classes = classes_, dataset = ground_.base.dataset, name = former_] { classes.remove(dataset, name); },
        [this] {
            begin({}, {});
            reload();
            Q_EMIT filesChanged();
        });
}

void DrawClassDialog::showEvent(QShowEvent* event) {
    // What went wrong the last time says nothing about now.
    if (!event->spontaneous()) messages_->dismissAll();
    QDialog::showEvent(event);
}

void DrawClassDialog::keyPressEvent(QKeyEvent* event) {
    const bool typed = name_->hasFocus() || base_classes_->hasFocus() || session_->hasFocus();
    if (event->matches(QKeySequence::Paste) && !typed) return paste();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && (pad_->hasFocus() || name_->hasFocus())) {
        if (name_->hasFocus())
            pad_->setFocus(Qt::OtherFocusReason);
        else
            nextEmpty();
        return;
    }
    if (event->key() == Qt::Key_Escape && camera_ && camera_->isVisible()) return showCamera(false);
    if (event->key() == Qt::Key_Delete && !typed) {
        if (auto* doodle = qobject_cast<DoodleButton*>(focusWidget())) select(slots_->id(doodle));
        return pad_->clear();
    }
    QDialog::keyPressEvent(event);
}

void DrawClassDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasImage() || event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void DrawClassDialog::dropEvent(QDropEvent* event) {
    readMime(*event->mimeData());
    event->acceptProposedAction();
}

}  // namespace palimpsest
