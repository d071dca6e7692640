/** Where a chat works, asked for as soon as it is given a machine that stands by: without it no edits below it can be allowed. */
import type { Chat } from '@chat-kernel/client';
import { useState } from 'react';
import { Directory } from './directory.tsx';
import { machineOf } from './machine.ts';

interface ChatDirectoryProps {
  chat: Chat;
  onSet(directory: string): void;
}

export function ChatDirectory({ chat, onSet }: ChatDirectoryProps) {
  const before = chat.workdir ?? '';
  const [directory, setDirectory] = useState(before);
  return (
    <Directory
      machine={machineOf(chat)}
      value={directory}
      onChange={setDirectory}
      onDone={() => {
        if (directory.trim() !== before) onSet(directory);
      }}
    />
  );
}
