/** Repeats sizes.system.test.ts at scale. */
import './sizes.system.test.ts';
