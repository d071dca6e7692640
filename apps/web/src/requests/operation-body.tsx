/** Shows exactly what an operation would do. */
import {
  type CurrentFile,
  type FileChange,
  type KernelClient,
  type Operation,
  readCurrentFile,
  textAfterWrite,
  toFileChange,
} from '@chat-kernel/client';
import { useEffect, useRef, useState } from 'react';
import { Diff } from '../items/diff.tsx';
import { Fields } from '../items/tool-call.tsx';
import { useKernel } from '../kernel/context.ts';
import { Exact } from '../parts/exact.tsx';

export function OperationBody({ operation }: { operation: Operation }) {
  const { action, params } = operation;
  const change = toFileChange(action, params);
  if (action === 'shell' && typeof params.command === 'string') {
    return (
      <pre className="command">
        <Exact text={params.command} />
      </pre>
    );
  }
  if (change) return <FileChangeBody change={change} operation={operation} />;
  return <Fields values={params} />;
}

/** All commands or paths of a call, which the decision covers. */
export function CallBody({ call }: { call: readonly string[] }) {
  return (
    <ol className="call-list">
      {call.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and texts may repeat
        <li key={index}>
          <pre className="command">
            <Exact text={text} />
          </pre>
        </li>
      ))}
    </ol>
  );
}

/**
 * Shows what an edit would change: a diff against the current file, on the machine that would write it (WEB-16). A
 * change of a part of a file says all that is needed; one of a whole file is compared with the current one.
 */
function FileChangeBody({ change, operation }: { change: FileChange; operation: Operation }) {
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

interface LoadedChange {
  current: CurrentFile;
  after: string;
  /** Whether only the beginning of the new content is known. */
  isCut: boolean;
}

/** The end of a long content in events; the list of requests has all of it. */
const CUT = '\n[truncated: the client has the full text]';

/** Loads what the dialog of an edit shows: the whole new content of the file, and its current content. */
async function loadChange(
  client: KernelClient,
  operation: Operation,
  after: string,
  signal: AbortSignal,
): Promise<LoadedChange> {
  const [current, whole] = await Promise.all([
    readCurrentFile(client, operation, signal),
    after.endsWith(CUT) ? findContent(client, operation, signal) : after,
  ]);
  if (whole === undefined || whole.endsWith(CUT)) return { current, after: whole ?? after, isCut: true };
  const text = current.state === 'text' ? textAfterWrite(operation, whole, current.text) : whole;
  return { current, after: text, isCut: false };
}

async function findContent(
  client: KernelClient,
  { chat_id, op_id }: Operation,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { requests } = await client.listRequests({ chat_id }, { signal });
    const event = requests.find(({ id }) => id === op_id)?.event;
    return event?.type === 'consent_request' && typeof event.content === 'string' ? event.content : undefined;
  } catch {
    return undefined;
  }
}
