/** Prints the bench's results, one line per measure. */

export interface Row {
  measure: string;
  unit: string;
  direct?: number;
  proxy?: number;
  kernel: number;
  /** The number held against the target; absent: the kernel's own. */
  ratio?: number;
  target?: { at: 'least' | 'most'; value: number };
}

/** Whether the row keeps its target; undefined where it has none. */
export function verdict({ kernel, ratio = kernel, target }: Row): 'ok' | 'MISSED' | undefined {
  if (!target) return undefined;
  // NaN was not measured, and therefore misses its target.
  return (target.at === 'most' ? ratio <= target.value : ratio >= target.value) ? 'ok' : 'MISSED';
}

export function table(rows: readonly Row[]): string {
  const lines = [
    ['measure', 'direct', 'proxy', 'kernel', 'unit', 'ratio', 'target', ''],
    ...rows.map(row => [
      row.measure,
      number(row.direct),
      number(row.proxy),
      number(row.kernel),
      row.unit,
      row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}x`,
      targetWords(row),
      verdict(row) ?? '',
    ]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map(line => line[column]!.length)));
  const aligned = lines.map(line =>
    line
      .map((cell, column) =>
        isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
  return [aligned[0], widths.map(width => '-'.repeat(width)).join('  '), ...aligned.slice(1)].join('\n');
}

/** Columns that stand flush right. */
const isNumber = (column: number): boolean => column > 0 && column < 4;

function number(value: number | undefined): string {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return '?';
  return value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : 2);
}

function targetWords({ target, ratio, unit }: Row): string {
  if (!target) return '';
  return `${target.at === 'most' ? '<=' : '>='} ${target.value}${ratio === undefined ? ` ${unit}` : 'x'}`;
}
