/** What an operation would do, to the character. */

import { changeOf, type FileChange } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { Diff } from '../items/diff.tsx';
import { useKernel } from '../kernel/context.ts';
import { Exact } from '../parts/exact.tsx';
import { textAt } from './text-at.ts';

interface OperationBodyProps {
  action: string;
  params: Readonly<Record<string, unknown>>;
  /** The kernel would do it on its own machine, whose files can be looked at. */
  isOwn: boolean;
}

export function OperationBody({ action, params, isOwn }: OperationBodyProps) {
  const change = changeOf(action, params);
  if (action === 'shell' && typeof params.command === 'string') {
    return (
      <pre className="command">
        <Exact text={params.command} />
      </pre>
    );
  }
  if (change) return <Write change={change} isOwn={isOwn} />;
  return (
    <dl className="fields">
      {Object.entries(params).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Exact text={typeof value === 'string' ? value : JSON.stringify(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The change beside what the file has now, where that can be read. */
function Write({ change, isOwn }: { change: FileChange; isOwn: boolean }) {
  const { client } = useKernel();
  const [before, setBefore] = useState<string | null>(null);
  useEffect(() => {
    if (isOwn) void textAt(client, change.path).then(setBefore);
  }, [client, change.path, isOwn]);
  return <Diff change={{ ...change, before }} />;
}
