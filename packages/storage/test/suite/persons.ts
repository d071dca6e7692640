/** Tests persons on each database. */
import type { PersonRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function personSuite(stage: Stage): void {
  test('creates a person on first contact, and finds the same person afterwards [API-6]', async () => {
    const ada = newPerson('mail', 'ada', { name: 'Ada' });
    expect(await stage.store.persons.resolve(ada)).toEqual(ada);
    expect(await stage.store.persons.resolve(newPerson('mail', 'ada', { name: 'Eve' }))).toEqual(ada);
    await stage.reopen();
    expect(await stage.store.persons.resolve(newPerson('mail', 'ada'))).toEqual(ada);
    expect(await stage.store.persons.get(ada.id)).toEqual(ada);
    expect(await stage.store.persons.get(nextId())).toBeUndefined();
    expect(await stage.store.persons.list()).toEqual([ada]);
  });

  test('creates another person for the same id on another surface or in another case', async () => {
    const persons: PersonRecord[] = [];
    for (const [surface, id] of [
      ['mail', 'ada'],
      ['chat', 'ada'],
      ['mail', 'Ada'],
      ['mail', 'ada '],
    ] as const) {
      persons.push(await stage.store.persons.resolve(newPerson(surface, id)));
    }
    expect(new Set(persons.map(({ id }) => id)).size).toBe(4);
    expect(await stage.store.persons.list()).toEqual(persons);
  });

  test.each([
    'a\0b',
    'a\ud800b',
    'Grüße 👩‍👩‍👧',
    '"quoted"',
    "it's",
  ])('keeps every character of names and ids: %j', async text => {
    const person = newPerson(text, text, { name: text });
    await stage.store.persons.resolve(person);
    await stage.reopen();
    expect(await stage.store.persons.resolve(newPerson(text, text))).toEqual(person);
  });

  test('creates a single person for twenty simultaneous lookups of one id', async () => {
    const asked = Array.from({ length: 20 }, () => newPerson('mail', 'ada'));
    const answers = await Promise.all(asked.map(person => stage.store.persons.resolve(person)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await stage.store.persons.list()).toEqual([answers[0]]);
  });

  test('changes name, trust and mastery separately, and returns undefined for an unknown person', async () => {
    const ada = await stage.store.persons.resolve(newPerson('mail', 'ada', { name: 'Ada' }));
    const update = (changes: Parameters<typeof stage.store.persons.update>[1]) =>
      stage.store.persons.update(ada.id, changes);
    expect(await update({})).toEqual(ada);
    expect(await update({ trusted: true })).toEqual({ ...ada, trusted: true });
    expect(await update({ master: true })).toEqual({ ...ada, trusted: true, master: true });
    expect(await update({ trusted: false, name: null })).toEqual({ ...ada, master: true, name: null });
    expect(await stage.store.persons.get(ada.id)).toEqual({ ...ada, master: true, name: null });
    expect(await stage.store.persons.update(nextId(), { trusted: true })).toBeUndefined();
  });

  test('deletes a merged person, and assigns all its ids to the other', async () => {
    const [ada, countess] = [
      await stage.store.persons.resolve(newPerson('mail', 'ada', { trusted: true })),
      await stage.store.persons.resolve(newPerson('chat', '7', { name: 'Countess' })),
    ];
    const merged = await stage.store.persons.merge(ada.id, countess.id);
    const external_ids = [...countess.external_ids, ...ada.external_ids];
    // Trust is never inherited.
    expect(merged).toEqual({ ...countess, external_ids, trusted: false });
    expect(await stage.store.persons.list()).toEqual([merged]);
    expect(await stage.store.persons.resolve(newPerson('mail', 'ada'))).toEqual(merged);
    expect(await stage.store.persons.merge(ada.id, countess.id)).toBeUndefined();
    expect(await stage.store.persons.merge(countess.id, ada.id)).toBeUndefined();
    expect(await stage.store.persons.list()).toEqual([merged]);
  });

  test('gives a person without a name the name of the merged one, and keeps an existing name', async () => {
    const nameless = await stage.store.persons.resolve(newPerson('a', '1'));
    const ada = await stage.store.persons.resolve(newPerson('b', '1', { name: 'Ada' }));
    const eve = await stage.store.persons.resolve(newPerson('c', '1', { name: 'Eve' }));
    expect((await stage.store.persons.merge(ada.id, nameless.id))?.name).toBe('Ada');
    expect((await stage.store.persons.merge(eve.id, nameless.id))?.name).toBe('Ada');
  });

  test('does not change a person merged into itself', async () => {
    const ada = await stage.store.persons.resolve(newPerson('mail', 'ada'));
    expect(await stage.store.persons.merge(ada.id, ada.id)).toEqual(ada);
    expect(await stage.store.persons.list()).toEqual([ada]);
  });

  test('keeps one person with all ids if two are merged into each other simultaneously', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [
        await stage.store.persons.resolve(newPerson('mail', `${round}`)),
        await stage.store.persons.resolve(newPerson('chat', `${round}`)),
      ];
      const answers = await Promise.all([
        stage.store.persons.merge(one.id, two.id),
        stage.store.persons.merge(two.id, one.id),
        stage.store.persons.resolve(newPerson('mail', `${round}`)),
      ]);
      expect(answers.slice(0, 2).filter(answer => answer !== undefined)).toHaveLength(1);
      const left = await stage.store.persons.list();
      expect(left).toHaveLength(round + 1);
      expect(left.at(-1)?.external_ids).toEqual([...two.external_ids, ...one.external_ids]);
    }
  });
}

function newPerson(surface: string, external_id: string, changes: Partial<PersonRecord> = {}): PersonRecord {
  const external_ids = [{ surface, external_id }];
  return {
    id: nextId(),
    name: null,
    master: false,
    trusted: false,
    external_ids,
    created_at: NOW,
    ...changes,
  };
}
