/** Repeats torture.system.test.ts at scale. */
import './torture.system.test.ts';
