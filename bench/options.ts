/** Parses the command line of the bench. */
import { parseArgs } from 'node:util';

interface Options {
  /** Names of measures; empty: all. */
  only: string[];
  quick: boolean;
  large: boolean;
  /** Another revision, measured alternately with this one. */
  compare?: string;
}

/** Ends the process if the arguments are invalid or ask for help. */
export function readOptions(names: readonly string[]): Options {
  const values = parsed();
  if (values.help) {
    console.log(help(names));
    process.exit(0);
  }
  const unknown = (values.only ?? []).find(name => !names.includes(name));
  if (unknown !== undefined) refuse(`There is no measure ${unknown}; there are ${names.join(', ')}.`);
  const { only = [], quick = false, large = false, compare } = values;
  return { only, quick, large, ...(compare !== undefined && { compare }) };
}

function parsed() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        quick: { type: 'boolean' },
        large: { type: 'boolean' },
        compare: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

/** Reports an invalid command line and ends the process. */
export function refuse(why: string): never {
  console.error(`${why}\nnpm run bench -- --help shows what there is.`);
  process.exit(2);
}

const help = (names: readonly string[]): string => `npm run bench -- [options]

Measures the kernel next to no proxy, a bare proxy and a durable proxy in one run, with a scripted model on this machine.
Each measure alternates between them, so that drift of the machine affects all equally. Run it on a quiet machine.

  --only NAME     this measure alone; may be given more than once
  --quick         fewer rounds: shows that it runs, not how fast
  --large         also what takes minutes to prepare or to run
  --compare REV   measures this revision of the repository too, in turns with the checkout, and prints the ratio
  --help          this text

Measures: ${names.join(', ')}.
TMPDIR says on which disk the kernels keep their data.

Columns: direct is the model without a proxy, proxy the simplest proxy, durable the simplest proxy that syncs each request
and response to disk, kernel this checkout; k/p is kernel by proxy. A target applies to the ratio next to it, or to the
kernel's own number if there is none.
Exit code: 0 all targets kept, 1 one was missed, 2 wrong usage.`;
