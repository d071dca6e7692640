/** Repeats fleet-upgrade.system.test.ts at scale. */
import './fleet-upgrade.system.test.ts';
