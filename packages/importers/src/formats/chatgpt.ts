/** ChatGPT's conversations: a tree of nodes by their ids (`mapping`), of which one is the end (`current_node`). */
import type { ImportBlock, ImportChat } from '@chat-kernel/protocol';
import { BrokenConversation, type LeftOut, type Pictures } from '../base/incoming.ts';
import { messagesOf } from '../base/said.ts';
import { chatOfTree, type TreeNode } from '../base/tree.ts';
import { fieldsOf, isFields, keyOf, textOf, timeOf, titleOf } from '../base/values.ts';
import { blocksOfContent, type ContentPlace, filesOf } from './chatgpt-content.ts';

/** Whether an element of a file is such a conversation. */
export const isChatGpt = (value: unknown): boolean => isFields(value) && 'mapping' in value;

/** @throws BrokenConversation */
export async function chatOfChatGpt(
  value: unknown,
  leftOut: LeftOut,
  pictures: Pictures,
): Promise<ImportChat> {
  const conversation = fieldsOf(value);
  const { mapping, current_node, title } = conversation;
  if (!isFields(mapping)) throw new BrokenConversation('mapping is no object');
  const created_at = timeOf(conversation.create_time, 'create_time') ?? firstTime(mapping);
  const nodes: TreeNode[] = [];
  let time = created_at;
  for (const [id, node] of Object.entries(mapping)) {
    const { message, parent } = fieldsOf(node);
    time = timeOf(fieldsOf(message).create_time, `create_time of the message ${id}`) ?? time;
    nodes.push({
      id,
      parent: typeof parent === 'string' ? parent : null,
      messages: await messagesOfNode(message, time, { leftOut, pictures }),
    });
  }
  const updated_at = timeOf(conversation.update_time, 'update_time');
  return {
    source: 'chatgpt',
    key: keyOf(conversation.conversation_id, conversation.id),
    title: titleOf(title),
    created_at,
    ...(updated_at !== undefined && { updated_at }),
    ...chatOfTree(nodes, textOf(current_node) || undefined),
  };
}

/** Of a conversation that does not say when it began. @throws BrokenConversation where no message does */
function firstTime(mapping: Readonly<Record<string, unknown>>): string {
  for (const node of Object.values(mapping)) {
    const time = timeOf(fieldsOf(fieldsOf(node).message).create_time, 'create_time');
    if (time !== undefined) return time;
  }
  throw new BrokenConversation('neither it nor any of its messages has a create_time');
}

async function messagesOfNode(
  message: unknown,
  time: string,
  tools: Pick<ContentPlace, 'leftOut' | 'pictures'>,
) {
  const { author, content, metadata, recipient } = fieldsOf(message);
  // Their writer never saw them: instructions, and what was only for the model.
  if (message == null || fieldsOf(metadata).is_visually_hidden_from_conversation === true) return [];
  const { role, name } = fieldsOf(author);
  const blocks: ImportBlock[] = await blocksOfContent(fieldsOf(content), {
    ...tools,
    role: textOf(role),
    tool: role === 'tool' ? textOf(name) : textOf(recipient),
  });
  if (role === 'user') blocks.push(...filesOf(fieldsOf(metadata), tools.leftOut));
  return messagesOf(role === 'user' ? 'user' : 'assistant', time, blocks);
}
