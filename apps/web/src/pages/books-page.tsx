/** The books of all shelves. */
import type { Schema } from '@chat-kernel/client';
import { useEffect, useState } from 'react';
import { bytes, counted } from '../base/amounts.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { useAct } from '../parts/use-act.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { Page } from './page.tsx';

export default function BooksPage() {
  const { client, shelves } = useKernel();
  const changed = useStore(shelves);
  const [limit, setLimit] = useState(50);
  const { value, error, reload } = useLoaded(() => client.listBooks({ limit }), `${changed} ${limit}`);
  return (
    <Page
      title="Books"
      about="What models can look things up in. A chat has the books of the shelf that it names."
    >
      {error ? <p className="error">{error}</p> : null}
      {value?.books.length === 0 ? (
        <Empty title="No book is on a shelf.">
          <p>Attach a PDF, EPUB, HTML, Markdown or text file to a message, and ask the model to shelve it.</p>
        </Empty>
      ) : null}
      <ul className="rows">
        {value?.books.map(book => (
          <BookRow key={book.id} book={book} onChanged={reload} />
        ))}
      </ul>
      {value?.next_before && value.books.length >= limit ? (
        <button type="button" onClick={() => setLimit(limit + 50)}>
          More
        </button>
      ) : null}
    </Page>
  );
}

function BookRow({ book, onChanged }: { book: Schema<'Book'>; onChanged(): Promise<void> }) {
  const { client } = useKernel();
  const { act } = useAct();
  const [title, setTitle] = useState(book.title);
  const [shelf, setShelf] = useState(book.shelf);
  const [isGoing, setGoing] = useState(false);
  const { id, author, format, size, unit, count } = book;
  // Another page may have changed them.
  useEffect(() => setTitle(book.title), [book.title]);
  useEffect(() => setShelf(book.shelf), [book.shelf]);
  const patch = (change: Schema<'PatchBook'>) => void act(() => client.patchBook(id, change).then(onChanged));
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
          <bdi>{author}</bdi> {format} · {counted(count, unit)} · {bytes(size)}
        </small>
      </div>
      <label className="field">
        Shelf
        <input
          value={shelf}
          onChange={event => setShelf(event.target.value)}
          onBlur={() => shelf !== book.shelf && patch({ shelf })}
        />
      </label>
      <button type="button" className="danger" onClick={() => setGoing(true)}>
        Delete
      </button>
      {isGoing ? (
        <Confirm
          title="Delete this book?"
          action="Delete"
          onClose={() => setGoing(false)}
          onConfirm={() => client.deleteBook(id).then(onChanged)}
        >
          <p>
            <bdi>{book.title}</bdi> goes for good.
          </p>
        </Confirm>
      ) : null}
    </li>
  );
}
