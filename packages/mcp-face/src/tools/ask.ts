/** Implements the tool `ask`: a turn in a chat of the owner, from its message to its answer. */
import { callSummary, type EventType, type TurnEvent, type TurnStream } from '@chat-kernel/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { errorResult } from './answers.ts';
import type { Caller } from './caller.ts';

/** The shelf of new chats from this face. */
const SHELF = 'mcp';
/** Events that neither the answer nor the progress needs. */
const MUTED: readonly EventType[] = [
  'thinking_delta',
  'tool_result',
  'tool_progress',
  'item_started',
  'item_delta',
  'item_completed',
];

export const AskInput = z.object({
  text: z.string().regex(/\S/, 'expected text').describe('The message.'),
  chat_id: z.uuid().optional().describe('The chat to continue; default: a new chat.'),
  model: z.string().min(1).optional().describe('A model id of the kernel; default: the model of the chat.'),
});
export const AskOutput = z.object({
  answer: z.string(),
  chat_id: z.string().describe('Pass it to ask to continue the chat.'),
  turn_id: z.string(),
});

interface AskCall {
  /** Aborted when the client cancels the call, which cancels the turn. */
  signal: AbortSignal;
  /** Undefined if the client requests no progress. */
  tell: ((progress: number, message: string) => void) | undefined;
}

export async function ask(
  { kernel, stops, consent, closing }: Caller,
  { text, chat_id, model }: z.infer<typeof AskInput>,
  { signal, tell }: AskCall,
): Promise<CallToolResult> {
  const chosen = { ...(model !== undefined && { model }) };
  const id = chat_id ?? (await kernel.createChat({ shelf: SHELF, consent, ...chosen })).id;
  const turn = kernel.turn(id, { text, mute: [...MUTED], ...chosen }, { signal: closing });
  const stop = () => stops.stop(id, turn.started);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const progress = new TurnProgress(tell);
  try {
    return await readAnswer(turn, id, progress);
  } catch (error) {
    // A rejected message would leave an empty chat.
    if (chat_id === undefined) await turn.started.catch(() => kernel.deleteChat(id, { force: true }));
    throw error;
  } finally {
    progress.end();
    signal.removeEventListener('abort', stop);
  }
}

async function readAnswer(
  turn: TurnStream,
  chat_id: string,
  progress: TurnProgress,
): Promise<CallToolResult> {
  let answer = '';
  let failure = '';
  for await (const event of turn) {
    if (event.type === 'reset') answer = '';
    else if (event.type === 'text_delta') answer += event.text;
    // Separate the text of one step from that of the next.
    else if (event.type === 'tool_call' && answer !== '') answer = `${answer.trimEnd()}\n\n`;
    else if (event.type === 'error') failure = event.message;
    progress.show(event, answer);
    if (event.type !== 'done') continue;
    const { turn_id, status } = event;
    if (status !== 'completed') {
      const why = failure === '' ? `The turn is ${status}.` : `The turn failed: ${failure}`;
      return errorResult([why, answer, place(chat_id)].filter(words => words !== '').join('\n\n'));
    }
    return {
      content: [
        { type: 'text', text: answer },
        { type: 'text', text: place(chat_id) },
      ],
      structuredContent: { answer, chat_id, turn_id },
    };
  }
  return errorResult(`The kernel stopped before the turn ended.\n\n${place(chat_id)}`);
}

const place = (chatId: string): string => `[chat_id ${chatId}]`;

/** Clients cancel calls that send nothing for a minute. */
const PULSE_MS = 10_000;
/** Text grows with each token; a person cannot read that fast. */
const TEXT_EVERY_MS = 1000;
/** Longest message, in characters. */
const MAX_CHARS = 300;

/** Reports the progress of a turn to the client of a call, if it has requested that. */
class TurnProgress {
  readonly #tell: ((progress: number, message: string) => void) | undefined;
  readonly #pulse: NodeJS.Timeout;
  #steps = 0;
  #last = 'The turn started.';
  #toldText = 0;

  /** @param tell undefined if the client requests no progress */
  constructor(tell: ((progress: number, message: string) => void) | undefined) {
    this.#tell = tell;
    this.#pulse = setInterval(() => this.#say(this.#last), PULSE_MS);
    this.#pulse.unref();
  }

  /** @param answer the text so far */
  show(event: TurnEvent, answer: string): void {
    if (event.type === 'text_delta') {
      if (Date.now() - this.#toldText < TEXT_EVERY_MS) return;
      this.#toldText = Date.now();
    }
    const words = describeEvent(event, answer);
    if (words !== undefined) this.#say(oneLine(words));
  }

  end(): void {
    clearInterval(this.#pulse);
  }

  #say(message: string): void {
    this.#last = message;
    this.#steps += 1;
    this.#tell?.(this.#steps, message);
  }
}

function describeEvent(event: TurnEvent, answer: string): string | undefined {
  switch (event.type) {
    case 'queued':
      return `Queued: ${event.position} ahead.`;
    case 'sleeping':
      return event.until === null ? 'The kernel is asleep.' : `The kernel is asleep until ${event.until}.`;
    case 'tool_call':
      return `Tool ${event.name}: ${callSummary(event.name, event.input)}`;
    case 'client_op':
    case 'consent_request':
      return event.decisions === undefined
        ? undefined
        : `Waiting for a decision of the owner in another client: ${event.action}.`;
    case 'text_delta':
      return `Answers: ${answer.slice(-MAX_CHARS)}`;
    default:
      return undefined;
  }
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ').slice(0, MAX_CHARS).toWellFormed();
