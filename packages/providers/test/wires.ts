/** Opens the four provider APIs for the tests of this package: a scripted provider, a model on it, a request to it. */
import type { Clock, LanguageModel, Log, ModelEvent, ModelRequest, StoredBlock } from '@chat-kernel/kernel';
import { systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { onTestFinished } from 'vitest';
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

/** Creates a log that stores its warnings. */
export function keepingLog(): Log & { warnings: string[] } {
  const warnings: string[] = [];
  return { ...silentLog, warnings, warn: (_facts, sentence) => void warnings.push(sentence) };
}

/** Returns the llm settings with their defaults filled in. */
export const llmSettings = (llm: object): Settings['llm'] => Settings.parse({ llm }).llm;

export interface WireStand {
  upstream: Upstream;
  model: LanguageModel;
  /** A model of the same provider, of another family. */
  other: LanguageModel;
  rateLimits: () => unknown;
  close(): Promise<void>;
}

/** Opens a provider `p` of this kind on a scripted server. */
export async function openWire(
  kind: WireKind,
  options: {
    clock?: Clock;
    log?: Log;
    script?: UpstreamScript;
    provider?: object;
    model?: string;
    entry?: object;
    path?: string;
  } = {},
): Promise<WireStand> {
  const wire = WIRES[kind];
  const upstream = await startUpstream(options.script);
  const name = options.model ?? wire.model;
  const models = await openModels({
    secrets: [],
    llm: llmSettings({
      providers: {
        p: {
          kind,
          base_url: upstream.url + (options.path ?? wire.path),
          api_key: 'sk-test-secret-key',
          ...options.provider,
        },
      },
      models: [{ id: `p/${name}`, ...options.entry }, { id: `p/${wire.other}` }],
    }),
    env: {},
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
  });
  // Also after a test that closes it itself.
  onTestFinished(() => upstream.close());
  return {
    upstream,
    model: models.find(`p/${name}`)!,
    other: models.find(`p/${wire.other}`)!,
    rateLimits: () => models.rateLimits(),
    close: () => upstream.close(),
  };
}

type RequestMessage = ModelRequest['messages'][number];

export const user = (...blocks: (string | StoredBlock)[]): RequestMessage => ({
  role: 'user',
  content: blocks.map(block => (typeof block === 'string' ? { type: 'text', text: block } : block)),
});
export const assistant = (...blocks: (string | StoredBlock)[]): RequestMessage => ({
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

/** Sends a provider request; returns all its events, and the error with which it ended. */
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

/** Builds the assistant's message from the events as the kernel does; the next provider request contains it. */
export function messageOf(events: readonly ModelEvent[]): RequestMessage {
  const content: StoredBlock[] = [];
  let open: 'text' | 'thinking' | undefined;
  for (const event of events) {
    const last = content.at(-1);
    switch (event.type) {
      case 'text':
      case 'thinking':
        if (open === event.type && last?.type === event.type) last.text += event.text;
        else content.push({ type: event.type, text: event.text });
        open = event.type;
        break;
      case 'end': {
        const block: StoredBlock =
          open === event.block && last?.type === event.block ? last : { type: event.block, text: '' };
        if (event.origin) block.internal = { origin: event.origin };
        if (block !== last && event.origin) content.push(block);
        open = undefined;
        break;
      }
      case 'call': {
        const { id, name, input, origin } = event;
        content.push({ type: 'tool_use', id, name, input, ...(origin && { internal: { origin } }) });
        open = undefined;
        break;
      }
      // The tests send neither images nor endings back.
      case 'image':
      case 'unread':
      case 'finish':
        break;
      default:
        event satisfies never;
    }
  }
  return { role: 'assistant', content };
}

export const textOf = (events: readonly ModelEvent[]): string =>
  events.map(event => (event.type === 'text' ? event.text : '')).join('');
