/** Runs a surface that `chat-kernel module new NAME --surface` has generated, as a process that can be killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from './directory.ts';
import { freePort } from './free-port.ts';
import { SOURCES } from './program.ts';

interface Message {
  id: string;
  conversation: string;
  from: string;
  text: string;
}

export class WrittenSurface {
  /** The folder of the module. */
  readonly folder: string;
  readonly #name: string;
  readonly #port: number;
  #child: ChildProcess | undefined;

  private constructor(folder: string, name: string, port: number) {
    this.folder = folder;
    this.#name = name;
    this.#port = port;
  }

  /** @param owner the user's id in the messenger */
  static async write(name: string, kernelUrl: string, owner?: string): Promise<WrittenSurface> {
    const directory = temporaryDirectory();
    execFileSync(process.execPath, [SOURCES, 'module', 'new', name, '--surface'], { cwd: directory.path });
    const folder = join(directory.path, name);
    // Link it as `npm install` does.
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const scope = join(folder, 'node_modules/@chat-kernel');
    mkdirSync(scope, { recursive: true });
    symlinkSync(dependencies['@chat-kernel/module-sdk'].replace(/^file:/, ''), join(scope, 'module-sdk'));
    const port = await freePort();
    const config = readFileSync(join(folder, 'config.yaml'), 'utf8')
      .replace('http://127.0.0.1:8787', kernelUrl)
      .replace('port: 8790', `port: ${port}`)
      .replace('# owner: ann', owner === undefined ? '' : `owner: ${owner}`);
    writeFileSync(join(folder, 'config.yaml'), config);
    const surface = new WrittenSurface(folder, name, port);
    onTestFinished(async () => {
      await surface.kill();
      directory.remove();
    });
    return surface;
  }

  get sentFile(): string {
    return join(this.folder, 'data/sent.jsonl');
  }

  /** The delivered responses, as `conversation: text`. */
  sent(): string[] {
    if (!existsSync(this.sentFile)) return [];
    const lines = readFileSync(this.sentFile, 'utf8').split('\n').slice(0, -1);
    return lines.map(line => JSON.parse(line)).map(({ conversation, text }) => `${conversation}: ${text}`);
  }

  /** Starts the module as `npm start` does. */
  start(): void {
    this.#child = spawn(process.execPath, ['module.ts'], { cwd: this.folder, stdio: 'ignore' });
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** Delivers a message once the module listens. Resolves when the module has confirmed it. */
  async post(message: Message): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify(message);
    const post = () => fetch(`http://127.0.0.1:${this.#port}`, { method: 'POST', headers, body });
    const response = await vi.waitFor(post, { timeout: 60_000, interval: 20 });
    if (!response.ok) throw new Error(`The surface refused the message: ${await response.text()}`);
  }

  /** Reads the tables of the module, or changes them while it is not running. */
  rows(sql: string): Record<string, unknown>[] {
    const database = new DatabaseSync(join(this.folder, `data/${this.#name}.sqlite`));
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  }
}
