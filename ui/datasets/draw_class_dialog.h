// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QDialog>
#include <QImage>
#include <QList>
#include <QStringList>
#include <functional>
#include <memory>
#include <vector>

#include "ui/datasets/drawn_classes.h"
#include "ui/state/background.h"

class QButtonGroup;
class QComboBox;
class QLabel;
class QLineEdit;
class QMimeData;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QToolButton;

namespace palimpsest {

class CameraPanel;
class CameraService;
class DrawingPad;
class MessageBar;

/// One of the nine drawings of a class, small; the checked one is on the pad.
class DoodleButton : public QAbstractButton {
    Q_OBJECT
public:
    /// `number`: from 1; 0: the test drawing.
    explicit DoodleButton(int number, QWidget* parent = nullptr);

    /// "Drawing 3", or "Test drawing".
    QString title() const;
    /// Null: not drawn yet.
    void setDrawing(const QImage& drawing);
    const QImage& drawing() const { return drawing_; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void describe();

    const int number_;
    QImage drawing_;
};

/// Where own classes are added, as the dialog shows it.
struct DrawingGround {
    DrawingsBase base;
    QString title;             ///< of the data set
    std::int64_t classes = 0;  ///< that it has; 0: not known
    bool grey = false;         ///< its pictures are white on black
};

/// A run that begins with an own class.
struct DrawnStart {
    DrawingsBase base;
    QString name;              ///< of the class
    std::int64_t classes = 0;  ///< of the base, from its first
    std::int64_t session = 0;  ///< in which the class comes, from 0
};

/// Eight drawings become a class, and a ninth tests it. Drawn, pasted, dropped, read from files or taken with a camera;
/// kept in an ordinary folder of images. Files are read and written away from the window's thread.
class DrawClassDialog : public QDialog {
    Q_OBJECT
public:
    static constexpr std::int64_t kSessions = 3;       ///< of the stream that begins
    static constexpr std::int64_t kUsualClasses = 10;  ///< of the base
    static constexpr std::int64_t kFewestClasses = 2, kMostClasses = 1000;
    static constexpr qsizetype kMostFiles = 64;  ///< that are dropped at once

    /// `cameras` may be null: then there is no camera.
    explicit DrawClassDialog(const DrawnClasses& classes, std::shared_ptr<const CameraService> cameras = nullptr,
                             QWidget* parent = nullptr);
    ~DrawClassDialog() override;

    void setGround(const DrawingGround& ground);
    const DrawingGround& ground() const { return ground_; }
    /// A run can begin now; else Start waits.
    void setCanStart(bool can);
    /// The class as it is drawn now.
    DrawnClass drawn() const;
    /// There are strokes that are not saved.
    bool edited() const { return edited_; }
    /// What is being read or written; for tests.
    bool busy() const { return busy_ > 0; }
    /// A failure of what the dialog asked for.
    void showFailure(const QString& message, const QString& hint);

public Q_SLOTS:
    /// The next drawing that is empty goes onto the pad.
    void nextEmpty();
    void paste();
    /// The camera in place of the pad, or the pad again.
    void showCamera(bool shown);

Q_SIGNALS:
    /// Files of own classes have changed.
    void filesChanged();
    /// The class is saved; a run is to begin with it.
    void startAsked(const palimpsest::DrawnStart& start);

protected:
    void showEvent(QShowEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeLeft();
    QWidget* makePad();
    QLayout* makeTools();
    QWidget* makeDrawings();
    QPushButton* makeCameraButton();
    QLayout* makeStart();
    QLayout* makeFooter();
    void makeColours(QLayout* row);
    void select(int slot);
    /// The first of the nine that has nearly no ink; null: there is none.
    const DoodleButton* nearlyEmpty() const;
    /// One of the nine is not drawn yet.
    bool hasEmpty() const;
    int slot() const;
    /// The pad's picture belongs to the current drawing.
    void takeOver();
    /// A picture from elsewhere goes into the current drawing where that is empty, else into the next that is.
    void place(const QImage& picture);
    void readMime(const QMimeData& data);
    void readFiles(const QList<std::filesystem::path>& files);
    void askForFiles();
    void refresh();
    void reload();
    void choose(int index);
    void begin(const DrawnClass& drawn, const QString& former);
    void load(const QString& name);
    void save(bool start);
    void askToDelete();
    void removeFormer();
    /// Work with files; `done` gets its result.
    template <class Work, class Done>
    void run(Work work, Done done);

    const DrawnClasses classes_;
    DrawingGround ground_;
    QString former_;     ///< name under which the class is saved; empty: it is new
    QStringList known_;  ///< of saved classes
    bool edited_ = false, can_start_ = true;
    int busy_ = 0;
    MessageBar* messages_;
    QComboBox* choice_;
    QLineEdit* name_;
    DrawingPad* pad_;
    QStackedWidget* left_;  ///< the pad with its tools, or the camera
    CameraPanel* camera_;   ///< null: there is none
    QButtonGroup* slots_;
    QButtonGroup* brushes_;
    QButtonGroup* inks_;
    std::vector<DoodleButton*> doodles_;  ///< the test drawing last
    QToolButton *eraser_, *undo_, *redo_, *clear_;
    QLabel *count_, *ground_words_, *paper_words_, *place_words_;
    QSpinBox *base_classes_, *session_;
    QPushButton *save_ = nullptr, *start_ = nullptr, *delete_ = nullptr, *from_camera_ = nullptr;
    Background files_{Background::Waiting::Finished};
};

}  // namespace palimpsest
