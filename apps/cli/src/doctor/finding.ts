/** Findings of the doctor, and their formatting. */

export interface Finding {
  /** Subject: settings, database, provider anthropic, ... */
  about: string;
  /** The kernel works despite warnings. `untried` means not tested. */
  level: 'ok' | 'untried' | 'warning' | 'problem';
  /** The finding. */
  says: string;
  /** How to fix it; absent without a problem. */
  cure?: string;
}

const SIGNS = { ok: '✓', untried: '·', warning: '!', problem: '✗' } as const;

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says });
export const untried = (about: string, says: string): Finding => ({ about, level: 'untried', says });
export const warning = (about: string, says: string, cure: string): Finding => ({
  about,
  level: 'warning',
  says,
  cure,
});
export const problem = (about: string, says: string, cure: string): Finding => ({
  about,
  level: 'problem',
  says,
  cure,
});

/** Returns one or two lines, each with its newline. */
export function formatFinding({ about, level, says, cure }: Finding): string {
  const first = `${SIGNS[level]} ${about}: ${says}\n`;
  return cure === undefined ? first : `${first}    → ${cure}\n`;
}

/** Returns a line such as `2 problems, 1 warning.` */
export function formatSummary(findings: readonly Finding[]): string {
  const count = (level: Finding['level'], word: string) => {
    const n = findings.filter(finding => finding.level === level).length;
    return n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`];
  };
  const counts = [...count('problem', 'problem'), ...count('warning', 'warning')];
  return counts.length === 0 ? 'No problems found.\n' : `${counts.join(', ')}.\n`;
}
