/** The messages of a request, taken apart: what was said before, and what is new. */
import { invalid } from '../wire/openai-error.ts';
import type { Message, MessageOf } from '../wire/request.ts';
import { type Entry, entriesOf } from './entries.ts';

/** The answer to a call of an earlier response. */
export interface CallAnswer {
  call_id: string;
  /** The tool; undefined where the conversation does not say. */
  name: string | undefined;
  text: string;
}

/** A message and its place in the request. */
type Placed = { message: Message; index: number };
type PlacedUser = { message: MessageOf<'user'>; index: number };

export interface Conversation {
  /** Of all system and developer messages. */
  instructions: string;
  /** What was said up to the last answer of the model. */
  earlier: readonly Placed[];
  /** The same in the form in which it is compared. */
  entries: readonly Entry[];
  answers: readonly CallAnswer[];
  /** The messages of the user behind the last answer. */
  fresh: readonly PlacedUser[];
}

/** @throws OpenAiError where nothing is new, or calls are left without an answer */
export function conversationOf(messages: readonly Message[]): Conversation {
  const placed = messages.map((message, index) => ({ message, index }));
  const isInstruction = ({ message: { role } }: Placed) => role === 'system' || role === 'developer';
  const instructions = placed.filter(isInstruction).map(({ message }) => textOf(message));
  const said = placed.filter(each => !isInstruction(each));
  const cut = said.findLastIndex(({ message }) => message.role === 'assistant') + 1;
  const [earlier, news] = [said.slice(0, cut), said.slice(cut)];
  if (news.length === 0) {
    throw invalid('messages', 'The last message has to be of the user, or the answer to a call of a tool.');
  }
  return {
    instructions: instructions.filter(text => text.trim() !== '').join('\n\n'),
    earlier,
    entries: entriesOf(saidIn(earlier)),
    answers: answersIn(earlier.at(-1)?.message, news),
    fresh: news.filter((each): each is PlacedUser => each.message.role === 'user'),
  };
}

export const textOf = ({ content }: Message): string =>
  content
    .map(part => ('text' in part ? part.text : 'refusal' in part ? part.refusal : ''))
    .join('\n')
    .trim();

/** What people and models said, in words. */
export function* saidIn(messages: readonly { message: Message }[]): Generator<Entry> {
  for (const { message } of messages) {
    const { role } = message;
    if (role === 'user' || role === 'assistant') yield { role, text: textOf(message) };
  }
}

/** @throws OpenAiError where calls and answers do not belong together */
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
        `The message before has no call ${call_id.slice(0, 100)}.`,
      );
    }
    answers.push({ call_id, name: names.get(call_id), text: textOf(message) });
  }
  const open = calls.find(({ id }) => !answers.some(({ call_id }) => call_id === id));
  if (open === undefined) return answers;
  throw invalid(
    'messages',
    `The call ${open.id.slice(0, 100)} has no message of the role tool that answers it.`,
  );
}
