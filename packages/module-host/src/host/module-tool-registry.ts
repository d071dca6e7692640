/** Keeps the available tools of the modules, and notifies listeners of changes. */
import type { Clock, ExtensionTools, Log } from '@chat-kernel/kernel';
import type { HostedModule } from '../hosted/hosted-module.ts';
import { buildCatalogue, type ModuleCatalogue } from '../offer/module-catalogue.ts';
import type { WarnOnce } from './once-log.ts';

interface OfferedToolsDeps {
  clock: Clock;
  log: Log;
  warnOnce: WarnOnce;
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
}

export class ModuleToolRegistry {
  readonly #deps: OfferedToolsDeps;
  readonly #callbacks: (() => void)[] = [];
  #catalogue: ModuleCatalogue = { tools: [], groups: [], reserved: [], leftOut: new Map() };
  #here: readonly string[] = [];
  /** The tools, groups, changed modules and local modules as JSON, at the last notification. */
  #announced = '[]';
  #stopped = false;

  constructor(deps: OfferedToolsDeps) {
    this.#deps = deps;
  }

  get current(): ExtensionTools {
    return { ...this.#catalogue, here: this.#here };
  }

  onChange(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  /** Full name of each excluded tool of a module → reason. */
  leftOutOf(module: string): ReadonlyMap<string, string> {
    return this.#catalogue.leftOut.get(module) ?? new Map();
  }

  /**
   * Builds the tools again, and calls the listeners if they have changed.
   * @param isHere whether this kernel runs a module
   */
  update(modules: readonly HostedModule[], isHere: (module: HostedModule) => boolean): void {
    const { reserved, clock, warnOnce } = this.#deps;
    this.#catalogue = buildCatalogue(modules, reserved, clock);
    const here = modules.filter(isHere).map(({ name }) => name);
    this.#here = here;
    for (const [module, tools] of this.#catalogue.leftOut) {
      for (const [tool, problem] of tools)
        warnOnce({ module, tool, problem }, 'a tool of a module was skipped');
    }
    const { tools, groups } = this.#catalogue;
    const changed = modules.filter(module => module.changed).map(({ name, hash }) => [name, hash]);
    const json = JSON.stringify([tools, groups, changed, here]);
    if (json === this.#announced || this.#stopped) return;
    this.#announced = json;
    this.#callBack();
  }

  /** Stops all notifications. */
  stop(): void {
    this.#stopped = true;
  }

  #callBack(): void {
    for (const callback of this.#callbacks) {
      try {
        callback();
      } catch (error) {
        this.#deps.log.error({ err: error }, 'publishing a change of module tools failed');
      }
    }
  }
}
