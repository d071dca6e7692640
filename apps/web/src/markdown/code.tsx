/** A code block. A worker highlights it when its fence is closed, so that rendering never waits for a grammar. */
import { BoundedMap } from '@chat-kernel/base';
import { lazy, memo, type ReactNode, Suspense, useEffect, useState } from 'react';
import { readStored, writeStored } from '../base/storage.ts';
import { Store, useStore } from '../base/store.ts';
import { classes } from '../base/text.ts';
import { programAddress } from '../base/trusted.ts';
import { CopyButton, IconButton } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import workerAddress from './highlight-worker.ts?worker&url';
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

/** A text and its highlight class. The class is empty for plain text. */
type Piece = readonly [text: string, name: string];

interface Answer {
  id: number;
  pieces: readonly Piece[] | null;
}

/** Longer code is not highlighted, because grammars are slow on it. */
const MAX_CHARS = 50_000;
/** Size of the cache. */
const MAX_CACHED = 500;

const known = new BoundedMap<string, Promise<readonly Piece[] | null>>(MAX_CACHED);
const waiting = new Map<number, (pieces: readonly Piece[] | null) => void>();
let worker: Worker | undefined;
let lastId = 0;

/** Highlights code in a worker that is started on first use. Resolves with null if the language is unknown. */
function highlight(text: string, language: string): Promise<readonly Piece[] | null> {
  if (text.length > MAX_CHARS) return Promise.resolve(null);
  const key = `${language}\n${text}`;
  const before = known.get(key);
  if (before) return before;
  const answer = ask(text, language);
  known.set(key, answer);
  return answer;
}

function ask(text: string, language: string): Promise<readonly Piece[] | null> {
  worker ??= start();
  const id = ++lastId;
  const { promise, resolve } = Promise.withResolvers<readonly Piece[] | null>();
  waiting.set(id, resolve);
  worker.postMessage({ id, text, language });
  return promise;
}

function start(): Worker {
  const started = new Worker(programAddress.createScriptURL(workerAddress), { type: 'module' });
  started.onmessage = ({ data: { id, pieces } }: MessageEvent<Answer>) => {
    waiting.get(id)?.(pieces);
    waiting.delete(id);
  };
  return started;
}
