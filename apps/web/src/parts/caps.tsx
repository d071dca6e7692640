/** Shows the spending limits and how much of them is used. */
import type { SpendCap } from '@chat-kernel/client';
import { dollars, plain } from '@chat-kernel/text';
import { Meter } from './plot.tsx';

export function Caps({ caps }: { caps: readonly SpendCap[] }) {
  if (caps.length === 0) return null;
  return (
    <>
      <h3>Spending limits</h3>
      <ul className="caps">
        {caps.map(({ scope, unit, spent, cap }) => {
          const shown = (amount: number) => (unit === 'usd' ? dollars(amount) : `${plain(amount)} tokens`);
          return (
            <li key={`${scope} ${unit}`}>
              <span>
                This {scope}: {shown(spent)} of {shown(cap)}
              </span>
              <Meter warns share={spent / cap} label={`${Math.round((spent / cap) * 100)} %`} />
            </li>
          );
        })}
      </ul>
    </>
  );
}
