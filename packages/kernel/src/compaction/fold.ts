/**
 * Compacts a history: a model summarizes its older part (HIST-1). This module stores nothing, so a failed compaction
 * changes nothing.
 */
import { COMPACTION_MARKER, type Summary, type Usage } from '@chat-kernel/protocol';
import { newId } from '../base/ids.ts';
import {
  askForSummary,
  learningSystem,
  normalizeSummary,
  renderTranscript,
  SUMMARY_SYSTEM,
  toChunks,
  withoutLearned,
} from '../history/summary.ts';
import { sideCall } from '../model/side-call.ts';
import {
  type ChatRecord,
  type Clock,
  type Feature,
  type LanguageModel,
  type Learning,
  ModelError,
  type ModelRequest,
  type NewMessage,
  timestamp,
} from '../ports/index.ts';

interface Fold {
  /** The message that is appended to the chat, in one write with the summary. */
  marker: NewMessage;
  summary: Summary;
  /** The learned texts, which the caller stores once the compaction is stored (MEM-4). */
  learned: readonly string[];
}

interface Folding {
  chat_id: string;
  turn_id: string | null;
  /** The messages to compact, as selected by a plan. */
  messages: readonly NewMessage[];
  /** The summary of the messages before these; null if there is none. */
  sofar: string | null;
  /** Where words in the history came from that the owner did not write. */
  outside: ReadonlySet<string>;
  /** Null: no feature learns. */
  learning: Learning | null;
  /** The texts that are already known; null: nothing is learned. */
  known: readonly string[] | null;
  model: LanguageModel;
  clock: Clock;
  onWait?: ModelRequest['onWait'];
  /** Called with the cost of each call to the model, even if the compaction then fails or is canceled. */
  spend(usage: Usage): void;
}

const MAX_SUMMARY_TOKENS = 8000;
const MIN_SUMMARY_TOKENS = 1024;
/** The share of the window that a summary may use, for the previous and for the next summary. */
const SUMMARY_SHARE = 0.2;
/** The share of the window that the conversation may use in one call. */
const SHARE = 0.4;
const MIN_CHUNK_CHARS = 4000;
const CHARS_PER_TOKEN = 3;

/** A compaction in progress, with the texts learned so far. */
type Progress = Folding & { learned: string[] };

/** Compacts messages. @throws ModelError if no summary was created, or the reason of the signal */
export async function fold(folding: Folding, signal: AbortSignal): Promise<Fold> {
  const { chat_id, turn_id, messages, sofar, model, clock, learning } = folding;
  const room = model.record.context_window * SHARE * CHARS_PER_TOKEN;
  const chunks = toChunks(
    renderTranscript(messages, learning?.privateTools),
    Math.max(MIN_CHUNK_CHARS, Math.floor(room)),
  );
  const learned: string[] = [];
  const text = await sumUp(chunks, sofar, { ...folding, learned }, signal);
  if (text === null) throw new Error('There is nothing to compact.');
  const created_at = timestamp(clock);
  const outside = folding.outside.size === 0 ? {} : { outside: [...folding.outside] };
  const upto_message = (messages.at(-1) as NewMessage).id;
  return {
    marker: {
      id: newId(),
      chat_id,
      role: 'user',
      turn_id,
      content: [
        {
          type: 'text',
          text: COMPACTION_MARKER,
          internal: { compaction: { text, upto_message, ...outside } },
        },
      ],
      created_at,
      status: 'completed',
    },
    summary: { text, upto_message, created_at, ...outside },
    learned,
  };
}

/**
 * The texts that are already known. Null: compacting these messages learns nothing, because the user has switched
 * learning off or an untrusted person wrote one of them; such a message has no lasting effects (WHO-3).
 */
export function knownBefore(
  messages: readonly NewMessage[],
  chat: Pick<ChatRecord, 'toolset'>,
  learning: Learning | null,
): Folding['known'] {
  return learning === null || hasStranger(messages) ? null : learning.known(chat);
}

/** Finds the feature that learns from compactions; null if there is none. */
export const findLearning = (features: readonly Feature[]): Learning | null =>
  features.find(({ learning }) => learning !== undefined)?.learning ?? null;

/**
 * Whether an untrusted person may have written one of the messages. A message with a sender that no turn has answered
 * counts too, because the answer would contain the mark.
 */
function hasStranger(messages: readonly NewMessage[]): boolean {
  const answered = new Set(messages.filter(({ role }) => role === 'assistant').map(({ turn_id }) => turn_id));
  return messages.some(
    ({ role, sender, turn_id, content }) =>
      content.some(({ internal }) => internal?.stranger) ||
      (role === 'user' && sender !== undefined && !answered.has(turn_id)),
  );
}

/** Summarizes the chunks one after the other, each with the summary of those before it. */
async function sumUp(
  chunks: readonly string[],
  sofar: string | null,
  folding: Progress,
  signal: AbortSignal,
): Promise<string | null> {
  let text = sofar;
  for (const chunk of chunks) {
    try {
      text = await ask(chunk, text, folding, signal);
    } catch (error) {
      const tooLong = error instanceof ModelError && error.code === 'context_overflow';
      if (!tooLong || chunk.length <= MIN_CHUNK_CHARS) throw error;
      // The chunk has more tokens than its characters suggest, or the window is smaller than the provider states.
      text = await sumUp(toChunks([chunk], Math.ceil(chunk.length / 2)), text, folding, signal);
    }
  }
  return text;
}

async function ask(
  chunk: string,
  sofar: string | null,
  { chat_id, model, spend, learning, known, learned, onWait }: Progress,
  signal: AbortSignal,
): Promise<string> {
  const learns = known === null ? null : learning;
  const share = Math.floor(model.record.context_window * SUMMARY_SHARE);
  const answer = await sideCall(
    model,
    {
      system: learns === null ? SUMMARY_SYSTEM : learningSystem(learns),
      text: askForSummary(sofar, chunk, known),
      max_output_tokens: Math.min(MAX_SUMMARY_TOKENS, Math.max(MIN_SUMMARY_TOKENS, share)),
      cache_key: chat_id,
      ...(onWait && { onWait }),
    },
    signal,
    spend,
  );
  signal.throwIfAborted();
  // A truncated summary would lose its last sections.
  const cut = answer.finish === 'length' || answer.finish === 'content_filter';
  const result =
    learns === null ? { summary: answer.text, learned: [] } : withoutLearned(answer.text, learns);
  const text = cut ? null : normalizeSummary(result.summary);
  if (text === null) throw new ModelError('upstream_error', 'The model returned no summary.', true);
  learned.push(...result.learned);
  return text;
}
