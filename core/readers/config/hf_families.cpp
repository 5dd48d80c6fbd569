// SPDX-License-Identifier: GPL-3.0-or-later
// Families whose layers are all alike and keep K and V of every token, or of the last ones. Defaults and shapes are
// those of the classes of the same names in Hugging Face transformers, or of the modelling code published beside the
// weights.
#include "core/readers/config/hf_families.h"

#include <array>

namespace core::readers {

namespace {

using Q = Quantity;

constexpr ClassDefault kLlama[] = {{Q::Layers, 32},        {Q::Width, 4'096},       {Q::QueryHeads, 32},
                                   {Q::MaxContext, 2'048}, {Q::Vocabulary, 32'000}, {Q::MlpWidth, 11'008}};
constexpr ClassDefault kMistral[] = {{Q::Layers, 32},       {Q::Width, 4'096},        {Q::QueryHeads, 32},
                                     {Q::KvHeads, 8},       {Q::MaxContext, 131'072}, {Q::Vocabulary, 32'000},
                                     {Q::MlpWidth, 14'336}, {Q::Window, 4'096}};
constexpr ClassDefault kMinistral3[] = {{Q::KvHeads, 8}, {Q::MaxContext, 262'144}, {Q::Vocabulary, 131'072}};
constexpr ClassDefault kMixtral[] = {{Q::Layers, 32},       {Q::Width, 4'096},        {Q::QueryHeads, 32},
                                     {Q::KvHeads, 8},       {Q::MaxContext, 131'072}, {Q::Vocabulary, 32'000},
                                     {Q::MlpWidth, 14'336}, {Q::Experts, 8}};
constexpr ClassDefault kQwen2[] = {{Q::Layers, 32},       {Q::Width, 4'096},       {Q::QueryHeads, 32},
                                   {Q::KvHeads, 32},      {Q::MaxContext, 32'768}, {Q::Vocabulary, 151'936},
                                   {Q::MlpWidth, 22'016}, {Q::Window, 4'096},      {Q::WindowedFrom, 28}};
constexpr ClassDefault kQwen3[] = {{Q::Layers, 32},          {Q::Width, 4'096},     {Q::QueryHeads, 32},
                                   {Q::KvHeads, 32},         {Q::HeadDim, 128},     {Q::MaxContext, 32'768},
                                   {Q::Vocabulary, 151'936}, {Q::MlpWidth, 22'016}, {Q::Window, 4'096},
                                   {Q::WindowedFrom, 28}};
constexpr ClassDefault kQwen2Moe[] = {{Q::Layers, 24},      {Q::Width, 2'048},       {Q::QueryHeads, 16},
                                      {Q::KvHeads, 16},     {Q::MaxContext, 32'768}, {Q::Vocabulary, 151'936},
                                      {Q::MlpWidth, 5'632}, {Q::Window, 4'096},      {Q::WindowedFrom, 28},
                                      {Q::Experts, 60},     {Q::ExpertWidth, 1'408}, {Q::SharedExpertWidth, 5'632}};
constexpr ClassDefault kQwen3Moe[] = {{Q::Layers, 24},      {Q::Width, 2'048},       {Q::QueryHeads, 32},
                                      {Q::KvHeads, 4},      {Q::MaxContext, 32'768}, {Q::Vocabulary, 151'936},
                                      {Q::MlpWidth, 6'144}, {Q::Window, 4'096},      {Q::WindowedFrom, 28},
                                      {Q::Experts, 128},    {Q::ExpertWidth, 768}};
constexpr ClassDefault kGemma[] = {{Q::Layers, 28},          {Q::Width, 3'072},    {Q::QueryHeads, 16},
                                   {Q::KvHeads, 16},         {Q::HeadDim, 256},    {Q::MaxContext, 8'192},
                                   {Q::Vocabulary, 256'000}, {Q::MlpWidth, 24'576}};
constexpr ClassDefault kPhi[] = {{Q::Layers, 24},        {Q::Width, 2'048},       {Q::QueryHeads, 32},
                                 {Q::MaxContext, 2'048}, {Q::Vocabulary, 51'200}, {Q::MlpWidth, 8'192}};
constexpr ClassDefault kPhi3[] = {{Q::Layers, 32},        {Q::Width, 3'072},       {Q::QueryHeads, 32},
                                  {Q::MaxContext, 4'096}, {Q::Vocabulary, 32'064}, {Q::MlpWidth, 8'192}};
constexpr ClassDefault kGpt2[] = {
    {Q::Layers, 12}, {Q::Width, 768}, {Q::QueryHeads, 12}, {Q::MaxContext, 1'024}, {Q::Vocabulary, 50'257}};
constexpr ClassDefault kGptNeox[] = {{Q::Layers, 44},        {Q::Width, 6'144},       {Q::QueryHeads, 64},
                                     {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'432}, {Q::MlpWidth, 24'576}};
constexpr ClassDefault kGptj[] = {
    {Q::Layers, 28}, {Q::Width, 4'096}, {Q::QueryHeads, 16}, {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'400}};
constexpr ClassDefault kOpt[] = {{Q::Layers, 12},        {Q::Width, 768},         {Q::QueryHeads, 12},
                                 {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'272}, {Q::MlpWidth, 3'072}};
constexpr ClassDefault kMpt[] = {
    {Q::Layers, 24}, {Q::Width, 2'048}, {Q::QueryHeads, 16}, {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'368}};
constexpr ClassDefault kFalcon[] = {
    {Q::Layers, 32}, {Q::Width, 4'544}, {Q::QueryHeads, 71}, {Q::MaxContext, 2'048}, {Q::Vocabulary, 65'024}};
constexpr ClassDefault kMax2048[] = {{Q::MaxContext, 2'048}};
constexpr ClassDefault kMax4096[] = {{Q::MaxContext, 4'096}};
constexpr ClassDefault kStablelm[] = {{Q::Layers, 32},     {Q::Width, 2'560},      {Q::QueryHeads, 32},
                                      {Q::KvHeads, 32},    {Q::MaxContext, 4'096}, {Q::Vocabulary, 50'304},
                                      {Q::MlpWidth, 6'912}};
constexpr ClassDefault kOlmo[] = {{Q::Layers, 32},        {Q::Width, 4'096},       {Q::QueryHeads, 32},
                                  {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'304}, {Q::MlpWidth, 11'008}};
constexpr ClassDefault kOlmoe[] = {{Q::Layers, 16},        {Q::Width, 2'048},       {Q::QueryHeads, 16},
                                   {Q::MaxContext, 4'096}, {Q::Vocabulary, 50'304}, {Q::MlpWidth, 2'048},
                                   {Q::Experts, 64}};
constexpr ClassDefault kCohere[] = {{Q::Layers, 40},        {Q::Width, 8'192},        {Q::QueryHeads, 64},
                                    {Q::MaxContext, 8'192}, {Q::Vocabulary, 256'000}, {Q::MlpWidth, 22'528}};
constexpr ClassDefault kGlm4[] = {{Q::Layers, 40},          {Q::Width, 4'096},    {Q::QueryHeads, 32},
                                  {Q::KvHeads, 2},          {Q::HeadDim, 128},    {Q::MaxContext, 131'072},
                                  {Q::Vocabulary, 151'552}, {Q::MlpWidth, 13'696}};
constexpr ClassDefault kGlm4Moe[] = {{Q::Layers, 46},          {Q::Width, 4'096},     {Q::QueryHeads, 96},
                                     {Q::KvHeads, 8},          {Q::HeadDim, 128},     {Q::MaxContext, 131'072},
                                     {Q::Vocabulary, 151'552}, {Q::MlpWidth, 10'944}, {Q::Experts, 128},
                                     {Q::ExpertWidth, 1'408},  {Q::SharedExperts, 1}, {Q::DenseLayers, 1}};
constexpr ClassDefault kSeedOss[] = {{Q::Layers, 64},          {Q::Width, 4'096},    {Q::QueryHeads, 80},
                                     {Q::KvHeads, 8},          {Q::HeadDim, 128},    {Q::MaxContext, 524'288},
                                     {Q::Vocabulary, 155'136}, {Q::MlpWidth, 27'648}};
constexpr ClassDefault kSmollm3[] = {{Q::Layers, 36},       {Q::Width, 2'048},       {Q::QueryHeads, 16},
                                     {Q::KvHeads, 4},       {Q::MaxContext, 32'768}, {Q::Vocabulary, 128'256},
                                     {Q::MlpWidth, 11'008}, {Q::WindowedFrom, 28}};
constexpr ClassDefault kStarcoder2[] = {{Q::Layers, 30},      {Q::Width, 3'072},      {Q::QueryHeads, 24},
                                        {Q::KvHeads, 2},      {Q::MaxContext, 4'096}, {Q::Vocabulary, 49'152},
                                        {Q::MlpWidth, 12'288}};
constexpr ClassDefault kErnie[] = {{Q::Layers, 18},          {Q::Width, 1'024},   {Q::QueryHeads, 16},
                                   {Q::KvHeads, 2},          {Q::HeadDim, 128},   {Q::MaxContext, 131'072},
                                   {Q::Vocabulary, 103'424}, {Q::MlpWidth, 3'072}};

constexpr ClassDefault kMax8192[] = {{Q::MaxContext, 8'192}};
constexpr ClassDefault kPersimmon[] = {{Q::Layers, 36},         {Q::Width, 4'096},        {Q::QueryHeads, 64},
                                       {Q::MaxContext, 16'384}, {Q::Vocabulary, 262'144}, {Q::MlpWidth, 16'384}};
constexpr ClassDefault kXglm[] = {{Q::Layers, 24},        {Q::Width, 1'024},       {Q::QueryHeads, 16},
                                  {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'265}, {Q::MlpWidth, 4'096}};
constexpr ClassDefault kNanochat[] = {{Q::Layers, 12},        {Q::Width, 768},         {Q::QueryHeads, 6},
                                      {Q::MaxContext, 2'048}, {Q::Vocabulary, 50'304}, {Q::MlpWidth, 8'192}};
constexpr ClassDefault kHyV3[] = {{Q::Layers, 80},          {Q::Width, 4'096},     {Q::QueryHeads, 64},
                                  {Q::KvHeads, 8},          {Q::HeadDim, 128},     {Q::MaxContext, 131'072},
                                  {Q::Vocabulary, 120'832}, {Q::MlpWidth, 13'312}, {Q::Experts, 192},
                                  {Q::ExpertsPerToken, 8},  {Q::SharedExperts, 1}, {Q::ExpertWidth, 1'536},
                                  {Q::DenseLayers, 1}};

constexpr Spelling kPhi3SmallKeys[] = {{Q::MlpWidth, "ff_intermediate_size"}};
constexpr Spelling kXglmKeys[] = {{Q::Layers, "num_layers num_hidden_layers decoder_layers"},
                                  {Q::MlpWidth, "ffn_dim decoder_ffn_dim"},
                                  {Q::QueryHeads, "attention_heads num_attention_heads decoder_attention_heads"}};

constexpr Switch kAttentionBias[] = {{"attention_bias", &Shape::qkvBias}, {"attention_bias", &Shape::outBias}};
constexpr Switch kLlamaSwitches[] = {
    {"attention_bias", &Shape::qkvBias}, {"attention_bias", &Shape::outBias}, {"mlp_bias", &Shape::mlpBias}};
constexpr Switch kQkvBias[] = {{"attention_bias", &Shape::qkvBias}};
constexpr Switch kBias[] = {{"bias", &Shape::qkvBias}, {"bias", &Shape::outBias}};
constexpr Switch kUseBias[] = {
    {"use_bias", &Shape::qkvBias}, {"use_bias", &Shape::outBias}, {"use_bias", &Shape::mlpBias}};
constexpr Switch kQwen2MoeSwitches[] = {{"qkv_bias", &Shape::qkvBias}};
constexpr Switch kPhiSwitches[] = {{"qk_layernorm", &Shape::headNorms}};
constexpr Switch kPhimoeSwitches[] = {
    {"attention_bias", &Shape::qkvBias}, {"attention_bias", &Shape::outBias}, {"lm_head_bias", &Shape::headBias}};
constexpr Switch kOptSwitches[] = {{"enable_bias", &Shape::qkvBias},
                                   {"enable_bias", &Shape::outBias},
                                   {"enable_bias", &Shape::mlpBias},
                                   {"layer_norm_elementwise_affine", &Shape::normScale},
                                   {"layer_norm_elementwise_affine", &Shape::normBias},
                                   {"do_layer_norm_before", &Shape::finalNorms},
                                   {"_remove_final_layer_norm", &Shape::finalNorms, 0, kKeep}};
constexpr Switch kMptSwitches[] = {{"no_bias", &Shape::qkvBias, 0, 1},
                                   {"no_bias", &Shape::outBias, 0, 1},
                                   {"no_bias", &Shape::mlpBias, 0, 1},
                                   {"no_bias", &Shape::normBias, 0, 1},
                                   {"attn_config.qk_ln", &Shape::projectionNorms},
                                   {"learned_pos_emb", &Shape::positions},
                                   {"attn_config.alibi", &Shape::positions, 0, kKeep}};
constexpr Switch kFalconSwitches[] = {{"bias", &Shape::qkvBias},
                                      {"bias", &Shape::outBias},
                                      {"bias", &Shape::mlpBias},
                                      {"parallel_attn", &Shape::normsPerLayer, 1, 2},
                                      {"new_decoder_architecture", &Shape::normsPerLayer, 2, kKeep},
                                      {"num_ln_in_parallel_attn", &Shape::normsPerLayer, kNumber, kKeep}};
constexpr Switch kStablelmSwitches[] = {{"use_qkv_bias", &Shape::qkvBias},
                                        {"use_parallel_residual", &Shape::normsPerLayer, 1, 2},
                                        {"qk_layernorm", &Shape::projectionNorms}};
constexpr Switch kCohereSwitches[] = {
    {"attention_bias", &Shape::qkvBias}, {"attention_bias", &Shape::outBias}, {"use_qk_norm", &Shape::projectionNorms}};
constexpr Switch kHunyuanSwitches[] = {{"attention_bias", &Shape::qkvBias},
                                       {"attention_bias", &Shape::outBias},
                                       {"mlp_bias", &Shape::mlpBias},
                                       {"use_qk_norm", &Shape::headNorms}};
constexpr Switch kGlm4MoeSwitches[] = {{"attention_bias", &Shape::qkvBias}, {"use_qk_norm", &Shape::headNorms}};
constexpr Switch kSeedOssSwitches[] = {
    {"attention_bias", &Shape::qkvBias}, {"attention_out_bias", &Shape::outBias}, {"mlp_bias", &Shape::mlpBias}};
constexpr Switch kChatglmSwitches[] = {
    {"add_bias_linear", &Shape::qkvBias},    {"add_bias_linear", &Shape::outBias},
    {"add_bias_linear", &Shape::mlpBias},    {"add_qkv_bias", &Shape::qkvBias, 1, kKeep},
    {"post_layer_norm", &Shape::finalNorms}, {"rmsnorm", &Shape::normBias, 0, 1}};
constexpr Switch kBailingSwitches[] = {
    {"use_qkv_bias", &Shape::qkvBias}, {"use_bias", &Shape::outBias}, {"use_qk_norm", &Shape::headNorms}};
constexpr Switch kInternlm3Switches[] = {
    {"qkv_bias", &Shape::qkvBias}, {"bias", &Shape::outBias}, {"bias", &Shape::mlpBias}};
constexpr Switch kMinimaxM2Switches[] = {{"use_qk_norm", &Shape::projectionNorms},
                                         {"use_routing_bias", &Shape::routerBias}};

// Shapes that several families share.
constexpr Shape kGated{};
constexpr Shape kGatedTied{.tied = 1};
constexpr Shape kAllBiases{.qkvBias = 1, .outBias = 1, .mlpBias = 1, .gated = 0, .mlpRatio = 4, .normBias = 1};
constexpr Shape kAllBiasesTied{
    .tied = 1, .qkvBias = 1, .outBias = 1, .mlpBias = 1, .gated = 0, .mlpRatio = 4, .normBias = 1};

constexpr Shape withPositions(Shape shape, int extra = 0)
{
    shape.positions = 1;
    shape.extraPositions = extra;
    return shape;
}

constexpr Shape kFalconShape{.tied = 1, .gated = 0, .mlpRatio = 4, .normsPerLayer = 1, .normBias = 1};

constexpr KvHeadRule kNewOrMultiQuery{{"new_decoder_architecture", false}, {"multi_query", true}};
constexpr KvHeadRule kMultiQuery{{"", false}, {"multi_query", true}};
constexpr KvHeadRule kGroupsIfMultiQuery{{"multi_query_attention", false}, {"", false}};

constexpr std::array kPlain{
    Family{"llama Yi aquila", "LlamaForCausalLM YiForCausalLM AquilaForCausalLM", "LlamaConfig", kLlama, kGated,
           kLlamaSwitches},
    Family{"mistral ministral",
           "MistralForCausalLM MinistralForCausalLM",
           "MistralConfig",
           kMistral,
           kGated,
           {},
           {},
           WindowRule::WhenDeclared},
    Family{"ministral3",
           "Ministral3ForCausalLM",
           "Ministral3Config",
           kMinistral3,
           kGated,
           {},
           {},
           WindowRule::WhenDeclared},
    Family{
        "mixtral", "MixtralForCausalLM", "MixtralConfig", kMixtral, {.experts = 1}, {}, {}, WindowRule::WhenDeclared},
    Family{"qwen", "QWenLMHeadModel", "QWenConfig", kMax2048, {.qkvBias = 1, .mlpDivisor = 2}, {}},
    Family{"qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen2_5_omni_text qwen2_audio",
           "Qwen2ForCausalLM Qwen2VLForConditionalGeneration",
           "Qwen2Config",
           kQwen2,
           {.qkvBias = 1},
           {},
           {},
           WindowRule::WhenSwitched},
    Family{"mimo", "MiMoForCausalLM", "MiMoConfig", kQwen2, {.qkvBias = 1}, kQkvBias, {}, WindowRule::WhenSwitched},
    Family{"qwen3 qwen3_vl_text qwen3_omni_talker_text",
           "Qwen3ForCausalLM",
           "Qwen3Config",
           kQwen3,
           {.headNorms = 1},
           kAttentionBias,
           {},
           WindowRule::WhenSwitched},
    Family{"qwen2_moe",
           "Qwen2MoeForCausalLM",
           "Qwen2MoeConfig",
           kQwen2Moe,
           {.qkvBias = 1, .experts = 1, .sharedExpertGate = 1},
           kQwen2MoeSwitches,
           {},
           WindowRule::WhenSwitched},
    Family{"qwen3_moe qwen3_vl_moe_text qwen3_omni_moe_text",
           "Qwen3MoeForCausalLM",
           "Qwen3MoeConfig",
           kQwen3Moe,
           {.headNorms = 1, .experts = 1},
           kAttentionBias,
           {},
           WindowRule::WhenSwitched},
    Family{"gemma", "GemmaForCausalLM", "GemmaConfig", kGemma, kGatedTied, kAttentionBias},
    Family{"phi",
           "PhiForCausalLM",
           "PhiConfig",
           kPhi,
           {.qkvBias = 1,
            .outBias = 1,
            .mlpBias = 1,
            .headBias = 1,
            .gated = 0,
            .mlpRatio = 4,
            .normsPerLayer = 1,
            .normBias = 1,
            .headNormBias = 1},
           kPhiSwitches},
    Family{"phi3 phi4mm phi3_v",
           "Phi3ForCausalLM Phi4MMForCausalLM Phi3VForCausalLM",
           "Phi3Config",
           kPhi3,
           kGated,
           {},
           {},
           WindowRule::WhenDeclared},
    Family{"phimoe",
           "PhiMoEForCausalLM PhimoeForCausalLM",
           "PhimoeConfig",
           kMax4096,
           {.normBias = 1, .experts = 1},
           kPhimoeSwitches,
           {},
           WindowRule::WhenDeclared},
    Family{"gpt2", "GPT2LMHeadModel", "GPT2Config", kGpt2, withPositions(kAllBiasesTied), {}},
    Family{"gpt_neox", "GPTNeoXForCausalLM", "GPTNeoXConfig", kGptNeox, kAllBiases, kAttentionBias},
    Family{"gptj",
           "GPTJForCausalLM",
           "GPTJConfig",
           kGptj,
           {.mlpBias = 1, .headBias = 1, .gated = 0, .mlpRatio = 4, .normsPerLayer = 1, .normBias = 1},
           {}},
    Family{"opt", "OPTForCausalLM", "OPTConfig", kOpt, withPositions(kAllBiasesTied, 2), kOptSwitches},
    Family{"mpt",
           "MPTForCausalLM MptForCausalLM",
           "MptConfig",
           kMpt,
           {.tied = 1, .gated = 0, .mlpRatio = 4},
           kMptSwitches},
    Family{"falcon RefinedWebModel", "FalconForCausalLM", "FalconConfig", kFalcon, kFalconShape, kFalconSwitches,
           kNewOrMultiQuery},
    Family{
        "RefinedWeb", "RWForCausalLM", "RWConfig", kFalcon, {.tied = 1, .gated = 0, .mlpRatio = 4, .normBias = 1}, {}},
    Family{"gpt_bigcode",
           "GPTBigCodeForCausalLM",
           "GPTBigCodeConfig",
           kGpt2,
           withPositions(kAllBiasesTied),
           {},
           kMultiQuery},
    Family{"bloom",
           "BloomForCausalLM",
           "BloomConfig",
           kMax2048,
           {.tied = 1,
            .qkvBias = 1,
            .outBias = 1,
            .mlpBias = 1,
            .gated = 0,
            .mlpRatio = 4,
            .embeddingNorms = 1,
            .normBias = 1},
           {}},
    Family{"stablelm stablelm_epoch",
           "StableLmForCausalLM StableLMEpochForCausalLM",
           "StableLmConfig",
           kStablelm,
           {.normBias = 1},
           kStablelmSwitches},
    Family{"olmo", "OlmoForCausalLM", "OlmoConfig", kOlmo, {.normScale = 0}, kAttentionBias},
    Family{"olmo2", "Olmo2ForCausalLM", "Olmo2Config", kOlmo, {.projectionNorms = 1}, kAttentionBias},
    Family{"olmoe", "OlmoeForCausalLM", "OlmoeConfig", kOlmoe, {.projectionNorms = 1, .experts = 1}, kAttentionBias},
    Family{"cohere", "CohereForCausalLM", "CohereConfig", kCohere, {.tied = 1, .normsPerLayer = 1}, kCohereSwitches},
    Family{"granite", "GraniteForCausalLM", "GraniteConfig", kLlama, kGated, kLlamaSwitches},
    Family{"granitemoe granitemoeshared",
           "GraniteMoeForCausalLM GraniteMoeSharedForCausalLM",
           "GraniteMoeConfig",
           kLlama,
           {.experts = 1},
           kAttentionBias},
    Family{"baichuan", "BaichuanForCausalLM BaiChuanForCausalLM", "BaichuanConfig", kMax4096, kGated, {}},
    Family{"internlm", "InternLMForCausalLM", "InternLMConfig", kMax2048, {.qkvBias = 1, .outBias = 1}, kBias},
    Family{"internlm2", "InternLM2ForCausalLM", "InternLM2Config", kMax2048, {.qkvBias = 1, .outBias = 1}, kBias},
    Family{"glm", "GlmForCausalLM", "GlmConfig", kGlm4, {.qkvBias = 1}, kQkvBias},
    Family{"glm4 glm4v_text", "Glm4ForCausalLM", "Glm4Config", kGlm4, {.normsPerLayer = 4}, kQkvBias},
    Family{"glm4_moe glm4v_moe_text",
           "Glm4MoeForCausalLM",
           "Glm4MoeConfig",
           kGlm4Moe,
           {.experts = 1, .routerBias = 1},
           kGlm4MoeSwitches},
    Family{"seed_oss", "SeedOssForCausalLM", "SeedOssConfig", kSeedOss, {.qkvBias = 1}, kSeedOssSwitches},
    Family{"smollm3",
           "SmolLM3ForCausalLM",
           "SmolLM3Config",
           kSmollm3,
           kGatedTied,
           kLlamaSwitches,
           {},
           WindowRule::WhenSwitched},
    Family{"starcoder2",
           "Starcoder2ForCausalLM",
           "Starcoder2Config",
           kStarcoder2,
           kAllBiasesTied,
           kUseBias,
           {},
           WindowRule::WhenDeclared},
    Family{"exaone", "ExaoneForCausalLM", "ExaoneConfig", kMax2048, kGatedTied, {}},
    Family{"minicpm", "MiniCPMForCausalLM", "MiniCPMConfig", kMax2048, {.tied = 1, .experts = 1}, kAttentionBias},
    Family{"orion", "OrionForCausalLM", "OrionConfig", kMax4096, {.normBias = 1}, kAttentionBias},
    Family{"chatglm", "ChatGLMModel ChatGLMForConditionalGeneration", "ChatGLMConfig", kMax2048, kGated,
           kChatglmSwitches, kGroupsIfMultiQuery},
    Family{"deepseek", "DeepseekForCausalLM", "DeepseekConfig", kMax2048, {.experts = 1}, kAttentionBias},
    Family{"dots1",
           "Dots1ForCausalLM",
           "Dots1Config",
           kMax2048,
           {.headNorms = 1, .experts = 1, .routerBias = 1},
           kAttentionBias},
    Family{"ernie4_5_moe",
           "Ernie4_5_MoeForCausalLM Ernie4_5_MoEForCausalLM",
           "Ernie4_5_MoeConfig",
           kErnie,
           {.tied = 1, .experts = 1, .routerBias = 1},
           kUseBias},
    Family{"bailing_moe", "BailingMoeForCausalLM", "BailingMoeConfig", kMax2048, {.experts = 1}, kBailingSwitches},
    Family{"bailing_moe_v2",
           "BailingMoeV2ForCausalLM",
           "BailingMoeV2Config",
           kMax2048,
           {.headNorms = 1, .experts = 1, .routerBias = 1},
           kBailingSwitches},
    Family{"flex_olmo",
           "FlexOlmoForCausalLM",
           "FlexOlmoConfig",
           kOlmoe,
           {.projectionNorms = 1, .experts = 1},
           kAttentionBias},
    Family{"internlm3", "InternLM3ForCausalLM", "InternLM3Config", kMax2048, kGated, kInternlm3Switches},
    Family{"apertus", "ApertusForCausalLM", "ApertusConfig", kMax4096, {.gated = 0, .headNorms = 1}, kAttentionBias},
    Family{"bitnet", "BitNetForCausalLM BitnetForCausalLM", "BitNetConfig", kMax2048, kGatedTied, kAttentionBias},
    Family{"helium", "HeliumForCausalLM", "HeliumConfig", kMax4096, kGated, kLlamaSwitches},
    Family{"codegen",
           "CodeGenForCausalLM",
           "CodeGenConfig",
           kGptj,
           {.mlpBias = 1, .headBias = 1, .gated = 0, .mlpRatio = 4, .normsPerLayer = 1, .normBias = 1},
           {}},
    Family{"xverse telechat skywork", "XverseForCausalLM", "XverseConfig", kMax2048, kGated, kLlamaSwitches},
    Family{"solar_open",
           "SolarOpenForCausalLM",
           "SolarOpenConfig",
           kGlm4Moe,
           {.experts = 1, .routerBias = 1},
           kGlm4MoeSwitches},
    Family{"dbrx", "DbrxForCausalLM", "DbrxConfig", kMax2048, {.experts = 1}, {}},
    Family{"ernie4_5", "Ernie4_5ForCausalLM", "Ernie4_5Config", kErnie, kGatedTied, kUseBias},
    Family{"grok grok-1",
           "Grok1ModelForCausalLM Grok1ForCausalLM",
           "Grok1Config",
           kMax4096,
           {.tied = 1, .normsPerLayer = 4, .experts = 1},
           {}},
    Family{"minimax_m2", "MiniMaxM2ForCausalLM", "MiniMaxM2Config", {}, {.experts = 1}, kMinimaxM2Switches},
    Family{.types = "hunyuan_v1_dense",
           .architectures = "HunYuanDenseV1ForCausalLM",
           .configClass = "HunYuanDenseV1Config",
           .defaults = kMax2048,
           .switches = kHunyuanSwitches,
           .known = laws({CacheLaw::SharedKv})},
    Family{.types = "hunyuan_v1_moe hunyuan",
           .architectures = "HunYuanMoEV1ForCausalLM HunYuanForCausalLM",
           .configClass = "HunYuanMoEV1Config",
           .defaults = kMax2048,
           .shape = {.experts = 1, .sharedKeepKeys = 1},
           .switches = kHunyuanSwitches,
           .known = laws({CacheLaw::SharedKv})},
    Family{"nemotron", "NemotronForCausalLM", "NemotronConfig", kMax4096, {.gated = 0, .normBias = 1}, kLlamaSwitches},
    Family{"persimmon",
           "PersimmonForCausalLM",
           "PersimmonConfig",
           kPersimmon,
           {.qkvBias = 1, .outBias = 1, .mlpBias = 1, .gated = 0, .normBias = 1, .headNorms = 1, .headNormBias = 1},
           kPhiSwitches},
    Family{.types = "phi3small",
           .architectures = "Phi3SmallForCausalLM",
           .configClass = "Phi3SmallConfig",
           .defaults = kMax8192,
           .shape = {.tied = 1, .qkvBias = 1, .outBias = 1, .mlpBias = 1, .normBias = 1},
           .spellings = kPhi3SmallKeys},
    Family{.types = "xglm",
           .architectures = "XGLMForCausalLM",
           .configClass = "XGLMConfig",
           .defaults = kXglm,
           .shape = {.tied = 1, .qkvBias = 1, .outBias = 1, .mlpBias = 1, .gated = 0, .normBias = 1},
           .spellings = kXglmKeys},
    Family{
        "nanochat", "NanoChatForCausalLM", "NanoChatConfig", kNanochat, {.gated = 0, .normScale = 0}, kAttentionBias},
    Family{"hy_v3",
           "HYV3ForCausalLM",
           "HYV3Config",
           kHyV3,
           {.headNorms = 1, .experts = 1, .routerBias = 1},
           kLlamaSwitches},
    Family{"arcee", "ArceeForCausalLM", "ArceeConfig", kMax4096, {.gated = 0}, kLlamaSwitches},
};

} // namespace

std::span<const Family> plainFamilies()
{
    return kPlain;
}

} // namespace core::readers
