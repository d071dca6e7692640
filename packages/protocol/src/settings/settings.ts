/**
 * Defines the settings: one schema for the file, the environment and the flags. A `describe` is the line in
 * docs/settings.md, and the order here is the order there.
 */
import { z } from 'zod';
import { McpSection, ModulesSection } from './extensions.ts';
import { FilesSection } from './files.ts';
import { LlmSection } from './llm.ts';
import { NotifySection, PushSection } from './push.ts';
import { path, secret } from './secret.ts';
import { ServerSection } from './server.ts';
import { ToolsSection } from './tools.ts';
import { VoiceSection } from './voice.ts';

/** Limits the spending `within` a turn, a chat or a period. */
const cap = (within: string) =>
  z
    .strictObject({
      usd: z
        .number()
        .positive()
        .nullable()
        .default(null)
        .describe(`Limit in US dollars ${within}. Null = no limit.`),
      tokens: z
        .int()
        .positive()
        .nullable()
        .default(null)
        .describe(`Limit in tokens ${within}, prompts and answers together. Null = no limit.`),
    })
    .prefault({});

const SpendSection = z
  .strictObject({
    per_turn: cap('for one turn, including sub-agents'),
    per_chat: cap('for one chat'),
    per_day: cap('per day, including titles and requests outside of turns'),
    per_month: cap('per calendar month'),
  })
  .prefault({});

const SkillsSection = z
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

const DatabaseSection = z
  .strictObject({
    url: secret(z.string().regex(/^postgres(ql)?:\/\//, 'expected postgres://...'))
      .nullable()
      .default(null)
      .describe('Postgres URL (postgres://...). Null = SQLite in data_dir.'),
  })
  .prefault({});

const TelemetrySection = z
  .strictObject({
    otlp_url: z
      .url({ protocol: /^https?$/ })
      .nullable()
      .default(null)
      .describe(
        'URL of an OpenTelemetry collector for traces over HTTP, such as http://127.0.0.1:4318; the kernel appends /v1/traces. Null = no traces.',
      ),
    headers: z.record(z.string(), secret(z.string())).default({}).describe('HTTP headers for the collector.'),
  })
  .prefault({});

const consent = (programs: string) =>
  z
    .enum(['ask', 'auto', 'never'])
    .default('ask')
    .describe(
      `Consent of chats that ${programs} create: ask = the owner approves actions in another client.`,
    );

const InterfacesSection = z
  .strictObject({
    openai: z.strictObject({ consent: consent('clients of the OpenAI interface') }).prefault({}),
    mcp: z.strictObject({ consent: consent('agents over /mcp') }).prefault({}),
  })
  .prefault({});

/** Timers cannot wait longer than 2^31 ms. */
const MAX_TIMER_SECS = 2_147_483;
const seconds = (fallback: number) => z.number().positive().max(MAX_TIMER_SECS).default(fallback);

export const Settings = z.strictObject({
  server: ServerSection,
  data_dir: path(z.string())
    .default('~/.local/share/chat-kernel')
    .describe('Directory for all data of the kernel.'),
  database: DatabaseSection,
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('Minimum level of log messages.'),
    })
    .prefault({}),
  telemetry: TelemetrySection,
  llm: LlmSection,
  voice: VoiceSection,
  files: FilesSection,
  modules: ModulesSection,
  mcp: McpSection,
  interfaces: InterfacesSection,
  sleep: z
    .strictObject({
      schedule: z.string().nullable().default(null).describe('Daily sleep time, such as 23:00-07:00.'),
      timezone: z
        .string()
        .nullable()
        .default(null)
        .describe(
          'Time zone, such as Europe/Berlin, of the schedule, and of days and months of spending. Null = the time zone of the machine.',
        ),
    })
    .prefault({}),
  tools: ToolsSection,
  titles: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Generate titles for untitled chats after their first turn.'),
      model: z.string().nullable().default(null).describe('Model for titles. Null = the model of the turn.'),
    })
    .prefault({}),
  requests: z
    .strictObject({
      client_op_timeout_secs: seconds(600).describe(
        'Time limit of an operation, including the approval. Also the upper limit of a model’s timeout for commands.',
      ),
      consent_timeout_secs: z
        .number()
        .positive()
        .max(MAX_TIMER_SECS)
        .nullable()
        .default(null)
        .describe(
          'How long a request for consent waits for a decision. Null = client_op_timeout_secs, and question_timeout_secs in turns of schedules and of modules such as mail.',
        ),
      unattended_timeout_secs: seconds(30).describe(
        'How long a request for consent waits if no connected client can show it and no notification is sent. After two of them, a turn refuses further ones at once.',
      ),
      hands_wait_secs: seconds(30).describe('How long an operation waits for a disconnected machine.'),
      extra_tool_timeout_secs: seconds(300).describe('How long a client may take to run an extra tool.'),
      question_timeout_secs: seconds(86_400).describe('How long a question waits for an answer.'),
    })
    .prefault({}),
  push: PushSection,
  notify: NotifySection,
  memory: z
    .strictObject({
      max_chars: z
        .int()
        .positive()
        .max(100_000)
        .default(8000)
        .describe('Maximum size of the memory that all chats share, in characters.'),
      learn: z.boolean().default(true).describe('Add memories when a chat is compacted.'),
    })
    .prefault({}),
  skills: SkillsSection,
  spend: SpendSection,
  compaction: z
    .strictObject({
      at: z
        .number()
        .min(0.1)
        .max(1)
        .default(0.8)
        .describe('Used share of the context window at which a chat is compacted.'),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof Settings>;

const Section = z.record(z.string(), z.unknown());
/** The settings that are not sections. */
const OTHERS: Record<string, z.ZodType<unknown>> = { data_dir: z.string(), notify: z.array(Section) };

/**
 * The effective settings as the API shows them (API-7). `***` in place of a secret need not match the schema of the
 * settings, so the response only promises sections.
 */
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
