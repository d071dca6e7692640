/** Manages all modules: those in the settings, and those whose socket was found in a directory (MOD-2, MOD-8). */
import type {
  ChangedModule,
  Extensions,
  ExtensionTools,
  ModuleQuestion,
  ModuleRecord,
  Stages,
} from '@chat-kernel/kernel';
import { type InitializeParams, KernelError, type Module } from '@chat-kernel/protocol';
import { socketConnector } from '../connectors/socket-connector.ts';
import { HostedModule, type HostedModuleDeps } from '../hosted/hosted-module.ts';
import { ModuleStages } from '../offer/module-stages.ts';
import { AnchorOwners } from '../session/anchor-owners.ts';
import { configuredConnector } from './configured-connector.ts';
import type { ModuleHostDeps } from './module-host-deps.ts';
import { nameMistake } from './module-name.ts';
import { inOrder } from './module-order.ts';
import { ModuleToolRegistry } from './module-tool-registry.ts';
import { toModuleView } from './module-view.ts';
import { onceLogger, type WarnOnce } from './once-log.ts';
import { type Sockets, SocketWatch, socketPath } from './socket-watch.ts';

/** The longest wait at the start of the kernel; running modules usually connect sooner. */
const START_MS = 3000;
const STOPS = 'the kernel is stopping';

export class ModuleHost implements Omit<Extensions, 'guests'> {
  readonly stages: Stages;
  readonly #deps: ModuleHostDeps;
  readonly #watch: SocketWatch;
  readonly #offered: ModuleToolRegistry;
  readonly #warnOnce: WarnOnce;
  readonly #modules = new Map<string, HostedModule>();
  readonly #anchors = new AnchorOwners();
  /** Name of a module → its socket at the last attempt. */
  readonly #sockets = new Map<string, string>();
  #records = new Map<string, ModuleRecord>();
  #kernel: InitializeParams['kernel'] = { version: '', url: '' };
  #decided: () => void = () => {};
  #askOwner: ModuleQuestion = async () => null;
  #stopped = false;

  constructor(deps: ModuleHostDeps) {
    this.#deps = deps;
    this.#warnOnce = onceLogger(deps.log);
    this.#offered = new ModuleToolRegistry({ ...deps, warnOnce: this.#warnOnce });
    this.stages = new ModuleStages(
      () => inOrder(this.#modules, deps.servers).filter(({ approved, changed }) => approved || changed),
      deps.log,
      this.#anchors,
    );
    const named = Object.entries(deps.servers);
    this.#watch = new SocketWatch({
      ...deps,
      directory: deps.socket_dir,
      paths: new Map(named.flatMap(([name, { socket }]) => (socket === undefined ? [] : [[name, socket]]))),
      onFound: (inDirectory, atPaths) => this.#socketsFound(inDirectory, atPaths),
    });
  }

  /**
   * Connects to all modules. Resolves when each was tried once, and after 3 seconds at the latest.
   * @param kernel the facts about the kernel for modules
   */
  async start(kernel: InitializeParams['kernel']): Promise<void> {
    const { servers, clock, environment } = this.#deps;
    this.#kernel = kernel;
    this.#records = await this.#recorded();
    // The first scan comes before the modules are added, so that existing sockets do not cause a reconnect.
    await this.#watch.start();
    for (const [name, entry] of Object.entries(servers)) {
      this.#add(name, 'settings', configuredConnector(name, entry, environment));
    }
    for (const { name, approved_hash } of this.#records.values()) {
      if (approved_hash !== null && !this.#modules.has(name)) this.#addFound(name);
    }
    this.#changed();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(START_MS, resolve);
    await Promise.race([late, Promise.all([...this.#modules.values()].map(({ tried }) => tried))]);
    cancel();
  }

  /** Resolves when everything that was started for modules has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#offered.stop();
    this.#watch.stop();
    await Promise.all([...this.#modules.values()].map(module => module.stop(STOPS)));
  }

  tools(): ExtensionTools {
    return this.#offered.current;
  }

  changed(): ChangedModule[] {
    return [...this.#modules.values()]
      .flatMap(module =>
        module.changed && module.hash !== undefined
          ? [{ module: this.#view(module), hash: module.hash }]
          : [],
      )
      .sort((a, b) => (a.module.name < b.module.name ? -1 : 1));
  }

  onChange(callback: () => void): void {
    this.#offered.onChange(callback);
  }

  modules(): Module[] {
    return [...this.#modules.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(module => this.#view(module));
  }

  /** Returns the hash to which an approval would be bound; undefined if the module is unknown. */
  fingerprint(name: string): string | undefined {
    return this.#modules.get(name)?.hash;
  }

  /**
   * Approves a module in its current form, or retries one that had failed. @param hash of the declaration that the
   * owner has seen. @throws KernelError not_found; module_down if the module has never declared itself; invalid_value
   * if its declaration has changed
   */
  async approve(name: string, hash?: string): Promise<Module> {
    return this.#decide(name, module => module.approve(hash), 'a module was approved');
  }

  /** @throws KernelError not_found; module_down if the module has never declared itself */
  async revoke(name: string): Promise<Module> {
    return this.#decide(name, module => module.revoke(), 'the approval of a module was revoked');
  }

  /** Sends the questions of modules to this function. */
  onQuestion(ask: ModuleQuestion): void {
    this.#askOwner = ask;
  }

  /** Calls `callback` after each decision about a module on this kernel. */
  onDecision(callback: () => void): void {
    this.#decided = callback;
  }

  /** Applies the decisions of other kernels on the database about the modules of this one. */
  async reloadDecisions(): Promise<void> {
    this.#records = await this.#recorded();
    for (const record of this.#records.values()) {
      const module = this.#modules.get(record.name);
      module?.hear(record, this.#isHere(module));
    }
  }

  async #recorded(): Promise<Map<string, ModuleRecord>> {
    return new Map((await this.#deps.store.modules.list()).map(record => [record.name, record]));
  }

  async #decide(
    name: string,
    decide: (module: HostedModule) => Promise<void>,
    said: string,
  ): Promise<Module> {
    const module = this.#modules.get(name);
    if (!module) throw new KernelError('not_found', `There is no module ${name}.`);
    await decide(module);
    this.#decided();
    this.#deps.log.info({ module: name }, said);
    return this.#view(module);
  }

  #view(module: HostedModule): Module {
    const { describeOmitted = () => [] } = this.#deps;
    return toModuleView(module, this.#offered.leftOutOf(module.name), describeOmitted);
  }

  #addFound(name: string): void {
    const mistake = nameMistake(name);
    if (mistake) this.#warnOnce({ module: name }, `a module socket is ignored: ${mistake}`);
    else this.#add(name, 'socket_dir', () => socketConnector(socketPath(this.#deps.socket_dir, name)));
  }

  #add(name: string, source: Module['source'], connector: HostedModuleDeps['connector']): void {
    const module = new HostedModule({
      ...this.#deps,
      name,
      anchors: this.#anchors,
      source,
      connector,
      record: this.#records.get(name),
      kernel: this.#kernel,
      onChange: () => this.#changed(),
      askOwner: (...question) => this.#askOwner(...question),
    });
    this.#modules.set(name, module);
    if (typeof connector === 'string') {
      this.#warnOnce({ module: name, problem: connector }, 'a module is unusable');
    }
  }

  #socketsFound(inDirectory: Sockets, atPaths: Sockets): void {
    if (this.#stopped) return;
    const found = [...inDirectory].filter(([name]) => !this.#isNamed(name));
    const sockets = new Map([...found, ...atPaths]);
    for (const [name, socket] of sockets) {
      const before = this.#sockets.get(name);
      this.#sockets.set(name, socket);
      if (before !== socket) this.#modules.get(name)?.socketFound(socket);
    }
    const before = this.#modules.size;
    for (const [name] of found) if (!this.#modules.has(name)) this.#addFound(name);
    const gone = [...this.#sockets.keys()].filter(name => !sockets.has(name) && this.#forget(name));
    if (gone.length > 0 || this.#modules.size !== before) this.#changed();
  }

  /** Whether this kernel runs the module, or would, and does not know it only from the database. */
  #isHere({ name, source, session }: HostedModule): boolean {
    return source === 'settings' || session !== undefined || this.#sockets.has(name);
  }

  /** Whether the settings contain the module, so that a socket in the directory is ignored. */
  #isNamed(name: string): boolean {
    const named = Object.hasOwn(this.#deps.servers, name);
    if (named) {
      this.#warnOnce({ module: name }, 'a socket is ignored: the settings configure its module');
    }
    return named;
  }

  /**
   * Removes a module whose socket no longer exists, and returns whether it was removed. Its connection may continue,
   * because a module that stops gracefully removes its socket first.
   */
  #forget(name: string): boolean {
    const module = this.#modules.get(name);
    if (module?.session) return false;
    this.#sockets.delete(name);
    // A module with a decision stays, and so do its tools (MOD-9).
    if (!module || module.source === 'settings' || module.decided) return false;
    this.#modules.delete(name);
    module.stop('its socket was removed').catch(error => {
      this.#deps.log.error({ module: name, err: error }, 'a module did not stop cleanly');
    });
    return true;
  }

  #changed(): void {
    this.#offered.update(inOrder(this.#modules, this.#deps.servers), module => this.#isHere(module));
  }
}
