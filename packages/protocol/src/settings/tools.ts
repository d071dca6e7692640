/** Built-in tools, and the rules for all tools. */
import { z } from 'zod';

/** A name, or `*.` and a name: all hosts below it. No address, for names are what certificates prove. */
const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;

const ShellSection = z
  .strictObject({
    sandbox: z
      .enum(['auto', 'bwrap', 'none'])
      .default('auto')
      .describe(
        'bwrap: commands run in bubblewrap, where only the working directory and a /tmp of their own are writable, data_dir and settings hidden; write_file and edit_file write in the working directory alone. auto: bwrap where it works, else none.',
      ),
    network: z
      .union([z.enum(['on', 'off']), z.array(z.string().regex(HOST)).min(1)], {
        error: 'expected on, off, or a list of hosts such as [example.org, "*.example.net"]',
      })
      .default('on')
      .describe(
        'What commands in the sandbox reach, through a proxy: on = all public hosts; off = nothing; a list = these hosts, such as [registry.npmjs.org, "*.github.com"]. Never this machine or private networks. off and lists want a sandbox.',
      ),
    timeout_secs: z
      .number()
      .positive()
      .max(3600)
      .default(120)
      .describe('How long the commands of one call may take where the call does not say.'),
  })
  .prefault({});

const UndoSection = z
  .strictObject({
    max_file_mb: z
      .number()
      .positive()
      .default(10)
      .describe('Largest file of which it is kept what it was before write_file and edit_file, in MB.'),
    max_chat_mb: z
      .number()
      .positive()
      .default(100)
      .describe('Most that is kept for one chat; the oldest edits go first.'),
    max_total_mb: z
      .number()
      .min(0)
      .default(1000)
      .describe(
        'The same for all chats; those edited longest ago go first. 0 = nothing is kept, and no rewind undoes edits.',
      ),
  })
  .prefault({});

export const ToolsSection = z
  .strictObject({
    shell: ShellSection,
    undo: UndoSection,
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
