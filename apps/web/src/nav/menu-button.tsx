/** On narrow screens: shows the list of chats. */
import { Icon } from '../parts/icon.tsx';
import { navOpen } from './nav-open.ts';

export function MenuButton() {
  return (
    <button
      type="button"
      className="quiet square menu-button"
      aria-label="Menu"
      onClick={() => navOpen.set(true)}
    >
      <Icon name="menu" />
    </button>
  );
}
