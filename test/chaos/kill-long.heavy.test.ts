/** Repeats kill-long.system.test.ts at scale. */
import './kill-long.system.test.ts';
