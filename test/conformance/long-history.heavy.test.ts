/** Repeats long-history.test.ts at scale. */
import './long-history.test.ts';
