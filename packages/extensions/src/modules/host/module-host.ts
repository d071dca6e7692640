/** All modules: those of the settings, and those whose socket was found in a directory (MOD-2, MOD-8). */
import type { BroughtTools, ChangedModule, Extensions, ModuleRecord, Stages } from '@chat-kernel/kernel';
import { type InitializeParams, KernelError, type Module } from '@chat-kernel/protocol';
import { socketConnector } from '../connectors/socket-connector.ts';
import { HostedModule, type HostedModuleDeps } from '../hosted/hosted-module.ts';
import { ModuleStages } from '../offer/module-stages.ts';
import { configuredConnector } from './configured-connector.ts';
import type { ModuleHostDeps } from './module-host-deps.ts';
import { nameMistake } from './module-name.ts';
import { inOrder } from './module-order.ts';
import { viewOf } from './module-view.ts';
import { OfferedTools } from './offered-tools.ts';
import { OnceLog } from './once-log.ts';
import { type Sockets, SocketWatch, socketPath } from './socket-watch.ts';

/** Running modules are usually reached sooner, and the start of the kernel does not wait longer for others. */
const START_MS = 3000;
const STOPS = 'the kernel stops';

export class ModuleHost implements Omit<Extensions, 'guests'> {
  readonly stages: Stages;
  readonly #deps: ModuleHostDeps;
  readonly #watch: SocketWatch;
  readonly #offered: OfferedTools;
  readonly #onceLog: OnceLog;
  readonly #modules = new Map<string, HostedModule>();
  /** Name of a module → the socket it had when it was last tried. */
  readonly #sockets = new Map<string, string>();
  #records = new Map<string, ModuleRecord>();
  #kernel: InitializeParams['kernel'] = { version: '', url: '' };
  #decided: () => void = () => {};
  #stopped = false;

  constructor(deps: ModuleHostDeps) {
    this.#deps = deps;
    this.#onceLog = new OnceLog(deps.log);
    this.#offered = new OfferedTools({ ...deps, onceLog: this.#onceLog });
    this.stages = new ModuleStages(
      () => inOrder(this.#modules, deps.servers).filter(({ approved, changed }) => approved || changed),
      deps.log,
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
   * @param kernel what modules are told about the kernel
   */
  async start(kernel: InitializeParams['kernel']): Promise<void> {
    const { servers, clock, environment } = this.#deps;
    this.#kernel = kernel;
    this.#records = await this.#recorded();
    // The first look comes before the modules are added: a socket that exists already is no reason to start over.
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

  /** Resolves when nothing is left of what was started for modules. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#offered.stop();
    this.#watch.stop();
    await Promise.all([...this.#modules.values()].map(module => module.stop(STOPS)));
  }

  tools(): BroughtTools {
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

  /** Returns the hash that an approval would be bound to; undefined: nothing is known of the module. */
  fingerprint(name: string): string | undefined {
    return this.#modules.get(name)?.hash;
  }

  /**
   * Approves a module as it is now, or tries one again that was given up. @param hash of the declaration that the owner
   * has seen. @throws KernelError not_found; module_down where the module has never declared itself; invalid_value where
   * its declaration is another one by now
   */
  async approve(name: string, hash?: string): Promise<Module> {
    return this.#decide(name, module => module.approve(hash), 'a module was approved');
  }

  /** @throws KernelError not_found; module_down where the module has never declared itself */
  async revoke(name: string): Promise<Module> {
    return this.#decide(name, module => module.revoke(), 'the approval of a module was revoked');
  }

  /** Calls back whenever something was decided about a module here. */
  onDecision(callback: () => void): void {
    this.#decided = callback;
  }

  /** Takes over what other kernels on the database have decided about the modules of this one. */
  async hearDecisions(): Promise<void> {
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
    return viewOf(module, this.#offered.leftOutOf(module.name));
  }

  #addFound(name: string): void {
    const mistake = nameMistake(name);
    if (mistake) this.#onceLog.warn({ module: name }, `a socket of modules is ignored: ${mistake}`);
    else this.#add(name, 'socket_dir', () => socketConnector(socketPath(this.#deps.socket_dir, name)));
  }

  #add(name: string, source: Module['source'], connector: HostedModuleDeps['connector']): void {
    const module = new HostedModule({
      ...this.#deps,
      name,
      source,
      connector,
      record: this.#records.get(name),
      kernel: this.#kernel,
      onChange: () => this.#changed(),
    });
    this.#modules.set(name, module);
    if (typeof connector === 'string') {
      this.#onceLog.warn({ module: name, problem: connector }, 'a module cannot be used');
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

  /** Whether this kernel runs the module, or would, and does not know of it by the database alone. */
  #isHere({ name, source, session }: HostedModule): boolean {
    return source === 'settings' || session !== undefined || this.#sockets.has(name);
  }

  /** Whether the settings name the module, so that a socket in the directory does not count. */
  #isNamed(name: string): boolean {
    const named = Object.hasOwn(this.#deps.servers, name);
    if (named) {
      this.#onceLog.warn({ module: name }, 'a socket is ignored: the settings say how its module is reached');
    }
    return named;
  }

  /**
   * Forgets a module whose socket is gone, and returns whether it is forgotten. Its connection may live on: a module that
   * stops with grace takes its socket away first.
   */
  #forget(name: string): boolean {
    const module = this.#modules.get(name);
    if (module?.session) return false;
    this.#sockets.delete(name);
    // A module with a decision stays, and so do its tools (MOD-9).
    if (!module || module.source === 'settings' || module.decided) return false;
    this.#modules.delete(name);
    module.stop('its socket is gone').catch(error => {
      this.#deps.log.error({ module: name, err: error }, 'a module did not stop cleanly');
    });
    return true;
  }

  #changed(): void {
    this.#offered.update(inOrder(this.#modules, this.#deps.servers), module => this.#isHere(module));
  }
}
