/** Repeats upload.system.test.ts at scale. */
import './upload.system.test.ts';
