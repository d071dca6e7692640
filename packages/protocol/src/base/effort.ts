/** Defines how hard a model thinks. */
import { z } from 'zod';

/** The weakest first: the order is used to find the nearest level that a model supports. */
export const EFFORTS = ['off', 'low', 'mid', 'high'] as const;
export const Effort = z.enum(EFFORTS).meta({ id: 'Effort', description: 'Reasoning level.' });
export type Effort = z.infer<typeof Effort>;

/** The possible sources of a level, the strongest first (EFF-1). */
export const EffortSource = z.enum(['turn', 'ultrathink', 'chat', 'surface', 'model', 'global']);
export type EffortSource = z.infer<typeof EffortSource>;

export const TurnEffort = z
  .object({
    value: Effort.describe('The effective level: the nearest one that the model supports.'),
    source: EffortSource,
    raised: z.boolean().describe('Whether think_harder raised it in the turn.'),
  })
  .meta({ id: 'TurnEffort' });
export type TurnEffort = z.infer<typeof TurnEffort>;
