/** The fields of a turn's request that make a client its hands. */
import { ACTIONS } from './execute-operation.ts';
import type { HandsOptions } from './hands-options.ts';

export interface TurnFields {
  client_ops: boolean;
  project_docs: boolean;
  list_dir: boolean;
  consents: true;
  whole_calls?: true;
  client_id: string;
}

export function turnFields(
  { hands, whole_calls }: Pick<HandsOptions, 'hands' | 'whole_calls'>,
  client_id: string,
): TurnFields {
  return {
    client_ops: ACTIONS.some(action => hands[action] !== undefined),
    project_docs: hands.list_up !== undefined,
    list_dir: hands.list_dir !== undefined,
    consents: true,
    ...(whole_calls && { whole_calls }),
    client_id,
  };
}
