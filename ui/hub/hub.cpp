// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub.h"

#include "core/files/model_folder.h"
#include "ui/hub/hub_files.h"

#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

using core::Result;
using core::Scenario;
using core::readers::FolderContent;
using core::readers::HubListing;
using core::readers::HubName;

QString percent(const std::string& text, const char* alsoEncoded = "")
{
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(text), {}, alsoEncoded));
}

/// Keeps a hub's answers about revisions, by which the files that are kept are found without a network.
class ListingStore {
public:
    ListingStore(const HubAccess& access, const QDir& cache, const HubName& name)
        : m_repository(cache.filePath(percent(access.endpoint.toString(QUrl::RemoveUserInfo).toStdString(), ".") +
                                      QLatin1Char('/') + percent(name.repository, "."))),
          m_path(m_repository.filePath(QStringLiteral("revision-") + percent(name.revision, ".")))
    {
    }

    std::optional<QByteArray> text() const
    {
        QFile file(m_path);
        return file.open(QIODevice::ReadOnly) ? std::optional(file.readAll()) : std::nullopt;
    }
    void keep(const QByteArray& text) const
    {
        QSaveFile file(m_path);
        if (m_repository.mkpath(QStringLiteral(".")) && file.open(QIODevice::WriteOnly) &&
            file.write(text) == text.size())
            file.commit();
    }
    QDir filesOf(const std::string& commit) const { return QDir(m_repository.filePath(percent(commit, "."))); }

private:
    QDir m_repository;
    QString m_path;
};

/// True for a full commit, whose files never change.
bool isCommit(const std::string& revision)
{
    constexpr std::size_t kDigits = 40;
    return revision.size() == kDigits && std::ranges::all_of(revision, [](char digit) {
               return (digit >= '0' && digit <= '9') || (digit >= 'a' && digit <= 'f');
           });
}

struct Listed {
    HubListing listing;
    bool isOld = false; ///< no server answered: this is the list as it was last
};

Result<Listed> listingOf(HubClient& client, const HubName& name, const ListingStore& store)
{
    const std::string called = "the list of files of " + name.repository;
    const std::optional<QByteArray> kept = store.text();
    const auto read = [&](const QByteArray& text, bool isOld) {
        return core::readers::readHubListing({text.constData(), static_cast<std::size_t>(text.size())}, called)
            .map([&](const HubListing& listing) {
                return Listed{listing, isOld};
            });
    };
    if (kept && (isCommit(name.revision) || client.access().isOffline))
        return read(*kept, !isCommit(name.revision));
    const Result<HubAnswer> answer =
        client.whole(QStringLiteral("/api/models/%1/revision/%2")
                         .arg(QString::fromStdString(name.repository), percent(name.revision)),
                     called);
    if (!answer && kept && client.isUnreachable())
        return read(*kept, true);
    if (!answer)
        return tl::unexpected(answer.error());
    Result<Listed> listed = read(answer->bytes, false);
    if (listed)
        store.keep(answer->bytes);
    return listed;
}

} // namespace

QDir hubCache()
{
    return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) +
                QStringLiteral("/kv-horizon/hub"));
}

Result<Scenario> fetchModel(const HubName& name, const HubAccess& access, const QDir& cache,
                            const std::function<void(std::int64_t)>& progress, const std::stop_token& stop)
{
    HubClient client(access, progress, stop);
    const ListingStore store(access, cache, name);
    Result<Listed> listed = listingOf(client, name, store);
    if (!listed)
        return tl::unexpected(listed.error());
    const std::string commit = listed->listing.commit;
    const std::size_t slash = name.file.rfind('/');
    const std::string folder = slash == std::string::npos ? std::string() : name.file.substr(0, slash + 1);
    const HubFiles files(client, name.repository, std::move(listed->listing), folder, store.filesOf(commit));
    Result<FolderContent> content = name.file.empty()
                                        ? core::readers::readFolder(files, name.repository)
                                        : core::readers::readFileOf(files, name.file.substr(folder.size()));
    if (!content) {
        if (!client.hasFailed())
            store.filesOf(commit)
                .removeRecursively(); // it may be a log-in page of the network instead of the model's file
        return tl::unexpected(content.error());
    }
    core::Model& model = content->scenario.model;
    if (content->needsName)
        model.name = name.file.empty() ? name.repository.substr(name.repository.rfind('/') + 1)
                                       : std::filesystem::path(name.file).stem().string();
    if (content->needsSource)
        model.source = toText(HubName{name.repository, commit.substr(0, 8), name.file});
    if (listed->isOld)
        model.notes.push_back("no server answered: these are the files as they were fetched last");
    return std::move(content->scenario);
}

} // namespace ui
