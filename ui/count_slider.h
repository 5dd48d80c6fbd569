// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractSlider>

#include <vector>

namespace ui {

/// A logarithmic slider over whole numbers: equal distances are equal factors. Its value is the number itself.
/// Without Shift a drag stops at eighths of each doubling (8K, 9K, 10K, … 16K, 18K, …) and at `setLandmark`; with Shift
/// it takes every number. Arrow keys go to the next stop, Page keys double and halve, Home and End go to the ends. The
/// wheel works only with focus. A screen reader hears the number with its unit ("8,192 tokens").
class CountSlider : public QAbstractSlider {
    Q_OBJECT

public:
    /// `unitTemplate` contains %L1 for the number: "%L1 tokens".
    CountSlider(int minimum, int maximum, QString unitTemplate, QWidget* parent = nullptr);

    /// The number of largest interest, such as the trained context: a stop of its own. 0 for none. The slider reaches
    /// to the larger of its maximum and the landmark.
    void setLandmark(int landmark);

    /// The value as a person reads it: "8,192 tokens".
    QString valueText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void sliderChange(SliderChange change) override;

private:
    void rebuildStops();
    void dragTo(double x, bool exact);
    void stepBy(int stops);
    double xOf(int number) const;
    int numberAt(double x) const;

    QString m_unitTemplate;
    int m_baseMaximum;
    int m_landmark = 0;
    std::vector<int> m_stops;
};

} // namespace ui
