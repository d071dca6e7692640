/** What changes in a file, line by line. The comparison is loaded with the first change that is looked at. */

import type { FileChange } from '@chat-kernel/client';
import { type ReactNode, useEffect, useState } from 'react';
import { counted } from '../base/amounts.ts';
import { Exact } from '../parts/exact.tsx';
import type { DiffLine } from './compare.ts';

/** Lines that are shown before somebody asks for all. */
const FIRST_LINES = 200;
const SIGNS = { added: '+', removed: '−', same: ' ', place: '' } as const;

export function Diff({ change }: { change: FileChange }) {
  const lines = useCompared(change);
  const [isWhole, setWhole] = useState(false);
  if (lines === null) return <pre className="diff">…</pre>;
  const shown = isWhole ? lines : lines.slice(0, FIRST_LINES);
  const hidden = lines.length - shown.length;
  return (
    <div className="diff-box">
      <p className="diff-head">
        <Exact text={change.path} /> <span className="added">+{count(lines, 'added')}</span>{' '}
        <span className="removed">−{count(lines, 'removed')}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <pre className="diff" tabIndex={0}>
        {shown.map(lineOf)}
      </pre>
      {hidden > 0 ? (
        <button type="button" onClick={() => setWhole(true)}>
          Show {counted(hidden, 'more line')}
        </button>
      ) : null}
    </div>
  );
}

function useCompared({ before, after, whole }: FileChange): readonly DiffLine[] | null {
  const [lines, setLines] = useState<readonly DiffLine[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    void import('./compare.ts').then(
      ({ compare }) => isWanted && setLines(compare(before ?? '', after, whole)),
    );
    return () => {
      isWanted = false;
    };
  }, [before, after, whole]);
  return lines;
}

const lineOf = ({ kind, text }: DiffLine, index: number): ReactNode => (
  <span key={index} className={kind}>
    <span aria-hidden="true">{SIGNS[kind]} </span>
    <Exact text={text} />
    {'\n'}
  </span>
);

const count = (lines: readonly DiffLine[], wanted: DiffLine['kind']): number =>
  lines.filter(({ kind }) => kind === wanted).length;
