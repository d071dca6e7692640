/** Permissions page: the saved approvals, and the history of decisions. */
import {
  type Approval,
  describeAction,
  describeApproval,
  describeConsent,
  describeLifetime,
  factsOfDecision,
  type PastDecision,
} from '@chat-kernel/client';
import { capitalize } from '@chat-kernel/text';
import { useState } from 'react';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton, Button } from '../parts/button.tsx';
import { Exact } from '../parts/exact.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';

export default function PermissionsPage() {
  return (
    <Page title="Permissions" about="What runs without asking, and what you have decided.">
      <ApprovalList />
      <DecisionList />
    </Page>
  );
}

/** Lists saved approvals with what each covers, and revokes them. */
function ApprovalList() {
  const { client } = useKernel();
  const { value, error, reload } = useLoaded(() => client.listApprovals());
  const approvals = value?.approvals ?? [];
  return (
    <Part title="Approvals" about="Actions that run without asking, each only in its chat.">
      {error ? <p className="error">{error}</p> : null}
      {value && approvals.length === 0 ? <p className="none">No saved approvals.</p> : null}
      <ul className="rows">
        {approvals.map(approval => (
          <li key={approval.id}>
            <div>
              <Covered approval={approval} />
              <small>
                {describeLifetime(approval.decision)} · <Link href={chatPath(approval.chat_id)}>chat</Link> ·
                since {wholeTime(approval.created_at)}
              </small>
            </div>
            <ActionButton label="Revoke" action={() => client.revokeApproval(approval.id).then(reload)} />
          </li>
        ))}
      </ul>
      {approvals.length > 1 ? (
        <ActionButton
          label="Revoke all"
          className="danger"
          action={() => client.revokeApprovals().then(reload)}
        />
      ) : null}
    </Part>
  );
}

function Covered({ approval }: { approval: Approval }) {
  const { covers, text } = describeApproval(approval);
  return (
    <>
      <Exact text={covers} />
      {text === undefined ? null : (
        <code className="subject">
          <Exact text={text} />
        </code>
      )}
    </>
  );
}

const PAGE = 50;

/** Lists past decisions about operations: who decided what, when, why, and in which client. */
function DecisionList() {
  const { client } = useKernel();
  const [limit, setLimit] = useState(PAGE);
  const { value, error } = useLoaded(() => client.listDecisions({ limit }), limit);
  const decisions = value?.decisions ?? [];
  return (
    <Part
      title="History"
      about="Your last decisions, newest first. Those of a deleted chat are deleted with it."
    >
      {error ? <p className="error">{error}</p> : null}
      {value && decisions.length === 0 ? <p className="none">No decisions yet.</p> : null}
      <ul className="rows">
        {decisions.map(decision => (
          <Row key={decision.id} decision={decision} />
        ))}
      </ul>
      {decisions.length >= limit ? <Button label="Load more" onClick={() => setLimit(limit + PAGE)} /> : null}
    </Part>
  );
}

function Row({ decision }: { decision: PastDecision }) {
  const { action, subject, call, prefix, error, client, chat_id, agent, workdir, hands } = decision;
  const machine = hands === null ? 'the server' : (hands ?? "the client's machine");
  const why = describeConsent(decision);
  return (
    <li>
      <div>
        <strong className={decision.decision === 'deny' ? 'denied' : ''}>
          {capitalize(factsOfDecision(decision.decision)?.past ?? decision.decision)}
        </strong>
        {' · '}
        {agent === undefined ? null : (
          <>
            <Exact text={agent} />:{' '}
          </>
        )}
        {describeAction(action, call?.length)}
        {(call ?? [subject]).map(text => (
          <code key={text} className="subject">
            <Exact text={text} />
          </code>
        ))}
        {prefix === undefined ? null : (
          <small>
            Commands starting with: <Exact text={prefix} />
          </small>
        )}
        {error === undefined ? null : (
          <small>
            You said: <Exact text={error} />
          </small>
        )}
        {why.map(line => (
          <small key={line}>
            <Exact text={line} />
          </small>
        ))}
        <small>
          {wholeTime(decision.decided_at)} · decided in <Exact text={client ?? 'a client without a name'} /> ·
          on <Exact text={machine} />
          {workdir === undefined ? null : (
            <>
              {' '}
              in <Exact text={workdir} />
            </>
          )}
          {chat_id === null ? null : (
            <>
              {' '}
              · <Link href={chatPath(chat_id)}>chat</Link>
            </>
          )}
        </small>
      </div>
    </li>
  );
}
