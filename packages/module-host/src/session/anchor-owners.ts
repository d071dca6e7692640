/** Decides which modules receive the anchor of a turn: ids of one surface mean nothing to another (MOD-5). */
import type { TurnContext } from '@chat-kernel/protocol';

/** Any client may name a module in an anchor, so the number of names is limited. */
const MAX_NAMES = 1000;

export class AnchorOwners {
  /** Modules that have set anchors with their names. */
  readonly #named = new Set<string>();

  /** Records that a module has set an anchor with its name. */
  add(module: string): void {
    if (this.#named.size < MAX_NAMES) this.#named.add(module);
  }

  /**
   * Returns the context for a module, which includes the two anchor fields of the module API only if the anchor may be
   * its own.
   */
  contextFor(module: string, context: TurnContext): TurnContext {
    const { anchor, ...rest } = context;
    if (anchor === undefined) return context;
    const { module: owner, ...ids } = anchor;
    // The request may have arrived at another kernel, or before a restart.
    if (owner !== undefined) this.add(owner);
    const isTheirs = owner === undefined ? !this.#named.has(module) : owner === module;
    return isTheirs ? { ...rest, anchor: ids } : rest;
  }
}
