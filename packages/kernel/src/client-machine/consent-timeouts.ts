/** Computes how long requests for consent wait (CONSENT-1). */
import type { Settings } from '@chat-kernel/protocol';
import type { TurnParameters } from '../ports/index.ts';
import type { ApprovalContext } from './question.ts';

/** In turns of schedules, and of modules such as mail, people may read the request hours later. */
export function consentTimeouts(
  settings: Settings['requests'],
  { schedule, anchor }: Pick<TurnParameters, 'schedule' | 'anchor'>,
): NonNullable<ApprovalContext['consent']> {
  const { consent_timeout_secs, client_op_timeout_secs, question_timeout_secs } = settings;
  const isSlow = schedule !== undefined || anchor?.module !== undefined;
  return {
    timeout_secs: consent_timeout_secs ?? (isSlow ? question_timeout_secs : client_op_timeout_secs),
    unattended_timeout_secs: settings.unattended_timeout_secs,
  };
}
