/** Search results: chats by title, and messages by content. */
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { chatPath } from '../base/paths.ts';
import { useStore } from '../base/store.ts';
import { useKernel } from '../kernel/context.ts';
import { useLoaded } from '../parts/use-loaded.ts';

export function SearchResults({ words }: { words: string }) {
  const { client, chats: list } = useKernel();
  const query = useDeferredValue(words);
  const { chats } = useStore(list.list);
  const search = async () => {
    const [titled, { results }] = await Promise.all([
      client.listChats({ q: query, limit: 20 }),
      client.search({ q: query, limit: 40 }),
    ]);
    return { titled: titled.chats, results };
  };
  const { value, error } = useLoaded(search, query);
  if (error) return <p className="error">{error}</p>;
  if (!value) return <p className="hint">Searching…</p>;
  const { titled, results } = value;
  const titleOf = (id: string) => [...titled, ...chats].find(chat => chat.id === id)?.title ?? 'Chat';
  if (titled.length + results.length === 0) return <p className="hint">No results. Every word must match.</p>;
  return (
    <>
      {titled.length > 0 ? (
        <section aria-label="Matching chats">
          <h2>Chats</h2>
          <ul>
            {titled.map(({ id, title }) => (
              <li key={id}>
                <Link href={chatPath(id)}>
                  <span className="title">
                    <bdi>{title ?? 'New chat'}</bdi>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {results.length > 0 ? (
        <section aria-label="Matching messages">
          <h2>Messages</h2>
          <ul>
            {results.map(({ chat_id, message_id, snippet }) => (
              <li key={message_id}>
                <Link href={chatPath(chat_id, message_id)} className="found">
                  <span className="title">
                    <bdi>{titleOf(chat_id)}</bdi>
                  </span>
                  <small>
                    <bdi>{snippet}</bdi>
                  </small>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
