/** Whether the navigation is shown on a narrow screen, where it lies above the page. */
import { Store } from '../base/store.ts';

export const navOpen = new Store(false);
