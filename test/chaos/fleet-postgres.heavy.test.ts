/** Repeats fleet-postgres.system.test.ts at scale. */
import './fleet-postgres.system.test.ts';
