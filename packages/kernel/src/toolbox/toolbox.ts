/** All tools there are, and which of them a turn is offered. */
import type { Settings } from '@chat-kernel/protocol';
import type { Tool, TurnParameters } from '../ports/index.ts';

type Policy = Settings['tools']['policy'][string];

export class Toolbox {
  /** By name, in name order: what a model gets must not change from turn to turn. */
  readonly #tools: Map<string, Tool>;
  /** What the owner has decided, by name of the tool; it wins over what the tool says of itself. */
  readonly #policy: Map<string, Policy>;

  constructor(tools: readonly Tool[], policy: Record<string, Policy> = {}) {
    this.#policy = new Map(Object.entries(policy));
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
      const policy = this.#policy.get(tool.name) ?? (tool.trusted_only ? 'trusted' : 'allow');
      if (policy === 'off' || (policy === 'trusted' && !trusted)) continue;
      if (!reachable(tool, parameters)) continue;
      if (disabled.includes(tool.group)) continue;
      if (only && !only.has(tool.group) && !only.has(tool.name)) continue;
      offered.set(tool.name, tool);
    }
    return offered;
  }

  has(name: string): boolean {
    return this.#tools.has(name);
  }

  /** Whether a call of this tool may have changed something outside the chat. Of a tool that is gone: who knows. */
  hasOutsideEffect(name: string): boolean {
    return this.#tools.get(name)?.outside_effect ?? true;
  }
}

/** Whether the client that started the turn can do what the tool needs. */
function reachable({ asks_questions, client_only }: Tool, parameters: TurnParameters): boolean {
  const { client_ops = false, questions = client_ops } = parameters;
  return asks_questions ? questions : !client_only || client_ops;
}
