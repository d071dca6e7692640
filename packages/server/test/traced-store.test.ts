/** Tests which calls of the store become spans. */
import { expect, it } from 'vitest';
import { tracedStore } from '../src/telemetry/traced-store.ts';
import { recordSpans } from './record-spans.ts';

class Turns {
  readonly table = 'turns';
  readonly #rows = ['hush'];
  list = async () => this.#rows;
  checkpoint = async () => {};
  count(): number {
    return this.#rows.length;
  }
  async write(row: string): Promise<void> {
    throw Object.assign(new Error(row), { code: 'SQLITE_BUSY' });
  }
}
const START = { name: 'turn', parent: undefined, facts: {} };

/** A traced store with a part of each kind. */
function open() {
  const { spans, ended } = recordSpans();
  const fleet = { beat: async () => 'beat' };
  const parts = { turns: new Turns(), fleet, ports: null, version: 7, close: async () => 'closed' };
  return { spans, ended, parts, store: tracedStore(parts, spans, 'sqlite') };
}

it('records calls made in a span, each as a request with its name and that of the database', async () => {
  const { spans, ended, store } = open();
  const failure = await spans.span(START, async () => {
    expect(await store.turns.list()).toEqual(['hush']);
    return store.turns.write('hush').catch((error: Error) => error.message);
  });
  expect(failure).toBe('hush');
  const [list, write, turn] = ended();
  const attributes = { 'db.system.name': 'sqlite', 'db.operation.name': 'turns.list' };
  expect(list).toMatchObject({ name: 'turns.list', kind: 2, attributes, status: { code: 0 } });
  expect(list?.parent?.spanId).toBe(turn?.id);
  expect(write).toMatchObject({
    name: 'turns.write',
    attributes: { 'error.type': 'SQLITE_BUSY' },
    status: { code: 2 },
  });
  expect(JSON.stringify([list, write, turn])).not.toContain('hush');
});

it('records neither calls that turns share nor those outside of a span', async () => {
  const { spans, ended, store, parts } = open();
  await store.turns.list();
  await spans.span(START, async () => {
    await store.turns.checkpoint();
    expect(await store.fleet.beat()).toBe('beat');
    expect(await store.close()).toBe('closed');
    expect(store.turns.count()).toBe(1);
  });
  expect(ended().map(({ name }) => name)).toEqual(['turn']);
  expect(store).toMatchObject({ ports: null, version: 7, turns: { table: 'turns' } });
  expect(store.fleet).toBe(parts.fleet);
});
