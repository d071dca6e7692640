/** Repeats readers.test.ts at scale. */
import './readers.test.ts';
