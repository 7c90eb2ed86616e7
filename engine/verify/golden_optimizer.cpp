// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_optimizer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <sstream>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

class Description {
public:
    explicit Description(const std::string& words) : words_(words) {
        std::string plain = words;
        for (char& c : plain) {
            const bool separator = c == '(' || c == ')' || c == ',' || c == '=';
            c = separator ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
        in_.str(plain);
    }

    OptimizerSettings read() {
        OptimizerSettings settings;
        std::string word;
        in_ >> word;
        if (word != "adam" && word != "sgd") throw refusal("names no optimiser that this program knows");
        const bool adam = word == "adam";
        settings.kind = adam ? OptimizerSettings::Kind::Adam : OptimizerSettings::Kind::Sgd;
        while (in_ >> word)
            if (word == "lr")
                set(word, settings.learning_rate);
            else if (word == "wd" || word == "weight_decay")
                set("weight_decay", settings.weight_decay);
            else if (adam && word == "eps")
                set(word, settings.epsilon);
            else if (adam && word == "betas") {
                set("beta 1", settings.beta1);
                set("beta 2", settings.beta2);
            } else if (!adam && word == "momentum")
                set(word, settings.momentum);
            else if (!adam && word == "nesterov")
                settings.nesterov = true;
            else
                throw refusal("holds \"" + word + "\", which is not understood");
        if (!given_.contains("lr")) throw refusal("gives no learning rate");
        if (settings.beta1 >= 1 || settings.beta2 >= 1) throw refusal("has a beta that is not below 1");
        if (settings.nesterov && settings.momentum == 0) throw refusal("has Nesterov without momentum");
        return settings;
    }

private:
    Error refusal(const std::string& why) const {
        return inputError("The optimiser \"" + words_ + "\" " + why + ".",
                          "Use golden files of a version that this program understands.");
    }

    /// Sets a value; a repeated setting is allowed if it is the same.
    void set(const std::string& name, double& setting) {
        std::string number;
        in_ >> number;
        double value = 0;
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (number.empty() || error != std::errc() || end != number.data() + number.size() || !std::isfinite(value) ||
            value < 0)
            throw refusal("has no number of zero or more for " + name);
        const auto [known, fresh] = given_.emplace(name, value);
        if (!fresh && known->second != value) throw refusal("gives " + name + " twice");
        setting = value;
    }

    std::string words_;
    std::istringstream in_;
    std::map<std::string, double> given_;
};

}  // namespace

OptimizerSettings parseOptimizer(const std::string& words) {
    return Description(words).read();
}

}  // namespace palimpsest
