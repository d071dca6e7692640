/** Combines a module's connection, its declaration and the decision about it into one status (MOD-2, MOD-8, MOD-9). */
import { Throttle } from '@chat-kernel/base';
import { INVALID_REQUEST, RpcError, SERVER_ERROR } from '@chat-kernel/json-rpc';
import type { Clock, Log, ModuleQuestion, ModuleRecord, Store } from '@chat-kernel/kernel';
import {
  type InitializeParams,
  type InitializeResult,
  KernelError,
  type Module,
  type QuestionParams,
  type QuestionResult,
} from '@chat-kernel/protocol';
import type { ModuleConnector } from '../connectors/connector.ts';
import type { AnchorOwners } from '../session/anchor-owners.ts';
import { DeclarationRefused, readTools } from '../session/declaration.ts';
import { ModuleLog } from '../session/module-log.ts';
import type { ModuleSession } from '../session/module-session.ts';
import { ModuleLink } from './module-link.ts';
import { StoredModule } from './stored-module.ts';

/** A module may declare its tools again at any rate; the kernel applies them at this interval. */
const TOOLS_EVERY_MS = 1000;
const REVOKED = 'its approval was revoked';
const NOT_STOPPED = 'a module did not stop cleanly';

export interface HostedModuleDeps {
  name: string;
  anchors: AnchorOwners;
  source: Module['source'];
  /** The connector of the module, or a sentence that says why there is none. */
  connector: ((log: ModuleLog) => ModuleConnector) | string;
  record: ModuleRecord | undefined;
  kernel: InitializeParams['kernel'];
  store: Pick<Store, 'modules'>;
  clock: Clock;
  log: Log;
  onChange(): void;
  /** Called for each part of a message of a module that was not understood, with its name there. */
  onUnread?(module: string, shape: string): void;
  /** Asks the owner, for a module by its name. @throws KernelError */
  askOwner: ModuleQuestion;
}

export class HostedModule {
  readonly name: string;
  readonly source: Module['source'];
  readonly #deps: HostedModuleDeps;
  readonly #moduleLog: ModuleLog;
  readonly #newTools: Throttle<unknown>;
  readonly #stored: StoredModule;
  /** Undefined if the module was revoked, or has no connector. */
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

  /** The last declaration; undefined if the module has never answered. */
  get declaration(): InitializeResult | undefined {
    return this.#stored.declaration;
  }

  /** The hash to which an approval is bound. */
  get hash(): string | undefined {
    return this.#stored.hash;
  }

  /**
   * True if its tools may be called and its stages run: because of the settings, or of a decision about this
   * declaration.
   */
  get approved(): boolean {
    if (this.hash === undefined || this.#stored.revoked) return false;
    return this.source === 'settings' || this.#stored.approvedAsIs;
  }

  /**
   * True if the module has changed its declaration since its approval. It then does nothing, but its stages block what
   * they would have processed, and it keeps its names.
   */
  get changed(): boolean {
    return this.hash !== undefined && this.decided && !this.approved;
  }

  /** The declaration that applies to turns: the approved one, or else the last one. */
  get declarationInForce(): InitializeResult | undefined {
    return this.changed ? (this.#stored.approvedDeclaration ?? this.declaration) : this.declaration;
  }

  /** Whether the module was approved by a decision, even if it has changed since. */
  get decided(): boolean {
    return this.#stored.decided;
  }

  /** The session for calls; undefined while the module is not up. */
  get session(): ModuleSession | undefined {
    return this.#link?.state.status === 'up' ? this.#link.state.session : undefined;
  }

  /** Why the module cannot be used, as the rest of a sentence; null if it can. */
  get problem(): string | null {
    if (this.#stored.revoked) return REVOKED;
    if (this.#link === undefined) return this.#deps.connector as string;
    if (this.#link.state.status !== 'up') return this.#link.state.problem;
    if (this.approved) return null;
    return this.decided ? 'it has changed since its approval' : 'it is pending approval';
  }

  get status(): Module['status'] {
    if (this.#stored.revoked) return 'revoked';
    if (this.#link?.state.status === 'failed' || typeof this.#deps.connector === 'string') return 'failed';
    if (this.hash !== undefined && !this.approved) return 'pending';
    return this.#link?.state.status ?? 'down';
  }

  /** The time of the approval of this declaration; null if it was not approved by a decision. */
  get approvedAt(): string | null {
    return this.#stored.approvedAt;
  }

  /** Resolves when the first attempt to connect is over. */
  get tried(): Promise<void> {
    return this.#link?.tried ?? Promise.resolve();
  }

  /** Reports a part of a result that was not understood. @param shape its name there */
  reportUnread(shape: string): void {
    this.#deps.onUnread?.(this.name, shape);
  }

  /** Connects to a new socket. */
  socketFound(socket: string): void {
    this.#link?.socketFound(socket);
  }

  /** @param hash of the declaration that the owner has seen. @throws KernelError module_down, invalid_value */
  async approve(hash = this.hash): Promise<void> {
    if (this.hash === undefined) {
      // A module in the settings is already approved: the owner wants another attempt.
      this.#link?.retry();
      if (this.source === 'settings') return;
      throw this.#notDeclared();
    }
    if (hash !== this.hash) {
      throw new KernelError(
        'invalid_value',
        `The module ${this.name} has changed since the request. Review it again.`,
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

  /** Applies a decision of another kernel on the database. @param isHere see `StoredModule.hear` */
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

  /** Stops permanently. */
  async stop(reason: string): Promise<void> {
    this.#newTools.stop();
    await this.#link?.stop(reason);
    await this.#stored.saved();
  }

  #notDeclared(): KernelError {
    return new KernelError('module_down', `The module ${this.name} has not declared its tools yet.`);
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
      onQuestion: (question, over) => this.#ask(question, over),
      onUnread: shape => this.reportUnread(shape),
      onState: () => this.#deps.onChange(),
    });
  }

  /** @throws RpcError */
  async #ask(question: QuestionParams, over: AbortSignal): Promise<QuestionResult> {
    if (!this.approved) throw new RpcError(INVALID_REQUEST, 'The module is not approved.');
    try {
      return { answer: await this.#deps.askOwner(this.name, question, over) };
    } catch (error) {
      throw error instanceof KernelError ? new RpcError(SERVER_ERROR, error.message) : error;
    }
  }

  #toolsChanged(params: unknown): void {
    if (this.declaration === undefined) return;
    try {
      this.#declared({ ...this.declaration, tools: readTools(params) });
      this.#deps.onChange();
    } catch (error) {
      if (!(error instanceof DeclarationRefused)) throw error;
      const { log } = this.#deps;
      log.warn({ module: this.name, problem: error.message }, 'a module keeps its previous tools');
    }
  }

  #declared(declaration: InitializeResult): void {
    const { log } = this.#deps;
    const known = this.hash;
    const saved = this.#stored.declare(declaration);
    if (!this.approved && !this.#stored.revoked && known !== this.hash) {
      log.info({ module: this.name, version: declaration.version }, 'a module is pending approval');
    }
    saved.catch(error => {
      // The kernel knows the declaration while it runs; after a restart the module declares itself again.
      log.error({ module: this.name, err: error }, 'storing the declaration of a module failed');
    });
  }
}
