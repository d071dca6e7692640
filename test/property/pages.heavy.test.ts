/** Repeats pages.test.ts at scale. */
import './pages.test.ts';
