/** Has the web client built by a process of its own, once in the life of this one, and hears how far it is. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Log } from '@chat-kernel/kernel';
import { BUILD_PROGRAM } from './places.ts';

export class Builder {
  /** What it said last; null while it does not run. */
  said: string | null = null;
  readonly #log: Log;
  #known: Promise<void> | undefined;
  #process: ChildProcess | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves once it is known whether anything is to be built; the build itself goes on. */
  begin(): Promise<void> {
    this.#known ??=
      BUILD_PROGRAM !== null && existsSync(BUILD_PROGRAM) ? this.#run(BUILD_PROGRAM) : Promise.resolve();
    return this.#known;
  }

  #run(program: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // At the lowest priority: whoever uses the API meanwhile comes first.
    const build = spawn('nice', [process.execPath, program], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = build;
    const errors: Buffer[] = [];
    build.stderr.on('data', piece => errors.push(piece));
    createInterface(build.stdout).on('line', line => {
      this.said = line;
      resolve();
      this.#log.info({}, line);
    });
    const end = (problem: unknown) => {
      this.said = null;
      resolve();
      if (problem) this.#log.warn({ problem: String(problem) }, 'the web client could not be built');
    };
    build.on('error', end);
    build.on('close', code => end(code === 0 || code === null ? null : Buffer.concat(errors)));
    return promise;
  }

  stop(): void {
    this.#process?.kill();
  }
}
