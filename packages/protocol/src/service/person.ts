/** Defines persons who talk through surfaces, identified by the ids that the surfaces have for them (API-6). */
import { z } from 'zod';
import { Id } from '../base/primitives.ts';

const ExternalId = z.object({ surface: z.string(), external_id: z.string() });

export const Person = z
  .object({
    id: Id,
    name: z.string().nullable(),
    master: z.boolean().describe('The master, speaking through a surface.'),
    trusted: z.boolean().describe('Can use the tools for trusted people.'),
    external_ids: z.array(ExternalId).describe('Sorted by surface and id.'),
  })
  .meta({ id: 'Person' });
export type Person = z.infer<typeof Person>;

export const PersonList = z
  .object({ persons: z.array(Person).describe('Oldest first.') })
  .meta({ id: 'PersonList' });
export type PersonList = z.infer<typeof PersonList>;

const PersonName = z
  .string()
  .min(1)
  .max(500)
  .describe('Any name except `kernel`, which is reserved for messages of the kernel.');

export const ResolvePerson = z
  .object({
    surface: z.string().min(1).max(100).describe('The surface of the id, such as mail or telegram.'),
    external_id: z.string().min(1).max(300).describe('The id of the person on the surface.'),
    name: PersonName.optional().describe('Stored if the person has no name yet.'),
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
  .object({ into: Id.describe('The person that remains.') })
  .meta({ id: 'MergePerson' });
export type MergePerson = z.infer<typeof MergePerson>;
