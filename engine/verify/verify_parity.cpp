// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_place.h"
#include "engine/verify/verify_cases.h"

namespace palimpsest {
namespace {

constexpr double kValues = 1e-5, kGradients = 1e-6;

/// Session of a case named like "dualprompt_train_task3"; -1 in evaluation mode.
std::int64_t sessionOf(const std::string& name) {
    const auto at = name.rfind("task");
    return at == std::string::npos ? -1 : std::atoll(name.c_str() + at + 4);
}

/// Mask for `classes` classes: the files have masks for ten classes, which hide any further class; an undefined mask
/// hides none.
Tensor maskFor(const Tensor& mask, std::int64_t classes) {
    const bool hides = mask.lt(0).any().item<bool>();
    const double rest = hides ? -std::numeric_limits<double>::infinity() : 0;
    return at::cat({mask, at::full({classes - mask.size(0)}, rest, mask.options())});
}

void compareGradients(CaseCheck& check, const TensorFile& golden, const Method& method) {
    for (const auto& [name, tensor] : method.trainable()) {
        const Tensor& gradient = tensor.grad();
        if (const Tensor* expected = golden.find("grad." + officialName(golden, "grad.", name))) {
            if (gradient.defined())
                nearTensor(check, "gradient of " + name, gradient, *expected, kGradients);
            else
                check.fail(name + " got no gradient");
        }
        if (const Tensor* norms = golden.find("grad_row_l2." + name))
            nearTensor(check, "row norms of the gradient of " + name, gradient.flatten(1).norm(2, 1), *norms,
                       kGradients, 1e-5);
        if (const Tensor* rows = golden.find("grad_rows_idx." + name))
            nearTensor(check, "gradient rows of " + name, gradient.to(at::kCPU).index_select(0, *rows),
                       golden.at("grad_rows." + name), kGradients);
    }
}

/// Verifies one distillation with a given teacher.
VerifiedCase verifyDistillation(const std::filesystem::path& root, const TensorFile& golden, const std::string& name) {
    CaseCheck check(name);
    GoldenSetup setup;
    setup.root = root;
    setup.method = "lwf";
    setup.init_files = {"shared/backbone.safetensors"};
    std::int64_t classes = 0;
    const auto method = makeGoldenMethod(setup, classes);
    const auto copyTo = [&](const std::vector<Tensor>& values) {
        NoGradGuard guard;
        for (std::size_t i = 0; i < values.size(); ++i) Tensor(method->trainable()[i].tensor).copy_(values[i]);
    };
    std::vector<Tensor> own, old;
    for (const auto& [parameter, tensor] : method->trainable()) {
        own.push_back(tensor.detach().clone());
        old.push_back(golden.at("old." + parameter));
    }
    // The method's state at the end of a batch becomes the teacher.
    copyTo(old);
    method->endBatch();
    copyTo(own);
    const TensorFile batch = readSafetensors(root / golden.metadata.at("batch_file"));
    const UpdateInput input{batch.at("x").to(GoldenPlace::device()), batch.at("y").to(GoldenPlace::device()),
                            batch.at("mask_seen").to(GoldenPlace::device())};
    const ForwardResult result = method->forward(input);
    nearTensor(check, "loss", result.loss, golden.at("loss"), kValues, kValues);
    const Tensor entropy = at::cross_entropy_loss(result.logits + input.mask, input.units);
    nearTensor(check, "distillation", (result.loss - entropy) / 0.2, golden.at("kd_loss"), kValues, kValues);
    method->optimizer().zeroGradients();
    result.loss.backward();
    compareGradients(check, golden, *method);
    return check.result();
}

}  // namespace

VerifiedCase verifyParity(const std::filesystem::path& root, const std::filesystem::path& file) {
    const std::string name = file.stem().string();
    const bool adapts = isAdaptationCase(name);
    const auto ours = methodOfCase(name);
    if (!ours && !adapts) return caseToDo("parity/" + name);
    CaseCheck check("parity/" + name);
    const TensorFile golden = readSafetensors(file);
    if (ours == "lwf") return verifyDistillation(root, golden, "parity/" + name);
    GoldenSetup setup;
    setup.root = root;
    setup.method = ours.value_or(std::string());
    setup.init_files = metadataJson(golden, "init_files").get<std::vector<std::string>>();
    const std::int64_t session = sessionOf(name);
    setup.as_published = session >= 0;
    setup.learnable_mask = name.find("learnable") != std::string::npos;
    const TensorFile batch = readSafetensors(root / golden.metadata.at("batch_file"));
    const Tensor images = batch.at("x").to(GoldenPlace::device());

    if (golden.metadata.contains("config")) setup.config = metadataJson(golden, "config");
    const Tensor counts = countsBefore(file, golden);

    std::int64_t classes = 0;
    const auto method = adapts ? makeGoldenAdaptation(root, golden, classes) : makeGoldenMethod(setup, classes);
    for (std::int64_t s = 0; s < session; ++s) method->endSession();
    for (const char* mask : {"none", "seen", "session", "batch"}) {
        const Tensor hidden = maskFor(batch.at(std::string("mask_") + mask), classes);
        UpdateInput input{images, batch.at("y").to(images.device()), hidden.to(images.device())};
        setCounts(*method, counts);
        const ForwardResult result = method->forward(input);
        nearTensor(check, std::string("loss under ") + mask, result.loss, golden.at(std::string("loss_") + mask),
                   kValues, kValues);
        if (const Tensor* entropy = golden.find(std::string("ce_") + mask))
            nearTensor(check, std::string("cross-entropy under ") + mask,
                       at::cross_entropy_loss(result.logits + input.mask, input.units), *entropy, kValues, kValues);
        if (std::string(mask) != "batch") continue;
        nearTensor(check, "logits", result.logits, golden.at("logits"), kValues, kValues);
        if (result.query.defined()) nearTensor(check, "query", result.query, golden.at("query"), kValues, kValues);
        if (result.selected.defined())
            sameIntegers(check, "selected prompt", indexVector(result.selected), golden.at("selected"));
        if (const Tensor* distance = golden.find("similarity"))
            nearTensor(check, "key distance", result.distance, *distance, kValues);
        method->optimizer().zeroGradients();
        result.loss.backward();
        compareGradients(check, golden, *method);
    }
    if (session < 0) {
        NoGradGuard guard;
        setCounts(*method, counts);
        const Tensor logits = method->logits(images, method->frozenFeatures(images));
        nearTensor(check, "evaluation logits", logits, golden.at("logits"), kValues, kValues);
    }
    return check.result();
}

}  // namespace palimpsest
