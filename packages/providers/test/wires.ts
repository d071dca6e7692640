/** The four wires as the tests of this room open them: a scripted provider, a model on it, a request to it. */
import type { Clock, LanguageModel, Log, ModelEvent, ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import { systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { startUpstream, type Upstream, type UpstreamScript } from '../../../test/upstream/server.ts';
import { openModels } from '../src/index.ts';

export const WIRES = {
  'openai-compatible': { path: '/v1', model: 'scripted', other: 'another' },
  openai: { path: '/v1', model: 'gpt-5.1', other: 'gpt-5.2' },
  anthropic: { path: '/v1', model: 'claude-sonnet-4-5', other: 'claude-opus-4-6' },
  google: { path: '/v1beta', model: 'gemini-3-flash-preview', other: 'gemini-3.1-pro-preview' },
} as const;
export type WireKind = keyof typeof WIRES;
export const WIRE_KINDS = Object.keys(WIRES) as WireKind[];

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** A log that keeps its warnings. */
export function keepingLog(): Log & { warnings: string[] } {
  const warnings: string[] = [];
  return { ...silentLog, warnings, warn: (_facts, sentence) => void warnings.push(sentence) };
}

/** The llm settings with their defaults filled in. */
export const llmSettings = (llm: object): Settings['llm'] => Settings.parse({ llm }).llm;

export interface Stand {
  upstream: Upstream;
  model: LanguageModel;
  /** The same provider's model of another family. */
  other: LanguageModel;
  rateLimits: () => unknown;
  close(): Promise<void>;
}

/** A provider `p` of this kind on a scripted server. */
export async function openWire(
  kind: WireKind,
  options: { clock?: Clock; script?: UpstreamScript; provider?: object; model?: string; entry?: object } = {},
): Promise<Stand> {
  const wire = WIRES[kind];
  const upstream = await startUpstream(options.script);
  const name = options.model ?? wire.model;
  const models = await openModels({
    llm: llmSettings({
      providers: {
        p: { kind, base_url: upstream.url + wire.path, api_key: 'sk-test-secret-key', ...options.provider },
      },
      models: [{ id: `p/${name}`, ...options.entry }, { id: `p/${wire.other}` }],
    }),
    env: {},
    clock: options.clock ?? systemClock,
    log: silentLog,
  });
  return {
    upstream,
    model: models.find(`p/${name}`)!,
    other: models.find(`p/${wire.other}`)!,
    rateLimits: () => models.rateLimits(),
    close: () => upstream.close(),
  };
}

type Message = ModelRequest['messages'][number];

export const user = (...blocks: (string | StoredBlock)[]): Message => ({
  role: 'user',
  content: blocks.map(block => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
export const assistant = (...blocks: (string | StoredBlock)[]): Message => ({
  ...user(...blocks),
  role: 'assistant',
});
export const result = (id: string, output: string, is_error = false): StoredBlock => ({
  type: 'tool_result',
  tool_use_id: id,
  output,
  is_error,
});

export const TOOLS = ['read_file', 'shell'].map(name => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: 'object', properties: { path: { type: 'string' } } },
}));

export const request = (changes: Partial<ModelRequest> = {}): ModelRequest => ({
  system: 'You are helpful.',
  messages: [user('hi')],
  tools: TOOLS,
  effort: 'off',
  cache_key: 'chat-1',
  loadImage: async () => undefined,
  ...changes,
});

/** All events of a trip; with what it threw, if it did. */
export async function trip(
  model: LanguageModel,
  asked: ModelRequest = request(),
  signal: AbortSignal = new AbortController().signal,
): Promise<{ events: ModelEvent[]; error: unknown }> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.stream(asked, signal)) events.push(event);
    return { events, error: undefined };
  } catch (error) {
    return { events, error };
  }
}

/** What the kernel makes of the events: the assistant's message, as it goes back with the next trip. */
export function messageOf(events: readonly ModelEvent[]): Message {
  const content: StoredBlock[] = [];
  let open: 'text' | 'thinking' | undefined;
  for (const event of events) {
    const last = content.at(-1);
    if (event.type === 'text' || event.type === 'thinking') {
      if (open === event.type && last?.type === event.type) last.text += event.text;
      else content.push({ type: event.type, text: event.text });
      open = event.type;
    } else if (event.type === 'end') {
      const block: StoredBlock =
        open === event.block && last?.type === event.block ? last : { type: event.block, text: '' };
      if (event.origin) block.internal = { origin: event.origin };
      if (block !== last && event.origin) content.push(block);
      open = undefined;
    } else if (event.type === 'call') {
      const { id, name, input, origin } = event;
      content.push({ type: 'tool_use', id, name, input, ...(origin && { internal: { origin } }) });
      open = undefined;
    }
  }
  return { role: 'assistant', content };
}

export const textOf = (events: readonly ModelEvent[]): string =>
  events.map(event => (event.type === 'text' ? event.text : '')).join('');
