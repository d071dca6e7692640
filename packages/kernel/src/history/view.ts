/** Stored messages as the API shows them: without `internal`, with the bytes of images filled in. */
import type { Block, Message } from '@chat-kernel/protocol';
import type { NewMessage, Store, StoredBlock, StoredMessage } from '../ports/index.ts';

/** The message with the bytes of its images. Blocks keep their `internal`, which the items are made of. */
export async function withImages<M extends NewMessage>(message: M, store: Pick<Store, 'images'>): Promise<M> {
  if (!message.content.some(hasImage)) return message;
  const content = await Promise.all(
    message.content.map(async block => {
      if (block.type !== 'image' || block.internal?.image_id === undefined) return block;
      const image = await store.images.get(block.internal.image_id);
      return { ...block, data: image ? Buffer.from(image.bytes).toString('base64') : '' };
    }),
  );
  return { ...message, content };
}

/** The message as the API has it (MSG-1). Blocks that only a provider can read are left out. */
export function publicMessage(message: StoredMessage): Message {
  const sender = message.sender ?? (isOfKernel(message) ? KERNEL : undefined);
  return {
    id: message.id,
    chat_id: message.chat_id,
    role: message.role,
    turn_id: message.turn_id,
    content: message.content.filter(isShown).map(publicBlock),
    ...(sender !== undefined && { sender }),
    master: sender === undefined,
    created_at: message.created_at,
    status: message.status,
    ...(message.position === null && { waiting: true as const }),
  };
}

/** The sender of messages that the kernel itself wrote for the model, which are nobody's words. */
const KERNEL = 'kernel';

/** What a person says is never context alone. */
const isOfKernel = ({ role, content }: NewMessage): boolean =>
  role === 'user' && content.length > 0 && content.every(block => block.type === 'context');

const isShown = (block: StoredBlock): boolean =>
  (block.type !== 'thinking' && block.type !== 'text') || block.text !== '';

function publicBlock({ internal: _, ...block }: StoredBlock): Block {
  return block;
}

const hasImage = (block: StoredBlock): boolean =>
  block.type === 'image' && block.internal?.image_id !== undefined;
