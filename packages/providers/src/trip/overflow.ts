/** The words by which providers and servers say that a conversation is longer than the model takes. */

const CODES = ['context_length_exceeded', 'request_too_large', 'string_above_max_length'];

/** A line for each dialect; all lower case. */
const WORDS = [
  'prompt is too long', // Anthropic
  'exceed context limit', // Anthropic, input and max_tokens together
  'request exceeds the maximum size', // Anthropic, bytes
  'maximum context length', // OpenAI, vLLM, OpenRouter, DeepSeek
  'exceeds the context window', // OpenAI Responses
  'exceeds the available context size', // llama.cpp
  'input token count', // Google
  'input length exceeds the context length', // Ollama
  'exceeds maximum context length', // Ollama, SGLang
  'prompt too long', // Ollama
  'longer than the model', // SGLang, vLLM
  'maximum model length', // vLLM
  'maximum prompt length', // xAI
  'too large for model with', // Mistral
  'reduce the length of the messages', // OpenAI, Groq
  'context length', // LM Studio ("... greater than the context length")
  'context window',
  'exceed_context_size_error', // llama.cpp, its type
];

/** Says whether an error means a full window. `code`: code or type of the error, where there is one. */
export function saysOverflow(code: string | undefined, sentence: string): boolean {
  const words = sentence.toLowerCase();
  return (code !== undefined && CODES.includes(code)) || WORDS.some(phrase => words.includes(phrase));
}
