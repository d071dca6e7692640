/** Lists modules and handles the user's decisions about them (MOD-2). A kernel without extensions has no modules. */
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
   * @param shared publishes decisions to the kernels on the same database; absent: there are no other kernels
   * @param kernel the name of this kernel; null: there are no other kernels
   */
  constructor(extensions: Extensions | undefined, shared?: SharedLog, kernel: KernelName | null = null) {
    this.#extensions = extensions;
    this.#kernel = kernel;
    extensions?.onDecision(() => shared?.publish({ what: 'modules' }));
    if (extensions) shared?.onChange('modules', () => extensions.reloadDecisions());
  }

  /** The modules of this kernel. */
  list(): ModuleList {
    return { modules: (this.#extensions?.modules() ?? []).map(module => this.#placed(module)) };
  }

  /**
   * The modules of all kernels, each once: the local state first, else that of a kernel on which it is up, else that of
   * the first kernel that has it (FLEET-4).
   */
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

  /** Whether this kernel runs the module or would run it; it may know others only from the database. */
  isHere(name: string): boolean {
    return this.#extensions?.tools().here.includes(name) ?? false;
  }

  /**
   * Approves a module with its current declaration; a changed declaration needs a new approval.
   * @throws KernelError not_found
   */
  async approve(name: string): Promise<Module> {
    return this.#decide(name, extensions => extensions.approve(name));
  }

  /** @throws KernelError not_found */
  async revoke(name: string): Promise<Module> {
    return this.#decide(name, extensions => extensions.revoke(name));
  }

  /** The states of the active modules, for the statistics. */
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
