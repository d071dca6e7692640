/** The chat of the address, open as long as it is on the screen, with the rows to draw. */
import type { ChatSnapshot } from '@chat-kernel/client';
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { Kernel } from '../kernel/kernel.ts';
import { OpenChat } from '../kernel/open-chat.ts';
import { type Row, Rows } from '../rows/rows.ts';

interface Opened {
  chat: OpenChat;
  snapshot: ChatSnapshot;
  rows: readonly Row[];
}

export function useOpenChat(kernel: Kernel, id: string): Opened {
  const [chat, cutter] = useMemo(() => [new OpenChat(kernel, id), new Rows()] as const, [kernel, id]);
  useEffect(() => () => chat.close(), [chat]);
  const snapshot = useSyncExternalStore(chat.view.subscribe, chat.view.getSnapshot);
  const made = useRef<{ snapshot: ChatSnapshot; rows: readonly Row[] } | null>(null);
  const rows = useMemo(() => {
    const last = made.current;
    // The same items make the same rows: only the turn, or the connection, has changed.
    const fresh =
      last?.snapshot.items === snapshot.items
        ? last.rows
        : cutter.of(snapshot.items, snapshot.turn?.turn_id ?? null);
    made.current = { snapshot, rows: fresh };
    return fresh;
  }, [snapshot, cutter]);
  return { chat, snapshot, rows };
}
