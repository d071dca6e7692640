/** Defines the settings of built-in tools, and the rules for all tools. */
import { z } from 'zod';
import { Effect } from '../service/tool.ts';
import { path } from './secret.ts';

/** A host name, or `*.` and a name for all subdomains. No IP addresses, because certificates are for names. */
const HOST = /^(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i;

const ShellSection = z
  .strictObject({
    sandbox: z
      .enum(['auto', 'bwrap', 'none'])
      .default('auto')
      .describe(
        'bwrap: run commands in bubblewrap. They write only in the working directory and their own /tmp, and cannot see data_dir and settings; write_file and edit_file write only in the working directory. auto: bwrap if it works, otherwise none.',
      ),
    network: z
      .union([z.enum(['on', 'off']), z.array(z.string().regex(HOST)).min(1)], {
        error: 'expected on, off, or a list of hosts such as [example.org, "*.example.net"]',
      })
      .default('on')
      .describe(
        'Hosts that commands in the sandbox can reach, through a proxy. on = all public hosts; off = none; a list = these hosts, such as [registry.npmjs.org, "*.github.com"]. Never this machine or private networks. off and lists require a sandbox.',
      ),
    cache_dirs: z
      .array(z.string().regex(/^(?:~?\/|~$)/, 'expected an absolute path, or ~/…'))
      .default([])
      .describe(
        'Directories of package caches, such as ~/.npm, that commands in the sandbox can write. Each working directory gets a copy of its own, which is made before its first command and kept in data_dir/caches. When the kernel starts, it deletes copies that were not used for 30 days, and the oldest ones above 10 GB.',
      ),
  })
  .prefault({});

export const ToolsSection = z
  .strictObject({
    shell: ShellSection,
    undo: z
      .boolean()
      .default(true)
      .describe(
        'Store files before tools change them, so that a rewind can restore them: files up to 10 MB, in data_dir/undo, at most 100 MB for one chat and 1 GB for all. Requires git.',
      ),
    policy: z
      .record(z.string(), z.enum(['all', 'allow', 'trusted', 'master', 'ask', 'off']))
      .default({})
      .describe(
        'Who may use a tool or group, by name; tools override groups. all (or allow): everyone, including strangers and guests; trusted: the master and trusted people; master: the master; ask: the master, who is asked before each call; off: no one.',
      ),
    effects: z
      .record(z.string(), z.array(Effect))
      .default({})
      .describe(
        'The possible effects of a call, by the name of its tool; they replace those that the tool declares. An empty list: calls have no effects and ask only if tools.policy says so.',
      ),
    secret_paths: z
      .array(z.string().min(1))
      .default([])
      .describe(
        'Paths (absolute, or ~/…) and names of files anywhere (* = any characters) that hold keys or passwords, besides the built-in ones such as ~/.ssh and .env. Tools do not read them, and commands in the sandbox do not see them. !… removes one; the last match counts.',
      ),
    trusted_projects: z
      .array(path(z.string().min(1)))
      .default([])
      .describe(
        'Directories, with all below them, whose AGENTS.md and skills count as your own words. Those of other projects may come from their authors: calls that send or remember something ask first.',
      ),
    on_demand: z
      .array(z.string())
      .default([])
      .describe(
        'Groups of tools that the model loads when it needs them. Until then, each is one line in the prompt.',
      ),
  })
  .prefault({});
