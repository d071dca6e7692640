/** Persons who talk through surfaces (API-6). */
import { Id, MergePerson, PatchPerson, Person, PersonList, ResolvePerson } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'persons', description: 'Those who talk through surfaces.' };
const PersonParams = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/persons/resolve',
    operationId: 'resolvePerson',
    summary: 'Find the person that a surface calls so',
    description:
      'Made at first sight: neither trusted nor the master. Its id goes into `person_id` of turns.',
    tag,
    request: { body: ResolvePerson },
    responses: { 200: Person },
    handler: ({ kernel, body }) => kernel.persons.resolve(body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/persons',
    operationId: 'listPersons',
    summary: 'List persons',
    description: 'With their marks and the ids under which surfaces know them.',
    tag,
    responses: { 200: PersonList },
    handler: ({ kernel }) => kernel.persons.list(),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/persons/:id',
    operationId: 'patchPerson',
    summary: 'Name a person, or mark it as trusted or as the master',
    description: 'Counts for every turn that begins from now on, those that wait included.',
    tag,
    request: { params: PersonParams, body: PatchPerson },
    responses: { 200: Person },
    handler: ({ kernel, params, body }) => kernel.persons.patch(params.id, body),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/persons/:id/merge',
    operationId: 'mergePerson',
    summary: 'Two persons are one',
    description:
      'The other one gets all external ids, and the name where it has none; its marks stay as they are. ' +
      'This one is gone.',
    tag,
    request: { params: PersonParams, body: MergePerson },
    responses: { 200: Person },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.persons.merge(params.id, body),
  }),
];
