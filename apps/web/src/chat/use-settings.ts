/** What the next turn of a chat runs with, changed below its conversation. A message that is sent waits for a change that is under way. */
import type { Chat } from '@chat-kernel/client';
import { useRef, useState } from 'react';
import { handsOf, type TurnChoices } from '../composer/choices.tsx';
import { useKernel } from '../kernel/context.ts';
import { setDirectory, setMachine } from './machine.ts';

interface Settings {
  change(what: Partial<TurnChoices>): void;
  place(directory: string): void;
  /** Whether a machine that stands by was picked just now: its directory can be said. */
  isPlacing: boolean;
  /** Resolves once what was changed before counts; rejects where the kernel does not take it. */
  settled(): Promise<unknown>;
}

/** @param chat null until it is known */
export function useSettings(chat: Chat | null): Settings {
  const { client, chats, notices } = useKernel();
  const [isPlacing, setPlacing] = useState(false);
  const last = useRef<Promise<unknown>>(SETTLED);
  const follow = (before: Chat, changed: Promise<Chat>) => {
    last.current = changed;
    changed.then(
      after => chats.take(after),
      error => {
        if (last.current === changed) last.current = SETTLED;
        chats.take(before);
        notices.fail(error);
      },
    );
  };
  return {
    change({ machine, ...settings }) {
      if (!chat) return;
      if (machine !== undefined) setPlacing(handsOf(machine) !== null);
      // It shows at once, and is taken back where the kernel does not take it.
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
