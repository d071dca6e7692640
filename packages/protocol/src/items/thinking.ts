/** A stretch of the model's reasoning. */
import { z } from 'zod';
import { itemOf } from './common.ts';

export const ThinkingItem = itemOf('thinking', { text: z.string() }).meta({ id: 'ThinkingItem' });
