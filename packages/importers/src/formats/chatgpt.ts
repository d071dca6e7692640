/**
 * Converts ChatGPT's conversations: a tree of nodes by their ids (`mapping`), one of which is the end (`current_node`).
 */
import type { ImportBlock, ImportChat } from '@chat-kernel/protocol';
import { toImportMessages } from '../base/blocks.ts';
import { BrokenConversation, type LeftOut, type Pictures } from '../base/incoming.ts';
import { chatOfTree, type TreeNode } from '../base/tree.ts';
import { conversationKey, isFields, parseTime, toFields, toText, toTitle } from '../base/values.ts';
import { blocksOfContent, type ContentPlace, toFileNotes } from './chatgpt-content.ts';

const MODEL_CHARS = 100;

/** Whether an element of a file is a ChatGPT conversation. */
export const isChatGpt = (value: unknown): boolean => isFields(value) && 'mapping' in value;

/** @throws BrokenConversation */
export async function chatOfChatGpt(
  value: unknown,
  leftOut: LeftOut,
  pictures: Pictures,
): Promise<ImportChat> {
  const conversation = toFields(value);
  const { mapping, current_node, title } = conversation;
  if (!isFields(mapping)) throw new BrokenConversation('mapping is not an object');
  const created_at = parseTime(conversation.create_time, 'create_time') ?? firstTime(mapping);
  const nodes: TreeNode[] = [];
  let time = created_at;
  for (const [id, node] of Object.entries(mapping)) {
    const { message, parent } = toFields(node);
    time = parseTime(toFields(message).create_time, `create_time of the message ${id}`) ?? time;
    nodes.push({
      id,
      parent: typeof parent === 'string' ? parent : null,
      messages: await messagesOfNode(message, time, { leftOut, pictures }),
    });
  }
  const updated_at = parseTime(conversation.update_time, 'update_time');
  return {
    source: 'chatgpt',
    key: conversationKey(conversation.conversation_id, conversation.id),
    title: toTitle(title),
    created_at,
    ...(updated_at !== undefined && { updated_at }),
    ...chatOfTree(nodes, toText(current_node) || undefined),
  };
}

/** The start of a conversation without a stated time. @throws BrokenConversation if no message has a time */
function firstTime(mapping: Readonly<Record<string, unknown>>): string {
  for (const node of Object.values(mapping)) {
    const time = parseTime(toFields(toFields(node).message).create_time, 'create_time');
    if (time !== undefined) return time;
  }
  throw new BrokenConversation('neither it nor any of its messages has a create_time');
}

async function messagesOfNode(
  message: unknown,
  time: string,
  tools: Pick<ContentPlace, 'leftOut' | 'pictures'>,
) {
  const { author, content, metadata, recipient } = toFields(message);
  // The user never saw these messages: instructions, and content that was only for the model.
  if (message == null || toFields(metadata).is_visually_hidden_from_conversation === true) return [];
  const { role, name } = toFields(author);
  const blocks: ImportBlock[] = await blocksOfContent(toFields(content), {
    ...tools,
    role: toText(role),
    tool: role === 'tool' ? toText(name) : toText(recipient),
  });
  if (role === 'user') blocks.push(...toFileNotes(toFields(metadata), tools.leftOut));
  const messages = toImportMessages(role === 'user' ? 'user' : 'assistant', time, blocks);
  const model = role === 'assistant' ? toText(toFields(metadata).model_slug).slice(0, MODEL_CHARS) : '';
  return model === '' ? messages : messages.map(each => ({ ...each, model }));
}
