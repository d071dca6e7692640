/** Settings page: notifications, sleep, this device, tools and configuration. */
import { useState } from 'react';
import { Link } from 'wouter';
import { chatPath, toKernelUrl } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { wholeTime } from '../base/times.ts';
import { Output } from '../items/output.tsx';
import { access, forgetToken } from '../kernel/access.ts';
import { useKernel } from '../kernel/context.ts';
import { ActionButton, Button } from '../parts/button.tsx';
import { TextField } from '../parts/field.tsx';
import { InlineForm } from '../parts/inline-form.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';
import { PushPart } from './push-part.tsx';

export default function SettingsPage() {
  return (
    <Page title="Settings" about="Notifications, sleep and configuration.">
      <PushPart />
      <SleepPart />
      <Device />
      <ToolTable />
      <Configuration />
    </Page>
  );
}

function Device() {
  const { token } = useStore(access);
  return (
    <Part
      title="This device"
      about="This browser stores drafts and, if you choose, the access token. It stores no messages."
    >
      {token === null ? (
        <p>No access token required.</p>
      ) : (
        <Button label="Remove token" onClick={forgetToken} />
      )}
    </Part>
  );
}

/** The effective settings of the kernel, with secrets hidden. */
function Configuration() {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getConfig());
  return (
    <Part
      title="Current configuration"
      about="Edit the settings file and restart to apply changes. Secrets are hidden."
    >
      {error ? <p className="error">{error}</p> : null}
      {value
        ? Object.entries(value).map(([name, section]) => (
            <details key={name} className="call">
              <summary>
                <strong>{name}</strong>
                <span className="gist">
                  {typeof section === 'string' ? section : Object.keys(section as object).join(', ')}
                </span>
              </summary>
              <div className="inside">
                <Output text={JSON.stringify(section, null, 2)} />
              </div>
            </details>
          ))
        : null}
      <p className="hint">
        For developers: <a href={toKernelUrl('/apidocs')}>API reference</a> and{' '}
        <a href={toKernelUrl('/apidocs/errors')}>error codes</a>
      </p>
    </Part>
  );
}

/** Shows the sleep state of the kernel and its queued turns, and starts or ends sleep. */
function SleepPart() {
  const { client, sleep } = useKernel();
  const changed = useStore(sleep);
  const { value } = useLoaded(() => client.getSleep(), changed);
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const fallAsleep = () =>
    client.sleep({ ...(until && { until: new Date(until).toISOString() }), ...(reason && { reason }) });
  const waiting = value?.waiting ?? [];
  return (
    <Part title="Sleep" about="While asleep, running turns finish and new turns are queued.">
      {value?.asleep ? (
        <p>
          Asleep{value.since ? ` since ${wholeTime(value.since)}` : ''}
          {value.until ? ` until ${wholeTime(value.until)}` : ' until you wake it'}
          {value.reason ? `: ${value.reason}` : '.'}
        </p>
      ) : (
        <InlineForm action="Sleep" onSubmit={fallAsleep}>
          <TextField label="Until" type="datetime-local" value={until} onChange={setUntil} />
          <TextField label="Reason" value={reason} placeholder="Optional" onChange={setReason} />
        </InlineForm>
      )}
      {waiting.length > 0 ? (
        <ul className="rows">
          {waiting.map(({ chat_id, turn_id }) => (
            <li key={turn_id}>
              <Link href={chatPath(chat_id)}>Open queued turn</Link>
            </li>
          ))}
        </ul>
      ) : null}
      {value?.asleep || waiting.length > 0 ? (
        <ActionButton label="Wake" action={() => client.wake()} />
      ) : null}
    </Part>
  );
}

/** Lists all tools by group. */
function ToolTable() {
  const list = useStore(useKernel().tools);
  if (!list) return null;
  return (
    <Part
      title="Tools"
      about="The settings file controls who can use each tool. To turn a group off for a chat, open its chat settings."
    >
      {list.groups.map(({ name, about, on_demand }) => (
        <details key={name} className="call">
          <summary>
            <strong>{name}</strong>
            <span className="gist">{about}</span>
            {on_demand ? <span className="tag">on demand</span> : null}
          </summary>
          <ul className="rows inside">
            {list.tools
              .filter(({ group }) => group === name)
              .map(tool => (
                <li key={tool.name}>
                  <div>
                    <strong>{tool.name}</strong>{' '}
                    {tool.available ? null : <span className="tag">unavailable</span>}{' '}
                    {tool.master_only ? (
                      <span className="tag">owner only</span>
                    ) : tool.trusted_only ? (
                      <span className="tag">trusted people</span>
                    ) : null}
                    <small>{tool.description}</small>
                  </div>
                </li>
              ))}
          </ul>
        </details>
      ))}
    </Part>
  );
}
