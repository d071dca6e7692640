/** Repeats fleet.system.test.ts at scale. */
import './fleet.system.test.ts';
