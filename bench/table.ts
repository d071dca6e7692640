/** Prints the bench's results, one line per measure. */

/** One number of each measured program. */
export interface Figures {
  direct?: number;
  proxy?: number;
  durable?: number;
  kernel: number;
  /** The kernel of the revision that this one is compared with. */
  other?: number;
}

export interface Row extends Figures {
  measure: string;
  unit: string;
  /** The number to compare with the target; absent: the kernel's own. */
  ratio?: number;
  target?: { at: 'least' | 'most'; value: number };
}

/** Whether the row meets its target; undefined if it has none. */
export function verdict({ kernel, ratio = kernel, target }: Row): 'ok' | 'MISSED' | undefined {
  if (!target) return undefined;
  // NaN was not measured, and therefore misses its target.
  return (target.at === 'most' ? ratio <= target.value : ratio >= target.value) ? 'ok' : 'MISSED';
}

interface Column {
  title: string;
  /** Aligned right. */
  right?: true;
  cell(row: Row): string;
}

/** @param other the name of the other revision, if there is one */
export function table(rows: readonly Row[], other?: string): string {
  const columns = columnsOf(other);
  const lines = [columns.map(({ title }) => title), ...rows.map(row => columns.map(({ cell }) => cell(row)))];
  const widths = columns.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  const aligned = lines.map(line =>
    line
      .map((cell, column) =>
        columns[column]!.right ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    aligned[0],
    widths
      .map(width => '-'.repeat(width))
      .join('  ')
      .trimEnd(),
    ...aligned.slice(1),
  ].join('\n');
}

function columnsOf(other: string | undefined): Column[] {
  const compared: [Column, Column] = [
    { title: other ?? '', right: true, cell: row => number(row.other) },
    { title: `by ${other}`, right: true, cell: row => times(row.other && row.kernel / row.other) },
  ];
  return [
    { title: 'measure', cell: row => row.measure },
    { title: 'direct', right: true, cell: row => number(row.direct) },
    { title: 'proxy', right: true, cell: row => number(row.proxy) },
    { title: 'durable', right: true, cell: row => number(row.durable) },
    { title: 'kernel', right: true, cell: row => number(row.kernel) },
    ...(other ? compared.slice(0, 1) : []),
    { title: 'unit', cell: row => row.unit },
    { title: 'k/p', right: true, cell: row => times(row.proxy && row.kernel / row.proxy) },
    ...(other ? compared.slice(1) : []),
    { title: 'ratio', right: true, cell: row => times(row.ratio) },
    { title: 'target', cell: targetWords },
    { title: '', cell: row => verdict(row) ?? '' },
  ];
}

function number(value: number | undefined): string {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return '?';
  return value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : 2);
}

/** Empty also if the divisor is missing. */
const times = (ratio: number | undefined): string => (ratio ? `${ratio.toFixed(2)}x` : '');

function targetWords({ target, ratio, unit }: Row): string {
  if (!target) return '';
  return `${target.at === 'most' ? '<=' : '>='} ${target.value}${ratio === undefined ? ` ${unit}` : 'x'}`;
}
