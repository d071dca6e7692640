/** Shows what an edit would change: a diff against the current file, on the machine that would write it (WEB-16). */

import type { FileChange, Operation } from '@chat-kernel/client';
import { useEffect, useRef, useState } from 'react';
import { Diff } from '../items/diff.tsx';
import { useKernel } from '../kernel/context.ts';
import { Exact } from '../parts/exact.tsx';
import { type LoadedChange, loadChange } from './load-change.ts';

interface FileChangeBodyProps {
  /** A change of a part of a file says all that is needed; one of a whole file is compared with the current one. */
  change: FileChange;
  operation: Operation;
}

export function FileChangeBody({ change, operation }: FileChangeBodyProps) {
  const loaded = useLoadedChange(change, operation);
  if (!change.whole) return <Diff change={change} />;
  if (loaded === null) {
    return (
      <div className="diff-box">
        <p className="diff-head">
          <Exact text={change.path} />
        </p>
        <p className="hint">Reading the current file…</p>
      </div>
    );
  }
  const { current, after, isCut } = loaded;
  const before = current.state === 'text' && !isCut ? current.text : null;
  return (
    <>
      {isCut ? (
        <p className="hint">Only the beginning of the new content can be shown.</p>
      ) : current.state === 'unknown' ? (
        <p className="hint">
          The current file can't be shown. <Exact text={current.reason} /> All of it would be replaced.
        </p>
      ) : null}
      {before === after ? (
        <p className="hint">
          <Exact text={change.path} /> already has this content.
        </p>
      ) : (
        <Diff change={{ ...change, before, after }} isNew={current.state === 'new'} />
      )}
    </>
  );
}

/** Null while it loads. The request of a dialog never changes, so it is loaded once. */
function useLoadedChange(change: FileChange, operation: Operation): LoadedChange | null {
  const { client } = useKernel();
  const first = useRef({ change, operation });
  const [loaded, setLoaded] = useState<LoadedChange | null>(null);
  useEffect(() => {
    const { change, operation } = first.current;
    if (!change.whole) return;
    const closing = new AbortController();
    void loadChange(client, operation, change.after, closing.signal).then(found => {
      if (!closing.signal.aborted) setLoaded(found);
    });
    return () => closing.abort();
  }, [client]);
  return loaded;
}
