// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Parallel.h>

#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/data/image_op_parts.h"
#include "engine/support/share_work.h"

namespace palimpsest {
namespace {

/// Input and output of one image's three planes.
struct Planes {
    const std::uint8_t* in;
    std::uint8_t* out;
    std::int64_t size;  // of one plane

    void map(std::int64_t channel, const ByteTable& table) const {
        for (std::int64_t i = channel * size; i < (channel + 1) * size; ++i) out[i] = table[in[i]];
    }
};

template <class Change>
void eachImage(const Tensor& bytes, Tensor& result, Change change) {
    const std::int64_t size = bytes.size(2) * bytes.size(3);
    const std::uint8_t* in = bytes.data_ptr<std::uint8_t>();
    std::uint8_t* out = result.data_ptr<std::uint8_t>();
    shareWork(static_cast<std::size_t>(bytes.size(0)), at::get_num_threads(), [&](std::size_t image) {
        const std::int64_t begin = static_cast<std::int64_t>(image) * 3 * size;
        change(Planes{in + begin, out + begin, size});
    });
}

template <class Value>
ByteTable tableOf(Value value) {
    ByteTable table;
    for (int byte = 0; byte < 256; ++byte)
        table[static_cast<std::size_t>(byte)] = static_cast<std::uint8_t>(value(byte));
    return table;
}

void mapAll(const Tensor& bytes, Tensor& result, const ByteTable& table) {
    eachImage(bytes, result, [&](const Planes& planes) {
        for (std::int64_t c = 0; c < 3; ++c) planes.map(c, table);
    });
}

/// Table of factor * byte for every byte, rounded to float32: a product from a table is never fused with a sum, so
/// every processor gives the same bytes.
class Products {
public:
    explicit Products(double factor) {
        for (std::size_t byte = 0; byte < 256; ++byte)
            values_[byte] = static_cast<float>(factor) * static_cast<float>(byte);
    }
    float operator[](std::uint8_t byte) const { return values_[byte]; }

private:
    std::array<float, 256> values_;
};

/// Truncates instead of rounding.
std::uint8_t clampedByte(float value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f));
}

class Grey {
public:
    std::uint8_t operator()(const Planes& planes, std::int64_t i) const {
        const float sum = red_[planes.in[i]] + green_[planes.in[planes.size + i]];
        return static_cast<std::uint8_t>(sum + blue_[planes.in[2 * planes.size + i]]);
    }

private:
    Products red_{0.2989}, green_{0.587}, blue_{0.114};
};

/// Computes factor * image + (1 - factor) * other.
struct Blend {
    explicit Blend(double factor) : image(factor), other(1.0 - factor) {}
    std::uint8_t operator()(std::uint8_t byte, std::uint8_t otherByte) const {
        return clampedByte(image[byte] + other[otherByte]);
    }
    Products image, other;
};

ByteTable brightened(double factor) {
    const Products products(factor);
    return tableOf([&](int byte) { return clampedByte(products[static_cast<std::uint8_t>(byte)]); });
}

void colour(const Tensor& bytes, Tensor& result, double factor) {
    eachImage(bytes, result, [blend = Blend(factor), grey = Grey()](const Planes& planes) {
        for (std::int64_t i = 0; i < planes.size; ++i) {
            const std::uint8_t shade = grey(planes, i);
            for (std::int64_t at = i; at < 3 * planes.size; at += planes.size)
                planes.out[at] = blend(planes.in[at], shade);
        }
    });
}

void contrast(const Tensor& bytes, Tensor& result, double factor) {
    eachImage(bytes, result, [&, products = Products(factor), grey = Grey()](const Planes& planes) {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < planes.size; ++i) sum += grey(planes, i);
        const float mean = static_cast<float>(sum) / static_cast<float>(planes.size);
        // Computed in float64, so that this product is not fused with the sum either.
        const auto share = static_cast<float>(static_cast<double>(mean) * static_cast<float>(1.0 - factor));
        const ByteTable table =
            tableOf([&](int byte) { return clampedByte(products[static_cast<std::uint8_t>(byte)] + share); });
        for (std::int64_t c = 0; c < 3; ++c) planes.map(c, table);
    });
}

/// Blends with the smoothed image: nine pixels, the middle one weighted five times; the border stays.
void sharpen(const Tensor& bytes, Tensor& result, double factor) {
    const std::int64_t height = bytes.size(2), width = bytes.size(3);
    if (height <= 2 || width <= 2) {
        result.copy_(bytes);
        return;
    }
    eachImage(bytes, result, [=, blend = Blend(factor)](const Planes& planes) {
        for (std::int64_t y = 0; y < 3 * height; ++y) {
            const std::int64_t row = y % height;
            const bool edge = row == 0 || row == height - 1;
            const std::uint8_t* in = planes.in + y * width;
            std::uint8_t* out = planes.out + y * width;
            for (std::int64_t x = 0; x < width; ++x) {
                std::uint8_t smooth = in[x];
                if (!edge && x > 0 && x < width - 1) {
                    int sum = 4 * in[x];
                    for (const std::int64_t line : {-width, std::int64_t{0}, width})
                        sum += in[x + line - 1] + in[x + line] + in[x + line + 1];
                    smooth = static_cast<std::uint8_t>((2 * sum + 13) / 26);  // sum / 13 is never half a byte
                }
                out[x] = blend(in[x], smooth);
            }
        }
    });
}

ByteTable stretched(const Planes& planes, std::int64_t channel) {
    const auto [least, most] =
        std::minmax_element(planes.in + channel * planes.size, planes.in + (channel + 1) * planes.size);
    if (*least == *most) return tableOf([](int byte) { return byte; });
    const float scale = 255.0f / static_cast<float>(*most - *least);
    return tableOf([&, low = *least](int byte) { return clampedByte(static_cast<float>(byte - low) * scale); });
}

ByteTable equalised(const Planes& planes, std::int64_t channel) {
    std::array<std::int64_t, 256> counts{};
    for (std::int64_t i = channel * planes.size; i < (channel + 1) * planes.size; ++i) ++counts[planes.in[i]];
    const auto last = std::find_if(counts.rbegin(), counts.rend(), [](std::int64_t count) { return count > 0; });
    const std::int64_t step = (planes.size - *last) / 255;
    if (step == 0) return tableOf([](int byte) { return byte; });
    std::int64_t below = 0;
    return tableOf([&](int byte) {
        const std::int64_t level = std::min<std::int64_t>(255, (below + step / 2) / step);
        below += counts[static_cast<std::size_t>(byte)];
        return byte == 0 ? 0 : level;
    });
}

template <class TableOfChannel>
void mapChannels(const Tensor& bytes, Tensor& result, TableOfChannel tableOfChannel) {
    eachImage(bytes, result, [&](const Planes& planes) {
        for (std::int64_t c = 0; c < 3; ++c) planes.map(c, tableOfChannel(planes, c));
    });
}

/// Coordinates in the input of an output pixel: x' = [0] x + [1] y + [2], y' = [3] x + [4] y + [5], from the centre.
using Affine = std::array<double, 6>;

/// Shear about the top left corner, which lies at (-width / 2, -height / 2).
Affine shear(double tangent, bool across, std::int64_t height, std::int64_t width) {
    // Converted to degrees and back, as torchvision does, to get the same last bits.
    const double angle = std::atan(tangent) * (180 / std::numbers::pi) * (std::numbers::pi / 180);
    const double top = -0.5 * static_cast<double>(height), left = -0.5 * static_cast<double>(width);
    if (across) {
        const double slope = std::tan(angle);
        return {1, slope, (-left + slope * -top) + left, 0, 1, 0};
    }
    const double slope = std::sin(angle) / std::cos(angle);
    return {1, 0, 0, slope, 1, (slope * -left - top) + top};
}

Affine rotation(double degrees) {
    const double angle = degrees * (std::numbers::pi / 180);
    return {std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0};
}

/// Number of the input pixel nearest to each output pixel's coordinates, from 1; 0 outside. Found by LibTorch's own
/// grid_sample on an image of these numbers, so that the nearest pixel is the one that torchvision picks.
Tensor pixelsAt(const Affine& affine, std::int64_t height, std::int64_t width) {
    const auto centred = [](std::int64_t length, std::int64_t i) {
        return static_cast<float>(i) - 0.5f * static_cast<float>(length) + 0.5f;
    };
    std::array<float, 6> factors;
    for (std::size_t i = 0; i < factors.size(); ++i)
        factors[i] = static_cast<float>(affine[i]) / (0.5f * static_cast<float>(i < 3 ? width : height));
    Tensor grid = at::empty({1, height, width, 2}, at::kFloat);
    float* out = grid.data_ptr<float>();
    // torchvision's product of three numbers each, with the fused multiplication that its BLAS has on nearly every
    // processor: at the border between two pixels the last bit decides which is nearer.
    for (std::int64_t y = 0; y < height; ++y)
        for (std::int64_t x = 0; x < width; ++x)
            for (std::size_t row = 0; row < factors.size(); row += 3) {
                const float across = centred(width, x) * factors[row];
                *out++ = std::fma(centred(height, y), factors[row + 1], across) + factors[row + 2];
            }
    const Tensor numbers = at::arange(1, height * width + 1, at::kFloat).reshape({1, 1, height, width});
    constexpr std::int64_t kNearest = 1, kZeros = 0;
    return at::grid_sampler(numbers, grid, kNearest, kZeros, /*align_corners=*/false).to(at::kInt).contiguous();
}

void move(const Tensor& bytes, Tensor& result, const Tensor& pixels) {
    const std::int32_t* source = pixels.data_ptr<std::int32_t>();
    eachImage(bytes, result, [&](const Planes& planes) {
        for (std::int64_t c = 0; c < 3; ++c) {
            const std::uint8_t* in = planes.in + c * planes.size;
            std::uint8_t* out = planes.out + c * planes.size;
            for (std::int64_t i = 0; i < planes.size; ++i) out[i] = source[i] > 0 ? in[source[i] - 1] : 0;
        }
    });
}

}  // namespace

std::optional<ByteTable> byteTable(ImageOp op, double amount) {
    switch (op) {
        case ImageOp::Brightness:
            return brightened(1.0 + amount);
        case ImageOp::Posterize:
            return tableOf([&](int byte) { return byte & -(1 << (8 - static_cast<int>(amount))); });
        case ImageOp::Solarize:
            return tableOf([&](int byte) { return byte >= amount ? 255 - byte : byte; });
        case ImageOp::Invert:
            return tableOf([](int byte) { return 255 - byte; });
        default:
            return std::nullopt;
    }
}

Tensor sourcePixels(ImageOp op, double amount, std::int64_t height, std::int64_t width) {
    switch (op) {
        case ImageOp::ShearX:
            return pixelsAt(shear(amount, /*across=*/true, height, width), height, width);
        case ImageOp::ShearY:
            return pixelsAt(shear(amount, /*across=*/false, height, width), height, width);
        case ImageOp::TranslateX:
            return pixelsAt({1, 0, -std::trunc(amount), 0, 1, 0}, height, width);
        case ImageOp::TranslateY:
            return pixelsAt({1, 0, 0, 0, 1, -std::trunc(amount)}, height, width);
        case ImageOp::Rotate:
            return pixelsAt(rotation(amount), height, width);
        default:
            return {};
    }
}

Tensor changed(const Tensor& bytes, ImageOp op, double amount) {
    if (!bytes.is_cpu()) return changedByOperators(bytes, op, amount);
    const Tensor given = bytes.contiguous();
    Tensor result = at::empty(given.sizes(), at::kByte);
    if (const auto table = byteTable(op, amount)) {
        mapAll(given, result, *table);
        return result;
    }
    if (const Tensor pixels = sourcePixels(op, amount, given.size(2), given.size(3)); pixels.defined()) {
        move(given, result, pixels);
        return result;
    }
    switch (op) {
        case ImageOp::Color:
            colour(given, result, 1.0 + amount);
            break;
        case ImageOp::Contrast:
            contrast(given, result, 1.0 + amount);
            break;
        case ImageOp::Sharpness:
            sharpen(given, result, 1.0 + amount);
            break;
        case ImageOp::AutoContrast:
            mapChannels(given, result, stretched);
            break;
        default:
            mapChannels(given, result, equalised);
            break;
    }
    return result;
}

}  // namespace palimpsest
