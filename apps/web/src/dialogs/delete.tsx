/** Deletes a chat with everything in it. */
import { useLocation } from 'wouter';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import type { OfChat } from './types.ts';

export function Delete({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const [, go] = useLocation();
  const remove = async () => {
    // The owner has just said so: a turn that runs ends with its chat.
    await client.deleteChat(chat.id, { force: true });
    chats.forget(chat.id);
    go('/');
  };
  return (
    <Confirm title="Delete this chat?" action="Delete" onConfirm={remove} onClose={onClose}>
      <p>
        <bdi>{chat.title ?? 'This chat'}</bdi> goes for good, with its files and pictures that no other chat
        uses
        {chat.turn ? ', and the turn that runs in it ends' : ''}.
      </p>
    </Confirm>
  );
}
