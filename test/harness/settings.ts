/** Builds the settings of a kernel whose only provider is the scripted upstream. */
import { Settings } from '@chat-kernel/protocol';
import type { z } from 'zod';
import { secretOf } from './secrets.ts';

export type Kind = 'openai' | 'openai-compatible' | 'anthropic' | 'google';
export const KINDS: readonly Kind[] = ['openai', 'openai-compatible', 'anthropic', 'google'];

/** The name of the model for a provider of this kind; its id is `scripted/<name>`. */
export const MODEL_OF: Record<Kind, string> = {
  openai: 'gpt-5',
  'openai-compatible': 'plain',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-3-pro',
};

/** Sections of the settings file that a test overrides; their keys replace those of `settingsFor`. */
export type Wanted = { [Section in keyof z.input<typeof Settings>]?: z.input<typeof Settings>[Section] };

/**
 * The tree of a settings file. One dollar per million input tokens, ten for output, a tenth of a dollar for cached
 * input.
 */
export function settingsFor(upstreamUrl: string, kind: Kind, wanted: Wanted = {}): z.input<typeof Settings> {
  const base = {
    server: { port: 0 },
    log: { level: 'warn' },
    // Tests count the requests to the model.
    titles: { enabled: false },
    // Tools behave the same with and without bubblewrap on the machine.
    tools: { shell: { sandbox: 'none' } },
    llm: {
      // The environment of the tests adds no models.
      discover: false,
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

/** Parsed as the program does it. */
export const parsedSettings = (tree: z.input<typeof Settings>): Settings => Settings.parse(tree);
