/** Values that no answer, log or error may show. */
import type { z } from 'zod';

/** Marks a value as a secret. */
export const secret = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ secret: true });
