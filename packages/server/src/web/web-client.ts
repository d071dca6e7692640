/** The web client as the kernel serves it: its built files, and in a checkout the build itself, when somebody wants it. */
import type { Log } from '@chat-kernel/kernel';
import { Builder } from './builder.ts';
import { type BuiltFile, builtFile, readPage } from './built-files.ts';

export class WebClient {
  readonly #builder: Builder;

  constructor(log: Log) {
    this.#builder = new Builder(log);
  }

  /**
   * Builds it where it is missing or older than its sources; what came built stays as it is. Resolves once it is known
   * whether there is anything to build.
   */
  prepare(): Promise<void> {
    return this.#builder.begin();
  }

  /** What the build said last; null while none runs. */
  get building(): string | null {
    return this.#builder.said;
  }

  /** @returns the page with a base for addresses of this depth; null where none is built */
  page(depth: number): Promise<string | null> {
    return readPage(depth);
  }

  /** @param name below the root of the page, such as `assets/index-abc.js`; null where there is no such file */
  file(name: string, accepted: string | undefined): Promise<BuiltFile | null> {
    return builtFile(name, accepted);
  }

  stop(): void {
    this.#builder.stop();
  }
}
