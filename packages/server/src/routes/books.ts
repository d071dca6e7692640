/** Books on shelves: listed, renamed, moved, deleted. Models put them there by their tool books_upload (BT-2). */
import { Book, BookDeleted, BookList, Id, PatchBook } from '@chat-kernel/protocol';
import { z } from 'zod';
import { Limit } from '../http/parameters.ts';
import { defineRoute, type RouteTag } from '../http/route.ts';

const tag: RouteTag = { name: 'books', description: 'Shelves of books that chats search and read.' };
const BookParams = z.object({ id: Id.describe('The book.') });

export const routes = [
  defineRoute({
    method: 'GET',
    url: '/v1/books',
    operationId: 'listBooks',
    summary: 'List books',
    description: 'Of one shelf, or of all, the newest first.',
    tag,
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last book that is known.'),
        shelf: z.string().optional().describe('Only books of this shelf.'),
      }),
    },
    responses: { 200: BookList },
    errors: ['malformed_cursor', 'unknown_cursor'],
    handler: ({ kernel, query: { limit, before, shelf } }) =>
      kernel.books.list({
        limit,
        ...(before !== undefined && { before }),
        ...(shelf !== undefined && { shelf }),
      }),
  }),
  defineRoute({
    method: 'GET',
    url: '/v1/books/:id',
    operationId: 'getBook',
    summary: 'Read what is known of a book',
    description: 'Its title, its shelf and its size; not its text, which models search and read.',
    tag,
    request: { params: BookParams },
    responses: { 200: Book },
    handler: ({ kernel, params }) => kernel.books.get(params.id),
  }),
  defineRoute({
    method: 'PATCH',
    url: '/v1/books/:id',
    operationId: 'patchBook',
    summary: 'Rename a book, or move it to another shelf',
    description: 'What is absent stays as it is. Chats of the other shelf find it from then on.',
    tag,
    request: { params: BookParams, body: PatchBook },
    responses: { 200: Book },
    errors: ['invalid_value'],
    handler: ({ kernel, params, body }) => kernel.books.patch(params.id, body),
  }),
  defineRoute({
    method: 'DELETE',
    url: '/v1/books/:id',
    operationId: 'deleteBook',
    summary: 'Delete a book',
    description: 'With all of its text. The file that it was made of stays.',
    tag,
    request: { params: BookParams },
    responses: { 200: BookDeleted },
    handler: ({ kernel, params }) => kernel.books.delete(params.id),
  }),
];
