/** Values that are paths of the kernel's machine: `~` and relative ones are made absolute when settings are loaded. */
import type { z } from 'zod';

/** Marks a value as a path. */
export const path = <Schema extends z.ZodType>(schema: Schema) => schema.meta({ path: true });
