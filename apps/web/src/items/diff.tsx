/** Shows the changes of a file line by line. The diff code is loaded with the first diff. */
import type { FileChange } from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import type { DiffLine } from '@chat-kernel/text/compare';
import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';

/** Lines that are shown before "Show more". */
const FIRST_LINES = 200;
const SIGNS = { added: '+', removed: '−', same: ' ', place: '' } as const;

/** @param isNew whether the file is known to be new */
export function Diff({ change, isNew = false }: { change: FileChange; isNew?: boolean }) {
  const lines = useCompared(change);
  const [isWhole, setWhole] = useState(false);
  if (lines === null) return <pre className="diff">…</pre>;
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  const hidden = lines.length - shown.length;
  return (
    <div className="diff-box">
      <p className="diff-head">
        <Exact text={change.path} />{' '}
        {isNew ? (
          <>
            <span className="tag">New file</span>{' '}
          </>
        ) : null}
        <span className="added">+{count(lines, 'added')}</span>{' '}
        <span className="removed">−{count(lines, 'removed')}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard */}
      <pre className="diff" tabIndex={0}>
        {shown.map(renderLine)}
      </pre>
      {hidden > 0 ? (
        <Button label={`Show ${counted(hidden, 'more line')}`} onClick={() => setWhole(true)} />
      ) : null}
    </div>
  );
}

function useCompared({ before, after, whole }: FileChange): readonly DiffLine[] | null {
  const [lines, setLines] = useState<readonly DiffLine[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    void import('@chat-kernel/text/compare').then(
      ({ compare }) => isWanted && setLines(compare(before ?? '', after, whole)),
    );
    return () => {
      isWanted = false;
    };
  }, [before, after, whole]);
  return lines;
}

const renderLine = ({ kind, text }: DiffLine, index: number): ReactNode => (
  <span key={index} className={kind}>
    <span aria-hidden="true">{SIGNS[kind]} </span>
    <Exact text={text} />
    {'\n'}
  </span>
);

const count = (lines: readonly DiffLine[], wanted: DiffLine['kind']): number =>
  lines.filter(({ kind }) => kind === wanted).length;
