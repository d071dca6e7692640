/**
 * Remembers what the provider of a model refused, and leaves it out of later requests (WIRE-8): a tool for all chats, a
 * message or a part of one for its chat.
 */
import { createHash } from 'node:crypto';
import { BoundedMap } from '@chat-kernel/base';
import type { ErrorReport } from '../trip/report.ts';
import { refusedPart } from './refused-part.ts';
import {
  asJson,
  blank,
  findPart,
  type Json,
  messagesOf,
  partsOf,
  removeTools,
  toolNames,
} from './request-body.ts';

/** Chats, and tools, that are remembered. */
const MAX_REMEMBERED = 100;

/** A part that is left out of requests: a tool by its name on the API, or a part of a message. */
export type Repair = { tool: string } | { tool: null };

export class Repairs {
  /** The names of refused tools. */
  readonly #tools = new BoundedMap<string, true>(MAX_REMEMBERED);
  /** The hashes of refused parts, by chat. */
  readonly #parts = new BoundedMap<string, Set<string>>(MAX_REMEMBERED);

  /** Returns the body of a request without what was refused. @param chat the key of its chat */
  apply(body: string, chat: string): string {
    const refused = this.#parts.get(chat);
    if (this.#tools.size === 0 && refused === undefined) return body;
    const json: unknown = JSON.parse(body);
    removeTools(asJson(json), this.#tools);
    if (refused) {
      for (const message of messagesOf(asJson(json)))
        for (const part of partsOf(message)) if (refused.has(hashOf(part))) blank(part);
    }
    return JSON.stringify(json);
  }

  /**
   * Learns from a refusal. Returns what later requests leave out; undefined if the refusal names no part, or one that was
   * left out already.
   * @param body the refused request
   */
  learn(report: ErrorReport, body: string, chat: string): Repair | undefined {
    if (report.status !== 400 && report.status !== 422) return undefined;
    const json = asJson(JSON.parse(body));
    const names = toolNames(json);
    const refused = refusedPart(report, names);
    if (refused?.type === 'tool') {
      const tool = 'name' in refused ? refused.name : names[refused.index];
      if (!tool || this.#tools.has(tool)) return undefined;
      this.#tools.set(tool, true);
      return { tool };
    }
    const part = refused && findPart(json, refused);
    return part && this.#learnPart(part, chat) ? { tool: null } : undefined;
  }

  #learnPart(part: Json, chat: string): boolean {
    if (isBlank(part)) return false;
    const known = this.#parts.get(chat) ?? new Set();
    this.#parts.set(chat, known.add(hashOf(part)));
    return true;
  }
}

function isBlank(part: Json): boolean {
  const blanked = structuredClone(part);
  blank(blanked);
  return JSON.stringify(blanked) === JSON.stringify(part);
}

/** The marks for the cache of a provider are at other parts in the next request. */
const hashOf = ({ cache_control: _, ...part }: Json): string =>
  createHash('sha256').update(JSON.stringify(part)).digest('base64');
