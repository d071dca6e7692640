/** Edits a message: its new text starts another version of the chat from there on. */
import type { Item } from '@chat-kernel/client';
import { counted } from '@chat-kernel/text';
import { useState } from 'react';
import { isPressed } from '../base/shortcuts.ts';
import { FormModal } from '../parts/form-modal.tsx';

interface EditProps {
  item: Item;
  onSend(text: string): Promise<void>;
  onClose(): void;
}

export function Edit({ item, onSend, onClose }: EditProps) {
  const message = item.kind === 'user_message' ? item : null;
  const [text, setText] = useState(message?.text ?? '');
  const attached = message?.attachments.length ?? 0;
  const send = async () => {
    await onSend(text);
    onClose();
  };
  return (
    <FormModal
      title="Edit message"
      action="Send"
      disabled={text.trim() === '' && attached === 0}
      onSubmit={send}
      onClose={onClose}
    >
      <label className="field">
        Text
        <textarea
          data-first
          rows={Math.min(12, Math.max(3, text.split('\n').length))}
          value={text}
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            if (isPressed(event, 'sendNow')) event.currentTarget.form?.requestSubmit();
          }}
        />
      </label>
      {attached > 0 ? <p className="hint">{counted(attached, 'attachment')} will be sent again.</p> : null}
      <p className="hint">
        The chat continues from here. The arrows at the message lead back to this version.
      </p>
    </FormModal>
  );
}
