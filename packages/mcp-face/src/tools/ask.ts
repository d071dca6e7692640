/** Implements the tool `ask`: a turn in a chat of the owner, from its message to its answer. */
import type { EventType, TurnStream } from '@chat-kernel/client';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { errorResult } from './answers.ts';
import type { Caller } from './caller.ts';
import { TurnProgress } from './progress.ts';

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
