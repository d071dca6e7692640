/** Remembers which tools a model does not get, for the owner: refused ones, and those beyond the limit of its API. */
import { BoundedMap } from '@chat-kernel/base';
import type { OmittedTools } from '@chat-kernel/kernel';

/** Refused tools that are remembered. */
const MAX_REMEMBERED = 100;

export class ToolOmissions {
  /** Tool → why the provider refused it. */
  readonly #refused = new BoundedMap<string, string>(MAX_REMEMBERED);
  #excess: OmittedTools = { tools: [], why: '' };

  refused(tool: string, why: string): void {
    this.#refused.set(tool, why);
  }

  /**
   * Takes the tools of a request that are beyond the limit; none if all fit. Returns whether they are the first ones.
   * @param limit the number of tools that the API accepts
   */
  beyond(limit: number, tools: readonly string[]): boolean {
    const isFirst = tools.length > 0 && this.#excess.why === '';
    const why = `the provider accepts at most ${limit} tools.`;
    if (tools.length > 0 || this.#excess.tools.length > 0) this.#excess = { tools, why };
    return isFirst;
  }

  list(): OmittedTools[] {
    const refused = [...this.#refused].map(([tool, why]) => ({ tools: [tool], why }));
    return this.#excess.tools.length > 0 ? [...refused, this.#excess] : refused;
  }
}
