/**
 * Keeps texts that models want to remember, but that the owner must accept first: what a model learned from a history
 * with text from outside, and calls of the tool that were not answered in time (CONSENT-4).
 */
import type { LearnedFrom, Log } from '@chat-kernel/kernel';
import {
  KernelError,
  MAX_PROPOSALS,
  type MemoryProposal,
  type MemoryReviewed,
  type ReviewMemory,
} from '@chat-kernel/protocol';
import { v4 as uuidv4 } from 'uuid';
import { acceptProposal, toPublicEntry, unlinkEntry, unlinkProposal } from './entries.ts';
import { MemoryFullError, toRequestError } from './limits.ts';
import type { Memory } from './memory.ts';
import type { MemoryWish, ProposalRecord } from './records.ts';
import type { MemoryStore } from './store.ts';

/** A text to propose. */
interface Wanted {
  text: string;
  /** The id of the entry to replace; null: a new one. */
  replaces: string | null;
}

export class Proposals {
  readonly #store: Pick<MemoryStore, 'listProposals'>;
  readonly #memory: Memory;

  constructor(store: Pick<MemoryStore, 'listProposals'>, memory: Memory) {
    this.#store = store;
    this.#memory = memory;
  }

  /** The proposals, the oldest first. */
  async list(): Promise<MemoryProposal[]> {
    return (await this.#store.listProposals()).map(proposal => ({ ...proposal, proposed: true }));
  }

  /**
   * Stores what a model learned while it compacted a history, without duplicates: as entries up to the limits, or as
   * proposals if it had read text from outside (MEM-4).
   */
  async learn(texts: readonly string[], source: LearnedFrom, log: Pick<Log, 'warn'>): Promise<void> {
    const failed = (err: unknown) => {
      if (err instanceof MemoryFullError) return;
      log.warn({ err, chat_id: source.chat_id }, 'storing memories from a compaction failed');
    };
    if (source.outside.length > 0) {
      const wanted = texts.map(text => ({ text, replaces: null }));
      await this.#propose(wanted, 'summary', source).catch(failed);
      return;
    }
    for (const text of texts) await this.#memory.wish({ add: text }, source).catch(failed);
  }

  /** Keeps the texts of a call of the tool that was not answered in time. Returns whether there were any. */
  async keep({ add, replace }: MemoryWish, source: LearnedFrom): Promise<boolean> {
    const wanted: Wanted[] = [
      ...(replace === undefined ? [] : [{ text: replace.text, replaces: this.#memory.named(replace.id).id }]),
      ...(add === undefined ? [] : [{ text: add, replaces: null }]),
    ];
    if (wanted.length > 0) await this.#propose(wanted, 'expired', source);
    return wanted.length > 0;
  }

  /** @throws KernelError invalid_value for an unknown id to accept, or if the memory would exceed a limit */
  async review({ accept, discard }: ReviewMemory): Promise<MemoryReviewed> {
    let discarded = 0;
    await this.#memory.change(async ({ now }) => {
      const known = new Map((await this.#store.listProposals()).map(proposal => [proposal.id, proposal]));
      const unknown = accept.findIndex(id => !known.has(id) && this.#memory.get(id) === undefined);
      if (unknown !== -1) throw noProposal(accept, unknown);
      const accepted = [...new Set(accept)].flatMap(id => known.get(id) ?? []);
      const rest = [...new Set(discard)].filter(id => known.has(id) && !accept.includes(id));
      discarded = rest.length;
      return {
        save: accepted
          .filter(({ text }) => !this.#memory.says(text))
          .map(proposal => acceptProposal(proposal, now)),
        remove: accepted.flatMap(({ replaces }) =>
          replaces !== null && this.#memory.get(replaces) ? [replaces] : [],
        ),
        settle: [...accepted.map(({ id }) => id), ...rest],
      };
    }, toRequestError);
    const entries = [...new Set(accept)].flatMap(id => this.#memory.get(id) ?? []);
    return { accepted: entries.map(toPublicEntry), discarded };
  }

  /** Entries and proposals of a deleted chat stay, but no longer link to it. */
  async chatDeleted(chatId: string): Promise<void> {
    await this.#memory.change(async () => {
      const unlinked = (await this.#store.listProposals()).filter(({ origin }) => origin.chat_id === chatId);
      return {
        save: this.#memory.entries.filter(({ chat_id }) => chat_id === chatId).map(unlinkEntry),
        settle: unlinked.map(({ id }) => id),
        propose: unlinked.map(unlinkProposal),
      };
    }, toRequestError);
  }

  /** Adds proposals without duplicates, and discards the oldest ones above the limit. */
  async #propose(
    wanted: readonly Wanted[],
    reason: ProposalRecord['origin']['reason'],
    source: LearnedFrom,
  ): Promise<void> {
    const { chat_id, turn_id, outside } = source;
    await this.#memory.change(
      async ({ now }) => {
        const before = await this.#store.listProposals();
        const known = new Set(before.map(({ text }) => text));
        // Proposals of the same time are ordered by their ids.
        const ids = wanted.map(() => uuidv4()).sort();
        const propose = wanted
          .map(({ text, replaces }) => ({ text: text.trim(), replaces }))
          .filter(({ text }) => !this.#memory.says(text) && !known.has(text) && known.add(text))
          .map((each, index) => ({
            ...each,
            id: ids[index] as string,
            created_at: now,
            origin: { reason, chat_id, turn_id, outside: [...outside] },
          }));
        const excess = Math.max(0, before.length + propose.length - MAX_PROPOSALS);
        return { propose, settle: before.slice(0, excess).map(({ id }) => id) };
      },
      toRequestError,
      source,
    );
  }
}

function noProposal(ids: readonly string[], index: number): KernelError {
  const detail = `There is no proposal ${ids[index]}: it was discarded, or never existed. Nothing was changed.`;
  return new KernelError('invalid_value', detail, { errors: [{ pointer: `/accept/${index}`, detail }] });
}
