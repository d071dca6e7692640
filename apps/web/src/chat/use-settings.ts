/** Changes the settings for the next turn of a chat. Sending a message waits until pending changes are stored. */
import type { Chat } from '@chat-kernel/client';
import { useRef, useState } from 'react';
import { parseHandsName, type TurnChoices } from '../composer/choices.tsx';
import { useKernel } from '../kernel/context.ts';
import { setDirectory, setMachine } from './machine.ts';

interface Settings {
  change(what: Partial<TurnChoices>): void;
  place(directory: string): void;
  /** True after a connected machine was selected: the page then asks for its directory. */
  isPlacing: boolean;
  /** Resolves when earlier changes are stored. Rejects if the kernel rejects them. */
  settled(): Promise<unknown>;
}

/** @param chat null until it is loaded */
export function useSettings(chat: Chat | null): Settings {
  const { client, chats, notices } = useKernel();
  const [isPlacing, setPlacing] = useState(false);
  const last = useRef<Promise<unknown>>(SETTLED);
  const follow = (before: Chat, changed: Promise<Chat>) => {
    last.current = changed;
    const answer = changed.catch(error => {
      if (last.current === changed) last.current = SETTLED;
      notices.fail(error);
      return before;
    });
    void chats.takeAnswer(answer);
  };
  return {
    change({ machine, ...settings }) {
      if (!chat) return;
      if (machine !== undefined) setPlacing(parseHandsName(machine) !== null);
      // Optimistic: reverted if the kernel rejects the change.
      chats.take({ ...chat, ...settings });
      follow(
        chat,
        machine === undefined ? client.patchChat(chat.id, settings) : setMachine(client, chat, machine),
      );
    },
    place(directory) {
      if (!chat) return;
      setPlacing(false);
      follow(chat, setDirectory(client, chat, directory));
    },
    isPlacing,
    settled: () => last.current,
  };
}

const SETTLED = Promise.resolve();
