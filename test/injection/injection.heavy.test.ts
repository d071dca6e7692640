/** Repeats injection.system.test.ts at scale. */
import './injection.system.test.ts';
