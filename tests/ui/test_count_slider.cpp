// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/room.h"
#include "tests/ui/harness.h"
#include "ui/count_slider.h"

#include <QAccessible>
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

using ui::CountSlider;

namespace {

constexpr int kWidth = 2'014; // 1.4 pixels between 8,150 and 8,192
constexpr int kFirst = 256;
constexpr int kLast = 1'048'576;
constexpr int kEnd = 7; // room for half the handle at both ends

/// A slider as the panel makes it, in a window of its own with another widget to take the focus.
struct Stage {
    QWidget window;
    CountSlider* slider = new CountSlider(kFirst, kLast, QStringLiteral("%L1 tokens"));
    QLineEdit* other = new QLineEdit;

    explicit Stage(int value = 8'192)
    {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(slider);
        layout->addWidget(other);
        slider->setFixedWidth(kWidth);
        slider->setValue(value);
        tests::showActive(window);
        other->setFocus();
    }

    /// Where a number lies: equal distances are equal factors.
    QPoint placeOf(double number) const
    {
        const double share = std::log2(number / kFirst) / std::log2(static_cast<double>(slider->maximum()) / kFirst);
        return {qRound(kEnd + share * (kWidth - 2 * kEnd)), slider->height() / 2};
    }

    void dragTo(double number, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mousePress(slider, Qt::LeftButton, modifiers, placeOf(slider->value()));
        QMouseEvent move(QEvent::MouseMove, placeOf(number), slider->mapToGlobal(placeOf(number)), Qt::NoButton,
                         Qt::LeftButton, modifiers);
        QApplication::sendEvent(slider, &move);
        QTest::mouseRelease(slider, Qt::LeftButton, modifiers, placeOf(number));
    }

    bool wheel(int angle)
    {
        const QPointF place = slider->rect().center();
        QWheelEvent event(place, slider->mapToGlobal(place), {}, QPoint(0, angle), Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(slider, &event);
        return event.isAccepted();
    }
};

} // namespace

class TestCountSlider : public QObject {
    Q_OBJECT

private slots:
    void keys_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("key");
        QTest::addColumn<int>("to");
        const auto row = [](const char* name, int from, Qt::Key key, int to) {
            QTest::newRow(name) << from << static_cast<int>(key) << to;
        };
        row("right: an eighth of the doubling", 8'192, Qt::Key_Right, 9'216);
        row("up as right", 8'192, Qt::Key_Up, 9'216);
        row("left: an eighth of the doubling below", 8'192, Qt::Key_Left, 7'680);
        row("down as left", 8'192, Qt::Key_Down, 7'680);
        row("right from between two stops", 8'000, Qt::Key_Right, 8'192);
        row("left from between two stops", 8'000, Qt::Key_Left, 7'680);
        row("page up doubles", 8'192, Qt::Key_PageUp, 16'384);
        row("page up doubles any number", 8'000, Qt::Key_PageUp, 16'000);
        row("page up near the end", 700'000, Qt::Key_PageUp, kLast);
        row("page down halves", 8'192, Qt::Key_PageDown, 4'096);
        row("page down near the start", 300, Qt::Key_PageDown, kFirst);
        row("home", 8'192, Qt::Key_Home, kFirst);
        row("end", 8'192, Qt::Key_End, kLast);
        row("right at the end", kLast, Qt::Key_Right, kLast);
        row("left at the start", kFirst, Qt::Key_Left, kFirst);
        row("a letter", 8'192, Qt::Key_A, 8'192);
    }
    void keys()
    {
        QFETCH(const int, from);
        QFETCH(const int, key);
        QFETCH(const int, to);
        const Stage stage(from);
        const QSignalSpy changed(stage.slider, &CountSlider::valueChanged);
        QTest::keyClick(stage.slider, static_cast<Qt::Key>(key));
        QCOMPARE(stage.slider->value(), to);
        QCOMPARE(changed.count(), from == to ? 0 : 1);
    }

    void eightStepsDouble()
    {
        const Stage stage(8'192);
        for (int step = 0; step < 8; ++step)
            QTest::keyClick(stage.slider, Qt::Key_Right);
        QCOMPARE(stage.slider->value(), 16'384);
    }

    void drag_data()
    {
        QTest::addColumn<double>("to");
        QTest::addColumn<int>("value");
        QTest::newRow("near 8,150: 8,192") << 8'150.0 << 8'192;
        QTest::newRow("near 8,300: 8,192") << 8'300.0 << 8'192;
        QTest::newRow("near 9,000: 9,216, an eighth") << 9'000.0 << 9'216;
        QTest::newRow("near 127,500: 131,072 without a landmark") << 128'500.0 << 131'072;
        QTest::newRow("before the start") << 200.0 << kFirst;
        QTest::newRow("beyond the end") << 1'100'000.0 << kLast;
    }
    void drag()
    {
        QFETCH(const double, to);
        QFETCH(const int, value);
        Stage stage;
        stage.dragTo(to);
        QCOMPARE(stage.slider->value(), value);
        QVERIFY(!stage.slider->isSliderDown());
    }

    void dragWithShiftTakesEveryNumber()
    {
        Stage stage;
        stage.dragTo(8'150, Qt::ShiftModifier);
        const int value = stage.slider->value();
        QVERIFY2(value != 8'192 && std::abs(value - 8'150) <= 20, QByteArray::number(value)); // half a pixel: 0.2 %
    }

    void onlyTheLeftButtonDrags()
    {
        const Stage stage;
        QTest::mousePress(stage.slider, Qt::RightButton, {}, stage.placeOf(100'000));
        QMouseEvent move(QEvent::MouseMove, stage.placeOf(50'000), stage.slider->mapToGlobal(stage.placeOf(50'000)),
                         Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(stage.slider, &move);
        QCOMPARE(stage.slider->value(), 8'192);
    }

    void landmark()
    {
        Stage stage(122'880); // the last stop before it; 131,072 follows
        stage.slider->setLandmark(128'000);
        QCOMPARE(stage.slider->maximum(), kLast);
        QTest::keyClick(stage.slider, Qt::Key_Right);
        QCOMPARE(stage.slider->value(), 128'000);
        QTest::keyClick(stage.slider, Qt::Key_Right);
        QCOMPARE(stage.slider->value(), 131'072);
        stage.dragTo(127'500);
        QCOMPARE(stage.slider->value(), 128'000);
        stage.slider->setLandmark(0);
        QTest::keyClick(stage.slider, Qt::Key_Left);
        QCOMPARE(stage.slider->value(), 122'880);
        stage.dragTo(127'500);
        QCOMPARE(stage.slider->value(), 131'072); // no longer a stop
    }

    void landmarkBeyondTheEndIsTheEnd()
    {
        const Stage stage;
        stage.slider->setLandmark(10'485'760); // trained length of Llama 4 Scout
        QCOMPARE(stage.slider->maximum(), 10'485'760);
        QTest::keyClick(stage.slider, Qt::Key_End);
        QCOMPARE(stage.slider->value(), 10'485'760);
        stage.slider->setLandmark(8'192);
        QCOMPARE(stage.slider->maximum(), kLast);
        QCOMPARE(stage.slider->value(), kLast);
    }

    void valueBeyondMovesToTheEnd()
    {
        const Stage stage;
        stage.slider->setValue(2'000'000);
        QCOMPARE(stage.slider->value(), kLast);
        stage.slider->setValue(1);
        QCOMPARE(stage.slider->value(), kFirst);
    }

    void wheelNeedsFocus()
    {
        Stage stage;
        QVERIFY(!stage.slider->hasFocus());
        QVERIFY(!stage.wheel(120)); // left to the panel, which scrolls
        QCOMPARE(stage.slider->value(), 8'192);
        stage.slider->setFocus();
        QVERIFY(stage.slider->hasFocus());
        QVERIFY(stage.wheel(120));
        QCOMPARE(stage.slider->value(), 9'216);
        QVERIFY(stage.wheel(-120));
        QCOMPARE(stage.slider->value(), 8'192);
    }

    void screenReader()
    {
        const Stage stage;
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(stage.slider);
        QVERIFY(interface != nullptr);
        QCOMPARE(interface->role(), QAccessible::Slider);
        QCOMPARE(interface->text(QAccessible::Value), QStringLiteral("8,192 tokens"));
        QAccessibleValueInterface* value = interface->valueInterface();
        QVERIFY(value != nullptr);
        QCOMPARE(value->currentValue().toInt(), 8'192);
        QCOMPARE(value->minimumValue().toInt(), kFirst);
        QCOMPARE(value->maximumValue().toInt(), kLast);
        value->setCurrentValue(16'384);
        QCOMPARE(stage.slider->value(), 16'384);
        QCOMPARE(interface->text(QAccessible::Value), QStringLiteral("16,384 tokens"));
    }

    void painting()
    {
        const Stage stage;
        QVERIFY(stage.slider->sizeHint().height() >= 24); // a target of 24 pixels
        const QImage before = stage.slider->grab().toImage();
        stage.slider->setFocus();
        QVERIFY(stage.slider->grab().toImage() != before); // focus is seen
        stage.other->setFocus();
        QCOMPARE(stage.slider->grab().toImage(), before);
        stage.slider->setValue(65'536);
        QVERIFY(stage.slider->grab().toImage() != before);
    }
};

ROOM_TEST(TestCountSlider, QApplication)
#include "test_count_slider.moc"
