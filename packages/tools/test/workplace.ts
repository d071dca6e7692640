/** Creates a directory with files, and the context of calls that work in it. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ToolContext } from '@chat-kernel/kernel';
import { onTestFinished } from 'vitest';

export interface Workplace {
  path: string;
  context: ToolContext;
  /** Snapshots that calls have shown. */
  shown: string[];
  /** Ends the calls. */
  abort(): void;
  write(name: string, content: string | Uint8Array): string;
  read(name: string): string;
}

/** Creates a workplace, which is removed when the test ends. */
export function workplace(): Workplace {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'tools-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const stop = new AbortController();
  const shown: string[] = [];
  return {
    path,
    // The tools under test use only these members.
    context: {
      chat: { workdir: path, workdir_on: 'server' },
      hands: null,
      turn_context: { master: true, trusted: true },
      consent: async () => ({ by_prefix: false }),
      signal: stop.signal,
      progress: (output: string) => shown.push(output),
    } as unknown as ToolContext,
    shown,
    abort: () => stop.abort(new Error('stopped')),
    write(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    read: name => readFileSync(join(path, name), 'utf8'),
  };
}

/** Returns whether a process of this id runs; a zombie does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until the condition holds. Throws after thirty seconds. */
export async function until(condition: () => boolean): Promise<void> {
  for (const deadline = Date.now() + 30_000; !condition(); ) {
    if (Date.now() > deadline) throw new Error(`it never came to be: ${condition}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}
