/** Shows exactly what an operation would do. */

import { type Operation, toFileChange } from '@chat-kernel/client';
import { Exact } from '../parts/exact.tsx';
import { FileChangeBody } from './file-change-body.tsx';

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
