/**
 * Queues the approval dialogs. Each closes with a decision or when its operation ends. A late approval never counts for a
 * turn that ended unnoticed, for example because the kernel was killed.
 */
import type { Choice, KernelClient, Operation } from '@chat-kernel/client';
import type { ApprovalRequest } from '../dialogs/approval.ts';
import type { AppStore, OpenApproval } from '../state/app-state.ts';

export class ApprovalDialogs {
  readonly #client: KernelClient;
  readonly #state: AppStore;
  readonly #onError: (error: unknown) => void;

  constructor(client: KernelClient, state: AppStore, onError: (error: unknown) => void) {
    this.#client = client;
    this.#state = state;
    this.#onError = onError;
  }

  /** @param signal aborted when the operation is over @returns undefined without a decision */
  ask(
    chat: OpenApproval['chat'],
    request: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<Choice | undefined> {
    return new Promise(resolve => {
      if (signal.aborted) return resolve(undefined);
      const close = (choice?: Choice) => {
        this.#state.set({ approvals: this.#state.get().approvals.filter(each => each !== approval) });
        resolve(choice);
      };
      const onChoice = (choice: Choice) => void this.#decide(approval, choice);
      const approval: OpenApproval = { chat, close, dialog: { kind: 'approval', request, onChoice } };
      signal.addEventListener('abort', () => close(), { once: true });
      this.#state.set({ approvals: [...this.#state.get().approvals, approval] });
    });
  }

  /** Records that this machine starts or finishes an operation. */
  note({ op_id }: Pick<Operation, 'op_id'>, state: 'running' | 'answered' | 'over'): void {
    const others = [...this.#state.get().begun].filter(each => each !== op_id);
    this.#state.set({ begun: new Set(state === 'running' ? [...others, op_id] : others) });
  }

  /** Closes the dialogs that the kernel no longer waits for. @returns whether the kernel answered */
  async review(): Promise<boolean> {
    const { approvals } = this.#state.get();
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

  /** Denies all open operations when the program closes. */
  denyAll(): void {
    for (const { close } of this.#state.get().approvals) close({ decision: 'deny' });
  }

  /** Denials count immediately, approvals only while the kernel waits for them. While disconnected, the dialog stays. */
  async #decide(approval: OpenApproval, choice: Choice): Promise<void> {
    if (choice.decision !== 'deny' && !(await this.review())) return;
    if (this.#state.get().approvals.includes(approval)) approval.close(choice);
  }
}
