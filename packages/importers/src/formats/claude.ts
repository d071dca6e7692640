/** Claude's conversations: a list of messages (`chat_messages`), of which each may name the one before it. */
import type { ImportBlock, ImportChat } from '@chat-kernel/protocol';
import { BrokenConversation, type LeftOut } from '../base/incoming.ts';
import { calledTool, fenced, leftOut as leave, messagesOf, text, toolAnswer } from '../base/said.ts';
import { chatOfTree, type TreeNode } from '../base/tree.ts';
import { fieldsOf, isFields, keyOf, listOf, textOf, timeOf, titleOf } from '../base/values.ts';

/** Whether an element of a file is such a conversation. */
export const isClaude = (value: unknown): boolean => isFields(value) && 'chat_messages' in value;

/** @throws BrokenConversation */
export function chatOfClaude(value: unknown, leftOut: LeftOut): ImportChat {
  const conversation = fieldsOf(value);
  const { chat_messages, uuid, name, current_leaf_message_uuid } = conversation;
  if (!Array.isArray(chat_messages)) throw new BrokenConversation('chat_messages is no list');
  const created_at = timeOf(conversation.created_at, 'created_at');
  if (created_at === undefined) throw new BrokenConversation('it has no created_at');
  let time = created_at;
  let before: string | null = null;
  const nodes = chat_messages.map((message, index): TreeNode => {
    const { uuid, parent_message_uuid, created_at, sender } = fieldsOf(message);
    if (!isFields(message)) throw new BrokenConversation(`message ${index} is no object`);
    time = timeOf(created_at, `created_at of message ${index}`) ?? time;
    const id = textOf(uuid) || `message ${index}`;
    const parent = typeof parent_message_uuid === 'string' ? parent_message_uuid : before;
    before = id;
    const blocks = blocksOf(message, leftOut);
    return { id, parent, messages: messagesOf(sender === 'human' ? 'user' : 'assistant', time, blocks) };
  });
  const updated_at = timeOf(conversation.updated_at, 'updated_at');
  return {
    source: 'claude',
    key: keyOf(uuid),
    title: titleOf(name),
    created_at,
    ...(updated_at !== undefined && { updated_at }),
    ...chatOfTree(nodes, textOf(current_leaf_message_uuid) || undefined),
  };
}

function blocksOf(message: Readonly<Record<string, unknown>>, leftOut: LeftOut): ImportBlock[] {
  const content = listOf(message.content);
  const said =
    content.length === 0 ? text(textOf(message.text)) : content.flatMap(each => blockOf(each, leftOut));
  return [
    ...said,
    ...listOf(message.attachments).flatMap(each => attachment(fieldsOf(each), leftOut)),
    ...listOf(message.files).map(each => {
      const { file_name, file_uuid } = fieldsOf(each);
      return leave(leftOut, 'file', `the file ${textOf(file_name) || textOf(file_uuid)}`);
    }),
  ];
}

function blockOf(value: unknown, leftOut: LeftOut): ImportBlock[] {
  const block = fieldsOf(value);
  const tool = textOf(block.name) || 'unknown';
  switch (block.type) {
    case 'text':
      return text(textOf(block.text));
    case 'thinking':
      return textOf(block.thinking) === '' ? [] : [{ type: 'thinking', text: textOf(block.thinking) }];
    case 'tool_use':
      return [calledTool(tool, JSON.stringify(block.input ?? {}, null, 2), 'json')];
    case 'tool_result': {
      const words = wordsOf(block.content, leftOut);
      return words.text.trim() === '' ? words.notes : [toolAnswer(tool, words.text), ...words.notes];
    }
    default:
      return [
        leave(leftOut, `content of type ${textOf(block.type) || 'unknown'}`),
        ...text(textOf(block.text)),
      ];
  }
}

/** What a result says, and notes for the parts of it that are no text. */
function wordsOf(content: unknown, leftOut: LeftOut): { text: string; notes: ImportBlock[] } {
  if (typeof content === 'string') return { text: textOf(content), notes: [] };
  const parts = listOf(content).map(fieldsOf);
  const words = parts.map(({ text, title, url }) =>
    [title, url, text].map(textOf).filter(Boolean).join('\n'),
  );
  const notes = parts
    .filter((_, index) => words[index] === '')
    .map(({ type }) => leave(leftOut, `result of type ${textOf(type) || 'unknown'}`));
  return { text: words.filter(Boolean).join('\n\n'), notes };
}

/** The text that was read out of a file is all that an export has of it. */
function attachment(
  { file_name, extracted_content }: Readonly<Record<string, unknown>>,
  leftOut: LeftOut,
): ImportBlock[] {
  const name = textOf(file_name) || 'without a name';
  const words = textOf(extracted_content);
  if (words.trim() === '') return [leave(leftOut, 'file', `the file ${name}`)];
  return text(`The file ${name}:\n${fenced(words)}`);
}
