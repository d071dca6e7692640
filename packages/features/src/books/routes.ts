/** Lists, renames, moves and deletes books on shelves. Models add them with the tool books_upload (BT-2). */
import { Limit } from '@chat-kernel/http';
import { Book, BookDeleted, BookList, Id, PatchBook } from '@chat-kernel/protocol';
import { z } from 'zod';
import { featureRoutes } from '../feature.ts';
import type { Books } from './books.ts';

const defineRoute = featureRoutes<Books>({
  name: 'books',
  description: 'Shelves of books that chats search and read.',
});
const BookParams = z.object({ id: Id.describe('The book.') });

export const routes = [
  defineRoute('GET /v1/books', {
    operationId: 'listBooks',
    summary: 'List books',
    description: 'The books of one shelf, or of all shelves, newest first.',
    request: {
      query: z.object({
        limit: Limit,
        before: z.string().optional().describe('The id of the last book of the previous page.'),
        shelf: z.string().optional().describe('Only books of this shelf.'),
      }),
    },
    responses: { 200: BookList },
    errors: ['malformed_cursor', 'unknown_cursor'],
    handler: ({ service, query }) => service.list(query),
  }),
  defineRoute('GET /v1/books/:id', {
    operationId: 'getBook',
    summary: 'Get a book',
    description: 'Returns title, shelf and size, but not the text, which models search and read.',
    request: { params: BookParams },
    responses: { 200: Book },
    handler: ({ service, params }) => service.get(params.id),
  }),
  defineRoute('PATCH /v1/books/:id', {
    operationId: 'patchBook',
    summary: 'Rename a book or move it to another shelf',
    description: 'Absent fields stay unchanged. After a move, chats with the other shelf find the book.',
    request: { params: BookParams, body: PatchBook },
    responses: { 200: Book },
    errors: ['invalid_value'],
    handler: ({ service, params, body }) => service.patch(params.id, body),
  }),
  defineRoute('DELETE /v1/books/:id', {
    operationId: 'deleteBook',
    summary: 'Delete a book',
    description: 'Deletes the book with its text. The uploaded file stays.',
    request: { params: BookParams },
    responses: { 200: BookDeleted },
    handler: ({ service, params }) => service.delete(params.id),
  }),
];
