/** Defines the settings of interfaces for other programs, such as the one for clients of OpenAI's API. */
import { z } from 'zod';

const consent = (programs: string) =>
  z
    .enum(['ask', 'auto', 'never'])
    .default('ask')
    .describe(
      `Consent of chats that ${programs} create: ask = the owner approves actions in another client.`,
    );

export const InterfacesSection = z
  .strictObject({
    openai: z.strictObject({ consent: consent('clients of the OpenAI interface') }).prefault({}),
    mcp: z.strictObject({ consent: consent('agents over /mcp') }).prefault({}),
  })
  .prefault({});
