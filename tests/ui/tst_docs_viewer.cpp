// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QListWidget>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>

#include "ui/docs_viewer.h"
#include "ui/text_style.h"
#include "ui/theme.h"

using namespace palimpsest;

namespace {

const QString kPage = QStringLiteral(
    "# Title\n\nFirst paragraph.\n\nSecond paragraph with `code`.\n\n## Part\n\n    palimpsest-cli run default --set "
    "seed=1 --set threads=1 --out "
    "a/very/long/name/of/a/folder/that/is/wider/than/any/window/could/ever/be/made/by/hand\n"
    "    palimpsest-cli report a\n\n- one\n- two\n\n| Key | What |\n|---|---|\n| a | b |\n");

QTextBlock blockWith(const QTextDocument& document, const QString& text) {
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (block.text().contains(text)) return block;
    return {};
}

}  // namespace

class TestDocsViewer : public QObject {
    Q_OBJECT
private:
    static void write(const QTemporaryDir& folder, const QString& name, const QByteArray& text) {
        QFile file(folder.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }

private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void theIndexComesFirstAndGivesTheOrder() {
        QTemporaryDir folder;
        for (const char* name : {"apple.md", "banana.md", "cherry.md", "date.md"}) write(folder, name, "# Page\n");
        write(folder, "index.md",
              "# Guide\n\n[later](date.md#part), then [this](banana.md), [date](date.md), "
              "[gone](nowhere.md)\n");
        QStringList names;
        for (const DocsPage& page : readDocs(folder.path())) names.append(page.name);
        QCOMPARE(names, (QStringList{"index", "date", "banana", "apple", "cherry"}));
    }

    void everyPageOfTheGuideHasItsPlaceInTheIndex() {
        const QString folder = qEnvironmentVariable("PALIMPSEST_RESOURCES") + "/docs";
        const QList<DocsPage> pages = readDocs(folder);
        QVERIFY(pages.size() > 10);
        QCOMPARE(pages[0].name, QString("index"));
        for (const DocsPage& page : pages.mid(1))
            QVERIFY2(pages[0].markdown.contains("](" + page.name + ".md)"), qPrintable(page.name));
    }

    void picturesStandInThePageAtTheirSize() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkdir("images"));
        QImage picture(300, 120, QImage::Format_RGB32);
        picture.fill(Qt::red);
        QVERIFY(picture.save(folder.filePath("images/curve-1.png")));
        write(folder, "page.md", "# Page\n\n![A curve](images/curve-1.png)\n\n![None](images/none.png)\n\nEnd\n");
        const QList<DocsPage> pages = readDocs(folder.path());
        QCOMPARE(pages.size(), qsizetype(1));
        QCOMPARE(pages[0].pictures.size(), qsizetype(1));
        DocsViewer viewer;
        viewer.addPages(pages);
        viewer.show();
        auto* text = viewer.findChild<QTextBrowser*>("docsText");
        const auto drawn = text->document()->resource(QTextDocument::ImageResource, QUrl("images/curve-1.png"));
        QCOMPARE(drawn.value<QImage>().size(), picture.size());
        // It takes its room, and is painted.
        QVERIFY(text->document()->size().height() > 120);
        const QImage seen = text->viewport()->grab().toImage();
        int red = 0;
        for (int y = 0; y < seen.height(); ++y)
            for (int x = 0; x < seen.width(); ++x) red += seen.pixel(x, y) == qRgb(255, 0, 0);
        QVERIFY(red >= 300 * 120);
    }

    /// Wider ones would have to be scrolled to.
    void picturesOfTheGuideFitItsPage() {
        const QString folder = QString::fromLocal8Bit(qgetenv("PALIMPSEST_RESOURCES")) + "/docs";
        DocsViewer viewer;
        viewer.show();
        const int room = viewer.findChild<QTextBrowser*>("docsText")->viewport()->width() - scaled(20);
        int pictures = 0;
        for (const DocsPage& page : readDocs(folder)) {
            QCOMPARE(page.pictures.size(), page.markdown.count("](images/"));
            for (const QImage& picture : page.pictures) {
                ++pictures;
                QVERIFY2(picture.width() <= room, qPrintable(page.name));
            }
        }
        QVERIFY(pictures > 0);
    }

    void blocksHaveRoomBetweenThem() {
        DocsViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        const QTextDocument& document = *viewer.findChild<QTextBrowser*>("docsText")->document();
        for (const char* text : {"First", "Second", "Part", "two"})
            QVERIFY2(blockWith(document, text).blockFormat().bottomMargin() > 3, text);
        QVERIFY(blockWith(document, "Part").blockFormat().topMargin() >
                blockWith(document, "Part").blockFormat().bottomMargin());
    }

    void codeIsMonospacedAndNeverBroken() {
        DocsViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        for (const char* text : {"run default", "report a"}) {
            const QTextBlock code = blockWith(*browser->document(), text);
            QVERIFY(code.blockFormat().nonBreakableLines());
            QVERIFY(code.begin().fragment().charFormat().fontFixedPitch());
        }
        QTRY_VERIFY(browser->horizontalScrollBar()->maximum() > 0);
        QVERIFY(!blockWith(*browser->document(), "First").blockFormat().nonBreakableLines());
    }

    void tablesHaveSingleLightLines() {
        DocsViewer viewer;
        viewer.addPages({{"page", "Title", kPage}});
        const QTextDocument& document = *viewer.findChild<QTextBrowser*>("docsText")->document();
        const auto* table = QTextCursor(blockWith(document, "Key")).currentTable();
        QVERIFY(table);
        QVERIFY(table->format().borderCollapse());
        QCOMPARE(table->format().cellSpacing(), 0.0);
        QCOMPARE(table->format().borderBrush().color(), Theme::darkTheme().line);
    }

    void aPageFollowsAppearanceAndTextSizeWhereItIsRead() {
        DocsViewer viewer;
        QString text = kPage;
        for (int i = 0; i < 60; ++i) text += QString("\n\nParagraph %1.").arg(i);
        viewer.addPages({{"page", "Title", text}});
        viewer.show();
        auto* browser = viewer.findChild<QTextBrowser*>("docsText");
        QTRY_VERIFY(browser->verticalScrollBar()->maximum() > 300);
        browser->verticalScrollBar()->setValue(200);
        applyAppearance(*qApp, Appearance::Light);
        const auto* table = QTextCursor(blockWith(*browser->document(), "Key")).currentTable();
        QCOMPARE(table->format().borderBrush().color(), Theme::lightTheme().line);
        QVERIFY2(browser->verticalScrollBar()->value() > 100, "the page jumped to its beginning");
        applyTextSize(*qApp, TextSize::VeryLarge);
        const QTextBlock paragraph = blockWith(*browser->document(), "First");
        QCOMPARE(paragraph.begin().fragment().charFormat().font().pixelSize(), 18);
    }
};

QTEST_MAIN(TestDocsViewer)
#include "tst_docs_viewer.moc"
