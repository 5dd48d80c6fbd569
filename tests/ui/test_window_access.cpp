// SPDX-License-Identifier: GPL-3.0-or-later
// What everyone needs of the window: units, symbols that light, focus that is seen, longer languages, few paints.
#include "tests/room.h"
#include "tests/ui/window_stage.h"
#include "ui/control_panel.h"
#include "ui/scenario_files.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QSettings>

#include <algorithm>

using core::Scenario;
using tests::Stage;
using ui::Theme;

namespace {

/// Counts what is painted of a widget.
class Paints : public QObject {
public:
    explicit Paints(QWidget& widget) { widget.installEventFilter(this); }
    int count() const { return m_count; }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        m_count += event->type() == QEvent::Paint ? 1 : 0;
        return QObject::eventFilter(object, event);
    }

private:
    int m_count = 0;
};

QStringList litControls(const ui::MainWindow& window)
{
    QStringList names;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->property("lit").toBool())
            names << widget->objectName();
    }
    return names;
}

int different(const QImage& one, const QImage& other)
{
    int count = 0;
    for (int y = 0; y < one.height(); ++y) {
        for (int x = 0; x < one.width(); ++x)
            count += one.pixel(x, y) != other.pixel(x, y) ? 1 : 0;
    }
    return count;
}

QImage grabOf(QWidget& widget)
{
    QApplication::processEvents();
    return widget.grab().toImage();
}

} // namespace

class TestWindowAccess : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setOrganizationName(QStringLiteral("KV Horizon tests")); }
    void init() { QApplication::setPalette(Theme::light().palette()); }
    void cleanup()
    {
        ui::setSizeUnit(core::Unit::Binary);
        QSettings().clear();
    }

    void unitsChangeLabelsOnly()
    {
        Stage stage;
        const core::Footprint before = stage.window.session().current().footprint;
        stage.trigger("Sizes in GB");
        QVERIFY(stage.formula().endsWith(QLatin1String("= 4.29 GB (4.00 GiB)")));
        // 16.061 + 4.295 + 1.074 of 25.386 GB (24,210 MiB)
        QVERIFY2(stage.verdict().startsWith(QLatin1String("Fits. 21.43 GB of 25.39 GB used, 3.96 GB free")),
                 qPrintable(stage.verdict()));
        QVERIFY(!stage.description("growth").contains(QLatin1String("GiB")));
        QVERIFY(!stage.description("budget").contains(QLatin1String("GiB")));
        int titles = 0;
        for (const QLabel* label : stage.window.findChildren<QLabel*>()) {
            titles += label->text().contains(QLatin1String(", GB")) ? 1 : 0;
            QVERIFY2(!label->isVisible() || !label->text().contains(QLatin1String("GiB")), qPrintable(label->text()));
        }
        QCOMPARE(titles, 2); // of both charts
        const core::Footprint after = stage.window.session().current().footprint;
        QCOMPARE(after.memory.total(), before.memory.total());
        QCOMPARE(after.capacity, before.capacity);
        ui::setSizeUnit(core::Unit::Binary);
        ui::restoreSizeUnit(); // the next start
        QCOMPARE(ui::sizeUnit(), core::Unit::Decimal);
        stage.trigger("Sizes in GiB");
        QVERIFY(stage.formula().endsWith(QLatin1String("= 4.00 GiB (4.29 GB)")));
    }

    void symbolsLight()
    {
        Stage stage;
        auto* formula = tests::child<ui::FormulaBar>(stage.window, "formula");
        const QImage plain = grabOf(*stage.view("growth"));
        formula->setFocus();
        // 2 K and V · 32 layers · 8 KV heads · 128 head dim · 8,192 context · 2 bytes · 4 requests
        for (const char* control : {"k-format", "model", "kv-heads", "model", "context", "k-format", "batch"}) {
            QTest::keyClick(formula, Qt::Key_Right);
            QVERIFY2(litControls(stage.window).contains(QString::fromUtf8(control)), control);
            QCOMPARE(litControls(stage.window).size(), 1);
            QVERIFY2(!formula->toolTip().isEmpty(), control);
            QVERIFY2(different(plain, grabOf(*stage.view("growth"))) > 200, control);
        }
        tests::child<QWidget>(stage.window, "batch")->setFocus();
        QVERIFY(litControls(stage.window).isEmpty());
        QCOMPARE(grabOf(*stage.view("growth")), plain);
    }

    void focusIsSeen()
    {
        Stage stage;
        stage.window.setAttribute(Qt::WA_KeyboardFocusChange); // as after the first Tab
        stage.trigger("Data tables");
        auto* last = tests::child<QWidget>(stage.window, "verdict-text");
        int seen = 0;
        for (QWidget* widget : stage.window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || !widget->isEnabled() || widget->focusProxy() != nullptr ||
                (widget->focusPolicy() & Qt::TabFocus) == 0 || widget == last)
                continue;
            last->setFocus();
            const QImage without = grabOf(*widget);
            widget->setFocus(Qt::TabFocusReason);
            if (auto* edit = qobject_cast<QLineEdit*>(widget))
                edit->deselect();
            QVERIFY2(widget->hasFocus(), qPrintable(widget->objectName()));
            QVERIFY2(different(without, grabOf(*widget)) > 20,
                     qPrintable(widget->objectName() + QLatin1Char('/') + widget->accessibleName() +
                                QLatin1String(widget->metaObject()->className())));
            ++seen;
        }
        QVERIFY(seen > 15);
        const QImage with = grabOf(*stage.view("growth"));
        last->setFocus();
        QVERIFY(grabOf(*last) != with);
    }

    void severalEditsAreOnePaint()
    {
        Stage stage;
        QApplication::processEvents();
        const Paints growth(*stage.view("growth")->viewport());
        const Paints budget(*stage.view("budget")->viewport());
        const Paints formula(*tests::child<QWidget>(stage.window, "formula"));
        const Paints verdict(*tests::child<QWidget>(stage.window, "verdict-text"));
        Scenario scenario = stage.window.session().current().scenario;
        for (const std::int64_t context : {8'000, 7'900, 7'800, 7'700, 7'600}) {
            scenario.workload.context = context;
            stage.window.session().edit(scenario);
        }
        QApplication::processEvents();
        for (const Paints* paints : {&growth, &budget, &formula, &verdict})
            QCOMPARE(paints->count(), 1);
    }

    void longerLanguages_data()
    {
        QTest::addColumn<QSize>("size");
        QTest::newRow("smallest") << QSize(1'024, 700);
        QTest::newRow("usual") << QSize(1'600, 900);
    }
    void longerLanguages()
    {
        QFETCH(const QSize, size);
        const tests::LongWords words;
        Stage stage(size);
        QApplication::processEvents();
        QCOMPARE(stage.window.size(), size);
        for (const QLabel* label : stage.window.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || tests::isWhole(*label), qPrintable(label->text()));
        const auto* panel = stage.window.findChild<ui::ControlPanel*>();
        QVERIFY(panel->widget()->width() <= panel->viewport()->width());
    }

    void editedModelsSaySo()
    {
        Stage stage;
        auto* picker = tests::child<QComboBox>(stage.window, "model");
        QCOMPARE(picker->currentText(), QStringLiteral("Llama 3.1 8B"));
        auto* heads = tests::child<QComboBox>(stage.window, "kv-heads");
        heads->setCurrentIndex(heads->findText(QStringLiteral("32, MHA")));
        emit heads->activated(heads->currentIndex());
        QCOMPARE(picker->currentText(), QStringLiteral("Llama 3.1 8B (edited)"));
        QVERIFY(stage.formula().endsWith(QLatin1String("= 16.0 GiB (17.2 GB)"))); // four times 4 GiB
        emit picker->activated(picker->findText(QStringLiteral("Llama 3.1 8B")));
        QCOMPARE(picker->currentText(), QStringLiteral("Llama 3.1 8B"));
        QVERIFY(stage.formula().endsWith(QLatin1String("= 4.00 GiB (4.29 GB)")));
    }

    void brokenSettings()
    {
        QSettings().setValue(QStringLiteral("theme"), QStringLiteral("dark"));
        const QString path = QSettings().fileName();
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write("no key and no value\n]]\x01\x02");
        file.close();
        const core::Message message = ui::mendSettings();
        const QString said = ui::text(message);
        QVERIFY2(said.contains(path), qPrintable(said));
        const QStringList copies = QDir(QFileInfo(path).path()).entryList({QStringLiteral("*.broken-*")});
        QCOMPARE(copies.size(), 1);
        QVERIFY(said.contains(copies.front()));
        QVERIFY(ui::mendSettings().empty()); // they have started afresh
        QCOMPARE(Theme::chosen(), nullptr);
        QVERIFY(QFile::remove(QFileInfo(path).path() + QLatin1Char('/') + copies.front()));
    }
};

ROOM_TEST(TestWindowAccess, QApplication)
#include "test_window_access.moc"
