/**
 * Defines the API schemas of skills: instructions for kinds of work, which models read when they need them (SKILL-1).
 */
import { z } from 'zod';

export const Skill = z
  .object({
    name: z.string().describe('Letters, digits, - and _.'),
    description: z.string().describe('When to use it. This text is in every prompt.'),
    path: z.string().describe('Its folder.'),
    on: z
      .enum(['server', 'client'])
      .describe("Whether the folder is on the kernel's machine or on a client's."),
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof Skill>;

export const SkillList = z
  .object({
    skills: z.array(Skill).describe('By name.'),
    broken: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe('Folders that look like skills but are invalid.'),
  })
  .meta({ id: 'SkillList' });
export type SkillList = z.infer<typeof SkillList>;
