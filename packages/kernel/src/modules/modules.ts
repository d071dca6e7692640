/** Modules as their owner sees them and decides about them (MOD-2). A kernel without extensions has none. */
import {
  KernelError,
  type KernelName,
  type Module,
  type ModuleList,
  type Stats,
} from '@chat-kernel/protocol';
import type { SharedLog } from '../fleet/shared-log.ts';
import type { Extensions } from '../ports/index.ts';

export class Modules {
  readonly #extensions: Extensions | undefined;
  readonly #kernel: KernelName | null;

  /**
   * @param shared tells the kernels on the same database of each other's decisions; absent: there are no others
   * @param kernel this one among them; null: there are no others
   */
  constructor(extensions: Extensions | undefined, shared?: SharedLog, kernel: KernelName | null = null) {
    this.#extensions = extensions;
    this.#kernel = kernel;
    extensions?.onDecision(() => shared?.tell({ what: 'modules' }));
    if (extensions) shared?.onChange('modules', () => extensions.hearDecisions());
  }

  /** Those of this kernel. */
  list(): ModuleList {
    return { modules: (this.#extensions?.modules() ?? []).map(module => this.#placed(module)) };
  }

  /** Those of all kernels, each once: as it is here, else where it is up, else at the first that has it (FLEET-4). */
  listWith(others: readonly ModuleList[]): ModuleList {
    const all = [this.list(), ...others].flatMap(({ modules }) => modules);
    const byName = Map.groupBy(all, ({ name }) => name);
    const chosen = [...byName].map(([name, each]) => {
      const had = each.filter(({ kernel }) => kernel !== undefined);
      const found = this.isHere(name) ? had[0] : had.find(({ status }) => status === 'up');
      return found ?? had[0] ?? (each[0] as Module);
    });
    return { modules: chosen.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** Whether this kernel runs the module, or would; it may know others by what the database keeps alone. */
  isHere(name: string): boolean {
    return this.#extensions?.tools().here.includes(name) ?? false;
  }

  /**
   * Approves a module as it declares itself now; another declaration needs another approval.
   * @throws KernelError not_found
   */
  async approve(name: string): Promise<Module> {
    return this.#decide(name, extensions => extensions.approve(name));
  }

  /** @throws KernelError not_found */
  async revoke(name: string): Promise<Module> {
    return this.#decide(name, extensions => extensions.revoke(name));
  }

  /** The states of the modules that take part, for the statistics. */
  states(): Stats['modules'] {
    const states: Stats['modules'] = {};
    for (const { name, status } of this.list().modules) {
      if (status !== 'pending' && status !== 'revoked') states[name] = status === 'up' ? 'up' : 'down';
    }
    return states;
  }

  async #decide(name: string, decide: (extensions: Extensions) => Promise<Module>): Promise<Module> {
    const extensions = this.#extensions;
    if (!extensions?.modules().some(module => module.name === name))
      throw new KernelError('not_found', `There is no module ${name}.`);
    return this.#placed(await decide(extensions));
  }

  #placed(module: Module): Module {
    if (this.#kernel === null || !this.isHere(module.name)) return module;
    const { id, name } = this.#kernel;
    return { ...module, kernel: { id, name } };
  }
}
