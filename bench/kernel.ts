/** The kernel under measurement: its settings, its start, its chats. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, KERNEL, stream, type Timing } from './client.ts';
import { newFolder, removeFolder } from './folders.ts';
import { type Program, run } from './process.ts';
import { type Both, both, type Rig } from './rig.ts';

/** From the root of a checkout: what `npm start` runs, and the bundle that `npm run build` makes. */
export const PROGRAM = 'packages/server/bin/chat-kernel.js';
export const BUNDLE = 'dist/bin/chat-kernel.js';
export const CHECKOUT = join(import.meta.dirname, '..');

const MODELS = ['tokens-20', 'tokens-500', 'tokens-5000', 'burst-5000', 'burst-20000'];

interface HomeOptions {
  /** The address of a Postgres; without one it is SQLite. */
  database?: string;
  /** Where it listens, for one that shares the database with others; 0: a free one, and it shares it with none. */
  port?: number;
  /** The address of an OpenTelemetry collector; without one it sends no spans. */
  collector?: string;
}

/** A data directory with a settings file that knows the scripted upstream; both go when the bench ends. */
export class KernelHome {
  readonly data: string;
  readonly #program: string;
  readonly #folder = newFolder();
  readonly #config: string;

  readonly #port: number;

  constructor(upstream: string, program: string, { database, port = 0, collector }: HomeOptions = {}) {
    this.#program = program;
    this.#port = port;
    this.data = join(this.#folder, 'data');
    this.#config = join(this.#folder, 'config.yaml');
    const settings = {
      log: { level: 'warn' },
      titles: { enabled: false },
      ...(database && { database: { url: database } }),
      ...(collector && { telemetry: { otlp_url: collector } }),
      ...(port > 0 && { server: { advertise_url: `http://127.0.0.1:${port}`, name: `kernel-${port}` } }),
      llm: {
        providers: { bench: { kind: 'openai-compatible', base_url: `${upstream}/v1`, api_key: 'x' } },
        // A window so wide that no history here is folded.
        models: MODELS.map(name => ({ id: `bench/${name}`, context_window: 10_000_000 })),
        default_model: 'bench/tokens-20',
      },
    };
    // JSON is YAML too.
    writeFileSync(this.#config, JSON.stringify(settings));
  }

  /**
   * Starts the program with the flags that its first line asks for, as its people do.
   * @param flags of Node, besides those. @param heed told each line it prints
   */
  start(flags: string[] = [], heed?: (line: string) => void): Promise<Program> {
    const words = ['--config', this.#config, '--port', String(this.#port), '--data', this.data];
    return run(process.execPath, [...ownFlags(this.#program), ...flags, this.#program, ...words], heed);
  }

  remove(): void {
    removeFolder(this.#folder);
  }
}

/** The flags of the first line of a program: by this Node, where the line would take the first one of the PATH. */
export function ownFlags(program: string): string[] {
  const [first = ''] = readFileSync(program, 'utf8').split('\n', 1);
  return /^#!.*\bnode (.+)/.exec(first)?.[1]?.split(' ') ?? [];
}

/** Empty homes. */
export const newHomes = ({ upstream, programs }: Rig): Promise<Both<KernelHome>> =>
  both(programs, program => new KernelHome(upstream.url, program));

/** Starts the kernels of these homes for as long as the use takes. */
export async function withKernels<Result>(
  homes: Both<KernelHome>,
  use: (kernels: Both<Program>) => Promise<Result>,
): Promise<Result> {
  const kernels = await both(homes, home => home.start());
  try {
    return await use(kernels);
  } finally {
    await both(kernels, kernel => kernel.stop());
  }
}

/** The id of a new chat. */
export async function newChat(url: string): Promise<string> {
  return (await call<{ id: string }>('POST', `${url}/v1/chats`, {})).id;
}

/** The id of a new chat after its first turn. */
export async function startedChat(url: string): Promise<string> {
  const chat = await newChat(url);
  await kernelTurn(url, chat, 'tokens-20');
  return chat;
}

/** The body of a message. */
export const messageBody = (model: string): string =>
  JSON.stringify({ text: 'How does this go on?', model: `bench/${model}` });

/** Runs a turn with both event sets on. */
export const kernelTurn = (url: string, chat: string, model: string): Promise<Timing> =>
  stream(`${url}/v1/chats/${chat}/messages`, Buffer.from(messageBody(model)), KERNEL);
