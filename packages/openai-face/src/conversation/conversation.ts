/** Splits the messages of a request into the earlier conversation and the new messages. */
import { invalid } from '../wire/openai-error.ts';
import type { Message, MessageOf } from '../wire/request.ts';
import { type Entry, toEntries } from './entries.ts';

/** The answer to a call of an earlier response. */
export interface CallAnswer {
  call_id: string;
  /** The name of the tool; undefined if the conversation does not contain it. */
  name: string | undefined;
  text: string;
}

/** A message and its position in the request. */
type Placed = { message: Message; index: number };
type PlacedUser = { message: MessageOf<'user'>; index: number };

export interface Conversation {
  /** The text of all system and developer messages. */
  instructions: string;
  /** The messages up to the last answer of the model. */
  earlier: readonly Placed[];
  /** The same messages in comparable form. */
  entries: readonly Entry[];
  answers: readonly CallAnswer[];
  /** The messages of the user after the last answer. */
  fresh: readonly PlacedUser[];
}

/**
 * Without new messages, the model continues the end of the conversation. @throws OpenAiError if calls have no answer
 */
export function parseConversation(messages: readonly Message[]): Conversation {
  const placed = messages.map((message, index) => ({ message, index }));
  const isInstruction = ({ message: { role } }: Placed) => role === 'system' || role === 'developer';
  const instructions = placed.filter(isInstruction).map(({ message }) => messageText(message));
  const said = placed.filter(each => !isInstruction(each));
  const cut = said.findLastIndex(({ message }) => message.role === 'assistant') + 1;
  const [earlier, news] = [said.slice(0, cut), said.slice(cut)];
  return {
    instructions: instructions.filter(text => text.trim() !== '').join('\n\n'),
    earlier,
    entries: toEntries(saidIn(earlier)),
    answers: answersIn(earlier.at(-1)?.message, news),
    fresh: news.filter((each): each is PlacedUser => each.message.role === 'user'),
  };
}

export const messageText = (message: Message): string =>
  [
    ...message.content.map(part => ('text' in part ? part.text : 'refusal' in part ? part.refusal : '')),
    ...(message.role === 'assistant' && message.refusal ? [message.refusal] : []),
  ]
    .join('\n')
    .trim();

/** Yields the texts of users and models. */
export function* saidIn(messages: readonly { message: Message }[]): Generator<Entry> {
  for (const { message } of messages) {
    const { role } = message;
    if (role === 'user' || role === 'assistant') yield { role, text: messageText(message) };
  }
}

/** @throws OpenAiError if calls and answers do not match */
function answersIn(asking: Message | undefined, news: readonly Placed[]): CallAnswer[] {
  const calls = asking?.role === 'assistant' ? (asking.tool_calls ?? []) : [];
  const names = new Map(calls.map(call => [call.id, call.function.name]));
  const answers: CallAnswer[] = [];
  for (const { message, index } of news) {
    if (message.role !== 'tool') continue;
    const { tool_call_id: call_id } = message;
    if (!names.has(call_id)) {
      throw invalid(
        `messages[${index}].tool_call_id`,
        `The previous assistant message has no tool call ${call_id.slice(0, 100)}.`,
      );
    }
    answers.push({ call_id, name: names.get(call_id), text: messageText(message) });
  }
  const open = calls.find(({ id }) => !answers.some(({ call_id }) => call_id === id));
  if (open === undefined) return answers;
  throw invalid(
    'messages',
    `The tool call ${open.id.slice(0, 100)} is not followed by a tool message with its result.`,
  );
}
