/** Defines the settings of a chat once; the chat of the API, its requests, imports and tables are derived from it. */
import { z } from 'zod';
import { list, NameText } from '../base/bounded.ts';
import { Effort } from '../base/effort.ts';
import { ChatTitle, ShelfName } from '../base/primitives.ts';

export const Consent = z
  .enum(['auto', 'ask', 'never'])
  .describe(
    'When the owner is asked before a call. ask: before tools change the machine of the kernel, read outside the working directory, or send something. auto: only before risky calls, such as sending something after the chat has read words of others. never: only where the settings or a secret place require it.',
  );
export type Consent = z.infer<typeof Consent>;
const CompactionProfile = z.enum(['auto', 'tight', 'roomy', 'off']);
/** The maximum number of groups of tools in a list: each module and each MCP server has one. */
const MAX_GROUPS = 10_000;
export const Toolset = z
  .object({
    loaded: list(NameText, MAX_GROUPS)
      .default([])
      .describe('On-demand groups that were loaded for the chat.'),
    disabled: list(NameText, MAX_GROUPS).default([]).describe('Groups that are disabled in the chat.'),
  })
  .meta({ id: 'Toolset' });
export type Toolset = z.infer<typeof Toolset>;

/** Each setting as clients may set it, with the default of new chats. A description goes before the default. */
export const chatSettings = z.object({
  title: ChatTitle.nullable().default(null),
  shelf: ShelfName.default('main'),
  project: z.string().min(1).max(500).nullable().default(null),
  model: NameText.min(1).nullable().default(null),
  effort: Effort.nullable().default(null),
  toolset: Toolset.default(() => ({ loaded: [], disabled: [] })),
  compaction: CompactionProfile.default('auto'),
  consent: Consent.default('auto'),
});
export type ChatSettings = z.infer<typeof chatSettings>;

type Shape = typeof chatSettings.shape;
type Value<Name extends keyof Shape> = ReturnType<Shape[Name]['unwrap']>;
export const CHAT_SETTINGS = Object.keys(chatSettings.shape) as readonly (keyof Shape)[];

/** Maps the schema of each setting, without its default. */
const each = (change: (value: Value<keyof Shape>) => z.ZodType): object =>
  Object.fromEntries(CHAT_SETTINGS.map(name => [name, change(chatSettings.shape[name].unwrap())]));

/** In requests every setting is optional. */
export const optionalSettings = each(value => value.optional()) as {
  [Name in keyof Shape]: z.ZodOptional<Value<Name>>;
};

/** Responses do not promise the limits of requests: stored values may be older than these limits. */
export const shownSettings = {
  ...(each(value => value) as { [Name in keyof Shape]: Value<Name> }),
  title: z.string().nullable(),
  shelf: z.string(),
  project: z.string().nullable(),
  model: z.string().nullable().describe('Null: the default model.'),
  effort: Effort.nullable().describe('Null: not set for this chat.'),
};

/** The settings of a new chat. @param given validated values */
export function newChatSettings(given: Partial<ChatSettings>): ChatSettings {
  const set = CHAT_SETTINGS.filter(name => given[name] !== undefined).map(name => [name, given[name]]);
  return { ...chatSettings.parse({}), ...Object.fromEntries(set) };
}
