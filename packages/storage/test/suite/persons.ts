/** Persons, over any database. */
import type { PersonRecord } from '@chat-kernel/kernel';
import { expect, test } from 'vitest';
import { NOW, nextId } from '../records.ts';
import type { Stage } from '../stage.ts';

export function personSuite(stage: Stage): void {
  test('A person is made at first sight and found again ever after, as it was then [API-6]', async () => {
    const ada = newPerson('mail', 'ada', { name: 'Ada' });
    expect(await stage.store.resolvePerson(ada)).toEqual(ada);
    expect(await stage.store.resolvePerson(newPerson('mail', 'ada', { name: 'Eve' }))).toEqual(ada);
    await stage.reopen();
    expect(await stage.store.resolvePerson(newPerson('mail', 'ada'))).toEqual(ada);
    expect(await stage.store.person(ada.id)).toEqual(ada);
    expect(await stage.store.person(nextId())).toBeUndefined();
    expect(await stage.store.persons()).toEqual([ada]);
  });

  test('The same id on another surface, or in another case, is somebody else', async () => {
    const persons: PersonRecord[] = [];
    for (const [surface, id] of [
      ['mail', 'ada'],
      ['chat', 'ada'],
      ['mail', 'Ada'],
      ['mail', 'ada '],
    ] as const) {
      persons.push(await stage.store.resolvePerson(newPerson(surface, id)));
    }
    expect(new Set(persons.map(({ id }) => id)).size).toBe(4);
    expect(await stage.store.persons()).toEqual(persons);
  });

  test.each([
    'a\0b',
    'a\ud800b',
    'Grüße 👩‍👩‍👧',
    '"quoted"',
    "it's",
  ])('Names and ids keep each of their characters: %j', async text => {
    const person = newPerson(text, text, { name: text });
    await stage.store.resolvePerson(person);
    await stage.reopen();
    expect(await stage.store.resolvePerson(newPerson(text, text))).toEqual(person);
  });

  test('Asked for 20 times at once, it is one person', async () => {
    const asked = Array.from({ length: 20 }, () => newPerson('mail', 'ada'));
    const answers = await Promise.all(asked.map(person => stage.store.resolvePerson(person)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await stage.store.persons()).toEqual([answers[0]]);
  });

  test('Name, trust and mastery change one by one; a person that is not there is undefined', async () => {
    const ada = await stage.store.resolvePerson(newPerson('mail', 'ada', { name: 'Ada' }));
    const update = (changes: Parameters<typeof stage.store.updatePerson>[1]) =>
      stage.store.updatePerson(ada.id, changes);
    expect(await update({})).toEqual(ada);
    expect(await update({ trusted: true })).toEqual({ ...ada, trusted: true });
    expect(await update({ master: true })).toEqual({ ...ada, trusted: true, master: true });
    expect(await update({ trusted: false, name: null })).toEqual({ ...ada, master: true, name: null });
    expect(await stage.store.person(ada.id)).toEqual({ ...ada, master: true, name: null });
    expect(await stage.store.updatePerson(nextId(), { trusted: true })).toBeUndefined();
  });

  test('A merged person is gone, and the other is called what both were called', async () => {
    const [ada, countess] = [
      await stage.store.resolvePerson(newPerson('mail', 'ada', { trusted: true })),
      await stage.store.resolvePerson(newPerson('chat', '7', { name: 'Countess' })),
    ];
    const merged = await stage.store.mergePersons(ada.id, countess.id);
    const external_ids = [...countess.external_ids, ...ada.external_ids];
    // Trust is never inherited.
    expect(merged).toEqual({ ...countess, external_ids, trusted: false });
    expect(await stage.store.persons()).toEqual([merged]);
    expect(await stage.store.resolvePerson(newPerson('mail', 'ada'))).toEqual(merged);
    expect(await stage.store.mergePersons(ada.id, countess.id)).toBeUndefined();
    expect(await stage.store.mergePersons(countess.id, ada.id)).toBeUndefined();
    expect(await stage.store.persons()).toEqual([merged]);
  });

  test('A person without a name takes that of the one merged into it; one with a name keeps it', async () => {
    const nameless = await stage.store.resolvePerson(newPerson('a', '1'));
    const ada = await stage.store.resolvePerson(newPerson('b', '1', { name: 'Ada' }));
    const eve = await stage.store.resolvePerson(newPerson('c', '1', { name: 'Eve' }));
    expect((await stage.store.mergePersons(ada.id, nameless.id))?.name).toBe('Ada');
    expect((await stage.store.mergePersons(eve.id, nameless.id))?.name).toBe('Ada');
  });

  test('Merged into itself, a person stays as it is', async () => {
    const ada = await stage.store.resolvePerson(newPerson('mail', 'ada'));
    expect(await stage.store.mergePersons(ada.id, ada.id)).toEqual(ada);
    expect(await stage.store.persons()).toEqual([ada]);
  });

  test('Of two merged into each other at once, one is left with the ids of both', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two] = [
        await stage.store.resolvePerson(newPerson('mail', `${round}`)),
        await stage.store.resolvePerson(newPerson('chat', `${round}`)),
      ];
      const answers = await Promise.all([
        stage.store.mergePersons(one.id, two.id),
        stage.store.mergePersons(two.id, one.id),
        stage.store.resolvePerson(newPerson('mail', `${round}`)),
      ]);
      expect(answers.slice(0, 2).filter(answer => answer !== undefined)).toHaveLength(1);
      const left = await stage.store.persons();
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
