/** Settings of a kernel whose one provider is the scripted upstream. */

import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { secretOf } from './secrets.ts';

export type Kind = 'openai' | 'openai-compatible' | 'anthropic' | 'google';
export const KINDS: readonly Kind[] = ['openai', 'openai-compatible', 'anthropic', 'google'];

/** The name of the model that a kernel of this kind runs on; its id is `scripted/<name>`. */
export const MODEL_OF: Record<Kind, string> = {
  openai: 'gpt-5',
  'openai-compatible': 'plain',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro',
};

/** Sections of the settings file that a test asks for; their keys replace those of `settingsFor`. */
export type Wanted = { [Section in keyof z.input<typeof Settings>]?: z.input<typeof Settings>[Section] };

/** The tree of a settings file. One dollar per million tokens in, ten out, a tenth for what was cached. */
export function settingsFor(upstreamUrl: string, kind: Kind, wanted: Wanted = {}): z.input<typeof Settings> {
  const base = {
    server: { port: 0 },
    log: { level: 'warn' },
    // Tests count what the model is asked.
    titles: { enabled: false },
    // What tools do is the same on machines with bubblewrap and without.
    tools: { shell: { sandbox: 'none' } },
    llm: {
      default_model: `scripted/${MODEL_OF[kind]}`,
      providers: {
        scripted: {
          kind,
          base_url: `${upstreamUrl}/${kind === 'google' ? 'v1beta' : 'v1'}`,
          api_key: secretOf('api_key'),
        },
      },
      models: [
        {
          id: `scripted/${MODEL_OF[kind]}`,
          context_window: 100_000,
          efforts: ['off', 'low', 'mid', 'high'],
          price: { input: 1, output: 10, cached_input: 0.1 },
        },
      ],
    },
  } satisfies z.input<typeof Settings>;
  return {
    ...base,
    ...wanted,
    server: { ...base.server, ...wanted.server },
    llm: { ...base.llm, ...wanted.llm },
    titles: { ...base.titles, ...wanted.titles },
    tools: { ...wanted.tools, shell: { ...base.tools.shell, ...wanted.tools?.shell } },
  };
}

/** As the program reads them. */
export const parsedSettings = (tree: z.input<typeof Settings>): Settings => Settings.parse(tree);
