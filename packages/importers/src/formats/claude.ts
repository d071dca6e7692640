/** Converts Claude's conversations: a list of messages (`chat_messages`), each of which may name its predecessor. */
import type { ImportBlock, ImportChat } from '@chat-kernel/protocol';
import { calledTool, fenced, leftOut as leave, text, toImportMessages, toolAnswer } from '../base/blocks.ts';
import { BrokenConversation, type LeftOut } from '../base/incoming.ts';
import { chatOfTree, type TreeNode } from '../base/tree.ts';
import { conversationKey, isFields, parseTime, toFields, toList, toText, toTitle } from '../base/values.ts';

/** Whether an element of a file is a Claude conversation. */
export const isClaude = (value: unknown): boolean => isFields(value) && 'chat_messages' in value;

/** @throws BrokenConversation */
export function chatOfClaude(value: unknown, leftOut: LeftOut): ImportChat {
  const conversation = toFields(value);
  const { chat_messages, uuid, name, current_leaf_message_uuid } = conversation;
  if (!Array.isArray(chat_messages)) throw new BrokenConversation('chat_messages is no list');
  const created_at = parseTime(conversation.created_at, 'created_at');
  if (created_at === undefined) throw new BrokenConversation('it has no created_at');
  let time = created_at;
  let before: string | null = null;
  const nodes = chat_messages.map((message, index): TreeNode => {
    const { uuid, parent_message_uuid, created_at, sender } = toFields(message);
    if (!isFields(message)) throw new BrokenConversation(`message ${index} is not an object`);
    time = parseTime(created_at, `created_at of message ${index}`) ?? time;
    const id = toText(uuid) || `message ${index}`;
    const parent = typeof parent_message_uuid === 'string' ? parent_message_uuid : before;
    before = id;
    const blocks = toBlocks(message, leftOut);
    return {
      id,
      parent,
      messages: toImportMessages(sender === 'human' ? 'user' : 'assistant', time, blocks),
    };
  });
  const updated_at = parseTime(conversation.updated_at, 'updated_at');
  return {
    source: 'claude',
    key: conversationKey(uuid),
    title: toTitle(name),
    created_at,
    ...(updated_at !== undefined && { updated_at }),
    ...chatOfTree(nodes, toText(current_leaf_message_uuid) || undefined),
  };
}

function toBlocks(message: Readonly<Record<string, unknown>>, leftOut: LeftOut): ImportBlock[] {
  const content = toList(message.content);
  const said =
    content.length === 0 ? text(toText(message.text)) : content.flatMap(each => toBlock(each, leftOut));
  return [
    ...said,
    ...toList(message.attachments).flatMap(each => attachment(toFields(each), leftOut)),
    ...toList(message.files).map(each => {
      const { file_name, file_uuid } = toFields(each);
      return leave(leftOut, 'file', `the file ${toText(file_name) || toText(file_uuid)}`);
    }),
  ];
}

function toBlock(value: unknown, leftOut: LeftOut): ImportBlock[] {
  const block = toFields(value);
  const tool = toText(block.name) || 'unknown';
  switch (block.type) {
    case 'text':
      return text(toText(block.text));
    case 'thinking':
      return toText(block.thinking) === '' ? [] : [{ type: 'thinking', text: toText(block.thinking) }];
    case 'tool_use':
      return [calledTool(tool, JSON.stringify(block.input ?? {}, null, 2), 'json')];
    case 'tool_result': {
      const words = parseResultContent(block.content, leftOut);
      return words.text.trim() === '' ? words.notes : [toolAnswer(tool, words.text), ...words.notes];
    }
    default:
      return [
        leave(leftOut, `content of type ${toText(block.type) || 'unknown'}`),
        ...text(toText(block.text)),
      ];
  }
}

/** The text of a result, and notes for the parts of it that are not text. */
function parseResultContent(content: unknown, leftOut: LeftOut): { text: string; notes: ImportBlock[] } {
  if (typeof content === 'string') return { text: toText(content), notes: [] };
  const parts = toList(content).map(toFields);
  const words = parts.map(({ text, title, url }) =>
    [title, url, text].map(toText).filter(Boolean).join('\n'),
  );
  const notes = parts
    .filter((_, index) => words[index] === '')
    .map(({ type }) => leave(leftOut, `result of type ${toText(type) || 'unknown'}`));
  return { text: words.filter(Boolean).join('\n\n'), notes };
}

/** An export contains only the text that was extracted from a file. */
function attachment(
  { file_name, extracted_content }: Readonly<Record<string, unknown>>,
  leftOut: LeftOut,
): ImportBlock[] {
  const name = toText(file_name) || 'without a name';
  const words = toText(extracted_content);
  if (words.trim() === '') return [leave(leftOut, 'file', `the file ${name}`)];
  return text(`The file ${name}:\n${fenced(words)}`);
}
