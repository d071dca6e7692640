/** One call to a model outside of any chat. */
import type { Schema } from '@chat-kernel/client';
import { useState } from 'react';
import { dollars, plain } from '../base/amounts.ts';
import { useKernel } from '../kernel/context.ts';
import { InlineForm } from '../parts/inline-form.tsx';
import { Part } from './page.tsx';

export function AskOnce() {
  const { client } = useKernel();
  const [prompt, setPrompt] = useState('');
  const [answer, setAnswer] = useState<Schema<'Completion'> | null>(null);
  const ask = async () => setAnswer(await client.complete({ prompt }));
  return (
    <Part title="Ask once" about="A single call to the default model, in no chat.">
      <InlineForm action="Ask" onSubmit={ask} disabled={!prompt.trim()}>
        <label className="field grow">
          Prompt
          <input value={prompt} onChange={event => setPrompt(event.target.value)} />
        </label>
      </InlineForm>
      {answer ? (
        <>
          <pre className="output">{answer.text}</pre>
          <p className="hint">
            {answer.model}
            {answer.usage
              ? ` · ${plain(answer.usage.prompt_tokens + answer.usage.completion_tokens)} tokens · ${dollars(answer.usage.cost_usd)}`
              : ''}
          </p>
        </>
      ) : null}
    </Part>
  );
}
