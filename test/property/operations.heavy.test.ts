/** Repeats operations.test.ts at scale. */
import './operations.test.ts';
