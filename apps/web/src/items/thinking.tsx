/** What the model thought before it spoke: folded away, and while it goes on its last words. */
import type { ItemOf } from '@chat-kernel/client';
import { blocksOf } from '@chat-kernel/markdown';
import { memo, useState } from 'react';
import { Block } from '../markdown/block.tsx';
import { StatusMark } from './status-mark.tsx';

const LAST_CHARS = 300;

export const Thinking = memo(function Thinking({ item }: { item: ItemOf<'thinking'> }) {
  const { status, text } = item;
  const [isOpen, setOpen] = useState(false);
  const isRunning = status === 'running';
  return (
    <details className="call thinking" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <StatusMark status={status} />
        <strong>{isRunning ? 'Thinking' : 'Thought'}</strong>
        {isOpen ? null : (
          <span className="gist">{isRunning ? text.slice(-LAST_CHARS) : text.slice(0, 160)}</span>
        )}
      </summary>
      {isOpen ? (
        <div className="prose dim">
          {blocksOf(text).map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
            <Block key={index} block={block} open={isRunning} wholeCode={() => ''} />
          ))}
        </div>
      ) : null}
    </details>
  );
});
