/** A code block. A worker highlights it when its fence is closed, so that rendering never waits for a grammar. */
import { lazy, memo, type ReactNode, Suspense, useEffect, useState } from 'react';
import { readStored, writeStored } from '../base/storage.ts';
import { Store, useStore } from '../base/store.ts';
import { classes } from '../base/text.ts';
import { IconButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Icon } from '../parts/icon.tsx';
import { highlight, type Piece } from './highlighter.ts';
import { previewKind } from './preview-kind.ts';

const Preview = lazy(() => import('./preview.tsx'));

/** Whether long lines wrap. One choice for all code, because long code consists of several blocks. */
const wraps = new Store(readStored('wrap-code') !== null);

interface CodeProps {
  text: string;
  /** The info string of the fence. */
  lang: string;
  /** True if it continues the previous block. */
  glued?: boolean;
  /** True if it may still grow. */
  open?: boolean;
  /** True if it, or a later block of the same code, may still grow. */
  growing?: boolean;
  /** The block or token of the code, which is the same while the page is open. */
  identity: object;
  /** Returns the full code of all pieces. */
  whole(): string;
}

/** Code whose preview is open, also while it is not in the document because it was scrolled away. */
const previewed = new WeakSet<object>();

export const Code = memo(function Code(props: CodeProps) {
  const { text, lang, glued = false, open = false, growing = false, identity, whole } = props;
  const language = lang.trim().split(/\s+/)[0] ?? '';
  const pieces = useColours(text, language, open);
  const isWrapped = useStore(wraps);
  const [isPreviewed, setPreviewed] = useState(() => previewed.has(identity));
  const togglePreview = () => {
    if (isPreviewed) previewed.delete(identity);
    else previewed.add(identity);
    setPreviewed(!isPreviewed);
  };
  const kind = glued || growing ? null : previewKind(language, text);
  const source = kind !== null && isPreviewed ? whole() : null;
  return (
    <figure className={classes('code', glued && 'glued', isWrapped && 'wrapped')}>
      {glued ? null : (
        <figcaption>
          <span className="language">{language}</span>
          {kind === null ? null : (
            <button type="button" className="quiet" aria-pressed={isPreviewed} onClick={togglePreview}>
              <Icon name="eye" />
              Preview
            </button>
          )}
          <WrapButton isWrapped={isWrapped} />
          <CopyButton text={whole} label="Copy code" />
        </figcaption>
      )}
      {kind !== null && source !== null ? (
        <Suspense>
          <Preview kind={kind} source={source} />
        </Suspense>
      ) : null}
      {/* Later blocks of the same code stay visible, so that their beginning does, too. */}
      {source === text ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        <pre tabIndex={0}>
          <code>{pieces === null ? text : pieces.map(renderPiece)}</code>
        </pre>
      )}
    </figure>
  );
});

function WrapButton({ isWrapped }: { isWrapped: boolean }) {
  const toggle = () => {
    writeStored('wrap-code', isWrapped ? null : 'yes');
    wraps.set(!isWrapped);
  };
  return <IconButton label="Wrap lines" icon="wrap" aria-pressed={isWrapped} onClick={toggle} />;
}

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

const renderPiece = ([text, name]: Piece, index: number): ReactNode =>
  name === '' ? (
    text
  ) : (
    <span key={index} className={`hl-${name}`}>
      {text}
    </span>
  );
