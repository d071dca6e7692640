/** Defines the settings of skill directories. */
import { z } from 'zod';

export const SkillsSection = z
  .strictObject({
    paths: z
      .array(z.string().min(1))
      .nullable()
      .default(null)
      .describe(
        'Skill directories; later ones override earlier ones. Relative paths are relative to the working directory of each chat. Null = data_dir/skills, ~/.config/chat-kernel/skills and .agents/skills.',
      ),
    shipped: z.boolean().default(false).describe('Enable the bundled example skills.'),
  })
  .prefault({});
