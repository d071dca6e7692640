/** Marks paths on the server. Loading the settings makes `~` and relative paths absolute. */
import type { z } from 'zod';

/** Marks a value as a path. */
export const path = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ path: true });
