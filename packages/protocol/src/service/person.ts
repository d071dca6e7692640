/** Persons who talk through surfaces. Each is known by the ids that the surfaces have for them (API-6). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

const ExternalId = z.object({ surface: z.string(), external_id: z.string() });

export const Person = z
  .object({
    id: Id,
    name: z.string().nullable(),
    master: z.boolean().describe('The master, speaking through a surface.'),
    trusted: z.boolean().describe('May use the tools that are for trusted people only.'),
    external_ids: z.array(ExternalId).describe('By surface and id.'),
  })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof Person>;

export const PersonList = z
  .object({ persons: z.array(Person).describe('The oldest first.') })
  .meta({ id: 'PersonList' });
export type PersonList = z.infer<typeof PersonList>;

const PersonName = z.string().min(1).max(500);

export const ResolvePerson = z
  .object({
    surface: z.string().min(1).max(100).describe('Where the id is from, such as mail or telegram.'),
    external_id: z.string().min(1).max(300).describe('What the surface calls the person.'),
    name: PersonName.optional().describe('Kept where the person has no name yet.'),
  })
  .meta({ id: 'ResolvePerson' });
export type ResolvePerson = z.infer<typeof ResolvePerson>;

export const PatchPerson = z
  .object({
    name: PersonName.nullable().optional(),
    trusted: z.boolean().optional(),
    master: z.boolean().optional(),
  })
  .meta({ id: 'PatchPerson' });
export type PatchPerson = z.infer<typeof PatchPerson>;

export const MergePerson = z
  .object({ into: Id.describe('The person that stays.') })
  .meta({ id: 'MergePerson' });
export type MergePerson = z.infer<typeof MergePerson>;
