/** Repeats fuzz.system.test.ts at scale. */
import './fuzz.system.test.ts';
