/** Repeats none-lost.system.test.ts at scale. */
import './none-lost.system.test.ts';
