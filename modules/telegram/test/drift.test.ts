/** Compares the fake Bot API with the published one, as described by grammY's types. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { METHODS, type Parameters } from './bot-api/methods.ts';

const types = dirname(
  createRequire(createRequire(import.meta.url).resolve('grammy/types')).resolve('@grammyjs/types'),
);
const text = readFileSync(join(types, 'methods.d.ts'), 'utf8');

/** Parameter → whether it may be absent. */
function published(method: string): Record<string, boolean> {
  const begin = new RegExp(`^    ${method}\\(`, 'm').exec(text);
  if (!begin) throw new Error(`Telegram publishes no method ${method}`);
  const rest = text.slice(begin.index);
  const body = rest.slice(0, rest.search(/^ {4}(?:\}\): |\w+\(\): )/m));
  return Object.fromEntries(
    [...body.matchAll(/^ {8}(\w+)(\??): /gm)].map(([, name, optional]) => [name, optional === '?']),
  );
}

it.each(
  Object.entries(METHODS) as [string, Parameters][],
)('the fake takes the parameters of %s that Telegram publishes, and no others', (method, parameters) => {
  const faked = Object.entries(parameters).map(([name, kind]) => [name, kind.endsWith('?')]);
  expect(Object.fromEntries(faked)).toEqual(published(method));
});
