/** A module: its connection, its declaration and the decision about it, as one status (MOD-2, MOD-8, MOD-9). */
import type { Clock, Log, ModuleRecord, Store } from '@chat-kernel/kernel';
import {
  type InitializeParams,
  type InitializeResult,
  KernelError,
  type Module,
} from '@chat-kernel/protocol';
import { Throttle } from '../../pace/throttle.ts';
import type { ModuleConnector } from '../connectors/connector.ts';
import { DeclarationRefused, readTools } from '../session/declaration.ts';
import { ModuleLog } from '../session/module-log.ts';
import type { ModuleSession } from '../session/module-session.ts';
import { ModuleLink } from './module-link.ts';
import { StoredModule } from './stored-module.ts';

/** A module may declare its tools anew at any pace; this often the kernel takes them over. */
const TOOLS_EVERY_MS = 1000;
const REVOKED = 'its approval was revoked';
const NOT_STOPPED = 'a module did not stop cleanly';

export interface HostedModuleDeps {
  name: string;
  source: Module['source'];
  /** How to reach the module, or a sentence that says why that is not possible. */
  connector: ((log: ModuleLog) => ModuleConnector) | string;
  record: ModuleRecord | undefined;
  kernel: InitializeParams['kernel'];
  store: Pick<Store, 'modules'>;
  clock: Clock;
  log: Log;
  onChange(): void;
}

export class HostedModule {
  readonly name: string;
  readonly source: Module['source'];
  readonly #deps: HostedModuleDeps;
  readonly #moduleLog: ModuleLog;
  readonly #newTools: Throttle<unknown>;
  readonly #stored: StoredModule;
  /** Undefined: the module was revoked, or there is no way to reach it. */
  #link: ModuleLink | undefined;

  constructor(deps: HostedModuleDeps) {
    this.name = deps.name;
    this.source = deps.source;
    this.#deps = deps;
    this.#stored = new StoredModule(deps);
    this.#moduleLog = new ModuleLog(deps.name, deps.log, deps.clock);
    this.#newTools = new Throttle(TOOLS_EVERY_MS, deps.clock, params => this.#toolsChanged(params));
    if (!this.#stored.revoked) this.#connect();
  }

  /** The last declaration; undefined: the module has never answered. */
  get declaration(): InitializeResult | undefined {
    return this.#stored.declaration;
  }

  /** The hash that an approval is bound to. */
  get hash(): string | undefined {
    return this.#stored.hash;
  }

  /**
   * True where its tools may be called and its stages take part: by the settings, or by a decision about this
   * declaration.
   */
  get approved(): boolean {
    if (this.hash === undefined || this.#stored.revoked) return false;
    return this.source === 'settings' || this.#stored.approvedAsIs;
  }

  /**
   * True where the module was approved and declares something else since: it does nothing, but its stages stop what they
   * would have seen, and its names stay its own.
   */
  get changed(): boolean {
    return this.hash !== undefined && this.decided && !this.approved;
  }

  /** The declaration that counts for turns: the one that was approved, and otherwise the last one. */
  get declarationInForce(): InitializeResult | undefined {
    return this.changed ? (this.#stored.approvedDeclaration ?? this.declaration) : this.declaration;
  }

  /** An approval was decided on, whether or not the module has changed since. */
  get decided(): boolean {
    return this.#stored.decided;
  }

  /** The session for calls; undefined while the module is not up. */
  get session(): ModuleSession | undefined {
    return this.#link?.state.status === 'up' ? this.#link.state.session : undefined;
  }

  /** Why the module cannot be used, as the rest of a sentence; null: it can. */
  get problem(): string | null {
    if (this.#stored.revoked) return REVOKED;
    if (this.#link === undefined) return this.#deps.connector as string;
    if (this.#link.state.status !== 'up') return this.#link.state.problem;
    if (this.approved) return null;
    return this.decided ? 'it has changed since it was approved' : 'it waits to be approved';
  }

  get status(): Module['status'] {
    if (this.#stored.revoked) return 'revoked';
    if (this.#link?.state.status === 'failed' || typeof this.#deps.connector === 'string') return 'failed';
    if (this.hash !== undefined && !this.approved) return 'pending';
    return this.#link?.state.status ?? 'down';
  }

  /** When this declaration was approved; null: no decision did. */
  get approvedAt(): string | null {
    return this.#stored.approvedAt;
  }

  /** Resolves when the first attempt to reach the module is over. */
  get tried(): Promise<void> {
    return this.#link?.tried ?? Promise.resolve();
  }

  /** Connects to a socket that was not there before. */
  socketFound(socket: string): void {
    this.#link?.socketFound(socket);
  }

  /** @param hash of the declaration that the owner has seen. @throws KernelError module_down, invalid_value */
  async approve(hash = this.hash): Promise<void> {
    if (this.hash === undefined) {
      // A module of the settings is approved already: the owner wants it to be tried again.
      this.#link?.retry();
      if (this.source === 'settings') return;
      throw this.#notDeclared();
    }
    if (hash !== this.hash) {
      throw new KernelError(
        'invalid_value',
        `The module ${this.name} has changed meanwhile. Look at it again.`,
      );
    }
    await this.#stored.decide(this.hash);
    if (this.#link) {
      if (this.#link.state.status !== 'up') this.#link.retry();
    } else {
      this.#connect();
    }
    this.#deps.onChange();
  }

  /** Takes over a decision that another kernel on the database has made. @param isHere see `StoredModule.hear` */
  hear(record: ModuleRecord, isHere: boolean): void {
    if (!this.#stored.hear(record, isHere)) return;
    const link = this.#link;
    if (this.#stored.revoked) this.#link = undefined;
    else if (link === undefined) this.#connect();
    this.#deps.onChange();
    if (this.#link === undefined)
      void link?.stop(REVOKED).catch(err => this.#deps.log.error({ err }, NOT_STOPPED));
  }

  /** @throws KernelError module_down */
  async revoke(): Promise<void> {
    if (this.hash === undefined) throw this.#notDeclared();
    await this.#stored.decide(null);
    this.#deps.onChange();
    const link = this.#link;
    this.#link = undefined;
    await link?.stop(REVOKED);
  }

  /** Stops for good. */
  async stop(reason: string): Promise<void> {
    this.#newTools.stop();
    await this.#link?.stop(reason);
    await this.#stored.saved();
  }

  #notDeclared(): KernelError {
    return new KernelError('module_down', `The module ${this.name} has not said yet what it can do.`);
  }

  #connect(): void {
    const { connector } = this.#deps;
    if (typeof connector === 'string') return;
    const moduleLog = this.#moduleLog;
    this.#link = new ModuleLink({
      ...this.#deps,
      connector: connector(moduleLog),
      moduleLog,
      onDeclared: declaration => this.#declared(declaration),
      onToolsChanged: params => this.#newTools.put(params),
      onState: () => this.#deps.onChange(),
    });
  }

  #toolsChanged(params: unknown): void {
    if (this.declaration === undefined) return;
    try {
      this.#declared({ ...this.declaration, tools: readTools(params) });
      this.#deps.onChange();
    } catch (error) {
      if (!(error instanceof DeclarationRefused)) throw error;
      const { log } = this.#deps;
      log.warn({ module: this.name, problem: error.message }, 'a module keeps the tools it had');
    }
  }

  #declared(declaration: InitializeResult): void {
    const { log } = this.#deps;
    const known = this.hash;
    const saved = this.#stored.declare(declaration);
    if (!this.approved && !this.#stored.revoked && known !== this.hash) {
      log.info({ module: this.name, version: declaration.version }, 'a module waits to be approved');
    }
    saved.catch(error => {
      // The kernel knows the declaration while it runs; after a restart the module declares itself again.
      log.error({ module: this.name, err: error }, 'the declaration of a module could not be stored');
    });
  }
}
