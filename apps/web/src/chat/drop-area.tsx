/** Accepts files that are dropped anywhere on the page of a chat. */
import { type DragEvent, type ReactNode, useState } from 'react';
import { classes } from '../base/text.ts';
import type { Attachments } from '../composer/attachments.ts';

export function DropArea({ attachments, children }: { attachments: Attachments; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const drag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  return (
    <section
      className={classes('chat', isOver && 'dropping')}
      aria-label="Chat"
      onDragOver={drag}
      onDragLeave={event => event.currentTarget === event.target && setOver(false)}
      onDrop={event => {
        setOver(false);
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        attachments.add(event.dataTransfer.files);
      }}
    >
      {children}
    </section>
  );
}
