/**
 * Offers the tools of modules and guests that only other kernels of the database have, and runs their calls there
 * (FLEET-4). Each kernel publishes its tools in a row that is deleted with the kernel.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject, KernelName } from '@chat-kernel/protocol';
import { CoalescedJob } from '../fleet/coalesced-job.ts';
import type { SharedLog } from '../fleet/shared-log.ts';
import {
  type AdvertisedTools,
  type CallElsewhere,
  type Clock,
  type ExtensionCallContext,
  type Extensions,
  type ExtensionTool,
  type ExtensionTools,
  type FleetStore,
  failure,
  type Log,
  RemoteCallError,
  type ToolAdvertisement,
  type ToolAdvertisements,
  type ToolOutput,
} from '../ports/index.ts';

interface ToolsElsewhereDeps {
  extensions: Extensions;
  store: FleetStore;
  shared: SharedLog;
  call: CallElsewhere;
  clock: Clock;
  log: Log;
}

export class RemoteTools {
  readonly #deps: ToolsElsewhereDeps;
  readonly #reading: CoalescedJob;
  readonly #telling: CoalescedJob;
  readonly #callbacks: (() => void)[] = [];
  /** The calls that run on other kernels, each with the controller that ends it. */
  readonly #open = new Set<{ kernel: string; lose: AbortController }>();
  #at: readonly AdvertisedTools[] = [];
  /** The tools that this kernel published last, as JSON. */
  #told = '[]';

  constructor(deps: ToolsElsewhereDeps) {
    this.#deps = deps;
    this.#reading = new CoalescedJob(deps.clock, () => this.#read());
    this.#telling = new CoalescedJob(deps.clock, () => this.#tell());
    deps.shared.onChange('tools', async () => this.#reading.schedule());
  }

  /** Calls back whenever the tools of other kernels have changed. */
  onChange(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Reads the tools of other kernels and publishes those of this one, now and on changes. */
  async start(): Promise<void> {
    await this.#read();
    this.#deps.extensions.onChange(() => this.#telling.schedule());
    this.#telling.schedule();
  }

  /** The tools of this kernel and those of the others. */
  joined(): ExtensionTools {
    const { extensions, store } = this.#deps;
    const here = { id: store.id, name: store.name };
    return mergeTools(extensions.tools(), this.#at, here, (tool, { kernel: { id, name } }) => ({
      ...tool,
      kernel: { id, name },
      run: (input, context) => this.#run(tool, name, input, context),
    }));
  }

  /** Ends the calls that run on dead kernels. */
  lost(kernels: readonly string[]): void {
    for (const { kernel, lose } of this.#open) if (kernels.includes(kernel)) lose.abort();
    this.#reading.schedule();
  }

  /** Publishes the tools again, because the other kernels have deleted what this kernel had published. */
  republish(): void {
    this.#told = '[]';
    this.#telling.schedule();
  }

  /** Publishes that this kernel no longer runs tools. Never rejects. */
  async withdraw(): Promise<void> {
    const { store, shared, log } = this.#deps;
    await this.#telling.stop();
    await store.bringTools([]).catch(err => {
      // The row is deleted with that of this kernel.
      log.warn({ err }, 'withdrawing the tools of modules from other kernels failed');
    });
    shared.publish({ what: 'tools' });
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
    const groups = toAdvertisements(extensions.tools());
    const json = JSON.stringify(groups);
    if (json === this.#told) return;
    await store.bringTools(groups);
    this.#told = json;
    shared.publish({ what: 'tools' });
  }

  /** Runs a call on the kernel that has its tool now. @param last the machine that had it when the turn began */
  async #run(
    tool: ToolAdvertisement,
    last: string,
    input: JsonObject,
    { signal, progress, askOwner, consentToAct, turn_context }: ExtensionCallContext,
  ): Promise<ToolOutput> {
    const { name } = tool;
    const kernel = this.#holderOf(tool);
    if (kernel === undefined) return failure(`${name} was not called: ${whereabouts(last)} has stopped.`);
    const lose = new AbortController();
    const open = { kernel: kernel.id, lose };
    this.#open.add(open);
    try {
      const call = { id: randomUUID(), name, input, turn_context };
      return await this.#deps.call(kernel, call, {
        signal: AbortSignal.any([signal, lose.signal]),
        progress,
        askOwner,
        consentToAct,
      });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RemoteCallError)) throw error;
      const where = whereabouts(kernel.name);
      if (!error.wasSent) return failure(`${name} was not called: ${where} is unreachable.`);
      return failure(
        `${name} failed: ${where} disconnected before it answered. Whether the call took effect is unknown.`,
      );
    } finally {
      this.#open.delete(open);
    }
  }

  #holderOf({ name, group }: ToolAdvertisement): AdvertisedTools['kernel'] | undefined {
    const holders = this.#at.filter(
      each => each.group.name === group && each.tools.some(tool => tool.name === name),
    );
    return (holders.find(isUp) ?? holders[0])?.kernel;
  }
}

/** The tools that a kernel publishes. */
function toAdvertisements({ tools, groups, here }: ExtensionTools): ToolAdvertisements[] {
  const byGroup = Map.groupBy(tools, ({ group }) => group);
  return groups
    .filter(({ name }) => here.includes(name) && byGroup.has(name))
    .map(group => ({ group, tools: (byGroup.get(group.name) ?? []).map(sharedTool) }));
}

const sharedTool = ({
  available,
  client_only,
  description,
  group,
  ...rest
}: ExtensionTool): ToolAdvertisement => {
  const { icon, input_schema, name, on_demand, outside_effect, source, trusted_only } = rest;
  const { assumed_effects, asks_itself, effects, outside } = rest;
  return {
    ...(available !== undefined && { available }),
    ...{ client_only, description, group, icon, input_schema },
    ...{ name, on_demand, outside_effect, source, trusted_only },
    effects,
    ...(assumed_effects && { assumed_effects }),
    ...(asks_itself && { asks_itself }),
    ...(outside !== undefined && { outside }),
  };
};

const whereabouts = (machine: string): string => `the machine ${machine}, whose kernel has this tool,`;

/**
 * @param own the tools of this kernel
 * @param at those of other kernels, with the oldest kernel first
 * @param here this kernel
 * @param callable creates the function that calls a remote tool
 */
export function mergeTools(
  own: ExtensionTools,
  at: readonly AdvertisedTools[],
  here: KernelName,
  callable: (tool: ToolAdvertisement, at: AdvertisedTools) => ExtensionTool,
): ExtensionTools {
  const chosen = selectRemoteTools(own, at);
  const isElsewhere = new Set(chosen.map(({ group }) => group.name));
  const isHere = new Set(own.here);
  const kept = own.tools
    .filter(({ group }) => !isElsewhere.has(group))
    .map(tool => (isHere.has(tool.group) ? { ...tool, kernel: here } : tool));
  const names = new Set(kept.map(({ name }) => name));
  const added: ExtensionTool[] = [];
  for (const each of chosen)
    for (const tool of each.tools) {
      if (names.has(tool.name)) continue;
      names.add(tool.name);
      added.push(callable(tool, each));
    }
  const groups = own.groups.filter(({ name }) => !isElsewhere.has(name));
  return {
    ...own,
    tools: [...kept, ...added],
    groups: [...groups, ...chosen.map(({ group }) => group)],
  };
}

/** The remote modules and guests, each once, by name. */
function selectRemoteTools(
  own: Pick<ExtensionTools, 'here'>,
  at: readonly AdvertisedTools[],
): AdvertisedTools[] {
  const byName = Map.groupBy(
    at.filter(({ group }) => !own.here.includes(group.name)),
    ({ group }) => group.name,
  );
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each.find(isUp) ?? (each[0] as AdvertisedTools));
}

/** Whether a module or guest is available. */
const isUp = ({ tools }: Pick<AdvertisedTools, 'tools'>): boolean =>
  tools.some(({ available = true }) => available);
