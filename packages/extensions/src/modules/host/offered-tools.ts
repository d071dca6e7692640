/** The tools of the modules as they are offered now, and who wants to know when they change. */
import type { BroughtTools, Clock, Log } from '@chat-kernel/kernel';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { catalogueOf, type ModuleCatalogue } from '../offer/module-catalogue.ts';
import type { OnceLog } from './once-log.ts';

interface OfferedToolsDeps {
  clock: Clock;
  log: Log;
  onceLog: OnceLog;
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
}

export class OfferedTools {
  readonly #deps: OfferedToolsDeps;
  readonly #callbacks: (() => void)[] = [];
  #catalogue: ModuleCatalogue = { tools: [], groups: [], reserved: [], leftOut: new Map() };
  #here: readonly string[] = [];
  /** The tools, groups, changed modules and those that are here, as JSON, when the callbacks were last called. */
  #announced = '[]';
  #stopped = false;

  constructor(deps: OfferedToolsDeps) {
    this.#deps = deps;
  }

  get current(): BroughtTools {
    return { ...this.#catalogue, here: this.#here };
  }

  onChange(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Full name of each tool of a module that is left out → why. */
  leftOutOf(module: string): ReadonlyMap<string, string> {
    return this.#catalogue.leftOut.get(module) ?? new Map();
  }

  /**
   * Works the tools out anew, and calls back where they have changed.
   * @param isHere whether this kernel runs a module
   */
  update(modules: readonly HostedModule[], isHere: (module: HostedModule) => boolean): void {
    const { reserved, clock, onceLog } = this.#deps;
    this.#catalogue = catalogueOf(modules, reserved, clock);
    const here = modules.filter(isHere).map(({ name }) => name);
    this.#here = here;
    for (const [module, tools] of this.#catalogue.leftOut) {
      for (const [tool, problem] of tools)
        onceLog.warn({ module, tool, problem }, 'a tool of a module is left out');
    }
    const { tools, groups } = this.#catalogue;
    const changed = modules.filter(module => module.changed).map(({ name, hash }) => [name, hash]);
    const json = JSON.stringify([tools, groups, changed, here]);
    if (json === this.#announced || this.#stopped) return;
    this.#announced = json;
    this.#callBack();
  }

  /** Calls nobody back any more. */
  stop(): void {
    this.#stopped = true;
  }

  #callBack(): void {
    for (const callback of this.#callbacks) {
      try {
        callback();
      } catch (error) {
        this.#deps.log.error({ err: error }, 'a change of the tools of modules could not be passed on');
      }
    }
  }
}
