/** Defines the API schemas of books: documents on a shelf, which the chats of that shelf can search and read (BT-2). */
import { z } from 'zod';
import { Id, ShelfName, Timestamp } from '../base/primitives.ts';

/** The formats of books. The content of a file decides the format, not its name. */
export const BOOK_FORMATS = ['pdf', 'epub', 'html', 'markdown', 'text'] as const;
export type BookFormat = (typeof BOOK_FORMATS)[number];

/** The units in which positions in a book are counted. */
export const BOOK_UNITS = ['page', 'chapter', 'section', 'line'] as const;
export type BookUnit = (typeof BOOK_UNITS)[number];

/** Longest title of a book, in characters. */
export const MAX_BOOK_TITLE = 500;

export const Book = z
  .object({
    id: Id,
    shelf: z.string().describe('The shelf. Chats with this shelf can use the book.'),
    title: z.string(),
    author: z.string().nullable(),
    format: z.enum(BOOK_FORMATS),
    file_name: z.string().describe('The media type of the source file.'),
    size: z.int().min(0).describe('The size of the source file in bytes.'),
    unit: z.enum(BOOK_UNITS).describe('The unit of sections.'),
    count: z.int().min(0).describe('The number of units.'),
    chars: z.int().min(0).describe('The length of the text in characters.'),
    created_at: Timestamp,
  })
  .meta({ id: 'Book' });
export type Book = z.infer<typeof Book>;

export const BookList = z
  .object({
    books: z.array(Book).describe('Newest first.'),
    next_before: Id.nullable().describe(
      'The cursor of the next page. Null if the page is empty, which is the end.',
    ),
  })
  .meta({ id: 'BookList' });
export type BookList = z.infer<typeof BookList>;

export const PatchBook = z
  .object({
    title: z.string().regex(/\S/, 'expected at least one word').max(MAX_BOOK_TITLE).optional(),
    shelf: ShelfName.optional().describe('The new shelf.'),
  })
  .meta({ id: 'PatchBook' });
export type PatchBook = z.infer<typeof PatchBook>;

export const BookDeleted = z.object({ deleted: z.literal(true), id: Id }).meta({ id: 'BookDeleted' });
export type BookDeleted = z.infer<typeof BookDeleted>;
