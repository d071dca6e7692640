/**
 * Converts exports of Chat Kernel as JSON lines: the record of the chat, then its items. Combines the items of one
 * message again.
 */
import {
  type Chat,
  type ImportBlock,
  type ImportChat,
  type ImportMessage,
  type Item,
  importedSettings,
  type ModelSpend,
} from '@chat-kernel/protocol';
import { leftOut as leave, text, toImportMessages } from '../base/blocks.ts';
import { BrokenConversation, type LeftOut } from '../base/incoming.ts';
import { conversationKey, isFields, toTitle } from '../base/values.ts';

/** The first line of an export, with the fields that an import reads. */
type OwnRecord = { kind: 'chat' } & Omit<Chat, 'turn'> & { folds?: Fold[]; usage?: ModelSpend[] };
interface Fold {
  /** The id of the message that marks the compaction. */
  message_id: string;
  text: string;
  upto_message: string;
}
/** A message with its original id. */
type Known = ImportMessage & { id: string };

/** Whether the first line of a file is the record of a chat. */
const isOwn = (value: unknown): boolean => isFields(value) && value.kind === 'chat';

/** Whether an item is of a version that the chat does not show. A chat from elsewhere has none. */
const isOfVersion = (item: unknown): item is { version: string } =>
  isFields(item) && typeof item.version === 'string';

/** @param lines the record, and the items after it @throws BrokenConversation */
export function chatOfOwn([first, ...items]: readonly unknown[], leftOut: LeftOut): ImportChat {
  if (!isOwn(first)) throw new BrokenConversation('its first line is not the record of a chat');
  const record = first as OwnRecord;
  const messages: Known[] = [];
  const present = items.filter(item => !isOfVersion(item));
  const versions = new Set(items.flatMap(item => (isOfVersion(item) ? [item.version] : [])));
  for (const _ of versions) leave(leftOut, 'version');
  for (const group of byMessage(present as Item[])) addMessages(messages, group, record, leftOut);
  const { created_at, updated_at, last_message_at, usage } = record;
  const upto = record.summary ? findPosition(record.summary.upto_message, messages) : undefined;
  return {
    source: 'chat-kernel',
    key: conversationKey(record.id),
    ...importedSettings(record),
    title: toTitle(record.title),
    created_at,
    updated_at,
    last_message_at,
    ...(usage && { usage }),
    ...(record.summary &&
      upto !== undefined && {
        summary: { text: record.summary.text, upto, created_at: record.summary.created_at },
      }),
    messages: messages.map(({ id: _, ...message }) => message),
  };
}

/** Groups the items by message. */
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
    for (const message of toImportMessages('user', created_at, spokenBlocks(first, leftOut)))
      messages.push({ ...message, id, ...(message.role === 'user' && sender !== undefined && { sender }) });
    return;
  }
  const content = group.flatMap(item => toBlocks(item, { id, record, messages, leftOut }));
  const status = findGroupStatus(group);
  if (content.length > 0) {
    const role = first.kind === 'compaction' ? 'user' : 'assistant';
    messages.push({ id, role, created_at, content, status, ...findWriter(group) });
  }
  const results = group.flatMap(toResultBlocks);
  // The id sorts after the one of its calls, and before all others, because positions are found by comparing ids.
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

function toBlocks(
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
      const upto = fold && findPosition(fold.upto_message, messages);
      if (fold && upto !== undefined) return [{ type: 'fold', text: fold.text, upto }];
      return [leave(leftOut, 'fold', 'a summary of what stands above')];
    }
    case 'user_message':
      return text(item.text);
    default:
      return [leave(leftOut, `item of kind ${String((item as { kind: unknown }).kind)}`)];
  }
}

function toResultBlocks(item: Item): ImportBlock[] {
  if (item.kind !== 'tool_call' || item.output === undefined) return [];
  const { call_id, output, is_error, status } = item;
  const aborted = status === 'aborted' && { aborted: true as const };
  return [{ type: 'tool_result', tool_use_id: call_id, output, is_error, ...aborted }];
}

/** The model of a step and its usage, which the export has with texts. */
function findWriter(group: readonly Item[]): Pick<ImportMessage, 'model' | 'usage'> {
  const texts = group.filter(item => item.kind === 'agent_message');
  const model = texts.find(item => item.model !== undefined)?.model;
  const usage = texts.find(item => item.usage !== undefined)?.usage;
  return { ...(model !== undefined && { model }), ...(usage && { usage }) };
}

/** The status of a step; a failed call leaves its step complete. */
function findGroupStatus(group: readonly Item[]): ImportMessage['status'] {
  const cut = group.find(
    ({ kind, status }) => kind !== 'tool_call' && (status === 'failed' || status === 'aborted'),
  );
  return cut ? (cut.status as 'failed' | 'aborted') : 'completed';
}

/**
 * The position of the last message up to an id; a message without items, such as results, follows the one before it.
 */
function findPosition(id: string, messages: readonly Known[]): number | undefined {
  const place = messages.findLastIndex(message => message.id <= id);
  return place === -1 ? undefined : place;
}
