/** All tools there are, and which of them a turn is offered. */
import type { Tool, TurnParameters } from '../ports/index.ts';

export class Toolbox {
  /** By name, in name order: what a model gets must not change from turn to turn. */
  readonly #tools: Map<string, Tool>;

  constructor(tools: readonly Tool[]) {
    this.#tools = new Map(
      [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)).map(tool => [tool.name, tool]),
    );
    if (this.#tools.size !== tools.length) throw new Error('two tools have the same name');
  }

  /** The tools of one turn. `trusted`: who speaks may use tools that are for trusted people only. */
  offer(parameters: TurnParameters, disabled: readonly string[], trusted: boolean): Map<string, Tool> {
    const only = parameters.tools && new Set(parameters.tools);
    const offered = new Map<string, Tool>();
    for (const tool of this.#tools.values()) {
      if (tool.trusted_only && !trusted) continue;
      if (tool.client_only && !parameters.client_ops) continue;
      if (disabled.includes(tool.group)) continue;
      if (only && !only.has(tool.group) && !only.has(tool.name)) continue;
      offered.set(tool.name, tool);
    }
    return offered;
  }

  /** Whether a call of this tool may have changed something outside the chat. Of a tool that is gone: who knows. */
  hasOutsideEffect(name: string): boolean {
    return this.#tools.get(name)?.outside_effect ?? true;
  }
}
