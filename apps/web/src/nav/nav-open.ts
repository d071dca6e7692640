/** True while the navigation covers the page on a narrow screen. */
import { Store } from '../base/store.ts';

export const navOpen = new Store(false);
