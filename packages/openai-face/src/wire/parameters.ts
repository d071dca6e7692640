/** Parameters of a chat completion that the kernel does not have: those that change the answer are refused by name. */
import { invalid } from './openai-error.ts';

/** Parameters whose values change what the answer means → whether this value is the one that changes nothing. */
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
/** Names of an answer's header. */
const MOST_NAMES = 20;
const LONGEST_NAME = 50;

/** @throws OpenAiError for a parameter that would change the answer, and cannot */
export function refuseParameters(body: Readonly<Record<string, unknown>>): void {
  for (const [name, isHarmless] of Object.entries(REFUSED)) {
    const value = body[name] ?? null;
    if (value === null || isHarmless(value)) continue;
    throw invalid(name, `The kernel does not have this: ${name}. Leave it out.`, 'unsupported_parameter');
  }
}

/** The header of an answer that names the parameters which changed nothing, as JSON pointers; undefined: none did. */
export function ignoredParameters(body: Readonly<Record<string, unknown>>): string | undefined {
  const names = Object.keys(body).filter(
    name => !READ.includes(name) && !Object.hasOwn(REFUSED, name) && name.length <= LONGEST_NAME,
  );
  const shown = names.slice(0, MOST_NAMES).map(name => `/${encodeURIComponent(name.toWellFormed())}`);
  return shown.length === 0 ? undefined : shown.join(',');
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
