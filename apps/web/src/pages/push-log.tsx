/** What was sent lately, to devices and to the programs of the settings. */
import { wholeTime } from '../base/times.ts';
import { useKernel } from '../kernel/context.ts';
import { useLoaded } from '../parts/use-loaded.ts';

export function PushLog() {
  const { client } = useKernel();
  const { value } = useLoaded(() => client.readPushLog());
  if (!value || value.sent.length === 0) return null;
  return (
    <details className="call">
      <summary>
        <strong>Sent lately</strong>
      </summary>
      <ul className="rows inside">
        {value.sent.map(({ at, type, name, outcome, detail }) => (
          <li key={`${at} ${name} ${type}`}>
            <div>
              {type.replaceAll('_', ' ')} to <bdi>{name}</bdi>{' '}
              <span className={outcome === 'sent' ? 'tag up' : 'tag failed'}>{outcome}</span>
              <small>
                {wholeTime(at)} {detail}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
