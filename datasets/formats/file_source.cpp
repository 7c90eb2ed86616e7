// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/file_source.h"

#include "engine/support/text.h"

namespace palimpsest {
namespace {

FileListing wanted(const std::function<FileListing(const DatasetRequest&)>& list, const DatasetRequest& request) {
    FileListing listing = list(request);
    for (auto& name : listing.class_names) name = plainLine(name);
    listing.train.keep(request.train_limit);
    listing.test.keep(request.test_limit);
    return listing;
}

}  // namespace

DatasetSource fileSource(DatasetInfo info, Statistics statistics,
                         std::function<FileListing(const DatasetRequest&)> list) {
    DatasetSource source;
    source.open = [name = info.name, title = info.title, statistics, list](const DatasetRequest& request) {
        FileListing listing = wanted(list, request);
        ImageDataset data;
        data.name = name;
        data.title = title;
        data.class_names = std::move(listing.class_names);
        data.mean = statistics.mean;
        data.deviation = statistics.deviation;
        data.train = std::make_shared<FileTable>(std::move(listing.train));
        data.test = std::make_shared<FileTable>(std::move(listing.test));
        return data;
    };
    source.labels = [title = info.title, list](const DatasetRequest& request) {
        FileListing listing = wanted(list, request);
        return LabelsOnly{title, std::move(listing.class_names), std::move(listing.train.labels),
                          std::move(listing.test.labels)};
    };
    source.info = std::move(info);
    return source;
}

}  // namespace palimpsest
