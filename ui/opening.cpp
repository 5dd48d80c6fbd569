// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening.h"

#include "core/teaching/lesson_file.h"
#include "ui/dialogs.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>

namespace ui {

Opening::Opening(Session& session, const core::Scenario& start, QWidget& window)
    : m_start(start), m_window(window), m_document(session)
{
}

void Opening::addEntries(QMenu& file)
{
    file.addAction(tr("&New"), QKeySequence(Qt::CTRL | Qt::Key_N), this, &Opening::begin);
    file.addAction(tr("&Open…"), QKeySequence(Qt::CTRL | Qt::Key_O), this, &Opening::choose);
    QMenu* recent = file.addMenu(tr("Open &recent"));
    connect(recent, &QMenu::aboutToShow, this, [this, recent] { fillRecent(*recent); });
    file.addSeparator();
    file.addAction(tr("&Save"), QKeySequence(Qt::CTRL | Qt::Key_S), this, &Opening::save);
    file.addAction(tr("Save &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this, &Opening::saveAs);
}

void Opening::fillRecent(QMenu& menu)
{
    menu.clear();
    for (const QString& path : Document::recentFiles())
        menu.addAction(menuText(path), this, [this, path] { open(path); });
    if (menu.isEmpty())
        menu.addAction(tr("No files yet"))->setEnabled(false);
    menu.addSeparator();
    menu.addAction(tr("&Clear this list"), this, &Document::clearRecentFiles);
}

void Opening::begin()
{
    if (!mayLeave())
        return;
    m_document.begin(m_start);
    emit replaced();
}

void Opening::choose()
{
    const QString path =
        QFileDialog::getOpenFileName(&m_window, tr("Open"), {},
                                     tr("Scenarios, models and lessons (*.kvh *.json *.gguf *.safetensors);;"
                                        "All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void Opening::open(const QString& path)
{
    if (core::readers::looksLikeLesson(path.toStdString()))
        return emit lessonChosen(path);
    if (!looksLikeScenario(path))
        return emit modelChosen(path);
    if (!mayLeave())
        return;
    if (const core::Result<void> opened = m_document.open(path); !opened)
        return complain(&m_window, opened.error().message);
    emit replaced();
}

bool Opening::save()
{
    commitTyping(m_window);
    return m_document.path().isEmpty() ? saveAs() : saveTo(m_document.path());
}

bool Opening::saveAs()
{
    commitTyping(m_window);
    QString path =
        QFileDialog::getSaveFileName(&m_window, tr("Save scenario"), m_document.path(), tr("Scenarios (*.kvh)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".kvh");
    return saveTo(path);
}

bool Opening::saveTo(const QString& path)
{
    const core::Result<void> saved = m_document.save(path);
    if (!saved)
        complain(&m_window, saved.error().message);
    return saved.has_value();
}

bool Opening::mayLeave()
{
    commitTyping(m_window);
    if (!m_document.isUnsaved())
        return true;
    const auto answer =
        QMessageBox::question(&m_window, tr("Unsaved changes"),
                              tr("%1 has changed since it was saved. Save it first?").arg(m_document.name()),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void Opening::restore()
{
    if (const core::Message message = m_document.restore(); !message.empty())
        complain(&m_window, message);
}

bool Opening::mayClose()
{
    commitTyping(m_window);
    // An unnamed scenario that is kept comes back at the next start: nothing to ask.
    const bool comesBack = m_document.isKept() && m_document.path().isEmpty();
    if (!comesBack && !mayLeave())
        return false;
    if (m_document.isKept())
        m_document.keep();
    return true;
}

} // namespace ui
