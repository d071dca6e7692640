/**
 * The tools of modules and guests that only other kernels of the database have: offered here like those of this kernel, and
 * run there (FLEET-4). Each kernel tells of its own in a row that goes when it does.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@chat-kernel/protocol';
import type { SharedLog } from '../fleet/shared-log.ts';
import { Upkeep } from '../fleet/upkeep.ts';
import {
  type BroughtContext,
  type BroughtTool,
  type BroughtTools,
  type CallElsewhere,
  CallLost,
  type Clock,
  type Extensions,
  type FleetStore,
  failure,
  type Log,
  type SharedTool,
  type SharedTools,
  type ToolOutput,
  type ToolsAt,
} from '../ports/index.ts';
import { isUp, joinedTools } from './joined-tools.ts';

interface ToolsElsewhereDeps {
  extensions: Extensions;
  store: FleetStore;
  shared: SharedLog;
  call: CallElsewhere;
  clock: Clock;
  log: Log;
}

export class ToolsElsewhere {
  readonly #deps: ToolsElsewhereDeps;
  readonly #reading: Upkeep;
  readonly #telling: Upkeep;
  readonly #callbacks: (() => void)[] = [];
  /** The calls that run at others, each with what ends it. */
  readonly #open = new Set<{ kernel: string; lose: AbortController }>();
  #at: readonly ToolsAt[] = [];
  /** What this kernel told the others last, as JSON. */
  #told = '[]';

  constructor(deps: ToolsElsewhereDeps) {
    this.#deps = deps;
    this.#reading = new Upkeep(deps.clock, () => this.#read());
    this.#telling = new Upkeep(deps.clock, () => this.#tell());
    deps.shared.onChange('tools', async () => this.#reading.wish());
  }

  /** Calls back whenever the others' tools have changed. */
  onChange(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Learns what the others have, and tells them of what is here, from now on. */
  async start(): Promise<void> {
    await this.#read();
    this.#deps.extensions.onChange(() => this.#telling.wish());
    this.#telling.wish();
  }

  /** The tools here, and those that the others have. */
  joined(): BroughtTools {
    const { extensions, store } = this.#deps;
    const here = { id: store.id, name: store.name };
    return joinedTools(extensions.tools(), this.#at, here, (tool, { kernel: { id, name } }) => ({
      ...tool,
      kernel: { id, name },
      run: (input, context) => this.#run(tool, name, input, context),
    }));
  }

  /** Kernels are gone, and with them what they ran. */
  lost(kernels: readonly string[]): void {
    for (const { kernel, lose } of this.#open) if (kernels.includes(kernel)) lose.abort();
    this.#reading.wish();
  }

  /** The others have struck out what this kernel had told them. */
  tellAnew(): void {
    this.#told = '[]';
    this.#telling.wish();
  }

  /** Tells the others that nothing runs here any more. Never rejects. */
  async withdraw(): Promise<void> {
    const { store, shared, log } = this.#deps;
    await this.#telling.stop();
    await store.bringTools([]).catch(err => {
      // They go with this kernel's row.
      log.warn({ err }, 'the tools of modules could not be taken from the other kernels');
    });
    shared.tell({ what: 'tools' });
  }

  stop(): Promise<void> {
    return this.#reading.stop();
  }

  async #read(): Promise<void> {
    this.#at = await this.#deps.store.toolsBrought();
    for (const callback of this.#callbacks) callback();
  }

  async #tell(): Promise<void> {
    const { store, shared, extensions } = this.#deps;
    const groups = sharedOf(extensions.tools());
    const json = JSON.stringify(groups);
    if (json === this.#told) return;
    await store.bringTools(groups);
    this.#told = json;
    shared.tell({ what: 'tools' });
  }

  /** Runs a call where its tool is now. @param last the machine where it was when the turn began */
  async #run(
    tool: SharedTool,
    last: string,
    input: JsonObject,
    { signal, progress, askOwner, consentToAct, trace, turn_context }: BroughtContext,
  ): Promise<ToolOutput> {
    const { name } = tool;
    const kernel = this.#holderOf(tool);
    if (kernel === undefined) return failure(`${name} was not called: ${whereabouts(last)} is gone.`);
    const lose = new AbortController();
    const open = { kernel: kernel.id, lose };
    this.#open.add(open);
    try {
      const call = { id: randomUUID(), name, input, turn_context, trace };
      return await this.#deps.call(kernel, call, {
        signal: AbortSignal.any([signal, lose.signal]),
        progress,
        askOwner,
        consentToAct,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CallLost)) throw error;
      const where = whereabouts(kernel.name);
      if (!error.wasSent) return failure(`${name} was not called: ${where} cannot be reached.`);
      return failure(
        `${name} failed: ${where} went away before it answered. Whether the call took effect is unknown.`,
      );
    } finally {
      this.#open.delete(open);
    }
  }

  #holderOf({ name, group }: SharedTool): ToolsAt['kernel'] | undefined {
    const holders = this.#at.filter(
      each => each.group.name === group && each.tools.some(tool => tool.name === name),
    );
    return (holders.find(isUp) ?? holders[0])?.kernel;
  }
}

/** What a kernel tells of the tools that it runs. */
function sharedOf({ tools, groups, here }: BroughtTools): SharedTools[] {
  const byGroup = Map.groupBy(tools, ({ group }) => group);
  return groups
    .filter(({ name }) => here.includes(name) && byGroup.has(name))
    .map(group => ({ group, tools: (byGroup.get(group.name) ?? []).map(sharedTool) }));
}

const sharedTool = ({ available, client_only, description, group, ...rest }: BroughtTool): SharedTool => {
  const { icon, input_schema, name, on_demand, outside_effect, source, trusted_only } = rest;
  return {
    ...(available !== undefined && { available }),
    ...{ client_only, description, group, icon, input_schema },
    ...{ name, on_demand, outside_effect, source, trusted_only },
  };
};

const whereabouts = (machine: string): string => `the machine ${machine}, whose kernel has this tool,`;
