/** Records each decision of the owner about an operation: who decided what, when and why. */
import { checkCursor, type DecidedOperation, newId } from '@chat-kernel/kernel';
import {
  type DecisionPage,
  MAX_DECISIONS,
  NOWHERE_ID,
  operationParams,
  type PastDecision,
} from '@chat-kernel/protocol';
import { cutWithEllipsis } from '@chat-kernel/text';
import type { FeatureServices, Page } from '../feature.ts';
import type { DecisionStore } from './store.ts';

const MAX_SUBJECT_CHARS = 2000;
/** Parameters that would fill the history: they contain files. */
const CONTENTS = ['content', 'data'];

interface Deps extends Pick<FeatureServices, 'clock' | 'log'> {
  decisions: DecisionStore;
}

export class DecisionHistory {
  readonly #deps: Deps;
  /** The last write. Lists wait for it, so that a client sees its own decision. */
  #stored: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Returns immediately and never throws: the operation does not wait for its record. */
  add(decided: DecidedOperation): void {
    const { decisions, clock, log } = this.#deps;
    const decision = toPastDecision(decided, new Date(clock.now()).toISOString());
    this.#stored = this.#stored
      .then(() => decisions.add(decision, MAX_DECISIONS))
      .catch(err => log.error({ err, chat_id: decision.chat_id }, 'a decision could not be recorded'));
  }

  /** @throws KernelError malformed_cursor */
  async list(page: Page): Promise<DecisionPage> {
    if (page.before !== undefined) checkCursor(page.before, 'the id of a decision');
    await this.#stored;
    const decisions = await this.#deps.decisions.list(page);
    return { decisions, next_before: decisions.at(-1)?.id ?? null };
  }

  /** Resolves once all decisions are stored. */
  stop(): Promise<void> {
    return this.#stored;
  }
}

function toPastDecision({ request, answer }: DecidedOperation, decided_at: string): PastDecision {
  const { chat_id, turn_id, agent } = request;
  const { action, hands, client_id, reason, outside, call } = request.event as Partial<PastDecision>;
  const { workdir, call: _, ...params } = operationParams(request.event);
  const isPlaced = chat_id !== NOWHERE_ID;
  return {
    id: newId(),
    decided_at,
    decision: answer.decision,
    ...(answer.prefix !== undefined && { prefix: answer.prefix }),
    ...(answer.error !== undefined && answer.decision === 'deny' && { error: short(answer.error) }),
    client: answer.client ?? null,
    chat_id: isPlaced ? chat_id : null,
    turn_id: isPlaced && turn_id !== NOWHERE_ID ? turn_id : null,
    action: String(action),
    subject: subjectOf(params),
    ...(call !== undefined && { call: call.map(short) }),
    ...(typeof workdir === 'string' && { workdir }),
    ...(hands !== undefined && { hands }),
    ...(client_id !== undefined && { client_id }),
    ...(agent !== undefined && { agent }),
    ...(reason !== undefined && { reason }),
    ...(outside !== undefined && outside.length > 0 && { outside }),
  };
}

function subjectOf({ command, path, ...params }: Record<string, unknown>): string {
  if (typeof command === 'string') return short(command);
  if (typeof path === 'string') return short(path);
  const shown = Object.entries(params).filter(([name]) => !CONTENTS.includes(name));
  return short(shown.length === 0 ? '' : JSON.stringify(Object.fromEntries(shown)));
}

const short = (text: string): string => cutWithEllipsis(text.toWellFormed(), MAX_SUBJECT_CHARS);
