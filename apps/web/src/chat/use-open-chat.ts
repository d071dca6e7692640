/** The chat of the address, open as long as it is on the screen, with the rows to draw. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { startTransition, useEffect, useMemo, useState } from 'react';
import type { Kernel } from '../kernel/kernel.ts';
import { OpenChat } from '../kernel/open-chat.ts';
import { type Row, Rows } from '../rows/rows.ts';

interface Shown {
  snapshot: ChatSnapshot;
  rows: readonly Row[];
}

export function useOpenChat(kernel: Kernel, id: string): Shown & { chat: OpenChat } {
  const chat = useMemo(() => new OpenChat(kernel, id), [kernel, id]);
  const [shown, setShown] = useState<Shown>(() => ({ snapshot: chat.view.getSnapshot(), rows: [] }));
  useEffect(() => {
    const cutter = new Rows();
    let last: Shown | null = null;
    const look = () => {
      const snapshot = chat.view.getSnapshot();
      // The same items make the same rows: only the turn, or the connection, has changed.
      const rows =
        last?.snapshot.items === snapshot.items
          ? last.rows
          : cutter.of(snapshot.items, snapshot.turn?.turn_id ?? null);
      const next = { snapshot, rows };
      last = next;
      // A key that is pressed meanwhile comes first: what the model says can wait for a moment, and who writes cannot.
      startTransition(() => setShown(next));
    };
    const stop = chat.view.subscribe(look);
    look();
    return () => {
      stop();
      chat.close();
    };
  }, [chat]);
  return { chat, ...shown };
}
