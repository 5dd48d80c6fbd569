// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/whole_file.h"

#include <QFileInfo>
#include <QSaveFile>

namespace ui {

namespace {

tl::unexpected<core::Error> unwritable(const QString& path, const QString& reason)
{
    return core::fail(KV_TEXT("core", "\"{0}\" could not be saved ({1}); what was there before is still there; save it "
                                      "elsewhere."),
                      {path.toStdString(), reason.toStdString()});
}

/// A disk that is nearly full takes a part first and says why when asked to take the rest.
bool writeAll(QIODevice& device, QByteArrayView content)
{
    while (!content.isEmpty()) {
        const qint64 written = device.write(content.data(), content.size());
        if (written <= 0)
            return false;
        content = content.sliced(written);
    }
    return true;
}

} // namespace

core::Result<void> writeWhole(const QString& path, const QByteArray& content)
{
    const QFileInfo info(path);
    if (info.exists() && !info.isFile())
        return unwritable(path,
                          info.isDir() ? QStringLiteral("it is a folder") : QStringLiteral("it is not a regular file"));
    QSaveFile file(path);
    // Unbuffered, because commit() takes no notice of a buffer that did not reach the disk.
    if (file.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && writeAll(file, content) && file.commit())
        return {};
    const QString reason = file.errorString();
    file.cancelWriting();
    return unwritable(path, reason);
}

} // namespace ui
