/** Skills: where they are looked for. */
import { z } from 'zod';

export const SkillsSection = z
  .strictObject({
    paths: z
      .array(z.string().min(1))
      .nullable()
      .default(null)
      .describe(
        'Folders of skills, the nearest last; a relative one is looked for in the working directory of each chat. Null = data_dir/skills, ~/.config/chat-kernel/skills and .agents/skills.',
      ),
    shipped: z
      .boolean()
      .default(false)
      .describe('The example skills that ship with the kernel are there, too.'),
  })
  .prefault({});
