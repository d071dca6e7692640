/** Defines the effective settings as the API shows them, without secrets (API-7). */
import { z } from 'zod';
import { Settings } from './settings.ts';

const Section = z.record(z.string(), z.unknown());
/** The settings that are not sections. */
const OTHERS: Record<string, z.ZodType<unknown>> = { data_dir: z.string(), notify: z.array(Section) };

/** `***` in place of a secret need not match the schema of the settings, so the response only promises sections. */
export const Config = z
  .object(
    Object.fromEntries(Object.keys(Settings.shape).map(section => [section, OTHERS[section] ?? Section])),
  )
  .meta({ id: 'Config' });
type Section = z.infer<typeof Section>;
export type Config = {
  [Name in keyof Settings]: Settings[Name] extends string
    ? string
    : Settings[Name] extends readonly unknown[]
      ? Section[]
      : Section;
};
