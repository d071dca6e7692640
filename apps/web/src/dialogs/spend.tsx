/** Shows token usage, cost and spending limits of a chat. */
import { counted, dollars, plain } from '@chat-kernel/text';
import { useKernel } from '../kernel/context.ts';
import { Caps } from '../parts/caps.tsx';
import { Modal } from '../parts/modal.tsx';
import { Bars } from '../parts/plot.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import type { OfChat } from './types.ts';

export function Spend({ chat, onClose }: OfChat) {
  const { client } = useKernel();
  const { value, error } = useLoaded(() => client.getSpend(chat.id), chat.id);
  return (
    <Modal title="Usage" onClose={onClose} wide>
      <div className="body">
        {error ? <p className="error">{error}</p> : null}
        {value ? (
          <>
            <p className="figure">
              <strong>{dollars(value.cost_usd)}</strong> for {counted(value.turns, 'turn')}
            </p>
            <Bars
              label="Tokens"
              bars={[
                { name: 'Input', value: value.prompt_tokens - value.cached_tokens },
                { name: 'Cached', value: value.cached_tokens },
                { name: 'Output', value: value.completion_tokens },
                { name: 'incl. thinking', value: value.reasoning_tokens },
              ]}
            />
            {value.by_model.length > 0 ? (
              <>
                <h3>By model</h3>
                <Bars
                  label="Tokens by model"
                  bars={value.by_model.map(({ model, prompt_tokens, completion_tokens, cost_usd }) => ({
                    name: model,
                    value: prompt_tokens + completion_tokens,
                    shown: `${plain(prompt_tokens + completion_tokens)} · ${dollars(cost_usd)}`,
                  }))}
                />
              </>
            ) : null}
            <Caps caps={value.caps ?? []} />
          </>
        ) : null}
      </div>
    </Modal>
  );
}
