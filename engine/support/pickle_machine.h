// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace palimpsest {

/// Base of readers of Python pickles: the bytes, a stack of values with marks on it, and a memo. The values
/// themselves lie in a list of the reader's; here they are numbers. Nothing is read beyond the bytes, and nothing taken
/// that is not there: such a file is damaged. Source: Python, Lib/pickletools.py (what each opcode does).
class PickleMachine {
public:
    using Ref = std::uint32_t;

    PickleMachine(const PickleMachine&) = delete;
    PickleMachine& operator=(const PickleMachine&) = delete;

protected:
    /// `bytes` must outlive this.
    explicit PickleMachine(std::span<const std::uint8_t> bytes)
        : bytes_(reinterpret_cast<const char*>(bytes.data()), bytes.size()) {}
    virtual ~PickleMachine() = default;

    /// Throws Error(Input) that names the file and the reason.
    [[noreturn]] virtual void damaged(const std::string& reason) const = 0;

    /// Bytes taken so far, and all there are.
    std::size_t at() const { return at_; }
    std::size_t size() const { return bytes_.size(); }
    /// Puts the byte that was taken last back.
    void putBack() { --at_; }
    std::string_view take(std::uint64_t count);
    /// An unsigned number of up to eight bytes, little-endian.
    std::uint64_t number(std::size_t length);
    /// Without its end.
    std::string_view line();

    /// Carries out an opcode that makes no value: marks, pops, copies, and the memo of binary pickles. False for any
    /// other.
    bool moves(std::uint64_t opcode);
    /// The most values among stack, marks and memo.
    std::size_t mostHeld() const;

    void push(Ref value) { stack_.push_back(value); }
    Ref top() const;
    Ref pop();
    /// In the order in which they were pushed.
    std::vector<Ref> popSome(std::size_t count);
    std::vector<Ref> popToMark();
    /// `values` as they are; they must be key, value, key, value, ...
    std::vector<Ref> pairs(std::vector<Ref> values) const;
    void remember(std::uint64_t place) { memo_[place] = top(); }
    /// Under the next free place, as newer pickles do.
    void rememberNext() { remember(memo_.size()); }
    void recall(std::uint64_t place);

private:
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    void dropTop();

    std::string_view bytes_;
    std::size_t at_ = 0;
    std::vector<Ref> stack_;
    std::vector<std::size_t> marks_;  ///< sizes of the stack when they were set
    std::unordered_map<std::uint64_t, Ref> memo_;
};

/// Two's complement of up to eight bytes, little-endian; of none it is 0.
std::int64_t signedNumber(std::string_view bytes);

}  // namespace palimpsest
