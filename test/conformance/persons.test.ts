/** Tests persons: resolved, marked, merged, and the effect of their marks in turns. */
import { describe, expect, test } from 'vitest';
import { sharedKernel } from '../harness/shared-kernel.ts';
import { eventsOf, held, says } from '../harness/story.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOBODY = '00000000-0000-4000-8000-000000000000';

const kernel = sharedKernel();

let count = 0;
const unknownId = () => `ada-${++count}`;
const resolve = async (external_id = unknownId(), more: object = {}) =>
  await kernel.client.resolvePerson({ surface: 'mail', external_id, ...more });
const patch = (id: string, body: object) => kernel.api.patch(`/v1/persons/${id}`, body);
const merge = (id: string, into: string) => kernel.api.post(`/v1/persons/${id}/merge`, { into });

const offersNotebook = (body: { tools?: { function: { name: string } }[] } | undefined): boolean =>
  (body?.tools ?? []).some(tool => tool.function.name === 'notebook');

describe('resolve', () => {
  test('[API-6] creates an untrusted person without master rights on the first request, and finds it later', async () => {
    const external_id = unknownId();
    const person = await resolve(external_id, { name: 'Ada' });
    expect(person).toEqual({
      id: expect.stringMatching(UUID_V4),
      name: 'Ada',
      master: false,
      trusted: false,
      external_ids: [{ surface: 'mail', external_id }],
    });
    expect(await resolve(external_id, { name: 'Somebody' })).toEqual(person);
    expect(await resolve(external_id)).toEqual(person);
    const elsewhere = await resolve(external_id, { surface: 'chat' });
    expect(elsewhere.id).not.toBe(person.id);
    const { persons } = (await kernel.api.get('/v1/persons')).body;
    expect(persons).toEqual(expect.arrayContaining([person, elsewhere]));
  });

  test('[API-6] adds a name to a person without one', async () => {
    const external_id = unknownId();
    expect((await resolve(external_id)).name).toBeNull();
    expect((await resolve(external_id, { name: 'Ada' })).name).toBe('Ada');
    expect((await resolve(external_id)).name).toBe('Ada');
  });

  test.each([
    [{ external_id: 'x' }, '/surface'],
    [{ surface: 'mail' }, '/external_id'],
    [{ surface: '', external_id: 'x' }, '/surface'],
    [{ surface: 'mail', external_id: 7 }, '/external_id'],
    [{ surface: 'mail', external_id: 'x'.repeat(301) }, '/external_id'],
  ])('rejects %j', async (body, pointer) => {
    const answer = await kernel.api.post('/v1/persons/resolve', body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'schema_mismatch', errors: [{ pointer }] } });
  });
});

describe('[API-6] patch and merge', () => {
  test('keeps fields that were not sent', async () => {
    const person = await resolve(undefined, { name: 'Ada' });
    expect((await patch(person.id, { trusted: true })).body).toEqual({ ...person, trusted: true });
    expect((await patch(person.id, { master: true, name: null })).body).toEqual({
      ...person,
      trusted: true,
      master: true,
      name: null,
    });
  });

  test('removes a merged person, and gives its ids to the other', async () => {
    const [one, other] = [await resolve('z-one'), await resolve('a-other', { name: 'Ada' })];
    const { body } = await merge(one.id, other.id);
    expect(body).toEqual({ ...other, external_ids: [...other.external_ids, ...one.external_ids] });
    expect((await resolve('z-one')).id).toBe(other.id);
    expect(await merge(one.id, other.id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await merge(other.id, one.id)).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/into' }] },
    });
    expect((await merge(other.id, other.id)).body).toEqual(body);
  });

  test.each(['not-an-id', NOBODY])('returns 404 for an unknown person, %s', async id => {
    expect(await patch(id, { trusted: true })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await merge(id, NOBODY)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('[TURN-8] a turn of a person', () => {
  test('applies the marks at its start if it was queued', async () => {
    const { client, upstream } = kernel;
    const { id: person_id } = await resolve();
    const { id } = await client.createChat();
    const first = held({ text: 'One.' });
    upstream.next(first.reply, says('Two.'));
    const [running, waiting] = [
      await client.begin(id, { text: '1' }),
      await client.begin(id, { text: '2', sender: 'Ada', person_id }),
    ];
    await patch(person_id, { trusted: true });
    first.go();
    expect(eventsOf(await running.all(), 'done')[0]?.status).toBe('completed');
    expect(eventsOf(await waiting.all(), 'done')[0]?.status).toBe('completed');
    expect(offersNotebook(upstream.requests.at(-1)?.body)).toBe(true);
  });

  test('is rejected before anything is stored if the person is unknown [TURN-9]', async () => {
    const { api, client } = kernel;
    const { id } = await client.createChat();
    const answer = await api.post(`/v1/chats/${id}/messages`, {
      text: 'Hi.',
      sender: 'Ada',
      person_id: NOBODY,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_value', errors: [{ pointer: '/person_id' }] },
    });
    expect((await client.listMessages(id)).messages).toEqual([]);
  });
});
