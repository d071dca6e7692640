/** Our own export as JSON lines: the record of the chat, then its items. Items of one message stand together again. */
import type { Chat, ImportBlock, ImportChat, ImportMessage, Item, ModelSpend } from '@chat-kernel/protocol';
import { BrokenConversation, type LeftOut } from '../base/incoming.ts';
import { leftOut as leave, messagesOf, text } from '../base/said.ts';
import { isFields, keyOf, titleOf } from '../base/values.ts';

/** The first line of an export, as far as an import reads it. */
type OwnRecord = { kind: 'chat' } & Omit<Chat, 'turn'> & { folds?: Fold[]; usage?: ModelSpend[] };
interface Fold {
  /** Of the message that marks the fold. */
  message_id: string;
  text: string;
  upto_message: string;
}
/** A message with the id that it had. */
type Known = ImportMessage & { id: string };

/** Whether the first line of a file is the record of a chat. */
const isOwn = (value: unknown): boolean => isFields(value) && value.kind === 'chat';

/** @param lines the record, and the items behind it @throws BrokenConversation */
export function chatOfOwn([first, ...items]: readonly unknown[], leftOut: LeftOut): ImportChat {
  if (!isOwn(first)) throw new BrokenConversation('its first line is not the record of a chat');
  const record = first as OwnRecord;
  const messages: Known[] = [];
  for (const group of byMessage(items as Item[])) addMessages(messages, group, record, leftOut);
  const {
    created_at,
    updated_at,
    last_message_at,
    shelf,
    project,
    effort,
    consent,
    compaction,
    toolset,
    usage,
  } = record;
  const upto = record.summary ? placeOf(record.summary.upto_message, messages) : undefined;
  return {
    source: 'chat-kernel',
    key: keyOf(record.id),
    title: titleOf(record.title),
    created_at,
    updated_at,
    last_message_at,
    shelf,
    project,
    effort,
    consent,
    compaction,
    toolset,
    ...(usage && { usage }),
    ...(record.summary &&
      upto !== undefined && {
        summary: { text: record.summary.text, upto, created_at: record.summary.created_at },
      }),
    messages: messages.map(({ id: _, ...message }) => message),
  };
}

/** The items in the groups of their messages. */
function byMessage(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const [index, item] of items.entries()) {
    if (!isFields(item) || typeof item.id !== 'string' || typeof item.created_at !== 'string')
      throw new BrokenConversation(`line ${index + 2} is no item`);
    const last = groups.at(-1);
    if (last?.[0] && messageId(last[0]) === messageId(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

const messageId = ({ id }: Item): string => id.replace(/:\d+$/, '');

function addMessages(messages: Known[], group: Item[], record: OwnRecord, leftOut: LeftOut): void {
  const [first] = group as [Item];
  const id = messageId(first);
  const { created_at } = first;
  if (first.kind === 'user_message') {
    const { sender } = first;
    for (const message of messagesOf('user', created_at, spokenBlocks(first, leftOut)))
      messages.push({ ...message, id, ...(message.role === 'user' && sender !== undefined && { sender }) });
    return;
  }
  const content = group.flatMap(item => blocksOf(item, { id, record, messages, leftOut }));
  const status = statusOf(group);
  if (content.length > 0) {
    const role = first.kind === 'compaction' ? 'user' : 'assistant';
    messages.push({ id, role, created_at, content, status });
  }
  const results = group.flatMap(resultOf);
  // Behind the id of its calls, and before all others: places are found by ids, which sort.
  if (results.length > 0)
    messages.push({ id: `${id}~`, role: 'user', created_at, content: results, status: 'completed' });
}

function spokenBlocks(item: Extract<Item, { kind: 'user_message' }>, leftOut: LeftOut): ImportBlock[] {
  const { quote, attachments } = item;
  return [
    ...(quote ? [{ type: 'quote' as const, ...quote }] : []),
    ...(item.text === '' ? [] : [{ type: 'text' as const, text: item.text }]),
    ...attachments.map((each): ImportBlock => {
      if (each.kind === 'file') return leave(leftOut, 'file', `the file ${each.name}`);
      if (each.data === '') return leave(leftOut, 'picture', 'a picture whose bytes were gone');
      return { type: 'image', media_type: each.media_type, data: each.data };
    }),
  ];
}

function blocksOf(
  item: Item,
  {
    id,
    record,
    messages,
    leftOut,
  }: { id: string; record: OwnRecord; messages: readonly Known[]; leftOut: LeftOut },
): ImportBlock[] {
  switch (item.kind) {
    case 'agent_message':
    case 'thinking': {
      const type = item.kind === 'thinking' ? 'thinking' : 'text';
      const status = item.status === 'failed' || item.status === 'aborted' ? item.status : undefined;
      return [{ type, text: item.text, ...(status && { status }) }];
    }
    case 'tool_call':
      return [{ type: 'tool_use', id: item.call_id, name: item.name, input: item.input }];
    case 'machine_note':
      return [{ type: 'note', note: item.note, text: item.text }];
    case 'image':
      return [leave(leftOut, 'picture', `the picture ${item.image_id}`)];
    case 'compaction': {
      const fold = record.folds?.find(({ message_id }) => message_id === id);
      const upto = fold && placeOf(fold.upto_message, messages);
      if (fold && upto !== undefined) return [{ type: 'fold', text: fold.text, upto }];
      return [leave(leftOut, 'fold', 'a summary of what stands above')];
    }
    case 'user_message':
      return text(item.text);
    default:
      return [leave(leftOut, `item of kind ${String((item as { kind: unknown }).kind)}`)];
  }
}

function resultOf(item: Item): ImportBlock[] {
  if (item.kind !== 'tool_call' || item.output === undefined) return [];
  const { call_id, output, is_error, status } = item;
  const aborted = status === 'aborted' && { aborted: true as const };
  return [{ type: 'tool_result', tool_use_id: call_id, output, is_error, ...aborted }];
}

/** What a step was left as; a call that failed leaves its step whole. */
function statusOf(group: readonly Item[]): ImportMessage['status'] {
  const cut = group.find(
    ({ kind, status }) => kind !== 'tool_call' && (status === 'failed' || status === 'aborted'),
  );
  return cut ? (cut.status as 'failed' | 'aborted') : 'completed';
}

/** The last message up to an id; a message without items, such as results, stands behind the one before it. */
function placeOf(id: string, messages: readonly Known[]): number | undefined {
  const place = messages.findLastIndex(message => message.id <= id);
  return place === -1 ? undefined : place;
}
