// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/talk_dialog.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/record/talk.h"
#include "engine/record/talk_caption.h"
#include "ui/state/talk_book.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr QSize kTalkDialog(720, 600);

QLineEdit* makeField(const QString& name, const QString& words, const QString& tip, std::size_t longest) {
    auto* field = new QLineEdit;
    field->setObjectName(name);
    field->setAccessibleName(words);
    field->setToolTip(tip);
    field->setPlaceholderText(words);
    field->setMaxLength(static_cast<int>(longest));
    return field;
}

QString momentText(const TalkScene& scene) {
    QString text = TalkDialog::tr("all of it");
    if (scene.at.kind == TalkMoment::Kind::Images)
        text = TalkDialog::tr("%1 images").arg(countText(scene.at.number));
    else if (scene.at.kind == TalkMoment::Kind::Session)
        text = TalkDialog::tr("session %1").arg(scene.at.number);
    return scene.play > 0 ? TalkDialog::tr("plays from %1 on, %2×")
                                .arg(scene.at.kind == TalkMoment::Kind::End ? TalkDialog::tr("the beginning") : text)
                                .arg(scene.play)
                          : text;
}

}  // namespace

TalkDialog::TalkDialog(TalkBook* book, QWidget* parent)
    : QDialog(parent),
      book_(book),
      title_(makeField("talkTitle", tr("Title"), tr("The title of the talk"), kLongestCaption)),
      open_(new QMenu(this)),
      list_(new QListWidget),
      caption_(makeField("sceneCaption", tr("Caption of the scene"),
                         tr("One line that the audience reads. {accuracy} and {retention(1)} become numbers of the "
                            "run; the guide's page Stage names all."),
                         kLongestCaption)),
      note_(makeField("sceneNote", tr("Note for the speaker"),
                      tr("For you alone: on a second screen, or by the key N on the stage"), kLongestNote)),
      shown_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      problem_(makeTextLabel(text_size::kText, QFont::Normal, false)),
      needs_(makeTextLabel(text_size::kText, QFont::Normal, false)),
      add_(makeButton("addScene", tr("Add this moment"), tr("What is in front now becomes the last scene"))),
      up_(makeButton("sceneUp", tr("Up"), tr("The scene comes one earlier"))),
      down_(makeButton("sceneDown", tr("Down"), tr("The scene comes one later"))),
      remove_(makeButton("removeScene", tr("Delete"), tr("Take the scene out of the talk"))),
      go_(makeButton("goToScene", tr("Go to it"), tr("Onto the stage, at this scene"))),
      save_(makeButton("saveTalk", tr("Save talk …"), tr("Write the talk to a file"))),
      unload_(makeButton("unloadTalk", tr("Close talk"), tr("No talk is open then, and Stage shows what is in front"))),
      shipped_(makeButton("openShippedTalk", tr("Open the talk that ships"), tr("A talk that comes with the program"))),
      prepare_(makeButton("prepareTalk", tr("Prepare this talk"),
                          tr("Make the runs that it shows and that are not here yet, one after the other"))),
      stage_(makeButton("talkOnStage", tr("On stage"), tr("The whole screen, from the first scene"))) {
    setObjectName("talkDialog");
    setWindowTitle(tr("Talk"));
    setAccessibleName(tr("Talk"));
    list_->setObjectName("talkScenes");
    list_->setAccessibleName(tr("Scenes"));
    list_->setToolTip(tr("The scenes of the talk, in their order"));
    list_->setWordWrap(true);
    list_->setSpacing(spacing::kClose);
    shown_->setObjectName("captionShown");
    problem_->setObjectName("captionProblem");
    needs_->setObjectName("talkNeeds");
    stage_->setProperty("primary", true);
    open_->setObjectName("openTalkMenu");
    QPushButton* open = makeButton("openTalk", tr("Open"), tr("Open a talk that comes with the program, or a file"));
    open->setMenu(open_);
    QPushButton* close = makeButton("closeTalkList", tr("Close"), tr("Close this list; the talk stays open"));

    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(open);
    head->addWidget(save_);
    head->addWidget(unload_);
    auto* edits = new QHBoxLayout;
    for (QPushButton* button : {add_, up_, down_, remove_}) edits->addWidget(button);
    edits->addStretch(1);
    edits->addWidget(go_);
    auto* needs = new QHBoxLayout;
    needs->addWidget(needs_, 1);
    needs->addWidget(shipped_);
    needs->addWidget(prepare_);
    auto* end = new QHBoxLayout;
    end->addStretch(1);
    end->addWidget(stage_);
    end->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addLayout(head);
    column->addWidget(list_, 1);
    column->addWidget(caption_);
    column->addWidget(shown_);
    column->addWidget(problem_);
    column->addWidget(note_);
    column->addLayout(edits);
    column->addLayout(needs);
    column->addLayout(end);
    problem_->hide();

    connect(title_, &QLineEdit::editingFinished, this, [this] { book_->setTitle(title_->text()); });
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        if (!refreshing_) showChosen();
    });
    connect(list_, &QListWidget::itemActivated, this, [this] { Q_EMIT stageAsked(chosen()); });
    connect(caption_, &QLineEdit::editingFinished, this, &TalkDialog::keepCaption);
    connect(note_, &QLineEdit::editingFinished, this, &TalkDialog::keepNote);
    connect(add_, &QPushButton::clicked, this, &TalkDialog::addAsked);
    connect(up_, &QPushButton::clicked, this, [this] { moveChosen(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { moveChosen(1); });
    connect(remove_, &QPushButton::clicked, this, [this] { book_->remove(chosen()); });
    connect(go_, &QPushButton::clicked, this, [this] { Q_EMIT stageAsked(chosen()); });
    connect(save_, &QPushButton::clicked, this, &TalkDialog::saveAsked);
    connect(unload_, &QPushButton::clicked, this, &TalkDialog::unloadAsked);
    connect(shipped_, &QPushButton::clicked, this, [this] { Q_EMIT openAsked(shipped_file_); });
    connect(prepare_, &QPushButton::clicked, this, &TalkDialog::prepareAsked);
    connect(stage_, &QPushButton::clicked, this, [this] { Q_EMIT stageAsked(0); });
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(book_, &TalkBook::changed, this, &TalkDialog::refresh);
    fitToText(this, [this] { resize(scaled(kTalkDialog.width()), std::min(scaled(kTalkDialog.height()), 700)); });
    setShipped({});
    refresh();
}

void TalkDialog::setShipped(const std::vector<ShippedTalk>& talks) {
    open_->clear();
    shipped_file_ = talks.empty() ? QString() : QString::fromStdString(talks.front().file.string());
    shipped_->setVisible(book_->empty() && !shipped_file_.isEmpty());
    if (!talks.empty()) shipped_->setText(tr("Open “%1”").arg(QString::fromStdString(talks.front().title)));
    for (const ShippedTalk& talk : talks) {
        const QString file = QString::fromStdString(talk.file.string());
        connect(open_->addAction(QString::fromStdString(talk.title)), &QAction::triggered, this,
                [this, file] { Q_EMIT openAsked(file); });
    }
    open_->addSeparator();
    QAction* other = open_->addAction(tr("From a file …"));
    other->setObjectName("openOtherTalk");
    connect(other, &QAction::triggered, this, &TalkDialog::otherAsked);
}

void TalkDialog::setNeeds(const QString& sentence, bool something) {
    needs_->setText(sentence);
    prepare_->setEnabled(something);
}

int TalkDialog::chosen() const {
    return list_->currentRow();
}

void TalkDialog::choose(int scene) {
    list_->setCurrentRow(scene);
}

void TalkDialog::setCaptions(std::function<QString(const TalkScene&)> filled) {
    filled_ = std::move(filled);
    // The fields stay: somebody may be typing there.
    for (int i = 0; i < list_->count(); ++i) list_->item(i)->setText(lineOf(i));
    showFilled();
}

QString TalkDialog::lineOf(int scene) const {
    const TalkScene whole = book_->talk().scene(static_cast<std::size_t>(scene));
    return tr("%1   %2\n%3").arg(scene + 1).arg(filledOf(scene), summaryOf(whole, QString::fromStdString(whole.note)));
}

/// Shows a caption that has placeholders once more, with their values, below the field that edits it.
void TalkDialog::showFilled() {
    const int scene = chosen();
    const bool numbers = scene >= 0 && scene < book_->scenes() &&
                         book_->talk().scenes[static_cast<std::size_t>(scene)].caption.find('{') != std::string::npos;
    shown_->setVisible(numbers);
    if (numbers)
        shown_->setText(tr("What stands in braces is a number of the run. Now it reads: %1").arg(filledOf(scene)));
}

QString TalkDialog::filledOf(int scene) const {
    const TalkScene whole = book_->talk().scene(static_cast<std::size_t>(scene));
    return filled_ ? filled_(whole) : QString::fromStdString(filledCaption(whole.caption, {}, [](const std::string&) {
        return static_cast<const TalkNumbers*>(nullptr);
    }));
}

QString TalkDialog::summaryOf(const TalkScene& scene, const QString& note) {
    QStringList runs;
    for (const std::string& run : scene.runs) runs.append(QString::fromStdString(run));
    QStringList parts{QString::fromStdString(scene.figure), runs.join(tr(", ")), momentText(scene)};
    if (!scene.start.empty()) parts.append(tr("starts %1").arg(QString::fromStdString(scene.start)));
    parts.removeAll(QString());
    const QString facts = parts.join(QStringLiteral(" · "));
    return note.isEmpty() ? facts : tr("%1\n%2").arg(facts, note);
}

void TalkDialog::refresh() {
    const int before = chosen();
    const QString title = QString::fromStdString(book_->talk().title);
    if (title_->text() != title) title_->setText(title);
    {
        const QScopedValueRollback guard(refreshing_, true);
        list_->clear();
        for (int i = 0; i < book_->scenes(); ++i) list_->addItem(lineOf(i));
        list_->setCurrentRow(std::clamp(before, book_->empty() ? -1 : 0, book_->scenes() - 1));
    }
    stage_->setEnabled(!book_->empty());
    save_->setEnabled(!book_->empty());
    unload_->setEnabled(!book_->empty());
    prepare_->setVisible(!book_->empty());
    shipped_->setVisible(book_->empty() && !shipped_file_.isEmpty());
    showChosen();
}

void TalkDialog::showChosen() {
    const int scene = chosen();
    const bool some = scene >= 0 && scene < book_->scenes();
    problem_->hide();
    const auto show = [](QLineEdit* field, const std::string& text) {
        const QString words = QString::fromStdString(text);
        if (field->text() != words) field->setText(words);
    };
    show(caption_, some ? book_->talk().scenes[static_cast<std::size_t>(scene)].caption : std::string());
    showFilled();
    show(note_, some ? book_->talk().scenes[static_cast<std::size_t>(scene)].note : std::string());
    for (QWidget* widget : std::initializer_list<QWidget*>{caption_, note_, remove_, go_}) widget->setEnabled(some);
    up_->setEnabled(some && scene > 0);
    down_->setEnabled(some && scene + 1 < book_->scenes());
}

void TalkDialog::keepCaption() {
    const QString problem = book_->setCaption(chosen(), caption_->text());
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void TalkDialog::keepNote() {
    const QString problem = book_->setNote(chosen(), note_->text());
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
}

void TalkDialog::moveChosen(int by) {
    const int scene = chosen();
    book_->move(scene, by);
    choose(std::clamp(scene + by, 0, book_->scenes() - 1));
}

}  // namespace palimpsest
