/** A disk whose power can be cut (disk-shim.c), with a data directory and a process that writes to it. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { inMemory } from '../../../test/harness/in-memory.ts';

/** A write that must survive. */
export interface Acknowledged {
  chat: string;
  /** Absent: the chat itself. */
  turn?: string;
  message?: string;
  hash?: string;
  /** The write that ended the turn. */
  is_last?: true;
}

/** A line of the writing process. The first one has no content: it is about to open the store. */
export interface PowerLine {
  at?: number;
  acknowledged?: Acknowledged;
  /** The code of the error. */
  rejected?: string;
}

const BLOCK = 4096;
const WRITER = new URL('./power-writer.ts', import.meta.url).pathname;
const SHIM = new URL('./disk-shim.c', import.meta.url).pathname;

/** The reason why no power can be cut here, or false. */
export function missingCompiler(): string | false {
  if (process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0) return false;
  if (process.env.REQUIRE_ALL) throw new Error('cc is not installed, and REQUIRE_ALL is set');
  return 'needs Linux with a C compiler';
}

/** @returns the path of the compiled library */
export function compileShim(folder: string): string {
  const library = join(folder, 'disk-shim.so');
  execFileSync('cc', ['-O2', '-Wall', '-Werror', '-shared', '-fPIC', '-o', library, SHIM, '-ldl']);
  return library;
}

/** Returns a number from 0 up to 1, as `Math.random` does. */
export type Random = () => number;

/** Numbers that repeat with their seed (Mulberry32). */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export class Disk {
  readonly #root = mkdtempSync(join(inMemory(), 'chat-kernel-power-'));
  readonly data = join(this.#root, 'data');
  /** The durable state of each file. */
  readonly #durable = join(this.#root, 'durable');
  readonly #shim: string;

  constructor(shim: string) {
    this.#shim = shim;
    mkdirSync(this.data);
    mkdirSync(this.#durable);
  }

  startWriter(delayMs: number): Writing {
    return new Writing([WRITER, this.data], join(this.#root, 'printed'), {
      ...process.env,
      LD_PRELOAD: this.#shim,
      DISK_FOLDER: this.data,
      DISK_DURABLE: this.#durable,
      DISK_DELAY_MS: String(delayMs),
    });
  }

  /** From now on, or no longer, syncs fail. */
  fail(fails: boolean): void {
    const path = join(this.#durable, 'fail');
    if (fails) writeFileSync(path, '');
    else rmSync(path);
  }

  /** How often the main thread of a writer has waited for the disk until now. */
  get waits(): number {
    return statSync(join(this.#durable, 'waits'), { throwIfNoEntry: false })?.size ?? 0;
  }

  /**
   * Cuts the power, after the process was killed. The disk may have written any block that was not synced, or not, in any
   * order: of each block and each length it keeps the synced state or the last one. Deleted files stay deleted and synced
   * ones keep their names: file systems with a journal write names in order. The shared memory of SQLite is lost.
   * @param random absent: the disk has written nothing but what was synced
   */
  cut(random?: Random): void {
    const last = join(this.#root, 'last');
    renameSync(this.data, last);
    mkdirSync(this.data);
    for (const name of readdirSync(last)) {
      if (name.endsWith('-shm') || !statSync(join(last, name)).isFile()) continue;
      const synced = join(this.#durable, name);
      const wasSynced = existsSync(synced);
      if (!wasSynced && (random === undefined || random() < 0.5)) continue;
      const versions = [wasSynced ? readFileSync(synced) : Buffer.alloc(0), readFileSync(join(last, name))];
      const content = random ? mixed(versions[0]!, versions[1]!, random) : versions[0]!;
      writeFileSync(join(this.data, name), content, { mode: 0o600 });
    }
    rmSync(last, { recursive: true });
    rmSync(this.#durable, { recursive: true });
    // After the cut, all that the disk has is durable.
    cpSync(this.data, this.#durable, { recursive: true });
  }

  /** Copies the data directory, so that looking at it does not change the disk. */
  copy(): string {
    const copy = join(this.#root, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(this.data, copy, { recursive: true });
    return copy;
  }

  remove(): void {
    rmSync(this.#root, { recursive: true });
  }
}

function mixed(synced: Buffer, last: Buffer, random: Random): Buffer {
  const content = Buffer.alloc((random() < 0.5 ? synced : last).length);
  // Blocks of a cut are often all old or all new.
  const share = random();
  for (let at = 0; at < content.length; at += BLOCK) {
    const source = random() < share ? last : synced;
    source.subarray(at, at + BLOCK).copy(content, at);
  }
  return content;
}

/** A running process that writes. It prints to a file: a full pipe would reject its lines. */
export class Writing {
  readonly #child;
  readonly #printed: string;
  readonly #ended: Promise<unknown>;

  constructor(command: string[], printed: string, env: NodeJS.ProcessEnv) {
    const output = openSync(printed, 'w');
    this.#child = spawn(process.execPath, command, { env, stdio: ['ignore', output, 'inherit'] });
    closeSync(output);
    this.#printed = printed;
    this.#ended = once(this.#child, 'exit');
  }

  get lines(): PowerLine[] {
    const lines = readFileSync(this.#printed, 'utf8').split('\n').slice(0, -1);
    return lines.map(line => JSON.parse(line));
  }

  get acknowledged(): Acknowledged[] {
    return this.lines.flatMap(({ acknowledged }) => acknowledged ?? []);
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
