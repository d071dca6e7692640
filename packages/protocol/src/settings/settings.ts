/** Settings: one schema for file, environment and flags. A `describe` is the line of the docs. */
import { z } from 'zod';
import { Effort } from '../base/effort.ts';
import { Price } from '../service/model.ts';

/** Marks a value that no answer, log or error may show. */
const secret = <T extends z.ZodType>(schema: T) => schema.meta({ secret: true });

const Provider = z.strictObject({
  kind: z
    .enum(['openai', 'openai-compatible', 'anthropic', 'google', 'ai-sdk', 'demo'])
    .describe('Which wire the provider speaks.'),
  base_url: z.url().optional().describe('Default: the provider’s own address.'),
  api_key: secret(z.string()).optional().describe('The key itself; better: api_key_env.'),
  api_key_env: z.string().optional().describe('Name of the environment variable that holds the key.'),
  package: z.string().optional().describe('For kind ai-sdk: the npm name of an AI SDK provider package.'),
  headers: z.record(z.string(), secret(z.string())).optional().describe('Headers added to each request.'),
  timeout_secs: z
    .number()
    .positive()
    .default(300)
    .describe('Longest silence of the provider before the request fails.'),
});

const ModelEntry = z.strictObject({
  id: z
    .string()
    .regex(/^[^/]+\/.+$/, 'expected provider/name')
    .describe('provider/name.'),
  name: z.string().optional(),
  context_window: z.int().positive().optional(),
  max_output_tokens: z.int().positive().optional(),
  effort: Effort.optional().describe('The level of this model; stronger than llm.reasoning.'),
  efforts: z.array(Effort).nonempty().optional().describe('The levels the model takes.'),
  inputs: z.array(z.enum(['text', 'image'])).optional(),
  price: Price.optional(),
});

/** What may be spent; null: no cap. */
const cap = (of: string) =>
  z
    .strictObject({
      usd: z.number().positive().nullable().default(null).describe(`Most US dollars ${of}; null = no cap.`),
      tokens: z
        .int()
        .positive()
        .nullable()
        .default(null)
        .describe(`Most tokens ${of}, of prompts and answers together; null = no cap.`),
    })
    .prefault({});

/** No timer waits longer than 2^31 ms. */
const seconds = (fallback: number) => z.number().positive().max(2_147_483).default(fallback);

export const Settings = z.strictObject({
  server: z
    .strictObject({
      host: z.string().default('127.0.0.1').describe('Address to listen on.'),
      port: z.int().min(0).max(65535).default(8787).describe('Port to listen on; 0 = a free one.'),
      public_url: z.url().nullable().default(null).describe('Address under which people reach the kernel.'),
      allowed_hosts: z.array(z.string()).default([]).describe('Host names answered besides loopback ones.'),
      cors_origins: z.array(z.string()).default([]).describe('Origins whose pages may use the API.'),
      behind_proxy: z
        .boolean()
        .default(false)
        .describe('A guarding proxy stands in front: allows other hosts than loopback.'),
      shutdown_grace_secs: z
        .number()
        .min(0)
        .default(10)
        .describe('How long running turns may go on at SIGTERM.'),
    })
    .prefault({}),
  data_dir: z.string().default('~/.local/share/chat-kernel').describe('Where the kernel keeps everything.'),
  database: z
    .strictObject({
      url: secret(z.string().regex(/^postgres(ql)?:\/\//, 'expected postgres://...'))
        .nullable()
        .default(null)
        .describe('Null = SQLite in data_dir; postgres://... = Postgres.'),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: z
        .enum(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info')
        .describe('Least level that is logged.'),
    })
    .prefault({}),
  llm: z
    .strictObject({
      reasoning: Effort.default('low').describe('Reasoning level where nothing else says one.'),
      default_model: z.string().nullable().default(null).describe('Null = the first usable model.'),
      max_steps: z.int().positive().default(100).describe('Most trips to the provider in one turn.'),
      system_prompt: z
        .string()
        .nullable()
        .default(null)
        .describe('Replaces the built-in opening of the prompt.'),
      providers: z
        .record(z.string().regex(/^[a-zA-Z0-9_-]+$/), Provider)
        .default({})
        .describe('Providers by name.'),
      models: z.array(ModelEntry).default([]).describe('Models, or facts that override the catalogue.'),
    })
    .prefault({}),
  files: z
    .strictObject({
      max_bytes: z.int().positive().default(104_857_600).describe('Largest upload.'),
    })
    .prefault({}),
  modules: z
    .strictObject({
      socket_dir: z.string().nullable().default(null).describe('Null = modules in data_dir.'),
      servers: z
        .record(
          z.string(),
          z.strictObject({
            socket: z.string().optional(),
            command: z.string().optional(),
            args: z.array(z.string()).optional(),
            env: z.record(z.string(), secret(z.string())).optional(),
          }),
        )
        .default({})
        .describe('Modules that are approved by being named here.'),
    })
    .prefault({}),
  mcp: z
    .strictObject({
      servers: z
        .record(
          z.string(),
          z.strictObject({
            command: z.string().optional(),
            args: z.array(z.string()).optional(),
            env: z.record(z.string(), secret(z.string())).optional(),
            url: z.url().optional(),
            headers: z.record(z.string(), secret(z.string())).optional(),
          }),
        )
        .default({})
        .describe('Third-party tool servers.'),
    })
    .prefault({}),
  sleep: z
    .strictObject({
      schedule: z.string().nullable().default(null).describe('When the kernel sleeps, such as 23:00-07:00.'),
      timezone: z.string().nullable().default(null).describe('Time zone of the schedule.'),
    })
    .prefault({}),
  tools: z
    .strictObject({
      shell: z
        .strictObject({
          sandbox: z
            .enum(['none', 'bwrap'])
            .default('none')
            .describe(
              'bwrap: commands run in bubblewrap; only the working directory and a /tmp of their own are writable, data_dir and this file hidden.',
            ),
          timeout_secs: z
            .number()
            .positive()
            .max(3600)
            .default(120)
            .describe('How long the commands of one call may take where the call does not say.'),
        })
        .prefault({}),
      policy: z
        .record(z.string(), z.enum(['allow', 'trusted', 'off']))
        .default({})
        .describe(
          'Tools by name. allow: in every turn, also of guests; trusted: only where the master or a trusted person speaks; off: never.',
        ),
      on_demand: z
        .array(z.string())
        .default([])
        .describe('Groups of tools that stand in the prompt as one line each until the model loads them.'),
    })
    .prefault({}),
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
      extra_tool_timeout_secs: seconds(300).describe('How long an extra tool waits for its client.'),
      question_timeout_secs: seconds(86_400).describe('How long a question waits.'),
    })
    .prefault({}),
  spend: z
    .strictObject({
      per_turn: cap('in one turn, its sub-agents included'),
      per_chat: cap('in one chat'),
      per_day: cap('in a day, one-off calls and titles included'),
      per_month: cap('in a calendar month'),
      timezone: z
        .string()
        .nullable()
        .default(null)
        .describe('Where days and months begin, such as Europe/Berlin; null = the time zone of the machine.'),
    })
    .prefault({}),
  compaction: z
    .strictObject({
      at: z.number().min(0.1).max(1).default(0.8).describe('Share of the window at which history is folded.'),
    })
    .prefault({}),
});
export type Settings = z.infer<typeof Settings>;
export type ProviderSettings = Settings['llm']['providers'][string];
export type ModelSettings = Settings['llm']['models'][number];
