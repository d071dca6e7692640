/** Repeats long.test.ts at scale. */
import './long.test.ts';
