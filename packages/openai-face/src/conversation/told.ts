/**
 * What a program told a chat beside the words of its user: its instructions, and a conversation that began elsewhere. The
 * first line names both, so that the chat is found again after a restart by its history alone.
 */
import type { CallAnswer, Conversation } from './conversation.ts';
import { saidIn } from './conversation.ts';
import { fingerprintOf, hashOf } from './entries.ts';

export interface Told {
  /** The conversation before the chat; empty: it began with the chat. */
  before: string;
  /** The instructions; empty: none. */
  instructions: string;
}

export const NOTHING_TOLD: Told = { before: '', instructions: '' };
/** Stands for the user's words where a request brings the results of calls alone, and nobody waits for them any more. */
export const RESULTS_TEXT = 'The results of the calls are there.';

const FIRST_LINE = /^\[caller before=([0-9a-f]{0,32}) instructions=([0-9a-f]{0,32})\]/;

export const instructionsOf = ({ instructions }: Pick<Conversation, 'instructions'>): string =>
  instructions === '' ? '' : hashOf(instructions);

/** What a new chat has to be told of a conversation. */
export const toldOf = (conversation: Conversation): Told => ({
  before: conversation.entries.length === 0 ? '' : fingerprintOf(conversation.entries),
  instructions: instructionsOf(conversation),
});

/** The context of a turn; undefined where the chat knows all. @param known by the chat; undefined: it is new */
export function contextOf(
  conversation: Conversation,
  known: Told | undefined,
  results: readonly CallAnswer[],
): string | undefined {
  const told = {
    before: known?.before ?? toldOf(conversation).before,
    instructions: instructionsOf(conversation),
  };
  const parts: string[] = [];
  if (told.instructions !== (known?.instructions ?? '')) {
    parts.push(
      conversation.instructions === ''
        ? 'The instructions of the program that the user writes in hold no longer.'
        : `Instructions of the program that the user writes in:\n${conversation.instructions}`,
    );
  }
  if (known === undefined && conversation.entries.length > 0) {
    const lines = [...saidIn(conversation.earlier)].map(({ role, text }) => `${role}: ${text}`);
    parts.push(`What was said before, as that program tells it:\n\n${lines.join('\n\n')}`);
  }
  for (const { call_id, name, text } of results) {
    parts.push(`Result of ${name ?? 'a tool'} (${call_id}):\n${text}`);
  }
  if (parts.length === 0) return undefined;
  return [`[caller before=${told.before} instructions=${told.instructions}]`, ...parts].join('\n\n');
}

/** What a context said; undefined for one that is not of `contextOf`. */
export function toldIn(context: string): Told | undefined {
  const [, before, instructions] = FIRST_LINE.exec(context) ?? [];
  return before === undefined || instructions === undefined ? undefined : { before, instructions };
}
