/** Confirms and deletes a chat. */
import { useLocation } from 'wouter';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import type { OfChat } from './types.ts';

export function Delete({ chat, onClose }: OfChat) {
  const { client, chats } = useKernel();
  const [, go] = useLocation();
  const remove = async () => {
    // The user has confirmed that a running turn ends with its chat.
    await client.deleteChat(chat.id, { force: true });
    chats.forget(chat.id);
    go('/');
  };
  return (
    <Confirm title="Delete this chat?" action="Delete" onConfirm={remove} onClose={onClose}>
      <p>
        This permanently deletes <bdi>{chat.title ?? 'this chat'}</bdi> and files that no other chat uses.
        {chat.turn ? ' The running response stops.' : ''}
      </p>
    </Confirm>
  );
}
