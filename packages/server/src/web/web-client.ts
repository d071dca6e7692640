/** Provides the web client: its built files, and in a checkout the build itself, when a browser requests it. */
import type { Log } from '@chat-kernel/kernel';
import { Builder } from './builder.ts';
import { type BuiltFile, builtFile, readPage } from './built-files.ts';

export class WebClient {
  readonly #builder: Builder;

  constructor(log: Log) {
    this.#builder = new Builder(log);
  }

  /**
   * Builds the client if it is missing or older than its sources; a shipped build stays unchanged. Resolves once it is
   * known whether a build is needed.
   */
  prepare(): Promise<void> {
    return this.#builder.begin();
  }

  /** The last output of the build; null while none runs. */
  get building(): string | null {
    return this.#builder.said;
  }

  /** @returns the page with a base for addresses of this depth; null if none is built */
  page(depth: number): Promise<string | null> {
    return readPage(depth);
  }

  /** @param name below the root of the page, such as `assets/index-abc.js`; null if there is no such file */
  file(name: string, accepted: string | undefined): Promise<BuiltFile | null> {
    return builtFile(name, accepted);
  }

  stop(): void {
    this.#builder.stop();
  }
}
