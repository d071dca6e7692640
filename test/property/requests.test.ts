import { type Models, repair, systemClock } from '@chat-kernel/kernel';
import { Settings } from '@chat-kernel/protocol';
import { openModels } from '@chat-kernel/providers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutHistories } from '../../packages/kernel/test/arbitraries.ts';
import { forAsLong } from '../harness/for-as-long.ts';
import { KINDS, MODEL_OF } from '../harness/settings.ts';
import { startUpstream, type Upstream } from '../upstream/server.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} };
let upstream: Upstream;
let models: Models;
beforeAll(async () => {
  upstream = await startUpstream();
  const access = (kind: (typeof KINDS)[number]) => ({
    kind,
    api_key: 'key',
    base_url: `${upstream.url}/${kind === 'google' ? 'v1beta' : 'v1'}`,
  });
  const providers = Object.fromEntries(KINDS.map(kind => [kind, access(kind)]));
  const ids = KINDS.map(kind => ({ id: `${kind}/${MODEL_OF[kind]}` }));
  const { llm } = Settings.parse({ llm: { providers, models: ids } });
  models = await openModels({ llm, env: {}, secrets: [], clock: systemClock, log });
});
afterAll(() => upstream.close());

describe('[HIST-3] random cuts of random histories', () => {
  for (const kind of KINDS) {
    it(`give requests that ${kind} accepts`, { timeout: 300_000 }, async () => {
      const model = models.find(`${kind}/${MODEL_OF[kind]}`);
      if (!model) throw new Error(`no model of kind ${kind}`);
      await fc.assert(
        forAsLong(
          30_000,
          fc.asyncProperty(
            cutHistories,
            fc.constantFrom('off' as const, 'high' as const),
            async (history, effort) => {
              const messages = repair(history);
              // A history of only service texts does not occur: a turn always adds its user's message.
              fc.pre(messages.length > 0);
              const told: string[] = [];
              const request = {
                system: 'Be brief.',
                messages,
                tools: [
                  {
                    name: 'read_file',
                    description: 'Reads.',
                    input_schema: { type: 'object', properties: {} },
                  },
                ],
                effort,
                cache_key: 'chat',
                loadImage: async () => undefined,
              };
              for await (const event of model.stream(request, new AbortController().signal))
                told.push(event.type);
              expect(told.at(-1)).toBe('finish');
            },
          ),
        ),
        { numRuns: 100 },
      );
      expect(upstream.requests.flatMap(request => request.rejected ?? [])).toEqual([]);
    });
  }
});
