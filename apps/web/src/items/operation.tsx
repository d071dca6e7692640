/** Shows an operation on a machine: in the row of the tool call that caused it, or on its own line. */
import { factsOfDecision } from '@chat-kernel/client';
import { classes } from '../base/text.ts';
import { Exact } from '../parts/exact.tsx';
import type { Operation } from '../rows/operations.ts';
import { callSummary } from './call-summary.ts';
import { findItemLabels } from './item-labels.ts';
import { StatusMark } from './status-mark.tsx';

/** The operations of a call, each with its machine and the decision. Equal ones in a row are shown once. */
export function OperationTags({ operations }: { operations: readonly Operation[] }) {
  return operations.map((item, index) => {
    const { id, kind, status, action, params } = item;
    const before = operations[index - 1];
    return (
      <article
        key={id}
        className={classes('tag', before !== undefined && describe(before) === describe(item) && 'unseen')}
        aria-label={findItemLabels(item).name}
        data-kind={kind}
        data-status={status}
        data-item-id={id}
        title={callSummary(action, params)}
      >
        <Exact text={describe(item)} />
      </article>
    );
  });
}

export function OperationLine({ item }: { item: Operation }) {
  const { action, params, status, agent } = item;
  return (
    <p className="line">
      <StatusMark status={status} />
      {agent === undefined ? null : <span className="agent">{agent} ›</span>}
      <strong>{action}</strong>
      <span className="gist">
        <Exact text={callSummary(action, params)} />
      </span>
      <span className="tag">
        <Exact text={describe(item)} />
      </span>
    </p>
  );
}

/** Returns the machine, and the decision if there was one. */
function describe({ hands, decision }: Operation): string {
  const machine = hands === null ? 'server' : (hands ?? 'client machine');
  return decision === undefined ? machine : `${machine} · ${factsOfDecision(decision)?.past ?? decision}`;
}
