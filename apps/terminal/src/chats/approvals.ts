/**
 * The dialogs about operations, one behind the other. Each ends by a decision of the owner, or with its operation;
 * and nothing is allowed for a turn that has ended unseen, as when the kernel was killed under it.
 */
import type { Decision, KernelClient } from '@chat-kernel/client';
import type { ApprovalRequest } from '../dialogs/approval.ts';
import type { Approval, AppState } from '../state/app-state.ts';
import type { Store } from '../state/store.ts';

export class Approvals {
  readonly #client: KernelClient;
  readonly #store: Store<AppState>;
  readonly #onError: (error: unknown) => void;

  constructor(client: KernelClient, store: Store<AppState>, onError: (error: unknown) => void) {
    this.#client = client;
    this.#store = store;
    this.#onError = onError;
  }

  /** @param signal aborted when the operation is over @returns undefined where nobody has decided */
  ask(chat: Approval['chat'], request: ApprovalRequest, signal: AbortSignal): Promise<Decision | undefined> {
    return new Promise(resolve => {
      if (signal.aborted) return resolve(undefined);
      const close = (decision?: Decision) => {
        this.#store.set({ approvals: this.#store.get().approvals.filter(each => each !== approval) });
        resolve(decision);
      };
      const onDecision = (decision: string) => void this.#decided(approval, decision as Decision);
      const approval: Approval = { chat, close, dialog: { kind: 'approval', request, onDecision } };
      signal.addEventListener('abort', () => close(), { once: true });
      this.#store.set({ approvals: [...this.#store.get().approvals, approval] });
    });
  }

  /** Closes those that the kernel does not wait for any more. @returns whether it could be asked */
  async review(): Promise<boolean> {
    const { approvals } = this.#store.get();
    if (approvals.length === 0) return true;
    try {
      const { requests } = await this.#client.listRequests();
      for (const approval of approvals) {
        if (!requests.some(({ id }) => id === approval.dialog.request.op_id)) approval.close();
      }
      return true;
    } catch (error) {
      this.#onError(error);
      return false;
    }
  }

  /** What is still open is denied: closing is a decision too. */
  denyAll(): void {
    for (const { close } of this.#store.get().approvals) close('deny');
  }

  /** A no counts at once, a yes where the kernel still waits for it; while it is gone, the dialog stays. */
  async #decided(approval: Approval, decision: Decision): Promise<void> {
    if (decision !== 'deny' && !(await this.review())) return;
    if (this.#store.get().approvals.includes(approval)) approval.close(decision);
  }
}
