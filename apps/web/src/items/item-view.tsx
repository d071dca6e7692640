/** Renders each kind of item. A missing kind is a compile error. */
import type { ItemOf } from '@chat-kernel/client';
import { blocksOf, type MarkdownBlock } from '@chat-kernel/text/markdown';
import { memo, type ReactNode, useState } from 'react';
import { Block } from '../markdown/block.tsx';
import { FootnotesContext } from '../markdown/inline.tsx';
import type { Piece, Pieces, Surroundings } from '../rows/pieces.ts';
import type { Row } from '../rows/rows.ts';
import { OperationLine } from './operation.tsx';
import { Fold, ModelImage, Note, Tasks } from './small-items.tsx';
import { StatusMark } from './status-mark.tsx';
import { ToolCall } from './tool-call.tsx';
import { UserMessage } from './user-message.tsx';

const PREVIEW_CHARS = 300;

/** The thinking of the model, collapsed, with the latest text while it streams. */
const Thinking = memo(function Thinking({ item }: { item: ItemOf<'thinking'> }) {
  const { status, text } = item;
  const [isOpen, setOpen] = useState(false);
  const isRunning = status === 'running';
  return (
    <details className="call thinking" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <StatusMark status={status} />
        <strong>{isRunning ? 'Thinking…' : 'Thinking'}</strong>
        {isOpen ? null : (
          <span className="gist">{isRunning ? text.slice(-PREVIEW_CHARS) : text.slice(0, 160)}</span>
        )}
      </summary>
      {isOpen ? (
        <div className="prose dim">
          {blocksOf(text).map((block, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
            <Block key={index} block={block} open={isRunning} growing wholeCode={() => ''} />
          ))}
        </div>
      ) : null}
    </details>
  );
});

interface TextProps {
  piece: Piece;
  pieces: Pick<Pieces, 'wholeCode'>;
  surroundings: Surroundings;
}

/** A piece of a response. */
const Text = memo(function Text({ piece: { settled, open }, pieces, surroundings }: TextProps) {
  const isOpen = (index: number) => index >= settled.length;
  return (
    <FootnotesContext value={surroundings.footnotes}>
      <div className="prose">
        {[...settled, ...open].map((block: MarkdownBlock, index) => (
          <Block
            // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
            key={index}
            block={block}
            open={isOpen(index)}
            growing={isOpen(index) || surroundings.growing === block}
            wholeCode={pieces.wholeCode}
          />
        ))}
      </div>
    </FootnotesContext>
  );
});

interface ItemViewProps {
  row: Row;
  onTakeBack(messageId: string): void;
}

export const ItemView = memo(function ItemView({ row, onTakeBack }: ItemViewProps): ReactNode {
  const { item, piece, pieces, surroundings } = row;
  switch (item.kind) {
    case 'user_message':
      return <UserMessage item={item} onTakeBack={() => onTakeBack(item.message_id)} />;
    case 'agent_message':
      return piece && pieces && surroundings ? (
        <Text piece={piece} pieces={pieces} surroundings={surroundings} />
      ) : null;
    case 'thinking':
      return <Thinking item={item} />;
    case 'tool_call':
      return <ToolCall item={item} operations={row.operations} />;
    case 'client_op':
    case 'consent_request':
      return <OperationLine item={item} />;
    case 'image':
      return <ModelImage item={item} />;
    case 'compaction':
      return <Fold item={item} />;
    case 'machine_note':
      return <Note item={item} />;
    case 'plan':
      return <Tasks tasks={item.tasks} />;
    default:
      // A newer kernel may have other kinds.
      item satisfies never;
      return null;
  }
});
