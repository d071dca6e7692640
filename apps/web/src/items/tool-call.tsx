/** A tool call: one line with a summary, which opens to show the input and the output. */
import { type ItemOf, toFileChange } from '@chat-kernel/client';
import { memo, useState } from 'react';
import { Exact } from '../parts/exact.tsx';
import type { Operation } from '../rows/operations.ts';
import { callSummary } from './call-summary.ts';
import { Diff } from './diff.tsx';
import { OperationTags } from './operation.tsx';
import { Output } from './output.tsx';
import { StatusMark } from './status-mark.tsx';

type Call = ItemOf<'tool_call'>;

interface ToolCallProps {
  item: Call;
  /** The operations that the call ran on a machine. */
  operations?: readonly Operation[] | undefined;
}

export const ToolCall = memo(function ToolCall({ item, operations = [] }: ToolCallProps) {
  const { name, input, status, is_error, agent, progress, output } = item;
  const [isOpen, setOpen] = useState(false);
  const summary = callSummary(name, input);
  const shown = is_error && status === 'completed' ? 'failed' : status;
  return (
    <details className="call" open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <StatusMark status={shown} />
        {agent === undefined ? null : <span className="agent">{agent} ›</span>}
        <strong>{name}</strong>
        <span className="gist">
          <Exact text={summary} />
        </span>
        <OperationTags operations={operations} />
        {status === 'aborted' ? <span className="tag">stopped</span> : null}
      </summary>
      {isOpen ? <Inside item={item} /> : null}
      {!isOpen && status === 'running' && progress ? <Output text={progress} tail /> : null}
      {!isOpen && is_error && output ? <Output text={output} isError lines={3} /> : null}
    </details>
  );
});

function Inside({ item: { name, input, output, progress, is_error } }: { item: Call }) {
  const change = toFileChange(name, input);
  const commands = name === 'shell' && Array.isArray(input.commands) ? input.commands : null;
  return (
    <div className="inside">
      {change ? (
        <Diff change={change} />
      ) : commands ? (
        <Commands commands={commands} />
      ) : (
        <Fields values={input} />
      )}
      {output !== undefined ? (
        <Output text={output} isError={is_error} />
      ) : progress ? (
        <Output text={progress} tail />
      ) : null}
    </div>
  );
}

function Commands({ commands }: { commands: readonly unknown[] }) {
  return (
    <pre className="command">
      <Exact text={commands.map(each => `$ ${String(each)}`).join('\n')} />
    </pre>
  );
}

/** Values with their names. */
export function Fields({ values }: { values: Readonly<Record<string, unknown>> }) {
  const fields = Object.entries(values);
  if (fields.length === 0) return null;
  return (
    <dl className="fields">
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <Exact text={typeof value === 'string' ? value : formatJson(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Returns JSON on one line if it is short, else indented. */
function formatJson(value: unknown): string {
  const line = JSON.stringify(value);
  return line.length <= 80 ? line : JSON.stringify(value, null, 2);
}
