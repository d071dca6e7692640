/** Shows the notebook to models. */
import { type ChatRecord, type FeatureState, stateFingerprint } from '@chat-kernel/kernel';

/** The name of the tool and of the state. */
export const NOTEBOOK = 'notebook';

export const notebookFingerprint = (notebook: string): string => stateFingerprint(notebook);

export function buildState({ notebook }: Pick<ChatRecord, 'notebook'>): FeatureState {
  const fingerprint = notebookFingerprint(notebook);
  const text = notebook === '' ? 'The notebook is now empty.' : notebook;
  return {
    fingerprint,
    isEmpty: notebook === '',
    block: () => ({
      type: 'context',
      text: `[notebook]\n${text}`,
      internal: { told: { [NOTEBOOK]: fingerprint } },
    }),
  };
}
