/** Repeats import-size.system.test.ts at scale. */
import './import-size.system.test.ts';
