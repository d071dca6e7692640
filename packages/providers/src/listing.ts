/** Reads the model lists of servers. */
import { readAtMost, send } from '@chat-kernel/net';
import { z } from 'zod';
import type { ModelFacts } from './catalogue/models.ts';
import { MAX_LIST_BYTES } from './trip/bounds.ts';
import { endpoint } from './wire/endpoint.ts';
import type { ProviderAccess } from './wire/kind.ts';

const LIST_TIMEOUT_MS = 1_000;
const OLLAMA_TIMEOUT_MS = 300;

/** A row of OpenAI's `{ data: [{ id }] }`, with the fields that OpenRouter, Groq, vLLM and others add. */
const ModelRow = z.object({
  id: z.string(),
  name: z.string().optional().catch(undefined),
  context_length: z.int().positive().optional().catch(undefined),
  context_window: z.int().positive().optional().catch(undefined),
  max_model_len: z.int().positive().optional().catch(undefined),
  top_provider: z.object({ max_completion_tokens: z.int().positive().nullish() }).optional().catch(undefined),
  architecture: z
    .object({ input_modalities: z.array(z.string()) })
    .optional()
    .catch(undefined),
  pricing: z
    .object({
      prompt: z.coerce.number().min(0),
      completion: z.coerce.number().min(0),
      input_cache_read: z.coerce.number().optional(),
    })
    .optional()
    .catch(undefined),
});
const OllamaTags = z.object({ models: z.array(z.object({ name: z.string() })) });

/** Requests GET {base_url}/models. Rejects after a second, and if the response is not a list. */
export async function listModels(access: ProviderAccess): Promise<Map<string, Partial<ModelFacts>>> {
  const { api_key, headers } = access;
  const sent = { ...(api_key && { authorization: `Bearer ${api_key}` }), ...headers };
  const answer = await getJson(endpoint(access, '/models'), LIST_TIMEOUT_MS, sent);
  return new Map(listRows(answer).map(row => [row.id, parseModelFacts(row)]));
}

/**
 * The rows are in `data`, in some servers in `models`, or are the answer itself; a row can be just a name. One that names no
 * model is left out. @throws Error if there is no list
 */
function listRows(answer: unknown): z.infer<typeof ModelRow>[] {
  const { data, models } = (answer ?? {}) as { data?: unknown; models?: unknown };
  const list = [answer, data, models].find(Array.isArray);
  if (list === undefined) throw new Error('Its answer has no list of models.');
  return list.flatMap((row: unknown) => {
    const { id, model, name } = (row ?? {}) as Record<string, unknown>;
    const named = typeof row === 'string' ? { id: row } : { ...(row as object), id: id ?? model ?? name };
    return ModelRow.safeParse(named).data ?? [];
  });
}

/** Returns the models of an Ollama, without embedding models; empty if there is no Ollama. */
export async function listOllama(url: string): Promise<string[]> {
  try {
    const { models } = OllamaTags.parse(await getJson(`${url}/api/tags`, OLLAMA_TIMEOUT_MS));
    return models.map(model => model.name).filter(name => !/embed|bge-|minilm/.test(name));
  } catch {
    // A machine without Ollama, or with another server on its port, is common.
    return [];
  }
}

function parseModelFacts(row: z.infer<typeof ModelRow>): Partial<ModelFacts> {
  const window = row.context_length ?? row.context_window ?? row.max_model_len;
  const output = row.top_provider?.max_completion_tokens;
  const inputs = row.architecture?.input_modalities;
  return {
    ...(row.name && { name: row.name }),
    ...(window && { context_window: window }),
    ...(output && { max_output_tokens: output }),
    ...(inputs && { inputs: inputs.includes('image') ? ['text', 'image'] : ['text'] }),
    ...(row.pricing && { price: parsePrice(row.pricing) }),
  };
}

/** Servers give prices per token; the kernel uses prices per million. */
function parsePrice(pricing: NonNullable<z.infer<typeof ModelRow>['pricing']>): ModelFacts['price'] {
  const perMillion = (price: number) => Math.round(price * 1e12) / 1e6;
  const cached = pricing.input_cache_read;
  return {
    input: perMillion(pricing.prompt),
    output: perMillion(pricing.completion),
    ...(cached !== undefined && cached >= 0 && { cached_input: perMillion(cached) }),
  };
}

/**
 * Resolves with the response. A list longer than any real one is cut, and is then not valid JSON.
 * @throws Error after the timeout, and if the response is not a success
 */
async function getJson(
  url: string,
  timeoutMs: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const answer = await send(url, { headers, signal: AbortSignal.timeout(timeoutMs) });
  if (answer.status < 200 || answer.status > 299) {
    answer.body.destroy();
    throw new Error(`It answered ${answer.status}.`);
  }
  return JSON.parse((await readAtMost(answer, MAX_LIST_BYTES)).toString());
}
