/** Runs test files one after the other in a process that can be killed when a file hangs. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { FileResult, Job } from './test-process.ts';

export class TestRunner {
  readonly #tree: string;
  #child: ChildProcess | undefined;

  constructor(tree: string) {
    this.#tree = tree;
    process.once('exit', () => this.close());
  }

  /** Undefined if the file takes longer than the limit. */
  async run(job: Job, limitMs: number): Promise<FileResult | undefined> {
    this.#child ??= await this.#start();
    const child = this.#child;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), limitMs);
    child.send(job);
    try {
      const [result] = await Promise.race([
        once(child, 'message', { signal: limit.signal }),
        once(child, 'exit', { signal: limit.signal }).then(() => {
          throw new Error('The process that runs the tests has ended.');
        }),
      ]);
      return result;
    } catch (error) {
      this.close();
      if (limit.signal.aborted) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      limit.abort();
    }
  }

  /** Kills the process together with all processes of its tests in its group. */
  close(): void {
    if (this.#child?.pid !== undefined && this.#child.exitCode === null)
      process.kill(-this.#child.pid, 'SIGKILL');
    this.#child = undefined;
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, 'test-process.ts'), [this.#tree], {
      cwd: this.#tree,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  }
}
