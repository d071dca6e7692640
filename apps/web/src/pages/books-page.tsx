/** Lists, renames, moves and deletes books. */
import type { Book, PatchBook } from '@chat-kernel/client';
import { sizeForPeople } from '@chat-kernel/protocol/marker';
import { counted } from '@chat-kernel/text';
import { useEffect, useState } from 'react';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Button } from '../parts/button.tsx';
import { ConfirmButton } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { TextField } from '../parts/field.tsx';
import { useAction } from '../parts/use-action.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page } from './page.tsx';

export default function BooksPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const [limit, setLimit] = useState(50);
  const { value, error, reload } = useLoaded(() => client.listBooks({ limit }), `${changed} ${limit}`);
  return (
    <Page title="Books" about="Documents that models can search. A chat sees the books on its shelf.">
      {error ? <p className="error">{error}</p> : null}
      {value?.books.length === 0 ? (
        <Empty title="No books yet.">
          <p>
            Attach a PDF, EPUB, HTML, Markdown or text file to a message, and ask the model to add it to a
            shelf.
          </p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.books.map(book => (
          <BookRow key={book.id} book={book} onChanged={reload} />
        ))}
      </ul>
      {value?.next_before && value.books.length >= limit ? (
        <Button label="Load more" onClick={() => setLimit(limit + 50)} />
      ) : null}
    </Page>
  );
}

function BookRow({ book, onChanged }: { book: Book; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { act } = useAction();
  const [title, setTitle] = useState(book.title);
  const [shelf, setShelf] = useState(book.shelf);
  const { id, author, format, size, unit, count } = book;
  // Another client may have changed them.
  useEffect(() => setTitle(book.title), [book.title]);
  useEffect(() => setShelf(book.shelf), [book.shelf]);
  const patch = (change: PatchBook) => void act(() => client.patchBook(id, change).then(onChanged));
  return (
    <li>
      <div>
        <input
          aria-label="Title"
          value={title}
          onChange={event => setTitle(event.target.value)}
          onBlur={() => title !== book.title && patch({ title })}
        />
        <small>
          <bdi>{author}</bdi> {format} · {counted(count, unit)} · {sizeForPeople(size)}
        </small>
      </div>
      <TextField
        label="Shelf"
        value={shelf}
        onChange={setShelf}
        onBlur={() => shelf !== book.shelf && patch({ shelf })}
      />
      <ConfirmButton
        label="Delete"
        title="Delete this book?"
        action="Delete"
        onConfirm={() => client.deleteBook(id).then(onChanged)}
      >
        <p>
          This permanently deletes <bdi>{book.title}</bdi>.
        </p>
      </ConfirmButton>
    </li>
  );
}
