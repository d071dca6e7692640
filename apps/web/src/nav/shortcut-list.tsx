/** The dialog `Keyboard shortcuts` (`?`): all keys, from the tables that bind them. */
import { DECISION_FACTS, DECISIONS, isLasting } from '@chat-kernel/client';
import { keyNames, SHORTCUTS } from '../base/shortcuts.ts';
import { Modal } from '../parts/modal.tsx';

interface Row {
  group: string;
  keys: string;
  about: string;
}

const DECISION_KEYS: readonly Row[] = DECISIONS.map(decision => ({
  group: 'Requests',
  keys: DECISION_FACTS[decision].key,
  about: `${DECISION_FACTS[decision].label}${isLasting(decision) ? ' (Enter confirms)' : ''}`,
}));

const isOfRequests = ({ group }: Row) => group === 'Requests';
const ROWS: readonly Row[] = Object.values(SHORTCUTS);
const GROUPS = [
  ...Map.groupBy(
    [...ROWS.filter(row => !isOfRequests(row)), ...DECISION_KEYS, ...ROWS.filter(isOfRequests)],
    ({ group }) => group,
  ),
];

export default function ShortcutList({ onClose }: { onClose(): void }) {
  return (
    <Modal title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="body shortcuts">
        {GROUPS.map(([group, rows]) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <dl>
              {rows.map(({ keys, about }) => (
                <div key={`${keys} ${about}`}>
                  <dt>
                    {keyNames(keys).map(name => (
                      <kbd key={name}>{name}</kbd>
                    ))}
                  </dt>
                  <dd>{about}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
