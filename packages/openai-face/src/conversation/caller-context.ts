/**
 * Builds the context that a program adds to a chat besides the user's text: its instructions, and a conversation that
 * began in another program. The first line identifies both, so that the history is enough to find the chat after a
 * restart.
 */
import type { CallAnswer, Conversation } from './conversation.ts';
import { saidIn } from './conversation.ts';
import { fingerprintEntries, hashTexts } from './entries.ts';

export interface CallerContext {
  /** The fingerprint of the conversation before the chat; empty if it began with the chat. */
  before: string;
  /** The fingerprint of the instructions; empty if there are none. */
  instructions: string;
}

export const NOTHING_TOLD: CallerContext = { before: '', instructions: '' };
/** Replaces the user's text if a request contains only results of calls that no longer wait. */
export const RESULTS_TEXT = 'The tool results are available.';

/** Replaces the user's text if the conversation ends with the model, or contains only instructions. */
export const GO_ON_TEXT = 'Continue from the end of the conversation.';

const FIRST_LINE = /^\[caller before=([0-9a-f]{0,32}) instructions=([0-9a-f]{0,32})\]/;

export const hashInstructions = ({ instructions }: Pick<Conversation, 'instructions'>): string =>
  instructions === '' ? '' : hashTexts(instructions);

/** The context that a new chat needs for a conversation. */
export const callerContext = (conversation: Conversation): CallerContext => ({
  before: conversation.entries.length === 0 ? '' : fingerprintEntries(conversation.entries),
  instructions: hashInstructions(conversation),
});

/**
 * The context of a turn; undefined if the chat already has all of it. @param known by the chat; undefined if it is new
 */
export function buildContext(
  conversation: Conversation,
  known: CallerContext | undefined,
  results: readonly CallAnswer[],
): string | undefined {
  const told = {
    before: known?.before ?? callerContext(conversation).before,
    instructions: hashInstructions(conversation),
  };
  const parts: string[] = [];
  if (known === undefined && conversation.instructions !== '') {
    parts.push(`Instructions of the application:\n${conversation.instructions}`);
  }
  if (known === undefined && conversation.entries.length > 0) {
    const lines = [...saidIn(conversation.earlier)].map(({ role, text }) => `${role}: ${text}`);
    parts.push(`Earlier conversation, as sent by the application:\n\n${lines.join('\n\n')}`);
  }
  for (const { call_id, name, text } of results) {
    parts.push(`Result of ${name ?? 'a tool'} (${call_id}):\n${text}`);
  }
  if (parts.length === 0) return undefined;
  return [`[caller before=${told.before} instructions=${told.instructions}]`, ...parts].join('\n\n');
}

/** Parses the content of a context; undefined if `contextOf` did not create it. */
export function toldIn(context: string): CallerContext | undefined {
  const [, before, instructions] = FIRST_LINE.exec(context) ?? [];
  return before === undefined || instructions === undefined ? undefined : { before, instructions };
}
