package openai

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
)

// tooLong is how endpoints say that a prompt does not fit.
var tooLong = regexp.MustCompile(`(?i)` +
	`context_length_exceeded|exceed_context_size_error` + // OpenAI, llama.cpp: code, type
	`|max(?:imum)? (?:context|model) length` + // OpenAI, vLLM, OpenRouter, Mistral, DeepSeek, Ollama
	`|exceeds? (?:the |its |your )?(?:available |maximum |model'?s? )*context (?:length|window|size|limit)` + // llama.cpp, Ollama, OpenAI
	`|context (?:length|window|size) (?:is |was )?(?:exceed|full)` +
	`|longer than the model'?s context length|greater than the context length` + // SGLang, LM Studio
	`|input token count.{0,40}exceeds the maximum` + // Gemini
	`|maximum prompt length is \d` + // xAI
	`|prompt (?:is )?too long|input is too long for requested model` + // Anthropic, Ollama, Bedrock
	`|reduce the length of the messages` + // Groq
	`|exceeded model token limit` + // Kimi
	`|max_(?:completion_)?tokens must be at least 1, got -` + // vLLM, when the prompt alone fills the context
	`|inputs\W+tokens\W+max_new_tokens\W+must be`) // TGI, Together

var statedContext = regexp.MustCompile(`(?i)max(?:imum)? (?:context|model) length (?:is|of) (\d{1,12})`)

// overflows reports whether an error says that the prompt did not fit. Where
// max_completion_tokens alone fills the stated context no prompt would fit:
// that is a fault of the model file, and why says so. The status is only used
// against: older llama.cpp says 500, proxies say 502.
func (c *Client) overflows(status int, e *providerError) (overflow bool, why string) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return false, ""
	}
	if !tooLong.MatchString(e.code + " " + e.kind + " " + e.message) {
		return false, ""
	}
	m := statedContext.FindStringSubmatch(e.message)
	if m == nil || c.cfg.MaxCompletionTokens == nil {
		return true, ""
	}
	context, _ := strconv.Atoi(m[1])
	if *c.cfg.MaxCompletionTokens >= context {
		return false, fmt.Sprintf("max_completion_tokens is %d and the endpoint's whole context %d: lower it in the model file", *c.cfg.MaxCompletionTokens, context)
	}
	return true, ""
}
