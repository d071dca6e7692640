/** What the doctor finds, and how people read it. */

export interface Finding {
  /** Which part was looked at: settings, database, provider anthropic, ... */
  about: string;
  /** A warning does not keep the kernel from working. */
  level: 'ok' | 'warning' | 'problem';
  /** A sentence. */
  says: string;
  /** What to do about it; never missing but where all is well. */
  cure?: string;
}

const SIGNS = { ok: '✓', warning: '!', problem: '✗' } as const;

export const ok = (about: string, says: string): Finding => ({ about, level: 'ok', says });
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

/** One or two lines, each ended. */
export function lineOf({ about, level, says, cure }: Finding): string {
  const first = `${SIGNS[level]} ${about}: ${says}\n`;
  return cure === undefined ? first : `${first}    → ${cure}\n`;
}

/** `2 problems, 1 warning.` */
export function summaryOf(findings: readonly Finding[]): string {
  const count = (level: Finding['level'], word: string) => {
    const n = findings.filter(finding => finding.level === level).length;
    return n === 0 ? [] : [`${n} ${word}${n === 1 ? '' : 's'}`];
  };
  const counts = [...count('problem', 'problem'), ...count('warning', 'warning')];
  return counts.length === 0 ? 'All is well.\n' : `${counts.join(', ')}.\n`;
}
