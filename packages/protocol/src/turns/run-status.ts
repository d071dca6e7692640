/** Defines the status of a run of a schedule. */
import { z } from 'zod';

export const RunStatus = z
  .enum(['running', 'completed', 'failed', 'cancelled', 'missed'])
  .meta({ id: 'RunStatus', description: 'running: its turn has not ended and may still be queued.' });
export type RunStatus = z.infer<typeof RunStatus>;
