// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub_files.h"

#include <QFile>
#include <QSaveFile>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

using core::Result;
using core::readers::ByteSource;

/// Encodes a name so that no file system takes it for a path.
QString encoded(const std::string& name)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(name), {}, "."));
}

std::optional<QByteArray> contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
}

void write(const QString& path, const QByteArray& content)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(content) == content.size())
        file.commit();
}

/// Reads a file of the hub in blocks.
class HubSource : public ByteSource {
public:
    HubSource(HubClient& client, QString path, std::string name, BlockStore store)
        : m_client(client),
          m_path(std::move(path)),
          m_name(std::move(name)),
          m_store(std::move(store)),
          m_size(m_store.size())
    {
    }

    std::optional<std::int64_t> size() const override { return m_size; }
    Result<std::size_t> read(std::int64_t offset, std::span<char> into) override;

private:
    /// Fetches the blocks from `first` on up to `last` that are not kept yet.
    Result<void> fetch(std::int64_t first, std::int64_t last);
    /// Makes block `number` the current one; where it must be fetched, those up to `last` are fetched with it.
    Result<void> load(std::int64_t number, std::int64_t last);

    HubClient& m_client;
    QString m_path;
    std::string m_name;
    BlockStore m_store;
    std::optional<std::int64_t> m_size;
    std::int64_t m_number = -1; ///< of the block that was read last
    QByteArray m_block;
};

Result<void> HubSource::fetch(std::int64_t first, std::int64_t last)
{
    while (first <= last && m_store.block(first))
        ++first;
    while (last > first && m_store.block(last))
        --last;
    if (first > last)
        return {};
    constexpr std::int64_t kBlock = BlockStore::kBlock;
    Result<HubAnswer> answer = m_client.part(m_path, first * kBlock, (last - first + 1) * kBlock, m_name);
    if (!answer)
        return tl::unexpected(answer.error());
    const auto came = static_cast<std::int64_t>(answer->bytes.size());
    if (!answer->size && came < (last - first + 1) * kBlock)
        answer->size = first * kBlock + came; // it ended there
    if (answer->size) {
        m_size = answer->size;
        m_store.keepSize(*m_size);
    }
    for (std::int64_t at = 0; at < std::max<std::int64_t>(came, 1); at += kBlock)
        m_store.keep(first + at / kBlock, answer->bytes.mid(at, kBlock));
    return {};
}

Result<void> HubSource::load(std::int64_t number, std::int64_t last)
{
    if (number == m_number)
        return {};
    std::optional<QByteArray> block = m_store.block(number);
    if (!block) {
        if (const Result<void> fetched = fetch(number, last); !fetched)
            return fetched;
        block = m_store.block(number);
    }
    if (!block)
        return core::fail(KV_TEXT("core", "{0} was fetched but cannot be kept on this computer; nothing was changed; "
                                          "check the space in the cache folder."),
                          {m_name});
    m_number = number;
    m_block = *std::move(block);
    return {};
}

Result<std::size_t> HubSource::read(std::int64_t offset, std::span<char> into)
{
    constexpr std::int64_t kBlock = BlockStore::kBlock;
    std::size_t done = 0;
    const std::int64_t last = (offset + static_cast<std::int64_t>(into.size()) - 1) / kBlock;
    while (done < into.size() && (!m_size || offset < *m_size)) {
        const std::int64_t number = offset / kBlock;
        if (const Result<void> loaded = load(number, last); !loaded)
            return tl::unexpected(loaded.error());
        const std::int64_t inside = offset % kBlock;
        const std::int64_t count =
            std::min<std::int64_t>(m_block.size() - inside, static_cast<std::int64_t>(into.size() - done));
        if (count <= 0)
            break;
        std::copy_n(m_block.constData() + inside, count, into.data() + done);
        done += static_cast<std::size_t>(count);
        offset += count;
    }
    return done;
}

} // namespace

std::optional<std::int64_t> BlockStore::size() const
{
    bool ok = false;
    const std::optional<QByteArray> text = contentOf(m_folder.filePath(QStringLiteral("size")));
    const std::int64_t size = text ? text->toLongLong(&ok) : 0;
    return ok && size >= 0 ? std::optional(size) : std::nullopt;
}

void BlockStore::keepSize(std::int64_t size) const
{
    if (m_folder.mkpath(QStringLiteral(".")))
        write(m_folder.filePath(QStringLiteral("size")), QByteArray::number(qlonglong{size}));
}

std::optional<QByteArray> BlockStore::block(std::int64_t number) const
{
    return contentOf(m_folder.filePath(QString::number(number)));
}

void BlockStore::keep(std::int64_t number, const QByteArray& block) const
{
    if (m_folder.mkpath(QStringLiteral(".")))
        write(m_folder.filePath(QString::number(number)), block);
}

HubFiles::HubFiles(HubClient& client, std::string repository, core::readers::HubListing listing, std::string folder,
                   QDir cache)
    : m_client(client),
      m_repository(std::move(repository)),
      m_listing(std::move(listing)),
      m_folder(std::move(folder)),
      m_cache(std::move(cache))
{
}

std::vector<std::string> HubFiles::names() const
{
    std::vector<std::string> names;
    for (const std::string& path : m_listing.files) {
        if (path.starts_with(m_folder) && path.find('/', m_folder.size()) == std::string::npos)
            names.push_back(path.substr(m_folder.size()));
    }
    return names;
}

bool HubFiles::has(std::string_view name) const
{
    return std::ranges::binary_search(m_listing.files, m_folder + std::string(name));
}

Result<std::unique_ptr<ByteSource>> HubFiles::open(std::string_view name) const
{
    const std::string file = m_folder + std::string(name);
    if (!has(name))
        return core::fail(KV_TEXT("core", "{1} has no file {0}; nothing was changed; check its name and the revision."),
                          {file, m_repository});
    const QString path = QStringLiteral("/%1/resolve/%2/%3")
                             .arg(QString::fromStdString(m_repository), QString::fromStdString(m_listing.commit),
                                  QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(file), "/")));
    return std::make_unique<HubSource>(m_client, path, m_repository + "/" + file,
                                       BlockStore(QDir(m_cache.filePath(encoded(file)))));
}

} // namespace ui
