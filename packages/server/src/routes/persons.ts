/** Manages persons who talk through surfaces (API-6). */

import type { RouteTag } from '@chat-kernel/http';
import { Id, MergePerson, PatchPerson, Person, PersonList, ResolvePerson } from '@chat-kernel/protocol';
import { z } from 'zod';
import { defineRoute } from '../http/route.ts';

const tag: RouteTag = { name: 'persons', description: 'People who use surfaces, such as messengers.' };
const PersonParams = z.object({ id: Id });

export const routes = [
  defineRoute({
    method: 'POST',
    url: '/v1/persons/resolve',
    operationId: 'resolvePerson',
    summary: 'Find or create the person with an external id',
    description: 'A new person is neither trusted nor the master. Use the id as `person_id` of turns.',
    tag,
    request: { body: ResolvePerson },
    responses: { 200: Person },
    handler: ({ kernel, body }) => kernel.persons.resolve(body),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/persons',
    operationId: 'listPersons',
    summary: 'List people',
    description: 'Includes their flags and external ids.',
    tag,
    responses: { 200: PersonList },
    handler: ({ kernel }) => kernel.persons.list(),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/persons/:id',
    operationId: 'patchPerson',
    summary: 'Rename a person, or mark it as trusted or as the master',
    description: 'Applies to every turn that starts from now on, including queued turns.',
    tag,
    request: { params: PersonParams, body: PatchPerson },
    responses: { 200: Person },
    handler: ({ kernel, params, body }) => kernel.persons.patch(params.id, body),
  }),
  defineRoute({
    method: 'POST',
    url: '/v1/persons/:id/merge',
    operationId: 'mergePerson',
    summary: 'Merge two persons',
    description:
      'The other person gets all external ids, and the name if it has none. Its flags do not change. ' +
      'This person is deleted.',
    tag,
    request: { params: PersonParams, body: MergePerson },
    responses: { 200: Person },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.persons.merge(params.id, body),
  }),
];
