/**
 * Names the parameters of a command that it needs because of the sandbox (CONSENT-6, CONSENT-9). They ask, and approvals of
 * other commands do not cover them.
 */

/** A model writes these parameters, so any value counts. */
export interface SandboxExceptions {
  /** The reason of the model for a command without the sandbox. */
  outside_sandbox?: unknown;
  /** True: the command may write protected paths, except the configuration and hooks of git. */
  protected?: unknown;
}

/** The widest exception of a command. */
export function sandboxException(params: SandboxExceptions): 'outside_sandbox' | 'protected' | undefined {
  if (params.outside_sandbox !== undefined) return 'outside_sandbox';
  return params.protected === undefined || params.protected === false ? undefined : 'protected';
}

/** Why the owner is asked about such a command. */
export const EXCEPTION_REASONS = {
  outside_sandbox: 'This command is to run outside of the sandbox.',
  protected:
    'This command may change protected paths, such as AGENTS.md and .vscode, which can run programs.',
} as const;
