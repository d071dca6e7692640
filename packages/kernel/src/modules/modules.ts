/** Modules as their owner sees them and decides about them (MOD-2). A kernel without extensions has none. */
import { KernelError, type Module, type ModuleList, type Stats } from '@chat-kernel/protocol';
import type { SharedLog } from '../fleet/shared-log.ts';
import type { Extensions } from '../ports/index.ts';

export class Modules {
  readonly #extensions: Extensions | undefined;

  /** @param shared tells the kernels on the same database of each other's decisions; absent: there are no others */
  constructor(extensions: Extensions | undefined, shared?: SharedLog) {
    this.#extensions = extensions;
    extensions?.onDecision(() => shared?.tell({ what: 'modules' }));
    if (extensions) shared?.onChange('modules', () => extensions.hearDecisions());
  }

  list(): ModuleList {
    return { modules: this.#extensions?.modules() ?? [] };
  }

  /**
   * Approves a module as it declares itself now; another declaration needs another approval.
   * @throws KernelError not_found
   */
  async approve(name: string): Promise<Module> {
    return this.#known(name).approve(name);
  }

  /** @throws KernelError not_found */
  async revoke(name: string): Promise<Module> {
    return this.#known(name).revoke(name);
  }

  /** The states of the modules that take part, for the statistics. */
  states(): Stats['modules'] {
    const states: Stats['modules'] = {};
    for (const { name, status } of this.list().modules) {
      if (status !== 'pending' && status !== 'revoked') states[name] = status === 'up' ? 'up' : 'down';
    }
    return states;
  }

  #known(name: string): Extensions {
    const extensions = this.#extensions;
    if (extensions?.modules().some(module => module.name === name)) return extensions;
    throw new KernelError('not_found', `There is no module ${name}.`);
  }
}
