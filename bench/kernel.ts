/** Runs the kernel under measurement: its settings, its start, its chats. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { call, KERNEL, stream, type Timing } from './client.ts';
import { newFolder, removeFolder } from './folders.ts';
import { type Program, run } from './process.ts';
import { type Both, both, type Rig } from './rig.ts';

/** The bundle that `npm run build` creates, from the root of a checkout. */
export const BUNDLE = 'dist/bin/chat-kernel.js';
export const CHECKOUT = join(import.meta.dirname, '..');

const MODELS = ['tokens-20', 'tokens-500', 'tokens-5000'];

interface HomeOptions {
  /** The address of a Postgres; default: SQLite. */
  database?: string;
  /** The port of a kernel that shares its database with others; 0: a free port, without sharing. */
  port?: number;
  /** The file of a module to load first. */
  preload?: string;
}

/** A data directory with a settings file for the scripted upstream; both are removed when the bench ends. */
export class KernelHome {
  readonly data: string;
  readonly #program: string;
  readonly #folder = newFolder();
  readonly #config: string;
  readonly #port: number;
  readonly #flags: string[];

  constructor(upstream: string, program: string, { database, port = 0, preload }: HomeOptions = {}) {
    this.#program = program;
    this.#port = port;
    this.#flags = [...ownFlags(program), ...(preload === undefined ? [] : ['--import', preload])];
    this.data = join(this.#folder, 'data');
    this.#config = join(this.#folder, 'config.yaml');
    const settings = {
      log: { level: 'warn' },
      titles: { enabled: false },
      ...(database && { database: { url: database } }),
      ...(port > 0 && { server: { advertise_url: `http://127.0.0.1:${port}`, name: `kernel-${port}` } }),
      llm: {
        providers: { bench: { kind: 'openai-compatible', base_url: `${upstream}/v1`, api_key: 'x' } },
        // A window so large that no history here is compacted.
        models: MODELS.map(name => ({ id: `bench/${name}`, context_window: 10_000_000 })),
        default_model: 'bench/tokens-20',
      },
    };
    // JSON is YAML too.
    writeFileSync(this.#config, JSON.stringify(settings));
  }

  /** Starts the program with its own flags, as users do. */
  start(): Promise<Program> {
    const words = ['--config', this.#config, '--port', String(this.#port), '--data', this.data];
    return run(process.execPath, [...this.#flags, this.#program, ...words]);
  }

  /** Empties the data directory. */
  empty(): void {
    removeFolder(this.data);
  }

  remove(): void {
    removeFolder(this.#folder);
  }
}

/** The flags with which the script `chat-kernel`, in the folder of the program, starts it. The bench uses its own Node. */
export function ownFlags(program: string): string[] {
  const script = readFileSync(join(dirname(program), 'chat-kernel'), 'utf8');
  return script.match(/(?<=exec node .*)--\S+/g) ?? [];
}

/** Creates empty homes. */
export const newHomes = ({ upstream, programs }: Rig, options?: HomeOptions): Promise<Both<KernelHome>> =>
  both(programs, program => new KernelHome(upstream.url, program, options));

/** Starts the kernels of these homes while `use` runs. */
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

/** Creates a chat and returns its id. */
export async function newChat(url: string): Promise<string> {
  return (await call<{ id: string }>('POST', `${url}/v1/chats`, {})).id;
}

/** Creates a chat, runs its first turn and returns its id. */
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
