// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/hub_name.h"
#include "ui/hub/hub_client.h"

#include <QDir>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ui {

/// What was fetched of one file, kept on disk in blocks, so that it is fetched once. Names its folder by the commit:
/// what is kept never changes. A block that cannot be written is fetched again the next time.
class BlockStore {
public:
    static constexpr std::int64_t kBlock = std::int64_t{1} << 16U; ///< bytes

    explicit BlockStore(QDir folder) : m_folder(std::move(folder)) {}

    std::optional<std::int64_t> size() const;
    void keepSize(std::int64_t size) const;
    /// The block of that number; nothing where it was not fetched. The last block is shorter.
    std::optional<QByteArray> block(std::int64_t number) const;
    void keep(std::int64_t number, const QByteArray& block) const;

private:
    QDir m_folder;
};

/// The files of a folder in a repository at one commit.
class HubFiles : public core::readers::FileSet {
public:
    /// `folder` is "" or ends with "/". The client must outlive this and every file opened.
    HubFiles(HubClient& client, std::string repository, core::readers::HubListing listing, std::string folder,
             QDir cache);

    std::vector<std::string> names() const override;
    bool has(std::string_view name) const override;
    core::Result<std::unique_ptr<core::readers::ByteSource>> open(std::string_view name) const override;

private:
    HubClient& m_client;
    std::string m_repository;
    core::readers::HubListing m_listing;
    std::string m_folder;
    QDir m_cache; ///< of this commit
};

} // namespace ui
