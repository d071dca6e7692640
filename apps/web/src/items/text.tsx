/** A piece of what the model says. */
import type { MarkdownBlock } from '@chat-kernel/markdown';
import { memo } from 'react';
import { Block } from '../markdown/block.tsx';
import type { Piece, Pieces } from '../rows/pieces.ts';

interface TextProps {
  piece: Piece;
  pieces: Pick<Pieces, 'wholeCode'>;
}

export const Text = memo(function Text({ piece: { settled, open }, pieces: { wholeCode } }: TextProps) {
  const isOpen = (index: number) => index >= settled.length;
  return (
    <div className="prose">
      {[...settled, ...open].map((block: MarkdownBlock, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever appended
        <Block key={index} block={block} open={isOpen(index)} wholeCode={wholeCode} />
      ))}
    </div>
  );
});
