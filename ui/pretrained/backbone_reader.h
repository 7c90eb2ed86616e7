// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <stop_token>
#include <vector>

#include "engine/run/backbone_service.h"
#include "ui/state/background.h"

namespace palimpsest {

/// Reads which backbones there are and what a file of weights is, away from the window's thread. Of several files asked
/// for in turn, only the last is answered; reading of an earlier one is given up.
class BackboneReader : public QObject {
    Q_OBJECT
public:
    using Service = std::shared_ptr<const BackboneService>;

    /// `service` must not be null.
    explicit BackboneReader(Service service, QObject* parent = nullptr);
    /// Asks what is being read to end, and waits for it.
    ~BackboneReader() override;

    void readCards();
    void read(const QString& file);

Q_SIGNALS:
    void cardsRead(const std::vector<palimpsest::BackboneCard>& cards);
    void cardsFailed(const QString& message, const QString& hint);
    void factsRead(const palimpsest::BackboneFacts& facts);
    void factsFailed(const QString& message, const QString& hint);

private:
    const Service service_;
    std::stop_source closing_;  ///< of the cards
    std::stop_source reading_;  ///< of the file asked for last
    Background background_;
};

}  // namespace palimpsest
