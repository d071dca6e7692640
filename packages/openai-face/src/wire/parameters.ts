/**
 * Checks parameters of a chat completion that the kernel does not support: those that would change the answer are
 * rejected by name.
 */
import { invalid } from './openai-error.ts';

/** Parameters whose values change the meaning of the answer → whether a value changes nothing. */
const REFUSED: Readonly<Record<string, (value: unknown) => boolean>> = {
  n: value => value === 1,
  logprobs: value => value === false,
  top_logprobs: value => value === 0,
  logit_bias: isEmpty,
  stop: isEmpty,
  response_format: value => (value as { type?: unknown }).type === 'text',
  tool_choice: value => value === 'auto' || value === 'none',
  parallel_tool_calls: value => value === true,
  modalities: value => JSON.stringify(value) === '["text"]',
  audio: () => false,
  web_search_options: () => false,
  functions: isEmpty,
  function_call: value => value === 'auto' || value === 'none',
};

/** Parameters that the face reads. */
const READ = [
  'messages',
  'model',
  'stream',
  'stream_options',
  'tools',
  'reasoning_effort',
  'max_tokens',
  'max_completion_tokens',
  'metadata',
];
/** Limits for the names in the header of an answer. */
const MAX_NAMES = 20;
const LONGEST_NAME = 50;

/** @throws OpenAiError for an unsupported parameter that would change the answer */
export function refuseParameters(body: Readonly<Record<string, unknown>>): void {
  for (const [name, isHarmless] of Object.entries(REFUSED)) {
    const value = body[name] ?? null;
    if (value === null || isHarmless(value)) continue;
    throw invalid(name, `This parameter is not supported: ${name}. Remove it.`, 'unsupported_parameter');
  }
}

/** The header of an answer with the parameters that had no effect, as JSON pointers; undefined if there are none. */
export function ignoredParameters(body: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(body).filter(
    name => !READ.includes(name) && !Object.hasOwn(REFUSED, name) && name.length <= LONGEST_NAME,
  );
  const shown = names.slice(0, MAX_NAMES).map(name => `/${encodeURIComponent(name.toWellFormed())}`);
  return shown.length === 0 ? undefined : shown.join(',');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
