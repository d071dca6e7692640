/** Lets one decision cover all operations of a tool call (HANDS-7). */
import { factsOfDecision, isLasting, type LastingDecision, type OpsResult } from '@chat-kernel/protocol';
import type { Question } from '../consent/decide.ts';

/** A question to ask, with all commands or paths of its call if the decision covers the call. */
export type CallQuestion = NonNullable<Question> & { call?: readonly string[] };

interface Asked {
  action: string;
  reason: string;
  outside: readonly string[];
  decision?: string;
  error?: string | undefined;
}

/** The decision of the owner about the call, from its dialog. */
export type CallDecision =
  | { isDenied: true; error: string | undefined }
  | { isDenied: false; lasting: LastingDecision | undefined; outside: readonly string[] };

export class WholeCall {
  readonly #operations: () => readonly string[];
  #asked: Asked | undefined;

  /** @param operations the commands or paths of the call, called once it runs */
  constructor(operations: () => readonly string[]) {
    this.#operations = operations;
  }

  /**
   * The question about the whole call, for its first operation that asks; the same question for all others, and for calls
   * with one operation. A decision that covers more than these operations needs a dialog about one of them.
   */
  ask(action: string, question: NonNullable<Question>, outside: readonly string[]): CallQuestion {
    const call = this.#operations();
    if (this.#asked !== undefined || call.length < 2) return question;
    this.#asked = { action, reason: question.reason, outside };
    const decisions = question.decisions.filter(each => factsOfDecision(each)?.reach === 'same');
    return { ...question, decisions, call };
  }

  /** Records the answer to the question about the whole call. */
  answer({ decision, error }: OpsResult): void {
    if (this.#asked !== undefined && decision !== undefined) Object.assign(this.#asked, { decision, error });
  }

  /**
   * The decision about the call, if its dialog asked for the same reason and showed all that the turn has read;
   * undefined: the operation needs a question of its own.
   */
  decisionFor(
    action: string,
    { reason }: NonNullable<Question>,
    outside: readonly string[],
  ): CallDecision | undefined {
    const asked = this.#asked;
    if (asked?.decision === undefined || asked.action !== action || asked.reason !== reason) return undefined;
    if (!outside.every(source => asked.outside.includes(source))) return undefined;
    if (asked.decision === 'deny') return { isDenied: true, error: asked.error };
    const lasting = isLasting(asked.decision) ? asked.decision : undefined;
    return { isDenied: false, lasting, outside: asked.outside };
  }
}
