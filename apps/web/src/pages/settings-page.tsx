/** Settings page: notifications, sleep, this device, tools and configuration. */

import { toKernelUrl } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { Output } from '../items/output.tsx';
import { access, forgetToken } from '../kernel/access.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page, Part } from './page.tsx';
import { PushPart } from './push-part.tsx';
import { SleepPart } from './sleep-part.tsx';
import { ToolTable } from './tool-table.tsx';

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
