// SPDX-License-Identifier: GPL-3.0-or-later
// A learner in C++, an example of the learner protocol (resources/docs/learner-protocol.md): the class whose mean
// points most nearly the same way wins. It needs nothing but nlohmann-json and POSIX:
//   g++ -std=c++20 -O2 nearest_mean.cpp -o nearest_mean
//   palimpsest-cli learner check ./nearest_mean
// It learns from features of the frozen network, or with the argument --pixels from the images themselves.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::json;

/// A .safetensors file, mapped while this lives.
class TensorMap {
public:
    explicit TensorMap(const std::string& file) {
        const int open = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
        struct stat facts {};
        if (open < 0 || fstat(open, &facts) != 0) throw std::runtime_error("cannot read " + file);
        size_ = static_cast<std::size_t>(facts.st_size);
        void* const map = mmap(nullptr, size_, PROT_READ, MAP_SHARED, open, 0);
        close(open);
        if (map == MAP_FAILED) throw std::runtime_error("cannot map " + file);
        bytes_ = static_cast<const char*>(map);
        std::uint64_t header = 0;
        std::memcpy(&header, bytes_, sizeof header);
        header_ = Json::parse(bytes_ + 8, bytes_ + 8 + header);
        data_ = bytes_ + 8 + header;
    }
    ~TensorMap() { munmap(const_cast<char*>(bytes_), size_); }
    TensorMap(const TensorMap&) = delete;
    TensorMap& operator=(const TensorMap&) = delete;

    std::int64_t rows(const char* name) const { return header_.at(name).at("shape").at(0); }
    /// Values of a row: all extents but the first.
    std::int64_t width(const char* name) const {
        std::int64_t product = 1;
        const Json& shape = header_.at(name).at("shape");
        for (std::size_t i = 1; i < shape.size(); ++i) product *= shape[i].get<std::int64_t>();
        return product;
    }
    template <class Value>
    const Value* values(const char* name) const {
        return reinterpret_cast<const Value*>(data_ + header_.at(name).at("data_offsets").at(0).get<std::uint64_t>());
    }

private:
    const char* bytes_ = nullptr;
    const char* data_ = nullptr;
    std::size_t size_ = 0;
    Json header_;
};

void writeLogits(const std::string& file, const std::vector<float>& logits, std::int64_t rows, std::int64_t classes) {
    const Json header{{"logits",
                       {{"dtype", "F32"}, {"shape", {rows, classes}}, {"data_offsets", {0, logits.size() * 4}}}}};
    std::string text = header.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = text.size();
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.write(reinterpret_cast<const char*>(logits.data()), static_cast<std::streamsize>(logits.size() * 4));
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

class NearestMean {
public:
    explicit NearestMean(bool pixels) : input_(pixels ? "images" : "features") {}

    Json answer(const Json& request) {
        const std::string verb = request.at("verb");
        if (verb == "hello") return hello(request);
        if (verb == "begin") return begin(request);
        if (verb == "observe") return observe(request);
        if (verb == "predict") return predict(request);
        if (verb == "save") return save(request);
        if (verb == "load") return load(request);
        return Json::object();  // session_end: nothing to do
    }

private:
    Json hello(const Json& request) {
        folder_ = request.at("folder").get<std::string>() + "/";
        return {{"protocol", 1},
                {"name", "nearest mean"},
                {"version", "1"},
                {"takes", {input_}},
                {"options",
                 {{{"key", "count"},
                   {"title", "Images counted"},
                   {"type", "choice"},
                   {"default", "every update"},
                   {"choices", {"every update", "first update"}},
                   {"help", "Whether an image counts in each update of its batch, newly augmented, or in the first."}}}}};
    }

    Json begin(const Json& request) {
        classes_ = request.at("classes");
        const Json& image = request.at("image");
        width_ = input_ == "features" ? request.at("features").get<std::int64_t>()
                                      : image[0].get<std::int64_t>() * image[1].get<std::int64_t>() *
                                            image[2].get<std::int64_t>();
        every_update_ = request.at("options").at("count") == "every update";
        sums_.assign(static_cast<std::size_t>(classes_ * width_), 0);
        counts_.assign(static_cast<std::size_t>(classes_), 0);
        means_.clear();
        return Json::object();
    }

    /// Answers what it knew before it counts the images.
    Json observe(const Json& request) {
        const TensorMap batch(folder_ + request.at("tensors").get<std::string>());
        const std::int64_t rows = batch.rows("labels");
        const auto* const labels = batch.values<std::int64_t>("labels");
        const auto* const values = batch.values<float>(input_.c_str());
        const std::vector<float> logits = scores(values, rows);
        const std::vector<std::int64_t> visible = request.at("visible");
        double loss = 0;
        std::int64_t right = 0;
        for (std::int64_t row = 0; row < rows; ++row) {
            const float* const own = logits.data() + row * classes_;
            double sum = 0;
            std::int64_t best = visible.empty() ? -1 : visible.front();
            for (const std::int64_t unit : visible) {
                sum += std::exp(static_cast<double>(own[unit]));
                if (own[unit] > own[best]) best = unit;
            }
            loss += std::log(sum) - static_cast<double>(own[labels[row]]);
            right += best == labels[row] ? 1 : 0;
        }
        if (every_update_ || request.at("update") == 0) count(values, labels, rows);
        return {{"loss", loss / static_cast<double>(rows)},
                {"accuracy", static_cast<double>(right) / static_cast<double>(rows)}};
    }

    void count(const float* values, const std::int64_t* labels, std::int64_t rows) {
        for (std::int64_t row = 0; row < rows; ++row) {
            double* const sum = sums_.data() + labels[row] * width_;
            for (std::int64_t i = 0; i < width_; ++i) sum[i] += static_cast<double>(values[row * width_ + i]);
            ++counts_[static_cast<std::size_t>(labels[row])];
        }
        means_.clear();
    }

    Json predict(const Json& request) {
        const TensorMap test(folder_ + request.at("tensors").get<std::string>());
        const std::int64_t rows = test.rows(input_.c_str());
        writeLogits(folder_ + request.at("logits").get<std::string>(),
                    scores(test.values<float>(input_.c_str()), rows), rows, classes_);
        return Json::object();
    }

    /// Cosine between each row and each mean [rows, classes]; of a class without images it is less than any.
    std::vector<float> scores(const float* values, std::int64_t rows) {
        if (means_.empty()) computeMeans();
        std::vector<float> logits(static_cast<std::size_t>(rows * classes_), -2);
        for (std::int64_t row = 0; row < rows; ++row) {
            const float* const own = values + row * width_;
            double length = 0;
            for (std::int64_t i = 0; i < width_; ++i) length += static_cast<double>(own[i]) * static_cast<double>(own[i]);
            length = std::max(std::sqrt(length), 1e-12);
            for (std::int64_t unit = 0; unit < classes_; ++unit) {
                if (counts_[static_cast<std::size_t>(unit)] == 0) continue;
                const double* const mean = means_.data() + unit * width_;
                double product = 0;
                for (std::int64_t i = 0; i < width_; ++i) product += static_cast<double>(own[i]) * mean[i];
                logits[static_cast<std::size_t>(row * classes_ + unit)] = static_cast<float>(product / length);
            }
        }
        return logits;
    }

    void computeMeans() {
        means_ = sums_;
        for (std::int64_t unit = 0; unit < classes_; ++unit) {
            double* const mean = means_.data() + unit * width_;
            double length = 0;
            for (std::int64_t i = 0; i < width_; ++i) length += mean[i] * mean[i];
            length = std::max(std::sqrt(length), 1e-12);
            for (std::int64_t i = 0; i < width_; ++i) mean[i] /= length;
        }
    }

    /// All that later answers depend on: the sums and the counts.
    Json save(const Json& request) {
        std::ofstream out(folder_ + request.at("file").get<std::string>(), std::ios::binary | std::ios::trunc);
        out.write(reinterpret_cast<const char*>(sums_.data()), static_cast<std::streamsize>(sums_.size() * 8));
        out.write(reinterpret_cast<const char*>(counts_.data()), static_cast<std::streamsize>(counts_.size() * 8));
        if (!out.flush()) throw std::runtime_error("cannot write the state");
        return Json::object();
    }

    Json load(const Json& request) {
        std::ifstream in(folder_ + request.at("file").get<std::string>(), std::ios::binary);
        in.read(reinterpret_cast<char*>(sums_.data()), static_cast<std::streamsize>(sums_.size() * 8));
        in.read(reinterpret_cast<char*>(counts_.data()), static_cast<std::streamsize>(counts_.size() * 8));
        if (!in || in.peek() != std::ifstream::traits_type::eof())
            throw std::runtime_error("this state is of other classes or features");
        means_.clear();
        return Json::object();
    }

    std::string input_, folder_;
    std::int64_t classes_ = 0, width_ = 0;
    bool every_update_ = true;
    std::vector<double> sums_, means_;  // [classes, width]; the means have length 1, and are empty until they are needed
    std::vector<std::int64_t> counts_;
};

}  // namespace

int main(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string(argv[i]) == "--pixels") continue;
        std::cerr << "nearest_mean does not take " << argv[i] << "; it takes --pixels, or nothing." << std::endl;
        return 2;
    }
    NearestMean learner(argc > 1);
    for (std::string line; std::getline(std::cin, line);) {
        Json answer;
        try {
            const Json request = Json::parse(line);
            if (request.at("verb") == "bye") return 0;
            answer = learner.answer(request);
        } catch (const std::exception& error) {
            answer = {{"error", error.what()}};
        }
        std::cout << answer.dump() << std::endl;
    }
    return 0;
}
