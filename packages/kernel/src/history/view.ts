/** Converts stored messages to their API form: without `internal`, with the bytes of images. */
import type { Block, Message, VersionMark } from '@chat-kernel/protocol';
import { KERNEL_NAME } from '../persons/persons.ts';
import {
  isOfMaster,
  type NewMessage,
  type Store,
  type StoredBlock,
  type StoredMessage,
  writerOf,
} from '../ports/index.ts';

/** The message with the bytes of its images. Blocks keep their `internal`, from which items are built. */
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

/** The message in its API form (MSG-1). Blocks that only a provider can read are left out. */
export function publicMessage(message: StoredMessage, versions?: VersionMark): Message {
  const ofKernel = isOfKernel(message);
  const sender = message.sender ?? (ofKernel ? KERNEL_NAME : undefined);
  return {
    id: message.id,
    chat_id: message.chat_id,
    role: message.role,
    turn_id: message.turn_id,
    content: message.content.filter(isShown).map(publicBlock),
    ...(sender !== undefined && { sender }),
    master: !ofKernel && isOfMaster(message),
    ...(ofKernel && { kernel: true as const }),
    created_at: message.created_at,
    status: message.status,
    ...(message.role === 'assistant' && writerOf(message)),
    ...(message.position === null && { waiting: true as const }),
    ...(versions && { versions }),
  };
}

/** Whether the kernel itself wrote the message for the model. A person's message never has only context. */
const isOfKernel = ({ role, sender = KERNEL_NAME, content }: NewMessage): boolean =>
  role === 'user' &&
  sender === KERNEL_NAME &&
  content.length > 0 &&
  content.every(block => block.type === 'context');

const isShown = (block: StoredBlock): boolean =>
  (block.type !== 'thinking' && block.type !== 'text') || block.text !== '';

function publicBlock({ internal: _, ...block }: StoredBlock): Block {
  return block;
}

const hasImage = (block: StoredBlock): boolean =>
  block.type === 'image' && block.internal?.image_id !== undefined;
