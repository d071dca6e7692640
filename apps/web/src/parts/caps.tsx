/** How near the caps of the settings are. */
import type { Schema } from '@chat-kernel/client';
import { dollars, plain } from '../base/amounts.ts';
import { Meter } from './plot.tsx';

export function Caps({ caps }: { caps: readonly Schema<'SpendCap'>[] }) {
  if (caps.length === 0) return null;
  return (
    <>
      <h3>Caps</h3>
      <ul className="caps">
        {caps.map(({ scope, unit, spent, cap, raised_by }) => {
          const shown = (amount: number) => (unit === 'usd' ? dollars(amount) : `${plain(amount)} tokens`);
          const most = cap + raised_by;
          return (
            <li key={`${scope} ${unit}`}>
              <span>
                This {scope}: {shown(spent)} of {shown(most)}
              </span>
              <Meter warns share={spent / most} label={`${Math.round((spent / most) * 100)} %`} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
