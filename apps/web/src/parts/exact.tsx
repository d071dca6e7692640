/** Shows untrusted text exactly: invisible characters appear as marked codes. */
import { shownExactly } from '@chat-kernel/text';

/** A code that `shownExactly` inserted, or the symbol of a control character. */
const NAMED = /(<U\+[0-9A-F]{4,6}>|[\u2400-\u2421])/;

export function Exact({ text }: { text: string }) {
  const pieces = text.split('\n').map(shownExactly).join('\n').split(NAMED);
  if (pieces.length === 1) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {pieces.map((piece, index) =>
        index % 2 === 1 ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text have no other names
          <mark key={index} className="hidden-character" title="Invisible character">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )}
    </bdi>
  );
}
