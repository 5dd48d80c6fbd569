// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export_dialog.h"

#include "ui/texts.h"
#include "ui/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>

namespace ui {

namespace {

QString key(const char* name)
{
    return QStringLiteral("export/") + QString::fromLatin1(name);
}

} // namespace

ExportDialog::ExportDialog(const Picture& picture, const core::Evaluation& evaluation, const ExportSettings& settings,
                           QWidget* parent)
    : QDialog(parent),
      m_picture(picture),
      m_evaluation(evaluation),
      m_settings(settings),
      m_file(new QLineEdit(this)),
      m_size(new QComboBox(this)),
      m_dpi(new QSpinBox(this)),
      m_dark(new QCheckBox(tr("Dark theme"), this)),
      m_title(new QLineEdit(this)),
      m_issue(new QLabel(this))
{
    const QSettings last;
    setWindowTitle(pictureText(picture.exportTitle));
    const QString name = QString::fromLatin1(picture.name) + QStringLiteral(".png");
    m_file->setText(QDir(last.value(key("folder"), QDir::homePath()).toString()).filePath(name));
    m_size->setEditable(true);
    m_size->addItems({QStringLiteral("1600x900"), QStringLiteral("84x60mm"), QStringLiteral("174x100mm")});
    m_size->setEditText(last.value(key("size"), QStringLiteral("1600x900")).toString());
    m_dpi->setRange(72, 1'200);
    m_dpi->setValue(last.value(key("dpi"), 96).toInt());
    m_dark->setChecked(last.value(key("dark"), false).toBool());
    m_title->setPlaceholderText(tr("the chart's own"));
    m_issue->setWordWrap(true);
    m_issue->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_issue->setForegroundRole(kBadText);

    auto* browse = new QPushButton(tr("Choose…"), this);
    connect(browse, &QPushButton::clicked, this, &ExportDialog::chooseFile);
    auto* fileRow = new QHBoxLayout;
    fileRow->addWidget(m_file, 1);
    fileRow->addWidget(browse);
    auto* form = new QFormLayout(this);
    form->addRow(tr("File (.png .svg .pdf .csv)"), fileRow);
    form->addRow(tr("Size (pixels or mm)"), m_size);
    form->addRow(tr("Dots per inch"), m_dpi);
    form->addRow(QString(), m_dark);
    form->addRow(tr("Title"), m_title);
    form->addRow(m_issue);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &ExportDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    resize(520, sizeHint().height());
}

void ExportDialog::chooseFile()
{
    const QString path = QFileDialog::getSaveFileName(this, windowTitle(), m_file->text(),
                                                      tr("Pictures and tables (*.png *.svg *.pdf *.csv)"));
    if (!path.isEmpty())
        m_file->setText(path);
}

void ExportDialog::accept()
{
    ExportSettings settings = m_settings;
    settings.dpi = m_dpi->value();
    settings.dark = m_dark->isChecked();
    settings.title = m_title->text();
    core::Result<void> done = readSize(m_size->currentText().trimmed(), settings);
    if (done)
        done = exportPicture(m_picture, m_evaluation, settings, m_file->text());
    if (!done) {
        m_issue->setText(text(done.error().message));
        return;
    }
    QSettings stored;
    stored.setValue(key("folder"), QFileInfo(m_file->text()).absolutePath());
    stored.setValue(key("size"), m_size->currentText());
    stored.setValue(key("dpi"), m_dpi->value());
    stored.setValue(key("dark"), m_dark->isChecked());
    QDialog::accept();
}

} // namespace ui
