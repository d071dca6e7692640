/**
 * Queues the approval dialogs. Each closes with a decision or when its operation ends. A late approval never counts for a
 * turn that ended unnoticed, for example because the kernel was killed.
 */
import type { Choice, KernelClient, Operation } from '@chat-kernel/client';
import type { ApprovalRequest } from '../dialogs/approval.ts';
import type { AppStore, OpenApproval } from '../state/app-state.ts';

export type ApprovalDialogs = ReturnType<typeof approvalDialogs>;

export function approvalDialogs(client: KernelClient, store: AppStore, onError: (error: unknown) => void) {
  /** Closes the dialogs that the kernel no longer waits for. @returns whether the kernel answered */
  const review = async (): Promise<boolean> => {
    const { approvals } = store.get();
    if (approvals.length === 0) return true;
    try {
      const { requests } = await client.listRequests();
      for (const approval of approvals) {
        if (!requests.some(({ id }) => id === approval.dialog.request.op_id)) approval.close();
      }
      return true;
    } catch (error) {
      onError(error);
      return false;
    }
  };

  /** Denials count immediately, approvals only while the kernel waits for them. While disconnected, the dialog stays. */
  const decide = async (approval: OpenApproval, choice: Choice): Promise<void> => {
    if (choice.decision !== 'deny' && !(await review())) return;
    if (store.get().approvals.includes(approval)) approval.close(choice);
  };

  return {
    review,

    /** @param signal aborted when the operation is over @returns undefined without a decision */
    ask(chat: OpenApproval['chat'], request: ApprovalRequest, signal: AbortSignal) {
      return new Promise<Choice | undefined>(resolve => {
        if (signal.aborted) return resolve(undefined);
        const close = (choice?: Choice) => {
          store.set({ approvals: store.get().approvals.filter(each => each !== approval) });
          resolve(choice);
        };
        const onChoice = (choice: Choice) => void decide(approval, choice);
        const approval: OpenApproval = { chat, close, dialog: { kind: 'approval', request, onChoice } };
        signal.addEventListener('abort', () => close(), { once: true });
        store.set({ approvals: [...store.get().approvals, approval] });
      });
    },

    /** Records that this machine starts or finishes an operation. */
    note({ op_id }: Pick<Operation, 'op_id'>, state: 'running' | 'answered' | 'over'): void {
      const others = [...store.get().begun].filter(each => each !== op_id);
      store.set({ begun: new Set(state === 'running' ? [...others, op_id] : others) });
    },

    /** Denies all open operations when the program closes. */
    denyAll(): void {
      for (const { close } of store.get().approvals) close({ decision: 'deny' });
    },
  };
}
