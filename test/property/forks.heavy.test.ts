/** Repeats forks.test.ts at scale. */
import './forks.test.ts';
