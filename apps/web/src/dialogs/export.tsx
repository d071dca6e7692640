/** Exports a chat as a file. */
import { useKernel } from '../kernel/context.ts';
import { Failure } from '../parts/failure.tsx';
import { Modal } from '../parts/modal.tsx';
import { saveAs } from '../parts/save-as.ts';
import { useAction } from '../parts/use-action.ts';
import type { OfChat } from './types.ts';

const FORMATS = [
  { format: 'md', name: 'Markdown', about: 'for reading' },
  { format: 'jsonl', name: 'JSON Lines', about: 'all items, for programs' },
] as const;

export function Export({ chat, onClose }: OfChat) {
  const { client } = useKernel();
  const { act, busy, failure } = useAction({ isShownHere: true });
  const save = async (format: 'md' | 'jsonl') => {
    await saveAs(await client.exportChat(chat.id, { format }), `${chat.title ?? 'chat'}.${format}`);
    onClose();
  };
  return (
    <Modal title="Export" onClose={onClose}>
      <div className="body stack">
        {FORMATS.map(({ format, name, about }) => (
          <button
            key={format}
            type="button"
            className="wide"
            disabled={busy}
            onClick={() => void act(() => save(format))}
          >
            <strong>{name}</strong> <span className="hint">{about}</span>
          </button>
        ))}
        <Failure text={failure} />
      </div>
    </Modal>
  );
}
