/**
 * Asks the owner whether they wrote an email, if its signature leaves out headers that are used (CONSENT-13). The answers
 * are in memory: after a restart, the owner is asked again.
 */
import type { AskOwner } from '@chat-kernel/module-sdk';
import { cutText, shownExactly, toSingleLine } from '@chat-kernel/text';
import type { Incoming } from './incoming.ts';

/** The delay before the owner is asked again, if the kernel did not accept the question. */
const ASK_AGAIN_MS = 30_000;
/** How much of each part of the email the question shows, in characters. */
const MAX_SHOWN = 300;
const YES = 'Yes';

interface ConfirmationServices {
  ask: AskOwner;
  /** Called when the owner has answered, or was not reached. */
  onAnswer: () => void;
}

export class Confirmations {
  readonly #services: ConfirmationServices;
  /** Email → the answer; undefined while the question is open. */
  readonly #answers = new Map<number, boolean | undefined>();

  constructor(services: ConfirmationServices) {
    this.#services = services;
  }

  isOpen(id: number): boolean {
    return this.#answers.has(id) && this.#answers.get(id) === undefined;
  }

  /** Returns the answer, once. Undefined: the question is open now. @param who the person; null: the owner */
  answer(
    id: number,
    who: string | null,
    incoming: Incoming,
    uncovered: readonly string[],
  ): boolean | undefined {
    const answer = this.#answers.get(id);
    if (answer !== undefined) {
      this.#answers.delete(id);
      return answer;
    }
    if (!this.#answers.has(id)) this.#ask(id, describeMail(who, incoming, uncovered));
    return undefined;
  }

  #ask(id: number, question: string): void {
    const { ask, onAnswer } = this.#services;
    const options = [
      { label: YES, description: 'The email becomes a message in a chat.' },
      { label: 'No', description: 'The email is ignored.' },
    ];
    this.#answers.set(id, undefined);
    ask({ question, options })
      .then(
        answer => this.#answers.set(id, answer === YES),
        // The owner was not asked, or the connection was lost.
        () => setTimeout(() => this.#answers.delete(id), ASK_AGAIN_MS).unref(),
      )
      .then(onAnswer);
  }
}

function describeMail(
  who: string | null,
  { subject, text, attachments }: Incoming,
  uncovered: readonly string[],
): string {
  const names = attachments.map(({ name }) => name);
  // Strangers choose these, so each is cut before hidden characters are written out.
  const facts = [
    ['Subject', subject],
    ['Text', text],
    ['Attachments', names.join(', ')],
  ].map(([label, value = '']) => [label, shownExactly(cutText(toSingleLine(value), MAX_SHOWN))]);
  return [
    who === null ? 'Is this mail yours?' : `Is this mail from ${who}?`,
    `The signature does not cover ${uncovered.join(', ')}, so others may have changed how it is read, or sent it again.`,
    ...facts.filter(([, value]) => value !== '').map(([label, value]) => `${label}: ${value}`),
  ].join('\n');
}
