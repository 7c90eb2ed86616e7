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
