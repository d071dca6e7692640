/** Built-in tools, and the rules for all tools. */
import { z } from 'zod';

const ShellSection = z
  .strictObject({
    sandbox: z
      .enum(['none', 'bwrap'])
      .default('none')
      .describe(
        'bwrap: commands run in bubblewrap, where only the working directory and a /tmp of their own are writable, data_dir and settings hidden; write_file and edit_file write in the working directory alone.',
      ),
    network: z
      .enum(['off', 'on'])
      .default('off')
      .describe(
        'What commands in the sandbox reach: off = nothing; on = all that this machine does, this kernel included. Without a sandbox it is always on.',
      ),
    timeout_secs: z
      .number()
      .positive()
      .max(3600)
      .default(120)
      .describe('How long the commands of one call may take where the call does not say.'),
  })
  .prefault({});

export const ToolsSection = z
  .strictObject({
    shell: ShellSection,
    policy: z
      .record(z.string(), z.enum(['all', 'allow', 'trusted', 'master', 'off']))
      .default({})
      .describe(
        'Tools and groups by name; of both the word for the tool counts. all (or allow): in every turn, also of strangers and guests; trusted: where the master or a trusted person speaks; master: where the master speaks; off: never.',
      ),
    on_demand: z
      .array(z.string())
      .default([])
      .describe('Groups of tools that stand in the prompt as one line each until the model loads them.'),
  })
  .prefault({});
