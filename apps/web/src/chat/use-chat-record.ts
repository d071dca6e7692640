/** The record of a chat: out of the list where that has it, else read. */
import type { Chat } from '@chat-kernel/client';
import { useEffect } from 'react';
import { useStore } from '../base/store.ts';
import type { Kernel } from '../kernel/kernel.ts';

export function useChatRecord(kernel: Kernel, id: string): Chat | null {
  const { chats } = useStore(kernel.chats.list);
  const known = chats.find(chat => chat.id === id) ?? null;
  const isKnown = known !== null;
  useEffect(() => {
    // A chat that is gone is told by its view.
    if (!isKnown) kernel.chats.readAgain(id).catch(() => {});
  }, [kernel, id, isKnown]);
  return known;
}
