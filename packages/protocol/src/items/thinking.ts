/** Defines a section of the model's reasoning. */
import { z } from 'zod';
import { itemSchema } from './common.ts';

export const ThinkingItem = itemSchema('thinking', { text: z.string() }).meta({ id: 'ThinkingItem' });
