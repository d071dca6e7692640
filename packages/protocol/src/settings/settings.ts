/**
 * Settings: one schema for the file, the environment and the flags. A `describe` is the line in docs/settings.md, and the
 * order here is the order there.
 */
import { z } from 'zod';
import { DatabaseSection } from './database.ts';
import { McpSection, ModulesSection } from './extensions.ts';
import { FilesSection } from './files.ts';
import { LlmSection } from './llm.ts';
import { path } from './path.ts';
import { NotifySection, PushSection } from './push.ts';
import { ServerSection } from './server.ts';
import { SkillsSection } from './skills.ts';
import { SpendSection } from './spend.ts';
import { TelemetrySection } from './telemetry.ts';
import { ToolsSection } from './tools.ts';
import { VoiceSection } from './voice.ts';

/** Timers cannot wait longer than 2^31 ms. */
const MAX_TIMER_SECS = 2_147_483;
const seconds = (fallback: number) => z.number().positive().max(MAX_TIMER_SECS).default(fallback);

export const Settings = z.strictObject({
  server: ServerSection,
  data_dir: path(z.string())
    .default('~/.local/share/chat-kernel')
    .describe('Where the kernel keeps everything.'),
  database: DatabaseSection,
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('Least level that is logged.'),
    })
    .prefault({}),
  telemetry: TelemetrySection,
  llm: LlmSection,
  voice: VoiceSection,
  files: FilesSection,
  modules: ModulesSection,
  mcp: McpSection,
  sleep: z
    .strictObject({
      schedule: z.string().nullable().default(null).describe('When the kernel sleeps, such as 23:00-07:00.'),
      timezone: z.string().nullable().default(null).describe('Time zone of the schedule.'),
    })
    .prefault({}),
  tools: ToolsSection,
  titles: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('Chats without a title get one from a model, after their first turn.'),
      model: z.string().nullable().default(null).describe('Null = the model of the turn.'),
    })
    .prefault({}),
  requests: z
    .strictObject({
      client_op_timeout_secs: seconds(600).describe('How long an operation waits for its client.'),
      hands_wait_secs: seconds(30).describe(
        'How long an operation waits for a machine that stands by and is not connected.',
      ),
      extra_tool_timeout_secs: seconds(300).describe('How long an extra tool waits for its client.'),
      question_timeout_secs: seconds(86_400).describe('How long a question waits.'),
    })
    .prefault({}),
  push: PushSection,
  notify: NotifySection,
  memory: z
    .strictObject({
      history_mb: z
        .int()
        .min(1)
        .max(65_536)
        .default(64)
        .describe(
          'Memory for the histories of chats and for the events of turns that have just ended, in MB.',
        ),
      max_chars: z
        .int()
        .positive()
        .max(100_000)
        .default(8000)
        .describe('Most characters of what is remembered across chats; each chat is told all of it.'),
      learn: z
        .boolean()
        .default(true)
        .describe('A model that folds a history says what of it is to be remembered.'),
    })
    .prefault({}),
  skills: SkillsSection,
  spend: SpendSection,
  compaction: z
    .strictObject({
      at: z.number().min(0.1).max(1).default(0.8).describe('Share of the window at which history is folded.'),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof Settings>;
