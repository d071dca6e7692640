/** One module: how it is reached, what it has declared, and what was decided about it (MOD-2, MOD-8, MOD-9). */
import { type Clock, type Log, type ModuleRecord, type Store, timestamp } from '@chat-kernel/kernel';
import {
  type InitializeParams,
  type InitializeResult,
  KernelError,
  type Module,
} from '@chat-kernel/protocol';
import type { Way } from '../connectors/connector.ts';
import { fingerprint, Refused, readTools } from '../session/declaration.ts';
import { Latest } from '../../pace/throttle.ts';
import { Link } from './module-link.ts';
import { ModuleLog } from '../session/module-log.ts';
import type { Session } from '../session/module-session.ts';

/** A module that declares its tools again and again is heard so often. */
const TOOLS_EVERY_MS = 1000;
const REVOKED = 'its approval was revoked';

export interface HostedModuleParts {
  name: string;
  source: Module['source'];
  /** How to reach it, or the sentence that says why that is not possible. */
  way: ((log: ModuleLog) => Way) | string;
  record: ModuleRecord | undefined;
  kernel: InitializeParams['kernel'];
  store: Pick<Store, 'saveModule'>;
  clock: Clock;
  log: Log;
  onChange(): void;
}

export class HostedModule {
  readonly name: string;
  readonly source: Module['source'];
  readonly #parts: HostedModuleParts;
  readonly #moduleLog: ModuleLog;
  readonly #newTools: Latest<unknown>;
  #record: ModuleRecord | undefined;
  /** Undefined: it was revoked, or cannot be reached at all. */
  #link: Link | undefined;
  /** Saves go one after the other, so that the last word stays the last. */
  #saved: Promise<unknown> = Promise.resolve();

  constructor(parts: HostedModuleParts) {
    this.name = parts.name;
    this.source = parts.source;
    this.#parts = parts;
    this.#record = parts.record;
    this.#moduleLog = new ModuleLog(parts.name, parts.log, parts.clock);
    this.#newTools = new Latest(TOOLS_EVERY_MS, parts.clock, params => this.#toolsChanged(params));
    if (!this.revoked) this.#connect();
  }

  /** As it declared itself last; undefined: it has never answered. */
  get declaration(): InitializeResult | undefined {
    return this.#record?.declaration;
  }

  /** What an approval is bound to. */
  get hash(): string | undefined {
    return this.#record?.hash;
  }

  /** Its tools may be called, and its stages take part: by the settings, or by a decision about just this. */
  get approved(): boolean {
    if (this.#record === undefined || this.revoked) return false;
    return this.source === 'settings' || this.#record.approved_hash === this.#record.hash;
  }

  /** Somebody has approved it once, whatever has become of it. */
  get decided(): boolean {
    return this.#record?.approved_hash != null;
  }

  get revoked(): boolean {
    return this.#record?.approved_hash === null && this.#record.decided_at !== null;
  }

  /** To ask something of; undefined while it is not up. */
  get session(): Session | undefined {
    return this.#link?.state.status === 'up' ? this.#link.state.session : undefined;
  }

  /** Why it cannot be used, as the rest of a sentence; null: it can. */
  get problem(): string | null {
    if (this.revoked) return REVOKED;
    if (this.#link === undefined) return this.#parts.way as string;
    if (this.#link.state.status !== 'up') return this.#link.state.problem;
    if (this.approved) return null;
    return this.decided ? 'it has changed since it was approved' : 'it waits to be approved';
  }

  get status(): Module['status'] {
    if (this.revoked) return 'revoked';
    if (this.#link?.state.status === 'failed' || typeof this.#parts.way === 'string') return 'failed';
    if (this.#record !== undefined && !this.approved) return 'pending';
    return this.#link?.state.status ?? 'down';
  }

  /** When it was approved as it is now; null: not by a decision. */
  get approvedAt(): string | null {
    const { approved_hash, hash, decided_at } = this.#record ?? {};
    return approved_hash === hash ? (decided_at ?? null) : null;
  }

  /** Settles when it was tried to reach it. */
  get tried(): Promise<void> {
    return this.#link?.tried ?? Promise.resolve();
  }

  /** It has a socket that it did not have before. */
  seen(socket: string): void {
    this.#link?.seen(socket);
  }

  /** @param hash of what whoever approves has seen. @throws KernelError module_down, invalid_value */
  async approve(hash = this.hash): Promise<void> {
    if (this.#record === undefined) {
      // One of the settings is approved already: that it is asked for means that it is to be tried again.
      this.#link?.retry();
      if (this.source === 'settings') return;
      throw new KernelError('module_down', `The module ${this.name} has not said yet what it can do.`);
    }
    if (hash !== this.#record.hash) {
      throw new KernelError(
        'invalid_value',
        `The module ${this.name} has changed meanwhile. Look at it again.`,
      );
    }
    await this.#decide(this.#record.hash);
    if (this.#link) {
      if (this.#link.state.status !== 'up') this.#link.retry();
    } else {
      this.#connect();
    }
    this.#parts.onChange();
  }

  async revoke(): Promise<void> {
    if (this.#record === undefined) {
      throw new KernelError('module_down', `The module ${this.name} has not said yet what it can do.`);
    }
    await this.#decide(null);
    this.#parts.onChange();
    const link = this.#link;
    this.#link = undefined;
    await link?.stop(REVOKED);
  }

  /** For good. */
  async stop(reason: string): Promise<void> {
    this.#newTools.stop();
    await this.#link?.stop(reason);
    await this.#saved;
  }

  #connect(): void {
    const { way } = this.#parts;
    if (typeof way === 'string') return;
    const moduleLog = this.#moduleLog;
    this.#link = new Link({
      ...this.#parts,
      way: way(moduleLog),
      moduleLog,
      onDeclared: declaration => this.#declared(declaration),
      onToolsChanged: params => this.#newTools.put(params),
      onState: () => this.#parts.onChange(),
    });
  }

  #toolsChanged(params: unknown): void {
    if (this.#record === undefined) return;
    try {
      this.#declared({ ...this.#record.declaration, tools: readTools(params) });
      this.#parts.onChange();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { log } = this.#parts;
      log.warn({ module: this.name, problem: error.message }, 'a module keeps the tools it had');
    }
  }

  #declared(declaration: InitializeResult): void {
    const { log } = this.#parts;
    const hash = fingerprint(declaration);
    const known = this.#record;
    this.#record = {
      name: this.name,
      declaration,
      hash,
      approved_hash: known?.approved_hash ?? null,
      decided_at: known?.decided_at ?? null,
    };
    if (!this.approved && !this.revoked && known?.hash !== hash) {
      log.info({ module: this.name, version: declaration.version }, 'a module waits to be approved');
    }
    this.#save(this.#record).catch(error => {
      // It is known while the kernel runs; after that it declares itself again.
      log.error({ module: this.name, err: error }, 'the declaration of a module could not be stored');
    });
  }

  async #decide(approved_hash: string | null): Promise<void> {
    const decided_at = timestamp(this.#parts.clock);
    const before = this.#record as ModuleRecord;
    await this.#save({ ...before, approved_hash, decided_at });
    // It may have declared itself anew meanwhile.
    const now = this.#record as ModuleRecord;
    this.#record = { ...now, approved_hash, decided_at };
    if (now !== before) await this.#save(this.#record);
  }

  #save(record: ModuleRecord): Promise<void> {
    const saved = this.#saved.then(() => this.#parts.store.saveModule(record));
    this.#saved = saved.catch(() => {});
    return saved;
  }
}
