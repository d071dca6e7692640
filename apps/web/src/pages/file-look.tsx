/** A look at a file on the kernel's machine. */
import { useState } from 'react';
import { Output } from '../items/output.tsx';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';
import { textAt } from '../requests/text-at.ts';
import { Part } from './page.tsx';

export function FileLook() {
  const { client } = useKernel();
  const [path, setPath] = useState('');
  const [text, setText] = useState<string | null>(null);
  const look = async () => {
    setText(null);
    const found = await textAt(client, path);
    if (found === null) throw new Error(`${path} cannot be read.`);
    setText(found);
  };
  return (
    <Part title="Look at a file" about="On the kernel's machine; an absolute path. Its beginning is shown.">
      <InlineForm action="Look" onSubmit={look} disabled={!path}>
        <label className="field grow">
          Path
          <input
            value={path}
            placeholder="/home/me/notes.md"
            onChange={event => setPath(event.target.value)}
          />
        </label>
      </InlineForm>
      {text === null ? null : <Output text={text} />}
    </Part>
  );
}
