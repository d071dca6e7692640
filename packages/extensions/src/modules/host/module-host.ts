/** All modules there are: those that the settings name, and those that put a socket into a directory (MOD-2, MOD-8). */
import type {
  Clock,
  Extensions,
  Log,
  ModuleRecord,
  Stages,
  Store,
  Tool,
  ToolGroup,
} from '@chat-kernel/kernel';
import { type InitializeParams, KernelError, type Module, type Settings } from '@chat-kernel/protocol';
import { type Catalogue, catalogueOf } from '../offer/module-catalogue.ts';
import { commandWay, type Environment } from '../connectors/program-connector.ts';
import { HostedModule, type HostedModuleParts } from '../hosted/hosted-module.ts';
import { viewOf } from './module-view.ts';
import { nameMistake } from './module-name.ts';
import { type Sockets, SocketWatch, socketPath } from './socket-watch.ts';
import { socketWay } from '../connectors/socket-connector.ts';
import { ModuleStages } from '../offer/module-stages.ts';

type Servers = Settings['modules']['servers'];

export interface ModuleHostParts {
  /** Where sockets are looked for; it need not be there yet. */
  socket_dir: string;
  servers: Servers;
  store: Pick<Store, 'modules' | 'saveModule'>;
  clock: Clock;
  log: Log;
  /** Names of tools that modules cannot have. */
  reserved: ReadonlySet<string>;
  /** The kernel's own; modules that it starts get what is harmless in it. */
  environment: Environment;
}

/** Modules that are there are usually reached sooner; nobody waits longer for the others. */
const START_MS = 3000;
const STOPS = 'the kernel stops';

export class ModuleHost implements Extensions {
  readonly stages: Stages;
  readonly #parts: ModuleHostParts;
  readonly #watch: SocketWatch;
  readonly #modules = new Map<string, HostedModule>();
  /** Which socket a module had when it was last tried. */
  readonly #sockets = new Map<string, string>();
  readonly #callbacks: (() => void)[] = [];
  readonly #said = new Set<string>();
  #records = new Map<string, ModuleRecord>();
  #kernel: InitializeParams['kernel'] = { version: '', url: '' };
  #catalogue: Catalogue = { tools: [], groups: [], leftOut: new Map() };
  /** Whoever looks at the catalogue was told of it as it is. */
  #told = '[]';
  #stopped = false;

  constructor(parts: ModuleHostParts) {
    this.#parts = parts;
    this.stages = new ModuleStages(() => this.#inOrder().filter(({ approved }) => approved), parts.log);
    const named = Object.entries(parts.servers);
    this.#watch = new SocketWatch({
      ...parts,
      directory: parts.socket_dir,
      places: new Map(named.flatMap(([name, { socket }]) => (socket === undefined ? [] : [[name, socket]]))),
      onSeen: (inDirectory, atPlaces) => this.#seen(inDirectory, atPlaces),
    });
  }

  /**
   * Reaches out to all modules. Resolves when each was tried once, after 3 seconds at the latest: those that take
   * longer are not waited for. @param kernel what modules are told of it
   */
  async start(kernel: InitializeParams['kernel']): Promise<void> {
    const { store, servers, clock } = this.#parts;
    this.#kernel = kernel;
    this.#records = new Map((await store.modules()).map(record => [record.name, record]));
    // What is there already is seen first: it is no reason to begin anew what is begun here.
    await this.#watch.start();
    for (const [name, entry] of Object.entries(servers))
      this.#add(name, 'settings', this.#wayOf(name, entry));
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
    this.#watch.stop();
    await Promise.all([...this.#modules.values()].map(module => module.stop(STOPS)));
  }

  tools(): { tools: readonly Tool[]; groups: readonly ToolGroup[] } {
    return this.#catalogue;
  }

  onChange(callback: () => void): void {
    this.#callbacks.push(callback);
  }

  modules(): Module[] {
    return [...this.#modules.values()]
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map(module => this.#view(module));
  }

  /** What an approval of it would be bound to; undefined: nothing is known of it. */
  fingerprint(name: string): string | undefined {
    return this.#modules.get(name)?.hash;
  }

  /**
   * Approves a module as it is now, or starts one again that was given up. @param hash of what whoever approves has
   * seen. @throws KernelError not_found; module_down where it has never said what it can do; invalid_value where it
   * is no longer what was seen
   */
  async approve(name: string, hash?: string): Promise<Module> {
    const module = this.#find(name);
    await module.approve(hash);
    this.#parts.log.info({ module: name }, 'a module was approved');
    return this.#view(module);
  }

  /** @throws KernelError not_found; module_down where there is nothing yet to revoke */
  async revoke(name: string): Promise<Module> {
    const module = this.#find(name);
    await module.revoke();
    this.#parts.log.info({ module: name }, 'the approval of a module was revoked');
    return this.#view(module);
  }

  #find(name: string): HostedModule {
    const module = this.#modules.get(name);
    if (!module) throw new KernelError('not_found', `There is no module ${name}.`);
    return module;
  }

  #view(module: HostedModule): Module {
    return viewOf(module, this.#catalogue.leftOut.get(module.name) ?? new Map());
  }

  #wayOf(name: string, { socket, command, args, env }: Servers[string]): HostedModuleParts['way'] {
    const mistake = nameMistake(name);
    if (mistake) return mistake;
    if (socket !== undefined && command !== undefined) return 'its entry has both a socket and a command';
    if (socket !== undefined) return () => socketWay(socket);
    if (command === undefined) return 'its entry has neither a socket nor a command';
    const { environment } = this.#parts;
    return moduleLog => commandWay({ command, args, env }, environment, text => moduleLog.printed(text));
  }

  #addFound(name: string): void {
    const mistake = nameMistake(name);
    if (mistake) this.#say({ module: name }, `a socket of modules is ignored: ${mistake}`);
    else this.#add(name, 'socket_dir', () => socketWay(socketPath(this.#parts.socket_dir, name)));
  }

  #add(name: string, source: Module['source'], way: HostedModuleParts['way']): void {
    const module = new HostedModule({
      ...this.#parts,
      name,
      source,
      way,
      record: this.#records.get(name),
      kernel: this.#kernel,
      onChange: () => this.#changed(),
    });
    this.#modules.set(name, module);
    if (typeof way === 'string') this.#say({ module: name, problem: way }, 'a module cannot be used');
  }

  #seen(inDirectory: Sockets, atPlaces: Sockets): void {
    if (this.#stopped) return;
    const found = [...inDirectory].filter(([name]) => {
      const named = Object.hasOwn(this.#parts.servers, name);
      if (named)
        this.#say({ module: name }, 'a socket is ignored: the settings say how its module is reached');
      return !named;
    });
    const sockets = new Map([...found, ...atPlaces]);
    for (const [name, socket] of sockets) {
      const before = this.#sockets.get(name);
      this.#sockets.set(name, socket);
      if (before !== socket) this.#modules.get(name)?.seen(socket);
    }
    const before = this.#modules.size;
    for (const [name] of found) if (!this.#modules.has(name)) this.#addFound(name);
    const gone = [...this.#sockets.keys()].filter(name => !sockets.has(name) && this.#isGone(name));
    if (gone.length > 0 || this.#modules.size !== before) this.#changed();
  }

  /** Answers whether it was forgotten. A connection there is may live on: whoever stops with grace takes the socket away first. */
  #isGone(name: string): boolean {
    const module = this.#modules.get(name);
    if (module?.session) return false;
    this.#sockets.delete(name);
    // What somebody has decided about stays, and so do its tools (MOD-9).
    if (!module || module.source === 'settings' || module.decided) return false;
    this.#modules.delete(name);
    module.stop('its socket is gone').catch(error => {
      this.#parts.log.error({ module: name, err: error }, 'a module did not stop cleanly');
    });
    return true;
  }

  /** In the order of the settings; then those of the directory, by name. */
  #inOrder(): HostedModule[] {
    const found = [...this.#modules.values()].filter(({ source }) => source === 'socket_dir');
    return [
      ...Object.keys(this.#parts.servers).flatMap(name => this.#modules.get(name) ?? []),
      ...found.sort((a, b) => (a.name < b.name ? -1 : 1)),
    ];
  }

  #changed(): void {
    const { reserved, clock, log } = this.#parts;
    this.#catalogue = catalogueOf(this.#inOrder(), reserved, clock);
    for (const [module, tools] of this.#catalogue.leftOut) {
      for (const [tool, problem] of tools)
        this.#say({ module, tool, problem }, 'a tool of a module is left out');
    }
    const { tools, groups } = this.#catalogue;
    const told = JSON.stringify([tools, groups]);
    if (told === this.#told || this.#stopped) return;
    this.#told = told;
    for (const callback of this.#callbacks) {
      try {
        callback();
      } catch (error) {
        log.error({ err: error }, 'a change of the tools of modules could not be passed on');
      }
    }
  }

  /** Once. */
  #say(facts: object, sentence: string): void {
    const key = JSON.stringify([facts, sentence]);
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#parts.log.warn(facts, sentence);
  }
}
