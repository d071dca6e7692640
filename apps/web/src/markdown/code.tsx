/** A fence of code. It is coloured once it is closed and in view, by a worker, so that nothing waits for a grammar. */
import { memo, type ReactNode, useEffect, useState } from 'react';
import { classes } from '../base/words.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { highlight, type Piece } from './highlighter.ts';

interface CodeProps {
  text: string;
  /** The words behind the fence. */
  lang: string;
  /** It goes on from the block before. */
  glued?: boolean;
  /** It may still grow. */
  open?: boolean;
  /** The text of all pieces of this code. */
  whole(): string;
}

export const Code = memo(function Code({ text, lang, glued = false, open = false, whole }: CodeProps) {
  const language = lang.trim().split(/\s+/)[0] ?? '';
  const pieces = useColours(text, language, open);
  return (
    <figure className={classes('code', glued && 'glued')}>
      {glued ? null : (
        <figcaption>
          <span>{language}</span>
          <CopyButton text={whole} label="Copy code" />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{pieces === null ? text : pieces.map(elementOf)}</code>
      </pre>
    </figure>
  );
});

function useColours(text: string, language: string, open: boolean): readonly Piece[] | null {
  const [coloured, setColoured] = useState<{ text: string; pieces: readonly Piece[] } | null>(null);
  useEffect(() => {
    if (open || language === '') return;
    let isWanted = true;
    void highlight(text, language).then(pieces => isWanted && pieces && setColoured({ text, pieces }));
    return () => {
      isWanted = false;
    };
  }, [text, language, open]);
  return coloured?.text === text ? coloured.pieces : null;
}

const elementOf = ([text, name]: Piece, index: number): ReactNode =>
  name === '' ? (
    text
  ) : (
    <span key={index} className={`hl-${name}`}>
      {text}
    </span>
  );
