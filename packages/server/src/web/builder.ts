/** Builds the web client in a separate process, once in the lifetime of this one, and reports its progress. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Log } from '@chat-kernel/kernel';
import { BUILD_PROGRAM } from './paths.ts';

export class Builder {
  /** Its last output; null while it does not run. */
  said: string | null = null;
  readonly #log: Log;
  #known: Promise<void> | undefined;
  #process: ChildProcess | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Resolves once it is known whether a build is needed; the build itself continues. */
  begin(): Promise<void> {
    this.#known ??=
      BUILD_PROGRAM !== null && existsSync(BUILD_PROGRAM) ? this.#run(BUILD_PROGRAM) : Promise.resolve();
    return this.#known;
  }

  #run(program: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    // At the lowest priority: clients of the API come first.
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
      if (problem) this.#log.warn({ problem: String(problem) }, 'building the web client failed');
    };
    build.on('error', end);
    build.on('close', code => end(code === 0 || code === null ? null : Buffer.concat(errors)));
    return promise;
  }

  stop(): void {
    this.#process?.kill();
  }
}
