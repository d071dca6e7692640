/** The command line as plain facts, of which the man page and the completion of shells are made. */
import type { Command, Option } from 'commander';

export interface FlagFacts {
  /** Such as `-c`. */
  short?: string;
  /** Such as `--config`. */
  long: string;
  /** Name of its value, such as `file`; absent: it takes none. */
  value?: string;
  about: string;
}
export interface CommandFacts {
  /** Without the program's name: `module new`; empty: the program itself. */
  name: string;
  about: string;
  /** What follows its name, such as `[text...]`. */
  arguments: string;
  /** Names of the arguments, such as `file`. */
  takes: string[];
  flags: FlagFacts[];
  /** Paragraphs that its help ends with. */
  after: string;
  commands: CommandFacts[];
}

/** @param path names of the commands above this one, without the program's */
export function factsOf(command: Command, path: readonly string[] = []): CommandFacts {
  return {
    name: path.join(' '),
    about: command.description(),
    arguments: command.registeredArguments
      .map(each => {
        const name = each.variadic ? `${each.name()}...` : each.name();
        return each.required ? `<${name}>` : `[${name}]`;
      })
      .join(' '),
    takes: command.registeredArguments.map(each => each.name()),
    flags: command.options.map(flagOf),
    after: afterHelp(command),
    commands: command.commands.map(each => factsOf(each, [...path, each.name()])),
  };
}

/** All commands that do something by themselves, below this one. */
export const leavesOf = (facts: CommandFacts): CommandFacts[] =>
  facts.commands.flatMap(each => (each.commands.length > 0 ? leavesOf(each) : [each]));

function flagOf({ short, long, flags, description, defaultValue }: Option): FlagFacts {
  const value = /[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1];
  return {
    ...(short && { short }),
    long: long!,
    ...(value && { value }),
    about: defaultValue === undefined ? description : `${description} (default ${defaultValue})`,
  };
}

/** The texts that `addHelpText` has put behind the help, which commander tells nobody but the output. */
function afterHelp(command: Command): string {
  let text = '';
  const before = command.configureOutput();
  command.configureOutput({ ...before, writeOut: piece => (text += piece) });
  command.outputHelp();
  command.configureOutput(before);
  return text.slice(command.helpInformation().length).trim();
}
