/** Repeats adding.system.test.ts at scale. */
import './adding.system.test.ts';
