/** Repeats kill.system.test.ts at scale. */
import './kill.system.test.ts';
