/** The text format that Prometheus reads, version 0.0.4: families of samples, one sample a line. */

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;
export interface Family {
  name: string;
  /** A counter only grows while the process lives; its name ends in _total. */
  type: 'counter' | 'gauge';
  help: string;
  samples: readonly { labels?: Labels; value: number }[];
}

export const expose = (families: readonly Family[]): string => families.map(textOf).join('');

function textOf({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

/** The name of a model can be any text. */
const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
