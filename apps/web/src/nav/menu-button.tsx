/** Opens the navigation on narrow screens. It has the number of requests that wait for the user. */
import { counted } from '@chat-kernel/text';
import { Store } from '../base/store.ts';
import { useOwnerRequests } from '../kernel/owner-requests.ts';
import { Icon } from '../parts/icon.tsx';

export function MenuButton() {
  const { length: waiting } = useOwnerRequests();
  return (
    <button
      type="button"
      className="quiet square menu-button"
      aria-label="Menu"
      aria-description={waiting > 0 ? counted(waiting, 'waiting request') : undefined}
      onClick={() => navOpen.set(true)}
    >
      <Icon name="menu" />
      {/* Drawn by the style: as text, it would have to be in the name of the button. */}
      {waiting > 0 ? <span className="count" data-count={waiting} /> : null}
    </button>
  );
}

/** True while the navigation covers the page on a narrow screen. */
export const navOpen = new Store(false);
