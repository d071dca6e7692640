/** Skills: instructions for kinds of work, that models read when they need them (SKILL-1). */
import { z } from 'zod';

export const Skill = z
  .object({
    name: z.string().describe('Letters, digits, - and _.'),
    description: z.string().describe('When it is to be used: what models are told of it in every prompt.'),
    path: z.string().describe('Its folder.'),
    on: z.enum(['server', 'client']).describe("Whether that lies on the kernel's machine or on a client's."),
  })
  .meta({ id: 'Skill' });
export type Skill = z.infer<typeof Skill>;

export const SkillList = z
  .object({
    skills: z.array(Skill).describe('By name.'),
    broken: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe('What looks like a skill and is none.'),
  })
  .meta({ id: 'SkillList' });
export type SkillList = z.infer<typeof SkillList>;
