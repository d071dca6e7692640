/** Repeats requests.test.ts at scale. */
import './requests.test.ts';
