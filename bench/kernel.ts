/** The kernel under measurement: its settings, its start, its chats. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, KERNEL, stream, type Timing } from './client.ts';
import { type Program, run } from './process.ts';

const MAIN = join(import.meta.dirname, '../packages/server/bin/chat-kernel.js');
const MODELS = ['tokens-20', 'tokens-500', 'tokens-5000', 'burst-5000'];

/** A data directory with a settings file that knows the scripted upstream; both go when the bench ends. */
export class KernelHome {
  readonly data: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'chat-kernel-bench-'));
  readonly #config: string;

  constructor(upstream: string) {
    this.data = join(this.#folder, 'data');
    this.#config = join(this.#folder, 'config.yaml');
    const settings = {
      log: { level: 'warn' },
      titles: { enabled: false },
      llm: {
        providers: { bench: { kind: 'openai-compatible', base_url: `${upstream}/v1`, api_key: 'x' } },
        // A window so wide that no history here is folded.
        models: MODELS.map(name => ({ id: `bench/${name}`, context_window: 10_000_000 })),
        default_model: 'bench/tokens-20',
      },
    };
    // JSON is YAML too.
    writeFileSync(this.#config, JSON.stringify(settings));
    process.on('exit', () => this.remove());
  }

  start(): Promise<Program> {
    // The program itself, with the flags that its first line asks for.
    return run(MAIN, '--config', this.#config, '--port', '0', '--data', this.data);
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The id of a new chat. */
export async function newChat(url: string): Promise<string> {
  return (await call<{ id: string }>('POST', `${url}/v1/chats`, {})).id;
}

/** Runs a turn with both event sets on. */
export function kernelTurn(url: string, chat: string, model: string): Promise<Timing> {
  const body = { text: 'How does this go on?', model: `bench/${model}` };
  return stream(`${url}/v1/chats/${chat}/messages`, Buffer.from(JSON.stringify(body)), KERNEL);
}
