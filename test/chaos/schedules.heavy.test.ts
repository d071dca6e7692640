/** Repeats schedules.system.test.ts at scale. */
import './schedules.system.test.ts';
