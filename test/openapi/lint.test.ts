/** Checks the document with two independent linters. Their warnings fail as well. */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { RULES_OFF } from './rules-off.ts';

const FILE = new URL('../../docs/openapi.json', import.meta.url);
const text = readFileSync(FILE, 'utf8');

test('[SVC-3] Redocly finds nothing in the stored document by its recommended rules, warnings as errors', async () => {
  expect(await redocly(text)).toEqual([]);
});

test('[SVC-3] Spectral finds nothing in it by any rule for OpenAPI, except for the disabled ones', async () => {
  expect(await spectralOf(text)).toEqual([]);
});

test('both find errors in a document', async () => {
  const wrong = JSON.parse(text);
  // One path is enough, and takes a fraction of the time.
  wrong.paths = { '/v1/chats': wrong.paths['/v1/chats'] };
  wrong.paths['/v1/chats'].get.tags = ['nobody'];
  wrong.paths['/v1/chats'].post.responses['201'].content['application/json'].schema = { $ref: '#/nowhere' };
  expect(await redocly(JSON.stringify(wrong))).toContainEqual(expect.stringMatching(/^no-unresolved-refs/));
  expect(await spectralOf(JSON.stringify(wrong))).toContainEqual(
    expect.stringMatching(/^operation-tag-defined/),
  );
});

test('disables only rules that exist', () => {
  expect(Object.keys((rulesets.oas as RulesetDefinition & { rules: object }).rules)).toEqual(
    expect.arrayContaining(Object.keys(RULES_OFF)),
  );
});

async function redocly(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'], telemetry: 'off' });
  const problems = await lintFromString({ source, absoluteRef: FILE.pathname, config });
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

async function spectralOf(source: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, 'all']],
    rules: Object.fromEntries(Object.keys(RULES_OFF).map(rule => [rule, 'off'])),
  });
  const problems = await linter.run(JSON.parse(source));
  return problems.map(({ code, message, path }) => `${code} ${path.join('/')}: ${message}`);
}
