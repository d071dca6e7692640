/** Manages persons who talk through surfaces (API-6). */
import { Id, MergePerson, PatchPerson, Person, PersonList, ResolvePerson } from '@chat-kernel/protocol';
import { z } from 'zod';
import { routesOf } from '../http/route.ts';

const defineRoute = routesOf({
  name: 'persons',
  description: 'People who use surfaces, such as messengers.',
});
const PersonParams = z.object({ id: Id });

export const routes = [
  defineRoute('POST /v1/persons/resolve', {
    operationId: 'resolvePerson',
    summary: 'Find or create the person with an external id',
    description: 'A new person is neither trusted nor the master. Use the id as `person_id` of turns.',
    request: { body: ResolvePerson },
    responses: { 200: Person },
    handler: ({ kernel, body }) => kernel.persons.resolve(body),
  }),
  defineRoute('GET /v1/persons', {
    operationId: 'listPersons',
    summary: 'List people',
    description: 'Includes their flags and external ids.',
    responses: { 200: PersonList },
    handler: ({ kernel }) => kernel.persons.list(),
  }),
  defineRoute('PATCH /v1/persons/:id', {
    operationId: 'patchPerson',
    summary: 'Rename a person, or mark it as trusted or as the master',
    description: 'Applies to every turn that starts from now on, including queued turns.',
    request: { params: PersonParams, body: PatchPerson },
    responses: { 200: Person },
    handler: ({ kernel, params, body }) => kernel.persons.patch(params.id, body),
  }),
  defineRoute('POST /v1/persons/:id/merge', {
    operationId: 'mergePerson',
    summary: 'Merge two persons',
    description:
      'The other person gets all external ids, and the name if it has none. Its flags do not change. ' +
      'This person is deleted.',
    request: { params: PersonParams, body: MergePerson },
    responses: { 200: Person },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.persons.merge(params.id, body),
  }),
];
