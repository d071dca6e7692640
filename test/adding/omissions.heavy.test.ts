/** Repeats omissions.system.test.ts at scale. */
import './omissions.system.test.ts';
