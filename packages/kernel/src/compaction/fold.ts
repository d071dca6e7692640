/**
 * Folding: a model sums up the older part of a history (HIST-1). Nothing is stored here, so a fold that fails has
 * changed nothing.
 */
import { COMPACTION_MARKER, type Summary, type Usage } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import {
  askForSummary,
  chunksOf,
  LEARNING_SYSTEM,
  normalised,
  SUMMARY_SYSTEM,
  transcriptOf,
  withoutLearned,
} from '../history/summary.ts';
import type { Memory } from '../memory/memory.ts';
import { sideCall } from '../model/side-call.ts';
import {
  type ChatRecord,
  type Clock,
  type LanguageModel,
  ModelError,
  type NewMessage,
  type TraceContext,
  timestamp,
} from '../ports/index.ts';

interface Fold {
  /** The message that goes to the end of the chat, in one write with the summary. */
  marker: NewMessage;
  summary: Summary;
  /** What is to be remembered in all chats; the caller does that once the fold is stored (MEM-4). */
  learned: readonly string[];
}

interface Folding {
  chat_id: string;
  turn_id: string | null;
  /** The messages to fold, as a plan names them. */
  messages: readonly NewMessage[];
  /** The summary of the messages before these; null where there is none. */
  sofar: string | null;
  /** The texts of the memory; null: nothing is to be learned. */
  remembered: readonly string[] | null;
  model: LanguageModel;
  clock: Clock;
  /** The trace of the turn that folds; absent: there is none. */
  trace?: TraceContext | undefined;
  /** Called with the cost of each call to the model, even where the fold then fails or is cancelled. */
  spend(usage: Usage): void;
}

const MAX_SUMMARY_TOKENS = 8000;
const LEAST_SUMMARY_TOKENS = 1024;
/** The share of the window that a summary may have, both the one so far and the next. */
const SUMMARY_SHARE = 0.2;
/** The share of the window that the conversation may have in one call. */
const SHARE = 0.4;
const LEAST_CHUNK_CHARS = 4000;
const CHARS_PER_TOKEN = 3;

/** A fold that is under way, with what was learned so far. */
type Learning = Folding & { learned: string[] };

/** Folds messages. @throws ModelError where no summary came, or the reason of the signal */
export async function fold(folding: Folding, signal: AbortSignal): Promise<Fold> {
  const { chat_id, turn_id, messages, sofar, model, clock } = folding;
  const room = model.record.context_window * SHARE * CHARS_PER_TOKEN;
  const chunks = chunksOf(transcriptOf(messages), Math.max(LEAST_CHUNK_CHARS, Math.floor(room)));
  const learned: string[] = [];
  const text = await sumUp(chunks, sofar, { ...folding, learned }, signal);
  if (text === null) throw new Error('There is nothing to fold.');
  const created_at = timestamp(clock);
  const upto_message = (messages.at(-1) as NewMessage).id;
  return {
    marker: {
      id: newId(),
      chat_id,
      role: 'user',
      turn_id,
      content: [{ type: 'text', text: COMPACTION_MARKER, internal: { compaction: { text, upto_message } } }],
      created_at,
      status: 'completed',
    },
    summary: { text, upto_message, created_at },
    learned,
  };
}

/**
 * What a fold of these messages gives the model of the memory; null where nothing is to be learned: the owner does not
 * want it, or somebody who is not trusted spoke in them, whose words change nothing that outlives them (WHO-3).
 */
export function rememberedFor(
  messages: readonly NewMessage[],
  chat: Pick<ChatRecord, 'toolset'>,
  memory: Memory,
): Folding['remembered'] {
  const entries = memory.learns ? memory.forChat(chat) : null;
  return entries === null || hasStranger(messages) ? null : entries.map(({ text }) => text);
}

/** A message of somebody else that no turn has answered may be a stranger's, too: what marks one is its answer. */
function hasStranger(messages: readonly NewMessage[]): boolean {
  const answered = new Set(messages.filter(({ role }) => role === 'assistant').map(({ turn_id }) => turn_id));
  return messages.some(
    ({ role, sender, turn_id, content }) =>
      content.some(({ internal }) => internal?.stranger) ||
      (role === 'user' && sender !== undefined && !answered.has(turn_id)),
  );
}

/** Sums up the chunks one after the other, each with the summary of those before it. */
async function sumUp(
  chunks: readonly string[],
  sofar: string | null,
  folding: Learning,
  signal: AbortSignal,
): Promise<string | null> {
  let text = sofar;
  for (const chunk of chunks) {
    try {
      text = await ask(chunk, text, folding, signal);
    } catch (error) {
      const tooLong = error instanceof ModelError && error.code === 'context_overflow';
      if (!tooLong || chunk.length <= LEAST_CHUNK_CHARS) throw error;
      // The chunk has more tokens than its characters let expect, or the window is smaller than its provider says.
      text = await sumUp(chunksOf([chunk], Math.ceil(chunk.length / 2)), text, folding, signal);
    }
  }
  return text;
}

async function ask(
  chunk: string,
  sofar: string | null,
  { chat_id, model, spend, remembered, learned, trace }: Learning,
  signal: AbortSignal,
): Promise<string> {
  const share = Math.floor(model.record.context_window * SUMMARY_SHARE);
  const answer = await sideCall(
    model,
    {
      system: remembered === null ? SUMMARY_SYSTEM : LEARNING_SYSTEM,
      text: askForSummary(sofar, chunk, remembered),
      max_output_tokens: Math.min(MAX_SUMMARY_TOKENS, Math.max(LEAST_SUMMARY_TOKENS, share)),
      cache_key: chat_id,
      trace,
    },
    signal,
    spend,
  );
  signal.throwIfAborted();
  // A summary that was cut short would lose what stands last in it.
  const cut = answer.finish === 'length' || answer.finish === 'content_filter';
  const told = remembered === null ? { summary: answer.text, learned: [] } : withoutLearned(answer.text);
  const text = cut ? null : normalised(told.summary);
  if (text === null) throw new ModelError('upstream_error', 'The model gave no summary.', true);
  learned.push(...told.learned);
  return text;
}
