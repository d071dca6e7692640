/** Shows the status of an item as a small mark, animated while it runs. */
import type { Item } from '@chat-kernel/client';

const WORDS: Readonly<Record<Item['status'], string>> = {
  running: 'running',
  completed: 'done',
  failed: 'failed',
  aborted: 'stopped',
};

export function StatusMark({ status }: { status: Item['status'] }) {
  return <span className={`mark ${status}`} role="img" aria-label={WORDS[status] ?? status} />;
}
