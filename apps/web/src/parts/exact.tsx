/** Foreign text for a decision: what nobody sees is named, and set apart from the text itself. */
import { shownExactly } from '@chat-kernel/markdown';

/** A character that `shownExactly` has named, or the picture of a control. */
const NAMED = /(<U\+[0-9A-F]{4,6}>|[\u2400-\u2421])/;

export function Exact({ text }: { text: string }) {
  const pieces = text.split('\n').map(shownExactly).join('\n').split(NAMED);
  if (pieces.length === 1) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other names
          <mark key={index} className="hidden-character" title="A character that is not visible">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </bdi>
  );
}
