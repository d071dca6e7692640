/** The settings that count, as the kernel says them: secrets are hidden. */

import { addressOf } from '../base/place.ts';
import { Output } from '../items/output.tsx';
import { useKernel } from '../kernel/context.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Part } from './page.tsx';

export function Configuration() {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getConfig());
  return (
    <Part
      title="Settings that count"
      about="They stand in the settings file of the kernel, and change with a restart. Secrets are not shown."
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
        For programs: <a href={addressOf('/apidocs')}>the API reference</a>, and{' '}
        <a href={addressOf('/apidocs/errors')}>its error codes</a>.
      </p>
    </Part>
  );
}
